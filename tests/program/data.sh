#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Models whose sets and arrays of indices are data, as a user runs them: in each format the same states; those of a model that spells out
# the same graph, and of chain.sw; the same bits with several threads; and what is wrong is told with its place.
# Usage: data.sh SIDEWINDER
set -uo pipefail
sidewinder=$1
source tests/program/lib.sh

cat >"$work/graph.sw" <<'END'
model graph "Stiff bonds between atoms"
set atom = data
set bond = data
set xyz = {x, y, z}
set species = {C, H}
param a[bond] in atom
param b[bond] in atom
param kind[atom] in species
param m[species] = 1 in (0, inf)
param length[bond] in (0, inf)
param gravity = 9.81
param x[atom, xyz]
param v[atom, xyz] = 0
coord q[atom, xyz] momentum p
hamiltonian H = sum(i in atom, k in xyz: p[i,k]^2/(2*m[kind[i]])) + sum(i in atom: m[kind[i]]*gravity*q[i,z])
constraint pin[k in xyz]: q[1,k] == x[1,k]
constraint stiff[e in bond]: sum(k in xyz: (q[b[e],k] - q[a[e],k])^2) == length[e]^2
observe tension[e in bond] = 2*length[e]*multiplier(stiff[e])
invariant energy = H
init given: q[i in atom, k in xyz] = x[i,k]
init given: p[i in atom, k in xyz] = m[kind[i]]*v[i,k]
run method = rattle, base = verlet, step = 1e-3, steps = 100
END
graph() { # COMMAND WORD...
  local command=$1
  shift
  timeout 300 "$sidewinder" "$command" "$work/graph.sw" "$@"
}
columns=(--columns q,p --every 100)

for seed in 1 2 3 4 5; do
  python3 tests/program/random_graph.py make "$seed" "$work"
  expect 0 '^steps +100' graph run --data "$work/graph.json" "${columns[@]}" --out "$work/json.csv"
  expect 0 '^steps +100' graph run --data "$work/labels.json" "${columns[@]}" --out "$work/labels.csv"
  expect 0 '^steps +100' graph run --data "$work/graph" "${columns[@]}" --out "$work/csv.csv"
  expect 0 '^steps +100' "$sidewinder" run "$work/spelled.sw" "${columns[@]}" --out "$work/spelled.csv"
  true_that "labels and numbers, seed $seed" cmp -s "$work/json.csv" "$work/labels.csv"
  true_that "JSON and CSV, seed $seed" cmp -s "$work/json.csv" "$work/csv.csv"
  expect 0 '' python3 tests/program/random_graph.py compare "$work/json.csv" "$work/spelled.csv" 4e-13
done
expect 0 ' 0 failed' graph verify --data "$work/graph.json"
expect 0 'order' graph converge --data "$work/graph.json" --t-end 0.01 --levels 3
expect 0 'n_atom = ' graph info --data "$work/graph.json"
expect 0 '' graph ensemble --data "$work/graph.json" --init-from "$work/json.csv" --steps 5 --out "$work/ensemble.h5"
# Another graph is another solution: the comparison can fail.
python3 tests/program/random_graph.py make 6 "$work"
expect 0 '' graph run --data "$work/graph.json" "${columns[@]}" --out "$work/json.csv"
expect 1 'moved' python3 tests/program/random_graph.py compare "$work/json.csv" "$work/spelled.csv" 4e-13

# The path of chain.sw, from its state and with its velocities; and of so many nodes that threads share the loops.
path() { # N FILE
  python3 - "$1" >"$2" <<'END'
import json, sys
n = int(sys.argv[1])
a = 1.0 / (n - 1)
print(json.dumps({"a": list(range(1, n)), "b": list(range(2, n + 1)), "kind": n * ["C"], "m": 1.0 / n, "length": a,
                  "x": [[0, 0, -i * a] for i in range(n)], "v": [[(i * a) ** 2, 0.5 * i * a, 0] for i in range(n)]}))
END
}
path 64 "$work/path.json"
expect 0 '' graph run --data "$work/path.json" "${columns[@]}" --out "$work/path.csv"
expect 0 '' "$sidewinder" run models/chain.sw --steps 100 "${columns[@]}" --out "$work/chain.csv"
expect 0 '' python3 tests/program/random_graph.py compare "$work/path.csv" "$work/chain.csv" 1e-14
path 5000 "$work/path.json"
for threads in 1 2 3; do
  expect 0 '' graph run --data "$work/path.json" --step 1e-5 --steps 20 --every 20 --threads $threads --columns q,p \
    --out "$work/threads-$threads.csv"
