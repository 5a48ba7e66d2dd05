#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Redundant constraints: what the generator says of them, and runs that tolerate them.
# Usage: redundant.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

# What is found, and what a run needs.
expect 0 "redundant +'fall' follows from 'side\.1', 'side\.2', 'side\.3', 'last', 'rise'" "$sw" check models/square.sw
expect 0 'N has the rank of Dg, 5, at 32 of 32' "$sw" check models/square.sw
expect 0 'apply with --redundant drop, or min-norm' "$sw" check models/square.sw
expect 0 "warning: .* has redundant constraints: 'fall' follows from" "$sw" generate models/square.sw -o "$work/c"
true_that 'the C is there' test -s "$work/c/square.c"
expect 3 "dependent at its start, where 'fall' follows from 'side\.1'.*--redundant drop or min-norm" \
  "$sw" run models/square.sw
expect 3 "dependent at its start" "$sw" run models/square.sw --redundant error
expect 0 'steps +1000, to t = 20' "$sw" run models/square.sw --redundant drop
expect 0 'steps +1000, to t = 20' "$sw" run models/square.sw --redundant min-norm --method shake --base midpoint
expect 2 "unknown treatment of redundant constraints 'dropp'; did you mean 'drop'" \
  "$sw" run models/square.sw --redundant dropp
expect 3 "'coupler' follows from 'left', 'right'" "$sw" run models/four_bar.sw --init aimed
expect 0 'steps +20, to t = 2' "$sw" run models/four_bar.sw --init aimed --redundant drop
expect 0 'steps +20, to t = 2' "$sw" run models/four_bar.sw --init aimed --redundant min-norm

# One constraint twice, in both lowerings; the second is the first times 2.
cat >"$work/twice.sw" <<'END'
model twice
size N = 3
set s = 1 .. N
coord q[s] momentum p
coord r[s] momentum w
hamiltonian H = sum(i in s: p[i]^2/2 + w[i]^2/2 + r[i])
constraint c[i in s]: q[i]^2 + r[i]^2 == 1
constraint e[i in s]: 2*q[i]^2 + 2*r[i]^2 == 2
init q[i in s] = 0.6
init r[i in s] = 0.8
init p[i in s] = 0.8
init w[i in s] = -0.6
run step = 0.01, steps = 100
END
for how in unrolled looped; do
  expect 0 "redundant .*'e\.1' follows from 'c\.1'" "$sw" check "$work/twice.sw" --lowering $how
  expect 3 "'e\.3' follows from 'c\.3'" "$sw" run "$work/twice.sw" --lowering $how
  for redundant in drop min-norm; do
    expect 0 'steps +100, to t = 1' "$sw" run "$work/twice.sw" --lowering $how --redundant $redundant \
      --save-state "$work/$how-$redundant.csv"
  done
done
true_that 'both lowerings agree' cmp "$work/unrolled-drop.csv" "$work/looped-drop.csv"
expect 0 'steps +100, to t = 1' "$sw" run "$work/twice.sw" --lowering looped --size N=2000 --redundant drop

# A chain with a constraint for every two links, too: all are connected, which is examined to 512 of them.
cat >"$work/tied.sw" <<'END'
model tied
size N = 6
set node = 0 .. N
set link = 1 .. N
set pair = 2 .. N
set xy = {x, y}
coord q[node, xy] momentum p
let d2(i) = sum(k in xy: (q[i-1,k] - q[i,k])^2)
hamiltonian H = sum(i in node, k in xy: p[i,k]^2/2) + sum(i in node: q[i,x]^2/2)
constraint length[i in link]: d2(i) == 1
constraint two[i in pair]: d2(i-1) + d2(i) == 2
init q[i in node, x] = i*0.8
init q[i in node, y] = i*0.6
init p[i in node, k in xy] = 0
run step = 0.01, steps = 20
END
expect 0 "'two\.2' follows" "$sw" check "$work/tied.sw" --lowering unrolled
expect 3 "'two\.[0-9]*' follows from" "$sw" run "$work/tied.sw" --lowering looped --size N=100
expect 0 'steps +20, to t = 0\.2' "$sw" run "$work/tied.sw" --lowering looped --size N=100 --redundant drop
expect 0 'steps +20, to t = 0\.2' "$sw" run "$work/tied.sw" --lowering looped --size N=100 --redundant min-norm
expect 3 '599 are connected, more than 512' "$sw" run "$work/tied.sw" --lowering looped --size N=300 --redundant drop
finish
