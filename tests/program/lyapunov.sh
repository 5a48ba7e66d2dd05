#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Lyapunov exponents of a saddle, which are known: a bead at the upper equilibrium of a circle (a sphere) has the exponents
# +-sqrt(g) once (twice), by every method.
# Usage: lyapunov.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

# bead AXES ORIGIN: the model, upright along z.
bead() {
  cat <<END
model saddle "Bead at its upper equilibrium"
set axis = {$1}
param g = 2.3 in (0, inf)
coord q[axis] momentum p
hamiltonian H = sum(k in axis: p[k]^2)/2 + g*q[z]
constraint rod: sum(k in axis: q[k]^2) == 1
init q[k in axis] = {$2z: 1}
init p[k in axis] = 0
run method = rattle, base = verlet, step = 0.01, t_end = 100
END
}
bead x,z 'x: 0, ' >"$work/circle.sw"
bead x,y,z 'x: 0, y: 0, ' >"$work/sphere.sw"

# The exponents between t = 50 and t = 100, from the two rows: largest distance from +-sqrt(2.3), in descending order.
are_known() {
  awk -v n="$1" '$1 == 50 { for (i = 1; i <= n; i++) half[i] = $(i + 1) }
    $1 == 100 { rows++; for (i = 1; i <= n; i++) {
      off = 2 * $(i + 1) - half[i] - (i <= n / 2 ? 1 : -1) * sqrt(2.3); if (off ^ 2 > 1e-8) bad = 1 } }
    END { exit bad || rows != 1 }' "$work/output"
}
for method in rattle shake lobatto leapfrog vs 'variational --base rk4' energy-momentum; do
  for n in 2 4; do
    model=$([ $n -eq 2 ] && echo circle || echo sphere)
    # shellcheck disable=SC2086
    expect 0 'PASS' "$sw" lyapunov "$work/$model.sw" --method $method --rows 2
    true_that "$method has the exponents of a bead on a $model" are_known $n
  done
done
expect 2 'maps one state to the next' "$sw" lyapunov "$work/circle.sw" --method bdf2

# With redundant constraints there are as many exponents as without them: of a square with both diagonals 6, not 4.
sed '/fall/d' models/square.sw >"$work/five.sw"
estimates() {
  grep -E '^lambda_' "$work/output" | awk '{ printf "%s %.6f\n", $1, $2 }'
}
expect 0 'PASS' "$sw" lyapunov "$work/five.sw" --steps 300
estimates >"$work/wanted"
true_that 'there are 6' test "$(wc -l <"$work/wanted")" -eq 6
for how in drop min-norm; do
  expect 0 'PASS' "$sw" lyapunov models/square.sw --steps 300 --redundant $how
  estimates >"$work/found"
  true_that "$how has the exponents of the square without the last diagonal" cmp "$work/wanted" "$work/found"
  expect 2 'there are 2\(d-m\) = 6 exponents, not 7' "$sw" lyapunov models/square.sw --exponents 7 --redundant $how
done
# One that is left out by name, and parallel cranks, whose gradients are dependent everywhere.
sed 's/constraint last:.*/&\nconstraint again: d2(4, 1) == 1/' "$work/five.sw" >"$work/six.sw"
expect 0 'PASS' "$sw" lyapunov "$work/six.sw" --steps 300 --redundant drop
estimates >"$work/found"
true_that 'a constraint that is left out by name counts for nothing' cmp "$work/wanted" "$work/found"
cat >"$work/cranks.sw" <<'END'
model cranks
set joint = 1 .. 3
set xy = {x, y}
coord q[joint, xy] momentum p
let rx(i) = q[i,x] - (i-1)
hamiltonian H = sum(i in joint: dot(p[i],p[i])/2 + 9.81*q[i,y])
constraint crank[i in joint]: rx(i)^2 + q[i,y]^2 == 1
constraint coupler[k in xy]: q[2,k] == (q[1,k] + q[3,k])/2
constraint bar: dot(q[3]-q[1], q[3]-q[1]) == 4
init q[i in joint, x] = (i-1) + sin(0.5)
init q[i in joint, y] = -cos(0.5)
init p[i in joint, k in xy] = 0
run method = rattle, base = verlet, step = 1e-3, t_end = 1
END
expect 0 'PASS' "$sw" lyapunov "$work/cranks.sw" --redundant drop
true_that 'a linkage of one degree of freedom has 2' test "$(grep -c '^lambda_[0-9] ' "$work/output")" -eq 2

# A damping -c p shrinks the volume by exp(-c t), and each kick has exactly this factor.
cat >"$work/damped.sw" <<'END'
model damped "damped"
coord q momentum p
hamiltonian H = p^2/2 + q^2/2 + q^4/4
force damp on p = -0.3*p
init q = 1
init p = 0
run method = rattle, base = verlet, step = 0.01, steps = 2000
END
expect 0 'sum +-3.0000000e-01   steps with forces keep no symplectic volume' "$sw" lyapunov "$work/damped.sw"
finish