done
true_that "1 and 2 threads" cmp -s "$work/threads-1.csv" "$work/threads-2.csv"
true_that "1 and 3 threads" cmp -s "$work/threads-1.csv" "$work/threads-3.csv"

# ---- check --data examines the given graph ----
cat >"$work/linkage.sw" <<'END'
model linkage
set atom = data
set bond = data
set xy = {x, y}
param a[bond] in atom
param b[bond] in atom
param m[atom] = 1 in (0, inf)
param length[bond] in (0, inf)
coord q[atom, xy] momentum p
hamiltonian H = sum(i in atom, k in xy: p[i,k]^2/(2*m[i])) + sum(i in atom: m[i]*q[i,y])
constraint rod[e in bond where a[e] != b[e]]: sum(k in xy: (q[a[e],k] - q[b[e],k])^2) == length[e]^2
END
linkage() { # exit code, pattern, data
  echo "$3" >"$work/linkage.json"
  expect "$1" "$2" "$sidewinder" check --ascii "$work/linkage.sw" --data "$work/linkage.json"
}
linkage 0 'm = 2 constraints, 5 param' '{"atom": 3, "a": [1, 2], "b": [2, 3], "length": 1, "m": [1, 2, 3]}'
linkage 0 'data of .*linkage.json: proved with the given' '{"atom": 3, "a": [1, 2], "b": [2, 3], "length": 1}'
linkage 0 "'rod.4' follows from 'rod.3'" '{"atom": 3, "a": [1, 2, 1, 3], "b": [2, 3, 3, 1], "length": 1}'
linkage 1 'no point of M.H was shown to exist' '{"atom": 3, "a": [1, 2, 1], "b": [2, 3, 3], "length": [1, 1, 3]}'
linkage 0 'm = 1 constraint,' '{"atom": 3, "a": [1, 2], "b": [1, 3], "length": 1}' # the filter reads the data
linkage 2 'b\[2\] = 7 is not in atom' '{"atom": 3, "a": [1, 2], "b": [2, 7], "length": 1}'
linkage 2 'does not give all parameters' '{"atom": 3, "a": [1, 2], "b": [2, 3]}'
echo '{"length": 0.5}' >"$work/length.json"
cp models/pendulum.sw "$work/pendulum.sw"
expect 0 'by default length = 0.5|length = 0.5' "$sidewinder" check --ascii "$work/pendulum.sw" --data "$work/length.json"

# ---- tuples, labels of the model, a set that is no data ----
cat >"$work/pairs.sw" <<'END'
model pairs "Springs between pairs"
set atom = data
set pair = data in atom * atom
set wall = 1 .. 2
set xyz = {x, y, z}
param kind[wall] in xyz
param stiffness in [0, inf)
param w[xyz] = 0
param x[atom, xyz]
coord q[atom, xyz] momentum p
hamiltonian H = sum(i in atom, k in xyz: p[i,k]^2/2) + sum(s in wall: w[kind[s]]*q[1,z]^2/2)
                + sum((i,j) in pair: stiffness/2*sum(k in xyz: (q[i,k] - q[j,k])^2))
