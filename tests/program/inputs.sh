#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tables of inputs: run --input. A mass with the force u and H = p^2/2 has p' = u, which steps of size h sum exactly.
# Usage: inputs.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

cat >"$work/mass.sw" <<'END'
model mass
set s = {a, b}
input u = 1 in [-5, 5]
input w[s] = 0
coord x momentum p
hamiltonian H = p^2/2
force push on p = u + w[a] - w[b]
observe pushed = u
init x = 0
init p = 0
run method = rattle, base = verlet, step = 0.1, steps = 10
END
printf 't,u\n0,0\n0.3,2\n0.7,-1\n1,4\n' >"$work/u.csv"

# The sum of h u over 10 steps: 3 steps with 0, 4 with 2, 3 with -1. The third step begins at 3*0.1 > 0.3, the seventh at 0.7.
last() { # wanted p, options...
  local wanted=$1
  shift
  expect 0 '' "$sw" run "$work/mass.sw" --columns step,p,pushed,work --out "$work/rows.csv" --quiet "$@"
  true_that "p = $wanted with $*" awk -F, -v wanted="$wanted" \
    'END { d = $2 - wanted; exit !(NR > 2 && d < 1e-13 && d > -1e-13 && ($4 - $2*$2/2)^2 < 1e-26) }' "$work/rows.csv"
}
last 1
last 0.5 --input "$work/u.csv"
true_that 'rows show the inputs of the step before' test "$(cut -d, -f3 "$work/rows.csv" | tr '\n' ' ')" = \
  'pushed 0 0 0 0 2 2 2 2 -1 -1 -1 '
expect 0 '"input_between_rows": "hold"' cat "$work/rows.csv.json"
# Linear: the midpoint rule, exact on steps within which the table is linear: the area under the polygon.
last 0.95 --input "$work/u.csv" --input-linear
last -0.55 --input "$work/u.csv" --set 'w.b=1.05'
printf 't,w.b\n0,1\n1,1\n' >"$work/w.csv"
last 0 --input "$work/w.csv"
# Backwards through the same steps: the steps from 1 to 0 with a table of negative times.
printf 't,u\n-1,0\n-0.7,2\n-0.3,-1\n0,4\n' >"$work/back.csv"
last -0.5 --input "$work/back.csv" --step -0.1

# Rows of --at between steps use the inputs of their step: the momentum is linear there.
expect 0 '' "$sw" run "$work/mass.sw" --input "$work/u.csv" --at 0.35,0.5,0.75 --columns p --out "$work/rows.csv" --quiet
true_that 'rows of --at use the inputs of their step' awk \
  'NR > 1 { d = $1 - (NR == 2 ? 0.1 : NR == 3 ? 0.4 : 0.75); bad += d*d > 1e-26 } END { exit bad || NR != 4 }' "$work/rows.csv"

# A checkpoint continues bit for bit, also in the middle of the table; another table is refused.
run=("$sw" run tests/models/motors.sw --quiet --input "$work/motors.csv" --input-linear)
printf 't,torque,wind.y\n0,0,0\n0.35,5,-0.1\n1,-5,0.2\n' >"$work/motors.csv"
(
  "${run[@]}" --steps 1000000 --step 1e-6 --every 100000 --out "$work/long.csv" --checkpoint "$work/e" --every-seconds 0 &
  pid=$!
  for _ in $(seq 100); do [ -s "$work/e" ] && break; sleep 0.05; done
  sleep 0.3
  kill -TERM $pid
  wait $pid
) >/dev/null 2>&1
true_that 'the run is interrupted' test "$(grep -a '^steps: ' "$work/e" | cut -d' ' -f2)" -lt 1000000
expect 0 '' "${run[@]}" --steps 1000000 --step 1e-6 --every 100000 --out "$work/again.csv"
expect 0 '' "${run[@]}" --steps 1000000 --step 1e-6 --every 100000 --out "$work/long.csv" --resume "$work/e"
true_that 'a resumed run is the whole run' cmp -s "$work/again.csv" "$work/long.csv"
printf 't,torque,wind.y\n0,0,0\n0.35,5,-0.1\n1,-5,0.3\n' >"$work/motors.csv"
expect 2 'another run.*input' "${run[@]}" --steps 1000000 --step 1e-6 --every 100000 --out "$work/long.csv" --resume "$work/e"

# What is refused.
refused() { # pattern, table, options...
  local pattern=$1
  printf "$2" >"$work/bad.csv"
  shift 2
  expect 2 "$pattern" "$sw" run "$work/mass.sw" --input "$work/bad.csv" "$@"
}
refused 'bad\.csv: line 3: u = 6 is outside its bounds \[-5, 5\]' 't,u\n0,1\n1,6\n'
refused 'bad\.csv: line 4: t = 0\.5 does not follow t = 0\.5; sort the rows' '# a comment\nt,u\n0.5,1\n0.5,2\n'
refused "unknown input 'v'" 't,v\n0,1\n1,1\n'
refused "has no column 't'" 'u\n1\n'
refused 'has no column of an input' 't\n1\n'
refused "'u' for the second time" 't,u,u\n0,1,1\n'
refused 'line 2, column 2 \(u\): .x. is not a finite decimal number' 't,u\n0,x\n'
refused 'the times 0 to 0\.5, and the steps read it from t = 0 to 0\.9; add a row at the end' 't,u\n0,1\n0.5,1\n'
refused 'the steps read it from t = 0\.05 to 0\.95; add a row at the beginning' 't,u\n0.06,1\n1,1\n' --input-linear
expect 2 'input-linear needs --input FILE' "$sw" run "$work/mass.sw" --input-linear
expect 2 "has no inputs; declare one with a line 'input NAME = VALUE'" "$sw" run models/pendulum.sw --input "$work/u.csv"
expect 3 'nowhere\.csv' "$sw" run "$work/mass.sw" --input "$work/nowhere.csv"
expect 2 "unknown option '--input'" "$sw" ensemble "$work/mass.sw" --count 2 --input "$work/u.csv"
finish
