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
finish
