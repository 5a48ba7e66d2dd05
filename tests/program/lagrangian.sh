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
assert page["lagrangian"] == {"name": "K", "text": "m*v^2/2 + q*v - q^4", "coupled": 1}
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

finish