init given: q[i in atom, k in xyz] = x[i,k]
init given: p[i in atom, k in xyz] = 0
run method = rattle, base = verlet, step = 1e-3, steps = 100
END
pairs() { timeout 300 "$sidewinder" run "$work/pairs.sw" --data "$1" "${columns[@]}" --out "$work/out.csv"; }
rest='"kind": ["x", 2], "stiffness": 3, "w.x": 1, "x": [[0, 0, 0], [1.5, 0, 0], [0, 1.5, 1]]'
echo "{\"atom\": [\"CA\", \"CB\", \"N\"], \"pair\": [[\"CA\", \"CB\"], [\"CB\", 3], [3, 1]], $rest}" >"$work/p.json"
expect 0 '^steps +100' pairs "$work/p.json"
mv "$work/out.csv" "$work/labels.csv"
echo "{\"pair.1\": [1, 2, 3], \"pair.2\": [2, 3, 1], $rest}" >"$work/p.json"
expect 0 '^steps +100' pairs "$work/p.json"
true_that "tuples and their parts" cmp -s "$work/labels.csv" "$work/out.csv"
for second in '"pair.1": [3, 2, 1], "pair.2": [1, 3, 2]' '"pair.1": [1, 2, 3]' '"pair.2": [3, 1, 2]'; do
  echo "{\"pair\": [[1, 2], [2, 3], [3, 1]], $second, $rest}" >"$work/p.json"
  expect 2 "p.json: 'pair' gives pair.[12] a second time" pairs "$work/p.json"
done
echo "{\"pair\": [[1, 2], [2, 4]], $rest}" >"$work/p.json"
expect 2 'p.json: pair.2\[2\] = 4 is not in atom = 1 .. 3' pairs "$work/p.json"
echo "{\"pair\": [[1, 2, 3]], $rest}" >"$work/p.json"
expect 2 "'pair' is a list of tuples of 2 elements each" pairs "$work/p.json"
echo "{\"pair\": [1, 2], $rest}" >"$work/p.json"
expect 2 "'pair' is a list of tuples of 2 elements each" pairs "$work/p.json"

# ---- the example of docs/data.md, as JSON and as CSV ----
sed 's/{C, H}/{O, H}/' "$work/graph.sw" >"$work/water.sw"
python3 - "$work" <<'END'
import os, sys
lines = open("docs/data.md", encoding="utf-8").read().split("\n")
begin = lines.index("    {")
end = lines.index("    }", begin)
with open(f"{sys.argv[1]}/water.json", "w", encoding="utf-8") as file:
    file.write("\n".join(lines[begin:end + 1]))
header = next(i for i, line in enumerate(lines) if line.startswith("    bond.csv"))
starts = [lines[header].index(name) for name in ("bond.csv", "atom.csv", "parameters.csv")] + [None]
os.makedirs(f"{sys.argv[1]}/water")
for name, a, b in zip(("bond", "atom", "parameters"), starts, starts[1:]):
    cells = [line[a:b].strip() for line in lines[header + 1:header + 5]]
    with open(f"{sys.argv[1]}/water/{name}.csv", "w", encoding="utf-8") as file:
        file.writelines(cell + "\n" for cell in cells if cell)
END
for data in water.json water; do
  expect 0 '^steps +100' "$sidewinder" run "$work/water.sw" --data "$work/$data" --project "${columns[@]}" --out "$work/$data.csv"
done
true_that 'both forms of the example' cmp -s "$work/water.json.csv" "$work/water.csv"

# ---- what is wrong, and where ----
expect 2 "^graph run: the number of elements of 'atom' comes from data: give it with --data FILE" graph run
expect 0 'a\[bond\] +indices +yes +in atom: 1 .. n_atom, or labels' graph info --schema
expect 0 '"additionalProperties": false' graph info --schema --json
graph info --schema --json >"$work/schema.json"
expect 0 '' python3 -m json.tool "$work/schema.json"
expect 0 '^Usage: graph run' graph run --help
python3 tests/program/random_graph.py make 7 "$work"
sed -i '3s/^[0-9]*/99/' "$work/graph/bond.csv"
expect 2 'graph/bond.csv:3: a\[2\] = 99 is not in atom = 1 .. [0-9]' graph run --data "$work/graph"
sed 's/"kind": \[[01]/"kind": [7/' "$work/graph.json" >"$work/wrong.json"
for table in atom bond; do # what a spreadsheet begins with
  { printf '\xef\xbb\xbf' && cat "$work/water/$table.csv"; } >"$work/marked" && mv "$work/marked" "$work/water/$table.csv"
