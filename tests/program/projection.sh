#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Projections of initial states: the time stays, the origin of the positions does not matter, and failures give a reason.
# Usage: projection.sh SIDEWINDER
set -uo pipefail
sw=$1
source tests/program/lib.sh

# ---- the time is no unknown ----

# dg/dt is not 0 at the start, and the constraint reads positions and momenta.
clock() { # NAME, time of the start, more constraints
  cat >"$work/$1.sw" <<END
model $1
set ax = 1 .. 2
let s = t - $2
coord q[ax] momentum p
hamiltonian H = (1+0.3*sin(2*s))*sum(k in ax: p[k]^2)/2 + q[2] + 0.2*q[1]^2*cos(s)
let square = (q[1]-0.3*sin(1.5*s))^2 + q[2]^2 + (p[1]^2 + p[2]^2)*(1+0.1*s)
constraint ball: square == 1
$3
init q[k in ax] = {1: -0.5, 2: -0.7}
init p[k in ax] = {1: 0.1, 2: 0.2}
init t = $2
run method = rattle, base = midpoint, step = 0.02, steps = 10
END
}
clock once 0 ''
clock later 1000 ''
clock twice 0 'constraint again: 2*square == 2'
clocks() {
  "$sw" run "$work/$1.sw" --project=inf --columns t,state.t --out "$work/clock.csv" --quiet "${@:2}" >"$work/output" 2>&1
}
clocks once
true_that 'a projection leaves the time' test "$(sed -n 2p "$work/clock.csv")" = 0,0
clocks later
true_that 'a projection leaves a later time' test "$(sed -n 2p "$work/clock.csv")" = 0,1000
for start in once later; do
  expect 0 'moves positions by 0\.107 \(13\.3 % of 0\.806\), momenta by 0\.0667 \(33\.4 % of 0\.2\)' \
    "$sw" run "$work/$start.sw" --project=inf
done
for how in drop min-norm; do
  clocks twice --redundant $how
  true_that "$how leaves the time" test "$(sed -n 2p "$work/clock.csv")" = 0,0
  true_that "$how: the clock goes on" \
    awk -F, 'NR > 1 && ($1-$2)^2 > 1e-28 { bad = 1 } END { exit bad || NR < 5 }' "$work/clock.csv"
done
# ---- the origin of the positions does not matter ----

# Two beads whose distance is wrong by a factor of five, and three that are wrong by 2 %.
beads() { # NAME, where, distance, angle in degrees
  cat >"$work/$1.sw" <<END
model $1
set bead = 1 .. 3
set xy = {x, y}
param turn = $4*pi/180
param wrong = $3
coord q[bead, xy] momentum p
hamiltonian H = sum(i in bead, k in xy: p[i,k]^2/2)
let d2(i, j) = sum(k in xy: (q[i,k] - q[j,k])^2)
constraint rod: d2(1, 2) == 0.28^2
constraint arm: d2(2, 3) == 1
init q[1,x] = $2
init q[1,y] = $2
init q[2,x] = $2 + wrong*cos(turn)
init q[2,y] = $2 + wrong*sin(turn)
init q[3,x] = $2 + wrong*cos(turn) - sin(turn)
init q[3,y] = $2 + wrong*sin(turn) + cos(turn)
init p[i in bead, k in xy] = 0
run method = rattle, base = verlet, step = 0.01, steps = 1
END
}
for where in 0 1 50 -1000; do
  for angle in 0 37; do
    beads far "$where" 1.4 $angle
    expect 2 'far from the constraint manifold: .* \(8[0-9](\.[0-9]+)? % of' "$sw" run "$work/far.sw" --project
    beads near "$where" 0.2856 $angle
    expect 0 'moves positions by 0\.00[0-9]+ \(1\.96 % of' "$sw" run "$work/near.sw" --project
  done
done

# A pivot far away, and a condition that is linear: sizes are distances, here that of the pins.
cat >"$work/pins.sw" <<'END'
model pins
set node = 1 .. 2
set xy = {x, y}
param at = 0
param off = 0
coord q[node, xy] momentum p
hamiltonian H = sum(i in node, k in xy: p[i,k]^2/2)
constraint pivot: (q[1,x] - at)^2 + (q[1,y] - at)^2 == 1
constraint pin: q[2,x] - q[1,x] == 4
init q[1,x] = at + 1
init q[1,y] = at
init q[2,x] = at + 5 + off
init q[2,y] = at
init p[i in node, k in xy] = 0
run method = rattle, base = verlet, step = 0.01, steps = 1
END
for at in 0 30 1e4; do
  "$sw" run "$work/pins.sw" --set at=$at --set off=0.05 --project >"$work/output"
  sed -n 's/, momenta.*//p' "$work/output" >>"$work/verdicts"
  expect 2 'far from the constraint manifold' "$sw" run "$work/pins.sw" --set at=$at --set off=0.5 --project
done
true_that 'one verdict' test "$(sort -u "$work/verdicts" | wc -l)" = 1

# ---- why a projection fails ----

surface() { # constraint, x, y, px
  printf 'model surface\ncoord x momentum px\ncoord y momentum py\nhamiltonian H = (px^2+py^2)/2\n' >"$work/surface.sw"
  printf 'constraint c: %s\ninit x = %s\ninit y = %s\ninit px = %s\ninit py = 0\n' "$@" >>"$work/surface.sw"
  printf 'run method = rattle, base = midpoint, step = 0.1, steps = 1\n' >>"$work/surface.sw"
}
surface 'x^2 + y^2 == 1' 0 0 1
expect 3 "projection failed .* gradients of the constraints are dependent at the state: 'c' has no gradient; give another state" \
  "$sw" run "$work/surface.sw" --project
true_that 'no smaller step' test "$(grep -c 'smaller step' "$work/output")" = 0
surface 'x^2 + y^2 + px^2 + py^2 == 1' 0.70710678118654757 0 0.70710678118654757
expect 3 'projection failed .*N = \{\{g,H\},g\} is singular at the state; give another state' "$sw" run "$work/surface.sw" --project
true_that 'no smaller step' test "$(grep -c 'smaller step' "$work/output")" = 0
surface 'sqrt(x) + y == 1' 1e-3 3 0
expect 3 'projection failed' "$sw" run "$work/surface.sw" --project
true_that 'no smaller step' test "$(grep -c 'smaller step' "$work/output")" = 0
finish
