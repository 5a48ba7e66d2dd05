#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every tests/bad_models/NAME.sw is refused with exit code 2 and the message in NAME.err, byte for byte.
# Usage: bad_models.sh GENERATOR [--update]
set -uo pipefail
generator=$1
status=0
count=0
for model in tests/bad_models/*.sw; do
  expected=${model%.sw}.err
  actual=$("$generator" check "$model" 2>&1; echo "exit $?")
  if [ "${actual##*exit }" != 2 ]; then
    echo "$model: exit code ${actual##*exit } instead of 2"
    status=1
  fi
  if [ "${2:-}" = --update ]; then
    printf '%s' "${actual%exit *}" >"$expected"
  elif ! diff -u --label "$expected" "$expected" --label actual <(printf '%s' "${actual%exit *}"); then
    status=1
  fi
  count=$((count + 1))
done
echo "$count bad models"
[ "$count" -ge 60 ] || { echo "fewer than 60 bad models"; exit 1; }
exit $status
