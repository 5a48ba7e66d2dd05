#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Models that are given by L as a user meets them, beside the same ones with H. test_lagrangian.c has more methods.
# Usage: lagrangian.sh GENERATOR PROGRAMS
set -uo pipefail
sw=$1
programs=$2
source tests/program/lib.sh

# near A.csv B.csv TOLERANCE PAIRS...: columns a:b of the last rows agree, b with an optional offset b+x.
near() {
  python3 - "$@" <<'END'
import csv, math, sys
rows = [list(csv.DictReader(l for l in open(name) if l[0] != "#"))[-1] for name in sys.argv[1:3]]
worst = 0
for pair in sys.argv[4:]:
    a, b = pair.split(":")
    worst = max(worst, abs(float(rows[0][a]) - float(rows[1][b])))
print(f"  {worst:.2e}")
sys.exit(not worst <= float(sys.argv[3]))
END
}

# A charge in a magnetic field, by L and by H.
run=(--method variational --base kutta-3 --step 0.05 --steps 100)
expect 0 'steps' "$programs/charge_lagrangian" run "${run[@]}" --out "$work/L.csv"
expect 0 'steps' "$sw" run models/charged_sphere.sw "${run[@]}" --out "$work/H.csv"
same=(q.x:q.x q.y:q.y q.z:q.z p.x:p.x p.y:p.y p.z:p.z energy:energy turning:turning)
true_that 'L and H agree' near "$work/L.csv" "$work/H.csv" 1e-13 "${same[@]}"
expect 0 'steps' "$programs/charge_lagrangian" run "${run[@]}" --set B=2.001 --out "$work/other.csv"
true_that 'another field does not' eval '! near "$work/other.csv" "$work/H.csv" 1e-13 "${same[@]}"'

# Two angles, and the four Cartesian coordinates with their constraints.
expect 0 'steps' "$programs/pendulum_angles" run --init horizontal --method rattle --base gauss-6 --step 0.01 \
  --t-end 2 --out "$work/angles.csv"
expect 0 'steps' "$programs/double_pendulum" run --init horizontal --compose kahan-li-8 --step 0.01 --t-end 2 \
  --out "$work/rods.csv"
true_that 'angles and rods agree' near "$work/angles.csv" "$work/rods.csv" 1e-9 \
  upper:upper_angle lower:lower_angle energy:energy

# Six angles, of which all velocities are coupled, and the twelve coordinates with their constraints.
cat >"$work/cartesian.sw" <<'END'
model cartesian
size N = 6
set rod = 1 .. N
set xy = {x, y}
param m[i in rod] = 1/N in (0, inf)
param l[i in rod] = 1/N in (0, inf)
coord r[rod, xy] momentum p
let bent(i) = 0.3*i
let w(i) = 1 - i/N
hamiltonian H = sum(i in rod, k in xy: p[i,k]^2/(2*m[i])) - sum(i in rod: m[i]*r[i,y])
constraint first: sum(k in xy: r[1,k]^2) == l[1]^2
constraint other[i in rod where i > 1]: sum(k in xy: (r[i,k] - r[i-1,k])^2) == l[i]^2
observe right = r[N,x]
observe down = r[N,y]
observe speed = sqrt(sum(k in xy: (p[N,k]/m[N])^2))
invariant energy = H
init r[i in rod, x] = sum(k in rod where k <= i: l[k]*sin(bent(k)))
init r[i in rod, y] = sum(k in rod where k <= i: l[k]*cos(bent(k)))
init p[i in rod, x] = m[i]*sum(k in rod where k <= i: l[k]*cos(bent(k))*w(k))
init p[i in rod, y] = -m[i]*sum(k in rod where k <= i: l[k]*sin(bent(k))*w(k))
run method = rattle, compose = kahan-li-8, step = 0.0025, t_end = 0.5
END
expect 0 'steps' "$sw" run "$work/cartesian.sw" --out "$work/cartesian.csv"
expect 0 'steps' "$programs/rods" run --base gauss-6 --step 0.0025 --t-end 0.5 --out "$work/rods.csv"
same=(right:right down:down speed:speed energy:energy)
true_that 'six angles and six rods agree' near "$work/rods.csv" "$work/cartesian.csv" 1e-11 "${same[@]}"
expect 0 'steps' "$programs/rods" run --base gauss-6 --step 0.0025 --t-end 0.5 --set gravity=1.00001 --out "$work/other.csv"
true_that 'in other gravity they do not' eval '! near "$work/other.csv" "$work/cartesian.csv" 1e-11 "${same[@]}"'

expect 2 'they have more than 20000 operations; use --method rattle --base gauss-4' "$sw" generate models/rods.sw -o "$work" --with variational

