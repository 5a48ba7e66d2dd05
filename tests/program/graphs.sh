#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Models whose graph is data, as the generator sees them: what is said of them without data, and their C against differences and against the
# table of witnesses, for a model that has everything.  (data.sh has their motions.)
# Usage: graphs.sh SIDEWINDER
set -uo pipefail
. tests/program/lib.sh
sidewinder=$1

# What is said without data, and what is not possible without.
expect 0 'proved for all data: no constraint depends on p' "$sidewinder" check tests/models/graph.sw
expect 2 'comes from data' "$sidewinder" run tests/models/graph.sw
expect 2 'cannot be unrolled' "$sidewinder" generate tests/models/graph.sw -o "$work" --lowering unrolled

# Nor is unrolling advised to a model that takes data.
cat >"$work/mixed.sw" <<'END'
model mixed
set atom = data
coord q[atom] momentum p
hamiltonian H = sum(i in atom: p[i]^2*(1 + q[i]^2)/2)
init q[i in atom] = 1
init p[i in atom] = 0
run method = rattle, base = splitting, step = 1e-2, steps = 10
END
echo '{"atom": 3}' >"$work/three.json"
expect 2 'not divided any further: take a base method that needs no parts' "$sidewinder" run "$work/mixed.sw" --data "$work/three.json"

# A wrong entry of the data would be seen by nobody but the reader.
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

# What data decides is not decided by a sample: constraints that mix q and p commute where they share no atom, and each run looks.
cat >"$work/pairs.sw" <<'END'
model pairs
set atom = data
set pair = data in atom * atom
coord q[atom] momentum p
hamiltonian H = sum(i in atom: p[i]^2/2 + q[i]^2/2)
constraint c[(i,j) in pair]: q[i]^2 + p[j]^2 == 1
init q[i in atom] = 0.6
init p[i in atom] = 0.8
run method = rattle, step = 1e-2, steps = 10
END
expect 0 'coisotropic +each run checks it, at its own data' "$sidewinder" check "$work/pairs.sw"
echo '{"atom": 4, "pair": [[1, 2], [3, 4]]}' >"$work/apart.json"
echo '{"atom": 4, "pair": [[1, 2], [2, 4]]}' >"$work/together.json"
echo '{"atom": 4, "pair": [[1, 1], [2, 2]]}' >"$work/alone.json"
expect 0 '^steps +10' "$sidewinder" run "$work/pairs.sw" --data "$work/apart.json" --project=inf
expect 2 '\{c.1, c.2\} is not 0 on M' "$sidewinder" run "$work/pairs.sw" --data "$work/together.json"
expect 3 'is singular at its start' "$sidewinder" run "$work/pairs.sw" --data "$work/alone.json"

# Nor is whether N is invertible: only what moves is held here, which a sample does not know.
cat >"$work/held.sw" <<'END'
model held
set kind = {wall, mobile}
set atom = data
set fix = data
param of[atom] in kind
param at[fix] in atom
coord q[atom] momentum p
hamiltonian H = sum(i in atom where of[i] == mobile: p[i]^2/2) + sum(i in atom: q[i]^4)
constraint c[f in fix]: q[at[f]] == 1
init q[i in atom] = 1
init p[i in atom] = 0
run method = rattle, step = 1e-2, steps = 10
END
echo '{"atom": 3, "of": ["wall", "mobile", "mobile"], "at": [2]}' >"$work/mobile.json"
echo '{"atom": 3, "of": ["wall", "mobile", "mobile"], "at": [1]}' >"$work/wall.json"
expect 0 'not decided: with sample data, n_atom = 2, n_fix = 2, N is singular on all of M\^H,$' "$sidewinder" check "$work/held.sw"
expect 0 '^steps +10' "$sidewinder" run "$work/held.sw" --data "$work/mobile.json"
expect 3 'is singular at its start' "$sidewinder" run "$work/held.sw" --data "$work/wall.json"

# Nor is whether M is empty: no atom of the sample is of the last kind.
cat >"$work/rare.sw" <<'END'
model rare
set kind = {a, b, c, d, e, f, g, h}
set atom = data
param of[atom] in kind
coord q[atom] momentum p
hamiltonian H = sum(i in atom: p[i]^2/2) + sum(i in atom: q[i]^4)
constraint ball: sum(i in atom where of[i] == h: 3*q[i]^2) == 1 + sum(i in atom: q[i]^2)
init q[i in atom] = 1
init p[i in atom] = 0
run method = rattle, step = 1e-2, steps = 10
END
echo '{"atom": 3, "of": ["a", "h", "b"]}' >"$work/rare.json"
expect 0 'not decided: with sample data, n_atom = 2, M is empty, which may be so of the sample$' "$sidewinder" check "$work/rare.sw"
expect 0 '^steps +10' "$sidewinder" run "$work/rare.sw" --data "$work/rare.json" --project=inf

