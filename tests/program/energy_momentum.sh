#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The energy-momentum method from the command line: discrete gradients are there where they are asked for, both lowerings have the
# same, and what cannot be done is refused.
# Usage: energy_momentum.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

# ---- where they come from ----
expect 0 'energy ' "$sw" run models/hopf.sw --method energy-momentum --steps 100
expect 0 'energy ' "$sw" run models/hopf.sw --method=energy-momentum --base midpoint --steps 100 --check-reversible
expect 0 'energy ' "$sw" run models/four_particles.sw --steps 100
expect 0 '' "$sw" generate models/hopf.sw -o "$work/plain"
true_that 'nobody asked' test -z "$(grep discrete "$work/plain/hopf.c")"
expect 0 '' "$sw" generate models/hopf.sw --with discrete -o "$work/with"
true_that 'they are there' grep -q '\.discrete_grad = discrete_grad' "$work/with/hopf.c"
expect 2 '--with wants discrete or variational, not ' "$sw" generate models/hopf.sw --with everything -o "$work/with"
expect 0 '' "$sw" build models/hopf.sw -o "$work/hopf"
expect 2 'the model has no discrete gradients' "$work/hopf" run --method energy-momentum
expect 0 '' "$sw" build models/hopf.sw --with discrete -o "$work/hopf"
expect 0 'energy ' "$work/hopf" run --method energy-momentum --steps 10
expect 0 'DH\(z,z1\) = DH\(z1,z\) .* PASS' "$work/hopf" verify --only DH

# ---- what is refused ----
expect 2 'takes none' "$sw" run models/hopf.sw --method energy-momentum --base verlet
expect 2 'stays of order 2 in a composition' "$sw" run models/hopf.sw --method energy-momentum --compose suzuki-4
sed 's/energy-momentum/energy-moment/' models/four_particles.sw >"$work/wrong.sw"
expect 2 'method is ' "$sw" check "$work/wrong.sw"

# ---- loops ----
cat >"$work/swing.sw" <<'END'
model swing
size N = 4
set atom = 1 .. N
set xy = {x, y}
param depth = 0.1
coord q[atom, xy] momentum p
let r2(i, j) = sum(k in xy: (q[i,k] - q[j,k])^2)
let height(i) = q[i,y]
let push(i) = p[i,x]
hamiltonian H = sum(i in atom, k in xy: p[i,k]^2)/2
   + sum(i in atom, j in atom where i < j: depth*(r2(i, j)^-3 - 2*r2(i, j)^-1))
   + sum(i in atom: sin(height(i))/3 + height(i)^2*push(i)^2/20)
constraint length[i in 1 .. N-1]: sqrt(r2(i, i+1)) == 1
invariant energy = H
init q[i in atom, x] = i
init q[i in atom, y] = 0
init p[i in atom, x] = 0
init p[i in atom, y] = (i - 2)/10
run method = energy-momentum, step = 0.05, steps = 200, every = 200
END
for lowering in unrolled looped; do
  expect 0 'energy ' "$sw" run "$work/swing.sw" --lowering $lowering --size N=6 --out "$work/$lowering.csv"
  expect 0 'd\(lambda.Dg\)/dz1 / differences .* PASS' "$sw" verify "$work/swing.sw" --lowering $lowering --only d
done
# The last row: step, t, the state, and what is derived from it.
apart=$(paste -d, <(tail -1 "$work/unrolled.csv") <(tail -1 "$work/looped.csv") |
  awk -F, '{m = 0; for (i = 3; i <= 26; i++) {x = $i - $(i + NF/2); x = x < 0 ? -x : x; m = x > m ? x : m} print m < 1e-11}')
true_that 'both lowerings lead to the same state' test "$apart" = 1

# Without a name there is no gradient that is each kernel's own.
sed 's/sin(height(i))/sin(q[i,y])/' "$work/swing.sw" >"$work/unnamed.sw"
expect 2 'needs names' "$sw" run "$work/unnamed.sw" --lowering looped
expect 0 'energy ' "$sw" run "$work/unnamed.sw" --lowering unrolled
finish
