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
expect 2 '--with wants discrete, variational or parameters, not ' "$sw" generate models/hopf.sw --with everything -o "$work/with"
expect 0 '' "$sw" build models/hopf.sw -o "$work/hopf"
expect 2 'the model has no discrete gradients' "$work/hopf" run --method energy-momentum
expect 0 '' "$sw" build models/hopf.sw --with discrete -o "$work/hopf"
expect 0 'energy ' "$work/hopf" run --method energy-momentum --steps 10
expect 0 'DH\(z,z1\) = DH\(z1,z\) .* PASS' "$work/hopf" verify --only DH

# ---- differences of what is 1e24 beside a pole, and small on both sides of it ----
cat >"$work/close.sw" <<'END'
model close
set atom = 1 .. 6
coord q[atom] momentum p
hamiltonian H = sum(i in atom: p[i]^2)/2 + sum(i in atom, j in atom where i < j: (q[i] - q[j])^(-12))
init q[i in atom] = i
init p[i in atom] = i
run step = 1e-2, steps = 10
END
expect 0 '' "$sw" build "$work/close.sw" --with discrete -o "$work/close"
for seed in 4 7 8 9 11 12; do
  expect 0 ' 0 failed' "$work/close" verify --points 10 --only dDH --seed $seed
done

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
# same ROW ENTRIES BOUND: whether the two trajectories have the same state there, of so many entries, behind step and t.
same() {
  paste -d, <(sed -n "$1p" "$work/unrolled.csv") <(sed -n "$1p" "$work/looped.csv") | awk -F, -v n="$2" -v bound="$3" '
    {for (i = 3; i <= n + 2; i++) {x = $i - $(i + NF/2); x = x < 0 ? -x : x; m = x > m ? x : m} print m < bound}'
}
true_that 'both lowerings lead to the same state' test "$(same '$' 24 1e-11)" = 1

# ---- without names ----
# Symmetric under translations and rotations: r^-6 and r^-2, springs and a constraint of degree 4, all functions of one expression.
cat >"$work/swarm.sw" <<'END'
model swarm
size N = 4
set atom = 1 .. N
set xy = {x, y}
param depth = 0.1
coord q[atom, xy] momentum p
hamiltonian H = sum(i in atom, k in xy: p[i,k]^2)/2
   + sum(i in 1 .. N-1: (sum(k in xy: (q[i+1,k] - q[i,k])^2) - 1)^2/4)
   + sum(i in atom, j in atom where i < j: depth*(sum(k in xy: (q[i,k] - q[j,k])^2)^-3
                                                  - 2*sum(k in xy: (q[i,k] - q[j,k])^2)^-1))
constraint rod[i in 1 .. N-2 where mod(i, 2) == 1]: sum(k in xy: (q[i,k] - q[i+1,k])^2)^2 == 1
invariant energy = H
invariant P = sum(i in atom: p[i,x])
invariant L = sum(i in atom: q[i,x]*p[i,y] - q[i,y]*p[i,x])
init q[i in atom, x] = i
init q[i in atom, y] = 0
init p[i in atom, x] = 1/5
init p[i in atom, y] = (i - 1)^2/20
run method = energy-momentum, step = 0.01, steps = 1000
END
# Quartic springs, which keep the momentum.
cat >"$work/springs.sw" <<'END'
model springs
size N = 4
set atom = 1 .. N
coord q[atom] momentum p
hamiltonian H = sum(i in atom: p[i]^2)/2 + sum(i in 1 .. N-1: (q[i+1] - q[i] - 1)^4/4 + (q[i+1] - q[i])^3/9)
invariant energy = H
invariant P = sum(i in atom: p[i])
init q[i in atom] = i
init p[i in atom] = (i - 2)/5 + 1/10
run method = energy-momentum, step = 0.01, steps = 1000
END
# kept FILE BOUND COLUMN...: whether these change by less than that, relatively.
kept() {
  awk -F, -v bound="$2" -v names=" ${*:3} " '
    NR == 1 {for (i = 1; i <= NF; i++) if (index(names, " " $i " ")) {is[i] = 1; n++}}
    NR == 2 {for (i in is) first[i] = $i}
    NR > 2 {for (i in is) {x = $i/first[i] - 1; x = x < 0 ? -x : x; m = x > m ? x : m}}
    END {print n " " (NR == 1002 && m < bound)}' "$1"
}
cp tests/forms/discrete.sw "$work"
for model in 'swarm 20 energy P L' 'springs 10 energy P' 'discrete 10 energy'; do
  read -r name entries columns <<<"$model"
  for lowering in unrolled looped; do
    expect 0 '' "$sw" build "$work/$name.sw" --lowering $lowering --size N=5 -o "$work/$name"
    expect 0 'DH = grad H where z1 is near z .* PASS' "$work/$name" verify --only D
    expect 0 'dDH/dz1 / differences .* PASS' "$work/$name" verify --only d
    expect 0 '' "$work/$name" run --project=inf --every 1 --out "$work/$lowering.csv"
    true_that "$name $lowering keeps $columns" test "$(kept "$work/$lowering.csv" 1e-13 $columns)" = "$(wc -w <<<"$columns") 1"
  done
  expect 0 "$before_order"'(1\.99|2\.00)[0-9]( |$)' "$work/$name" converge --project=inf --t-end 0.5 --step 0.02
  # After ten steps, before what is round-off grows.
  true_that "$name is the same in both lowerings" test "$(same 12 "$entries" 1e-12)" = 1
done
finish
