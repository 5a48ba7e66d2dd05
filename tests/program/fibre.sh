#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Points of fibres that a unit test has no model for: many on one fibre, those of a state at rest, and the six points of one
# torus from two descriptions of it, one of which has a flow without a closed form.
# Usage: fibre.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

# {g,H} = 2 p sin(100 q) on q^2 + p^2 = 1: p = 0 twice, and |q| = k pi/100 with k = 0 .. 31, twice each.
cat >"$work/wave.sw" <<'END'
model wave "Many points of M^H on one fibre"
coord q momentum p
coord x momentum y
hamiltonian H = cos(100*q)/100 + y^2/2 + x^2/2
constraint circle: q^2 + p^2 == 1
init q = 0.6
init p = 0.8
init x = 1
init y = 0
run method = rattle, step = 0.1, t_end = 1
END
expect 0 'points on M\^H  128$' "$sw" fibre "$work/wave.sw"
expect 0 'open, searched' "$sw" fibre tests/models/squeeze.sw --project=0.4
expect 0 'points on M\^H  2$' "$sw" fibre tests/models/rest_mixed.sw
true_that "the other point is half a turn away" grep -q '^ *-1\.110720734[0-9]* ' "$work/output"

# The energies of the points, in order.
energies() {
  python3 -c 'import json, sys
points = json.load(sys.stdin)["points"]
print(*sorted(round(p["energy"], 9) for p in points), *sorted(p["det"] > 0 for p in points))'
}
one=$("$sw" fibre models/two_constraints.sw --json | energies)
true_that "a torus has six points" test "$(wc -w <<<"$one")" -eq 12
true_that "its other description has the same points" \
  test "$("$sw" fibre tests/geometry/mixed.sw --json | energies)" = "$one"

# SHAKE leads to a point of M off M^H, from where the slide of RATTLE leads to M^H.
"$sw" run models/hopf.sw --method shake --base midpoint --step 0.1 --steps 1 --save-state "$work/state.csv" --quiet
expect 2 'not on M\^H|hidden' "$sw" run models/hopf.sw --init-file "$work/state.csv" --steps 1
expect 0 'points on M\^H  4$' "$sw" fibre models/hopf.sw --init-file "$work/state.csv"
expect 2 'too many: the model has 66 constraints' "$sw" fibre models/chain.sw
expect 2 "unrecognized option '--step'" "$sw" fibre models/hopf.sw --step 0.1
finish
