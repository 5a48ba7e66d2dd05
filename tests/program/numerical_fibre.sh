#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Models whose fibre flow has no closed form, from `check` to `run`: what is said about it, that `verify` passes,
# and that both lowerings give the same trajectory, be it closed in one of them or not.
# Usage: numerical_fibre.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

cat >"$work/ball.sw" <<'END'
model ball
size N = 3
set s = 1 .. N
coord q[s] momentum p
coord r[s] momentum w
hamiltonian H = sum(i in s: p[i]^2/2 + i*q[i]^2/2 + q[i]^4/10 + w[i]^2/2 + r[i]^2/2)
constraint ball: sum(i in s: q[i]^2 + p[i]^2) == 1
init q[i in s] = 0.5 - 0.1*i
init p[i in s] = 0.1*i
init r[i in s] = 0.3
init w[i in s] = 0.1*i
invariant energy = H
END
sed -e 's/^model ball/model bent/' -e 's/^invariant.*/constraint bend[i in s]: r[i]^3*w[i] + w[i] + r[i]^2 == 0.2/' \
  "$work/ball.sw" >"$work/bent.sw"

# Every number of the last row but for the step and the time, to nine digits.
last_row() {
  tail -1 "$1" | tr , '\n' | tail -n +3 | awk '{ printf "%.9f\n", $1 + 0 }' | sed 's/^-0\.0*$/0.000000000/'
}

# Two constraints that share degrees of freedom: that they commute is not known for all sizes.
cat >"$work/swarm.sw" <<'END'
model swarm
size N = 3
set s = 1 .. N
set ax = {x, y}
coord q[s, ax] momentum p
hamiltonian H = sum(i in s, k in ax: p[i,k]^2/2 + i*q[i,k]^2/2) + sum(i in s: i*q[i,x]*q[i,y]/3)
constraint shell: sum(i in s, k in ax: q[i,k]^2 + p[i,k]^2) == 1
constraint spin: sum(i in s: q[i,x]*p[i,y] - q[i,y]*p[i,x]) == 0.1
init q[i in s, x] = 0.3
init q[i in s, y] = 0.1*i/N
init p[i in s, x] = 0.1
init p[i in s, y] = 0.2 + 0.1/i
invariant energy = H
END

for model in ball bent swarm; do
  for lowering in looped unrolled; do
    program=$work/$model.$lowering
    expect 0 '' "$sw" build "$work/$model.sw" --lowering "$lowering" -o "$program"
    expect 0 ' 0 failed' "$program" verify
    numerical='numerical, Gauss-Legendre of order 8, 16 or 24'
    if [ "$lowering" = unrolled ] && [ "$model" != bent ]; then
      numerical='closed form: quadratic: rotation'
    fi
    expect 0 "fibre flow +$numerical" "$program" info
    expect 0 "fibre flow +$numerical" "$sw" check "$work/$model.sw" --lowering "$lowering"
    expect 0 '' "$program" run --project=inf --step 0.01 --steps 200 --out "$program.csv"
    if [ "${numerical#closed}" = "$numerical" ]; then
      true_that "$model $lowering: cost and error" grep -qE \
        'fibre flow +numerical: .* flows per step, .* evaluations .* estimated error <= [0-9.]+e-' "$work/output"
    fi
    last_row "$program.csv" >"$program.end"
  done
  true_that "$model has rows" test -s "$work/$model.looped.end"
  true_that "$model: the two lowerings agree" cmp -s "$work/$model.looped.end" "$work/$model.unrolled.end"
done
expect 0 'd = 40|fibre flow' "$work/bent.looped" run --size N=20 --project=inf --step 0.01 --steps 20

expect 0 'at N = 5: proved: every' "$sw" check "$work/swarm.sw" --lowering looped

# Second class at some sizes, and at others not: a run looks at its own.
cat >"$work/meet.sw" <<'END'
model meet
size N = 3
set s = 1 .. N
coord q[s] momentum p
coord x momentum px
hamiltonian H = sum(i in s: p[i]^2/2 + q[i]^2/2) + px^2/2
constraint first: q[1] == 0
constraint last: p[N] == 0
init q[i in s] = 0
init p[i in s] = 0
init x = 0
init px = 1
END
expect 0 '' "$sw" build "$work/meet.sw" --lowering looped -o "$work/meet"
expect 0 'steps +5' "$work/meet" run --step 0.1 --steps 5
expect 2 'first, last. is not 0 on M but 1 at its start .*second class' \
  "$work/meet" run --size N=1 --step 0.1 --steps 5
sed -i 's/p\[N\] == 0/p[1] == 0/' "$work/meet.sw"
expect 1 "'first' and 'last' are second class" "$sw" check "$work/meet.sw" --lowering looped

# A sign that the closed form need not know.
cat >"$work/shell.sw" <<'END'
model shell
param stiffness = 1
coord x momentum px  coord y momentum py
hamiltonian H = px^2/2 + py^2/2 + y + x^2
constraint shell: stiffness*x^2 + px^2 == 1
init x = 0.3  init y = 0  init px = 0.9  init py = 0.3
END
expect 0 'closed form: quadratic: rotation or hyperbolic' "$sw" check "$work/shell.sw"
expect 0 '' "$sw" build "$work/shell.sw" -o "$work/shell"
for stiffness in 1 1e-12 1e-300 0 -1e-12 -1; do
  "$work/shell" verify --set stiffness=$stiffness >"$work/verified" 2>&1
  true_that "the eight checks of the flow with $stiffness" test "$(grep -c 'Gamma.*PASS' "$work/verified")" -eq 8
  expect 0 '\|g\| <= (0|[0-9.]+e-1[5-9]),' \
    "$work/shell" run --set stiffness=$stiffness --project=inf --step 0.01 --steps 100
done

# Constraints in involution on M alone.
cat >"$work/line.sw" <<'END'
model line
coord x momentum px  coord y momentum py  coord u momentum pu
hamiltonian H = px^2/2 + py^2/2 + pu^2/2 + y
constraint circle: x^2 + y^2 + u^2 == 1
constraint line: exp(px)*(y - x) == 0
init x = 0.5  init y = 0.5  init u = -0.7  init px = 0.1  init py = 0.1  init pu = 0
END
expect 0 'is not 0 as an identity' "$sw" check "$work/line.sw"
expect 0 '' "$sw" build "$work/line.sw" -o "$work/line"
expect 0 ' 0 failed' "$work/line" verify
expect 0 'steps +300' "$work/line" run --project=inf --step 0.01 --steps 300

finish