# A sample leaves some atoms unused. Where an unused one makes H degenerate, the next sample uses all of them.
sed -e 's/^model .*/model spare/' -e 's/^constraint .*/constraint c[b in body]: q[of[b]] == 1/' -e '/^set kind/d' -e 's/^param .*/set body = data\nparam of[body] in atom/' \
  "$work/rare.sw" >"$work/spare.sw"
sed -e 's/^model .*/model used/' -e 's/^hamil.*/hamiltonian H = sum(b in body: p[of[b]]^2\/2) + sum(i in atom: q[i]^4)/' -e 's/^constraint .*/constraint c[i in atom]: q[i] == 1/' \
  "$work/spare.sw" >"$work/used.sw"
expect 0 'At sample data, n_atom = 5, n_body = 2: SHAKE and RATTLE apply' "$sidewinder" check "$work/spare.sw"
expect 0 'At sample data, n_atom = 2, n_body = 2: SHAKE and RATTLE apply' "$sidewinder" check "$work/used.sw"

# An initial state that sets each of four elements says nothing of a fifth one.
cat >"$work/four.sw" <<'END'
model four
set atom = data
coord q[atom] momentum p
hamiltonian H = sum(i in atom: p[i]^2/2 + q[i]^2/2)
init q[1] = 1
init q[2] = 1
init q[3] = 1
init q[4] = 1
init p[i in atom] = 0
run method = rattle, step = 1e-2, steps = 10
END
echo '{"atom": 4}' >"$work/four.json"
echo '{"atom": 5}' >"$work/five.json"
echo '{"atom": 3}' >"$work/three.json"
expect 0 '^steps +10' "$sidewinder" run "$work/four.sw" --data "$work/four.json"
expect 2 'q.5 is not finite in the initial state .default.*or no line of it sets that entry at these sizes' "$sidewinder" run "$work/four.sw" --data "$work/five.json"
expect 2 'q.5 is not finite in the initial state' "$sidewinder" verify "$work/four.sw" --data "$work/five.json"
expect 0 'default +.*not finite' "$sidewinder" info "$work/four.sw" --data "$work/five.json"
expect 2 'q\[4\]|outside' "$sidewinder" run "$work/four.sw" --data "$work/three.json"

# What decides which iterations a loop has is read before anything else is.
cat >"$work/where.sw" <<'END'
model decides
set atom = data
set bond = data
param b[bond] in atom
coord q[atom] momentum p
hamiltonian H = sum(i in atom: p[i]^2/2) + sum(i in atom where i == b[2]: q[i]^4) + sum(e in bond where b[e] > 1: q[b[e]]^2)
init q[i in atom] = i
init p[i in atom] = 0
run method = rattle, step = 1e-2, steps = 10
END
echo '{"atom": 3, "b": [2, 3]}' >"$work/two.json"
echo '{"atom": 3, "b": [2]}' >"$work/one.json"
expect 0 ' 0 failed' "$sidewinder" verify "$work/where.sw" --data "$work/two.json"
expect 2 'b\[2\] in a condition or the end of a sum is outside of its array at n_atom = 3, n_bond = 1' "$sidewinder" run "$work/where.sw" --data "$work/one.json"

# Names: that of a tuple is not one that a model could have, and that of a model is not part of the name of a function.
cat >"$work/names.sw" <<'END'
model names
set atom = data
set pair = data in atom * atom
param i_j = 2
param w[(i,j) in pair] = i + 10*j
coord q[atom] momentum p
hamiltonian H = sum(i in atom: p[i]^2/2) + sum((i,j) in pair: i_j*sin(q[i]*q[j]))
observe weight[(i,j) in pair] = i_j + 100*i + j
init q[i in atom] = i
init p[i in atom] = 0
run method = rattle, step = 1e-2, steps = 10
END
expect 0 '\(i,j\) ∈ pair' "$sidewinder" check "$work/names.sw"
expect 0 ' 0 failed' "$sidewinder" verify "$work/names.sw" --data "$work/together.json"
finish