done
{ printf '\xef\xbb\xbf' && cat "$work/water.json"; } >"$work/marked.json"
for data in marked.json water; do
  expect 0 '^steps +100' "$sidewinder" run "$work/water.sw" --data "$work/$data" --project "${columns[@]}" --out "$work/marked.csv"
  true_that "with a byte order mark, $data" cmp -s "$work/marked.csv" "$work/water.json.csv"
done
expect 2 'wrong.json: kind\[1\] = 7 is not in species = \{C, H\}, which are 0 .. 1' graph run --data "$work/wrong.json"
expect 3 'cannot be read: No such file' graph run --data "$work/none.json"
expect 2 '^sidewinder: --data is given twice' "$sidewinder" run --data a.json --data b.json "$work/graph.sw"
expect 2 '^sidewinder: --data needs the name of a file' "$sidewinder" run "$work/graph.sw" --data
expect 0 '^steps +3' "$sidewinder" run --data "$work/graph.json" "$work/graph.sw" --steps 3
# A model without sets of data takes sizes and parameters from a file, too.
echo '{"N": 5, "gravity": 1.5}' >"$work/chain.json"
expect 0 'N = 5' "$sidewinder" info --lowering looped models/chain.sw --data "$work/chain.json"
expect 0 'gravity +1.5' "$sidewinder" info --lowering looped models/chain.sw --data "$work/chain.json"
expect 0 'N = 7' "$sidewinder" info --lowering looped models/chain.sw --data "$work/chain.json" --size N=7
# Names that are numbers are names in .csv as they are in JSON; without them a number is a row.
mkdir "$work/bars" "$work/letters"
joint='name,mass,hold,x.x,x.y,v.x,v.y
2,1,free,0.5,0.8660254037844386,-0.8660254037844386,0.5
3,1,free,1,0,0,1
1,1,pinned,0,0,0,0'
echo "$joint" >"$work/bars/joint.csv"
sed -E 's/^([123]),/j\1,/' <<<"$joint" >"$work/letters/joint.csv"
printf 'a,b,length\n1,2,1\n2,3,1\n' | tee "$work/bars/bar.csv" >"$work/letters/bar.csv"
state='"mass": 1, "hold": ["free", "free", "pinned"], "length": 1, "v": [[-0.8660254037844386, 0.5], [0, 1], [0, 0]],
  "x": [[0.5, 0.8660254037844386], [1, 0], [0, 0]]'
echo "{\"joint\": [\"2\", \"3\", \"1\"], \"a\": [\"1\", \"2\"], \"b\": [\"2\", \"3\"], $state}" >"$work/text.json"
echo "{\"joint\": [\"j2\", \"j3\", \"j1\"], \"a\": [1, 2], \"b\": [2, 3], $state}" >"$work/rows.json"
linkage() { timeout 300 "$sidewinder" run examples/graphs/linkage.sw --step 0.1 --steps 3 --every 1 --columns q,p "$@"; }
for pair in text.json:bars rows.json:letters; do
  expect 0 '' linkage --data "$work/${pair%:*}" --out "$work/text.csv"
  expect 0 '' linkage --data "$work/${pair#*:}" --out "$work/table.csv"
  true_that "JSON and CSV, $pair" cmp -s "$work/text.csv" "$work/table.csv"
  cp "$work/table.csv" "$work/${pair#*:}.of.csv"
done
true_that 'bars between other joints are another linkage' test "$(cmp "$work/bars.of.csv" "$work/letters.of.csv" | wc -l)" = 1
printf 'a,b,length\n1,2,1\n2,4,1\n' >"$work/bars/bar.csv"
expect 2 "bar.csv:3: entry 2 of 'b': unknown label '4'; known: 2, 3, 1" linkage --data "$work/bars"
# A file of data is not overwritten.
expect 2 'csv.*--data|--data.*csv' graph run --data "$work/graph" --out "$work/graph/atom.csv"
expect 2 'json.*--data|--data.*json' graph run --data "$work/graph.json" --out "$work/graph.json"

finish
