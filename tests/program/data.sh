#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Models whose graph is data: the same motion as where the graph is written in the model, whatever the order of the bonds; what is
# said of them without data; and their generated functions against the table of witnesses, for data that has everything.
# Usage: data.sh SIDEWINDER
set -uo pipefail
. tests/program/lib.sh
sidewinder=$1

# A chain of 40 nodes as bonds between atoms, in an order of its own and with atoms in another one.
cat >"$work/atoms.sw" <<'END'
model atoms
set atom = data
set bond = data in atom * atom
set held = data
set xyz  = {x, y, z}
param m[atom] in (0, inf)
param a in (0, inf)
param gravity
param pinned[held] in atom
param at[atom, xyz]
param moving[atom, xyz]
coord q[atom, xyz] momentum p
hamiltonian H = sum(i in atom, k in xyz: p[i,k]^2/(2*m[i])) + sum(i in atom: m[i]*gravity*q[i,z])
constraint pin[h in held, k in xyz]: q[pinned[h],k] == 0
constraint length[(i,j) in bond]: sum(k in xyz: (q[j,k] - q[i,k])^2) == a^2
observe tension[e in bond] = 2*a*multiplier(length[e])
invariant energy = H
init q[i in atom, k in xyz] = at[i,k]
init p[i in atom, k in xyz] = m[i]*moving[i,k]
run method = rattle, base = verlet, step = 1e-3, t_end = 0.5, every = 50
END
python3 - "$work" <<'END'
import json, random, sys
n, folder = 40, sys.argv[1]
a = 1/(n - 1)
for name, mix in (("straight", False), ("mixed", True)):
    place = list(range(n))           # node i is atom place[i]
    bonds = [(i, i + 1) for i in range(n - 1)]
    if mix:
        random.seed(7)
        random.shuffle(place)
        random.shuffle(bonds)
        bonds = [b if random.random() < 0.5 else b[::-1] for b in bonds]
    at, moving = [None]*n, [None]*n
    for i in range(n):
        at[place[i]] = [0, 0, -i*a]
        moving[place[i]] = [(i*a)**2, 0.5*i*a, 0]
    data = {"at": at, "moving": moving, "m": 1/n, "a": a, "gravity": 9.81, "pinned": [place[0] + 1],
            "bond": [[place[i] + 1, place[j] + 1] for i, j in bonds]}
    json.dump(data, open(f"{folder}/{name}.json", "w"))
    json.dump(place, open(f"{folder}/{name}_place.json", "w"))
END
run() { "$sidewinder" run "$@" --quiet >/dev/null; }
run models/chain.sw --size N=40 --t-end 0.5 --out "$work/chain.csv"
for order in straight mixed; do
  run "$work/atoms.sw" --data "$work/$order.json" --out "$work/$order.csv"
done
cat >"$work/compare.py" <<'END'
import csv, json, sys
folder = sys.argv[1]
def rows(name):
    with open(f"{folder}/{name}.csv") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))
chain = rows("chain")
worst = {}
for name in ("straight", "mixed"):
    place, own = json.load(open(f"{folder}/{name}_place.json")), rows(name)
    assert len(own) == len(chain) > 5, (name, len(own))
    moved, worst[name] = 0.0, 0.0
    for a, b in zip(chain, own):
        for i in range(40):
            for letter in "qp":
                for k in "xyz":
                    x = [float(row[key]) for row in (a, b)
                         for key in row if key.endswith(f"{letter}.{(i if row is a else place[i]) + 1}.{k}")]
                    assert len(x) == 2, (letter, i, k, x)
                    worst[name] = max(worst[name], abs(x[0] - x[1]))
                    moved = max(moved, abs(x[0]))
    assert moved > 0.5, moved
# Sums in another order differ by round-off (1e-15 was found).
assert max(worst.values()) < 1e-14, worst
print("both orders", worst)
END
expect 0 'both orders' python3 "$work/compare.py" "$work"

# What is said without data, and what is not possible without.
expect 0 'proved for all data: no constraint depends on p' "$sidewinder" check "$work/atoms.sw"
expect 2 'comes from data' "$sidewinder" run "$work/atoms.sw"
expect 2 'cannot be unrolled' "$sidewinder" generate "$work/atoms.sw" -o "$work" --lowering unrolled

# Everything at once: the C against differences and against witnesses.  A wrong entry of the data would be seen by nobody but the reader.
expect 0 '' "$sidewinder" build tests/models/graph.sw -o "$work/graph"
expect 0 ' 0 failed' "$work/graph" verify --data tests/data/graph.json
sed 's/"low", "free"\], \["free/"low", "free"], ["fre/' tests/data/graph.json >"$work/wrong.json"
expect 2 "did you mean 'free'" "$work/graph" run --data "$work/wrong.json"
sed 's/\[1, 6\]/[1, 7]/' tests/data/graph.json >"$work/wrong.json"
expect 2 'spring' "$work/graph" run --data "$work/wrong.json"

# C that reads one array of indices in the place of another is seen.
cat >"$work/cc" <<'END'
#!/bin/sh
for file; do
  case $file in
    *.witness.c) ;;
    *.c) [ -w "$file" ] && sed -i 's/to\[e - 1\]/from[e - 1]/' "$file" ;;
  esac
done
exec cc "$@"
END
chmod +x "$work/cc"
expect 0 '' env CC="$work/cc" "$sidewinder" build tests/models/graph.sw -o "$work/wrong"
expect 1 'witness.*FAIL' "$work/wrong" verify --data tests/data/graph.json
finish