# Four angles closed to a five-bar linkage, of which the joint in the middle is charged, in a magnetic field.
cat >"$work/five_bar.sw" <<'END'
model five_bar
set bar = 1 .. 4
set step = 1 .. 4
param l[i in bar] = 1 + 0.1*i in (0, inf)
param B = 0.3
coord turn[bar] velocity w momentum p     # each against the one before
let angle(i) = sum(k in bar where k <= i: turn[k])
let rate(i) = sum(k in bar where k <= i: w[k])
let x(i) = sum(k in bar where k <= i: l[k]*cos(angle(k)))
let y(i) = sum(k in bar where k <= i: l[k]*sin(angle(k)))
let vx(i) = -sum(k in bar where k <= i: l[k]*sin(angle(k))*rate(k))
let vy(i) = sum(k in bar where k <= i: l[k]*cos(angle(k))*rate(k))
lagrangian L = sum(i in bar: vx(i)^2 + vy(i)^2)/2 + B*(x(2)*vy(2) - y(2)*vx(2))/2 - sum(i in bar: y(i))
constraint across: x(4) == 2
constraint up: y(4) == 0
observe end = vx(4)
invariant energy = H
init turn[i in bar] = {1: 2, 2: -1.5, 3: -1, 4: -1}
init p[i in bar] = 0
run method = rattle, base = midpoint, step = 0.01, steps = 300
END
expect 0 'mass matrix couples up to 4 of them' "$sw" check "$work/five_bar.sw"
expect 0 '' "$sw" build "$work/five_bar.sw" -o "$work/five_bar"
expect 0 '0 failed' "$work/five_bar" verify
expect 0 'steps  *300' "$work/five_bar" run --project=inf --out "$work/five_bar.csv"
true_that 'a closed linkage keeps its energy' python3 -c '
import csv, sys
rows = list(csv.DictReader(l for l in open(sys.argv[1]) if l[0] != "#"))
energy = [float(r["energy"]) for r in rows]
drift = max(energy) - min(energy)
print(f"  {drift:.2e}, {max(abs(float(r[chr(101) + chr(110) + chr(100)])) for r in rows):.2e}")
assert drift < 1e-3 and max(abs(float(r["end"])) for r in rows) < 1e-12
' "$work/five_bar.csv"

# M is singular where q = r, and nowhere else.
cat >"$work/flat.sw" <<'END'
model flat
coord q velocity v
coord r velocity w
lagrangian L = v^2/2 + w^2/2 + cos(q - r)*v*w - q^2 - r^2
init there: q = 0.5
init there: r = 0.5
init there: p_q = 1
init there: p_r = 0
init towards: q = 1
init towards: r = 0
init towards: p_q = -1
init towards: p_r = 0.5
run method = rattle, base = gauss-4, step = 0.1, steps = 100
END
expect 2 'H is inf in the initial state' "$sw" run "$work/flat.sw" --init there
expect 3 'step failed at t = ' "$sw" run "$work/flat.sw" --init towards

# Velocities or momenta, L and v as observables, and other names for what is brought along.
cat >"$work/named.sw" <<'END'
model named
param m = 2 in (0, inf)
coord q velocity v momentum p
lagrangian K hamiltonian E = m*v^2/2 + q*v - q^4
observe speed = v
observe action = K
invariant energy = E
init moving: q = 0.5
init moving: v = 0.25
init pushed: q = 0.5
init pushed: p = 1
run method = rattle, step = 0.1, steps = 3
END
for state in moving pushed; do
  expect 0 'steps' "$sw" run "$work/named.sw" --init "$state" --out "$work/$state.csv"
done
true_that 'v = 0.25 is p = 1' near "$work/moving.csv" "$work/pushed.csv" 0 q:q p:p speed:speed action:action
true_that 'the first row' grep -q '^0,0,0.5,1,0.25,0.125,0.125,' "$work/moving.csv"
"$sw" check --json "$work/named.sw" >"$work/page" 2>/dev/null
true_that 'JSON' python3 -c '
import json, sys
page = json.load(open(sys.argv[1]))
assert page["lagrangian"] == {"name": "K", "text": "m*v^2/2 + q*v - q^4", "coupled": 1, "factorised": 0}
assert page["hamiltonian"] == {"name": "E", "text": "(q - p)^2/(2*m) + q^4"}
assert page["coordinates"][0]["velocity"] == "v" and page["coordinates"][0]["momentum"] == "p"
' "$work/page"

# What loops cannot say is unrolled.
cat >"$work/ends.sw" <<'END'
model ends
size N = 4
set s = 1 .. N
coord q[s] velocity v
lagrangian L = sum(i in s: v[i]^2/2) + v[1]*v[N]/4 - sum(i in s: q[i]^2/2)
END
expect 2 "ends.sw:5:40: error: in a model with loops .* 'v\[1\]' is one entry of a set of any size" \
  "$sw" check "$work/ends.sw" --lowering looped
expect 0 'couples up to 2 of them' "$sw" check "$work/ends.sw" --lowering unrolled

# A model without sizes that keeps its loops has velocities, too: the pattern of H_pp is listed by a function there.
for model in pendulum double_pendulum four_bar; do
  for lowering in looped unrolled; do
    expect 0 'energy' "$sw" run "models/$model.sw" --method variational --base rk4 --lowering $lowering \
      --step 0.01 --steps 10 --out "$work/$lowering.csv"
  done
  true_that "$model: the ends agree" awk -F, -v last="$(tail -1 "$work/looped.csv")" 'END { n = split(last, other, ",")
    for (i = 1; i <= n; i++) { d = $i - other[i]; if (d > 1e-9 || d < -1e-9) exit 1 }; exit n < 2 }' "$work/unrolled.csv"
done
cat >"$work/straight.sw" <<'END'
model straight
coord x momentum p
coord y momentum w
hamiltonian H = p^2/2 + x^2 + y
init x = 1
init p = 0
init y = 0
init w = 0
END
expect 2 'at most linear in the momentum' "$sw" run "$work/straight.sw" --method variational --base rk4 \
  --lowering looped --step 0.01 --steps 2
finish
