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

expect 0 's has no time derivative: H_s = 0 determines it where H_s,s' \
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

# ---- which methods take them ----

# Rods keep index1 away, but not lobatto, which has its order beside them.
expect 2 'linear in the positions' "$work/looped" run --method index1
expect 0 "$before_order"'(3\.9|4\.0)[0-9]*( |$)' "$work/looped" converge --project=inf --method lobatto --step 0.05 --levels 4 --t-end 0.2

# Turned with q and p, H stays the same; s has no part in the angular momentum.
cat >"$work/turning.sw" <<'END'
model turning "A massless shell about a point, turned with it"
set xy = {x, y}
coord q[xy] momentum p
algebraic s[xy]
let r2 = sum(k in xy: q[k]^2)
let d2 = sum(k in xy: (s[k] - q[k])^2)
let sp = sum(k in xy: s[k]*p[k])
hamiltonian H = sum(k in xy: p[k]^2/2) + r2^2/4 + (1 + r2/2)*d2 + d2^2/2 + sp/5
invariant spin = q[x]*p[y] - q[y]*p[x]
init q[xy] = {x: 1, y: 0.3}
init p[xy] = {x: -0.2, y: 0.7}
init s[xy] = {x: 1, y: 0}
run method = index1, step = 0.1, steps = 400, every = 400
END
spin_changes() { # options...
  "$sw" run "$work/turning.sw" --project=inf --columns spin --out - --quiet "$@" |
    awk 'NR == 2 { first = $1 } END { d = $1 - first; print (d < 0 ? -d : d) }'
}
for base in midpoint gauss-4 gauss-6; do
  d=$(spin_changes --base $base)
  true_that "index1 over $base keeps the angular momentum, not to $d" near "$d" 1e-13
done
d=$(spin_changes --method rattle --base rk4)
true_that 'rattle over rk4 does not' test "$(near "$d" 1e-13 && echo near)" = ''

# A Lagrangian's are parameters of its mass matrix, which is factorised at each state.
cat >"$work/coupled.sw" <<'END'
model coupled "A Lagrangian with a variable that has no velocity"
coord x velocity v
coord y velocity w
algebraic s
lagrangian L = (1 + s^2/4)*v^2/2 + w^2/2*(2 + cos(x)) + 3/10*v*w*s + s*x*v/5 - (s - x*y)^2/2 - s^4/4
               - x^2/2 - y^2/2
invariant energy = H
init x = 0.7
init y = 0.2
init v = 0.3
init w = 0.1
init s = 0
run method = index1, base = gauss-6, step = 0.05, steps = 100
END
expect 0 '' "$sw" build "$work/coupled.sw" -o "$work/coupled"
expect 0 ' 0 failed' "$work/coupled" verify
expect 0 "$before_order"'(5\.9|6\.0)[0-9]*( |$)' "$work/coupled" converge --project=inf --step 0.2 --levels 3 --t-end 1

# Affine solves, whose residual may be at round-off after one iteration.
cat >"$work/affine.sw" <<'END'
model affine
param m = 1 in (0, inf)
coord q momentum p
algebraic beta
hamiltonian H = p^2/(2*m) + q^2/2 + (beta - q)^2/2
init q = 1
init p = 0
init beta = 1
run method = rattle, base = midpoint, step = 0.1, steps = 10
END
expect 0 ' 0 failed' "$sw" verify "$work/affine.sw"

# Quadratic in p and beta, H has a Lagrangian of its own.
cat >"$work/quadratic.sw" <<'END'
model quadratic "H quadratic in p and beta"
coord q momentum p
algebraic beta
hamiltonian H = p^2/2 + q^4/4 + (2 + q^2)*beta^2/2 - beta*sin(q)*p/2 - beta*cos(q)
init q = 0.7
init p = 0.3
init beta = 0.3
run method = variational, base = rk4, step = 0.1, steps = 10
END
expect 0 "$before_order"'(3\.9|4\.0)[0-9]*( |$)' "$sw" converge "$work/quadratic.sw" --project=inf --levels 4 --t-end 1
expect 2 'quadratic in the momenta' "$sw" run models/index1.sw --method variational

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
