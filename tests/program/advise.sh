#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What `advise` proposes reaches the error that it is asked for, within a factor of ten, on motions that are regular; what it costs
# is for bench_precision to say.
# Usage: advise.sh PROGRAMS
set -uo pipefail
programs=$1
source tests/program/lib.sh

# reaches MODEL ERROR T OPTIONS...: runs what is proposed, and with a fifth of the step.
reaches() {
  local program=$programs/$1 error=$2 t=$3 advice
  shift 3
  expect 0 '^advice +--method' "$program" advise --error "$error" --t-end "$t" "$@"
  advice=$(sed -n 's/^advice *//p' "$work/output")
  # shellcheck disable=SC2086
  "$program" run $advice "$@" --columns q --out "$work/advised.csv" --quiet
  # shellcheck disable=SC2086
  "$program" run $(sed 's/--step [^ ]*//' <<<"$advice") "$@" --columns q --out "$work/finer.csv" --quiet \
    --step "$(sed 's/.*--step \([^ ]*\).*/\1/' <<<"$advice" | awk '{printf "%.17g", $1 / 5}')"
  true_that "$program reaches $error at t = $t" awk -F, -v asked="$error" '
    { n = split($0, row) } FNR == NR { split($0, end); next }
    END { for (i = 1; i <= n; i++) {
            d = row[i] - end[i]; d = d < 0 ? -d : d; s = row[i] < 0 ? -row[i] : row[i]
            most = d > most ? d : most; size = s > size ? s : size }
          print "  error " most / size " where " asked " was asked for"
          exit !(most / size < 10 * asked && most / size > asked / 1000) }' "$work/advised.csv" "$work/finer.csv"
}

reaches pendulum 1e-4 50
reaches pendulum 1e-8 50
reaches spherical 1e-6 50
reaches hopf 1e-6 50 --init zc
reaches two_constraints 1e-7 50
reaches index1 1e-5 50
expect 2 'is not a number from 1e-12 to 0.1' "$programs/pendulum" advise --error 2
expect 0 'rattle --base midpoint' "$programs/spherical" advise --t-end 10
finish
