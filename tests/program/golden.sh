#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Regenerates every shipped model and compares with what is committed.  `./dev golden` accepts a change.
# Usage: golden.sh GENERATOR
set -uo pipefail
generator=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
compare() { # model, folder of the committed C
  "$generator" generate "$1" -o "$work" >/dev/null || { echo "$1: cannot be generated"; status=1; return; }
  for suffix in .c .h _step.c; do
    committed=$2/$(basename "$1" .sw)$suffix
    made=$work/$(basename "$1" .sw)$suffix
    [ -f "$committed" ] || [ -f "$made" ] || continue # not every model has a step of its own
    diff -uN "$committed" "$made" | head -40
    [ "${PIPESTATUS[0]}" -eq 0 ] || status=1
  done
}
for model in models/*.sw; do
  compare "$model" generated
done
for model in tests/models/*.sw; do
  compare "$model" tests/models
done
# lifted models, which tests link with the C of the same models
for lifted in tests/models/*_lifted.c; do
  name=$(basename "$lifted" _lifted.c)
  model=models/$name.sw
  [ -f "$model" ] || model=tests/models/$name.sw
  "$generator" generate "$model" --with parameters -o "$work" >/dev/null 2>&1 ||
    { echo "$model: cannot be generated with parameters"; status=1; }
  diff -uN "$lifted" "$work/${name}_lifted.c" | head -40
  [ "${PIPESTATUS[0]}" -eq 0 ] || status=1
done
for source in generated/*.c; do
  name=$(basename "$source" .c)
  [ -f "models/${name%_step}.sw" ] || { echo "$source has no model"; status=1; }
done
echo "compared $(ls models/*.sw tests/models/*.sw | wc -l) models"
exit $status
