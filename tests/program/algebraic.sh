#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Variables without a time derivative, from the model to the run: arrays of them, in both lowerings, next to a
# constraint on the positions; and the models whose H does not determine them.
# Usage: algebraic.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

# ---- cores that are held on a circle, each with a massless shell ----

cat >"$work/shells.sw" <<'END'
model shells "Cores with massless shells, neighbours joined by springs"
size N = 5
set node = 1 .. N
set link = 1 .. N-1
set xy = {x, y}
param mass[i in node] = 1 + i/10
param K = 2
param J = 1
param b = 0.5
coord q[node, xy] momentum p
algebraic s[node, xy]
let d2(i) = sum(k in xy: (s[i,k] - q[i,k])^2)
hamiltonian H = sum(i in node, k in xy: p[i,k]^2/(2*mass[i])) + sum(i in node: K*d2(i)/2 + b*d2(i)^2/4)
              + sum(i in link, k in xy: J*(s[i+1,k] - s[i,k])^2/2)
constraint circle[i in node]: sum(k in xy: q[i,k]^2) == 1
observe rate[i in node] = multiplier(algebraic_s[i,x])
invariant energy = H
init q[i in node, x] = cos(i)
init q[i in node, y] = sin(i)
init s[i in node, xy] = 0
init p[node, xy] = 0
run method = rattle, base = verlet, step = 0.05, steps = 40, every = 40
END

expect 0 's has no time derivative: H_s = 0 determines it where H_s,s is invertible' \
  "$sw" check "$work/shells.sw" --lowering unrolled
expect 0 'algebraic_s\[i in node, j in xy\]: -alpha_s\[i,j\] == 0' "$sw" check "$work/shells.sw" --lowering looped
expect 0 'off M\^H: needs --project for rattle' "$sw" check "$work/shells.sw"

for lowering in unrolled looped; do
  expect 0 '' "$sw" build "$work/shells.sw" --lowering "$lowering" -o "$work/$lowering"
  expect 0 ' 0 failed' "$work/$lowering" verify
  for method in shake rattle; do
    for base in euler-a euler-b verlet midpoint; do
      expect 0 '' "$work/$lowering" run --project=inf --method "$method" --base "$base" \
        --out "$work/$lowering-$method-$base.csv"
    done
  done
done

# Largest difference of the last rows of two trajectories, from column 3 on: step and time come first.
apart() {
  paste -d, <(tail -n 1 "$1") <(tail -n 1 "$2") | awk -F, '
    { n = NF/2; for (i = 3; i <= n; i++) { d = $i - $(n + i); if (d < 0) d = -d; if (!(d <= worst)) worst = d } }
    END { print (n > 40 ? worst : "too few columns") }'
}
near() { awk -v d="$1" -v most="$2" 'BEGIN { exit !(d ~ /^[0-9]/ && d + 0 <= most) }'; }

for method in shake rattle; do
  for base in euler-a euler-b verlet midpoint; do
    d=$(apart "$work/unrolled-$method-$base.csv" "$work/looped-$method-$base.csv")
    true_that "$method over $base: the lowerings agree to 1e-12, not $d" near "$d" 1e-12
  done
done
d=$(apart "$work/unrolled-rattle-verlet.csv" "$work/looped-rattle-midpoint.csv")
true_that 'another base differs by more than 1e-12' test "$(near "$d" 1e-12 && echo near)" = ''

expect 0 'steps +3,' "$work/looped" run --size N=1000 --project=inf --steps 3

# ---- an H that does not determine them ----

model() { # lines
  { echo 'model m'; printf '%s\n' "$@"; } >"$work/m.sw"
}
model 'coord q momentum p' 'algebraic beta' 'hamiltonian H = p^2/2 + q^2/2 + beta*q' \
  'init q = 0' 'init p = 0' 'init beta = 0'
expect 1 'One in which H is linear is a multiplier' "$sw" check "$work/m.sw"
expect 1 'A block of N is -H_b,b for the algebraic b = beta: H_b = 0 is to determine it' "$sw" check "$work/m.sw"
model 'coord q momentum p' 'algebraic beta' 'algebraic gamma' 'hamiltonian H = p^2/2 + (q - beta)^2/2' \
  'init q = 0' 'init p = 0' 'init beta = 0' 'init gamma = 0'
expect 1 'for the algebraic b = \(beta, gamma\)' "$sw" check "$work/m.sw"
expect 1 'Remove one on which H does not depend' "$sw" check "$work/m.sw"

finish
