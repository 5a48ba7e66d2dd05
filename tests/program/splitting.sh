#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The base method "splitting" as a user meets it: the parts that are found, what has none, and runs.
# Usage: splitting.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

# divided EXPECTED: the model on standard input, whose parts are those, as "FLOW FORMULA; ...", or the division.
divided() {
  local found
  { echo 'model divided'; cat; } >"$work/divided.sw"
  found=$("$sw" check --json "$work/divided.sw" | python3 -c '
import json, sys
s = json.load(sys.stdin)["structure"]["splitting"]
print("; ".join(p["flow"] + " " + p["formula"]["text"] for p in s["parts"]) or s["division"])')
  true_that "parts of $(sed -n 's/^hamiltonian//p' "$work/divided.sw")" test "$found" = "$1"
  [ "$found" = "$1" ] || echo "  found: $found"
}

xy='coord x momentum px  coord y momentum py  param B = 2  param m = 1'
divided verlet <<<"$xy
hamiltonian H = px^2/2 + py^4 + cos(x*y)"
divided whole <<<"$xy
hamiltonian H = (px + B*y)^2/(2*m) + x*px + py^2 + y"
divided 'kick cos(x*y); linear py^2/(2*m) + (B*y + px)^2/(2*m)' <<<"$xy
hamiltonian H = (px + B*y)^2/(2*m) + py^2/(2*m) + cos(x*y)"
# Functions of entries that commute, and no exponential where it saves no part.
divided 'mixed px^2/(2*sin(y)^2) + cos(y); drift py^2/2' <<<"$xy
hamiltonian H = py^2/2 + px^2/(2*sin(y)^2) + cos(y)"
divided 'kick cos(x*y); mixed (px + exp(y))^2/2; mixed (py + exp(x))^2/2' <<<"$xy
hamiltonian H = (px + exp(y))^2/2 + (py + exp(x))^2/2 + cos(x*y)"
# Products are multiplied out where that is needed, and what cancels is no part.
divided 'kick x^6/2; mixed y^4 + y*px + px^2/2' <<<"$xy
hamiltonian H = (px + x^3)^2/2 - px*x^3 + px*y + y^4"
divided 'kick x^4; linear (x + px)^2/2' <<<"$xy
hamiltonian H = (px + x)^2/2 + x^4 + y - y"
# What is no polynomial is not of degree 2, though its second derivatives vanish.
divided none <<<"$xy
hamiltonian H = px^2/2 + abs(px + x)"
divided none <<<"$xy
hamiltonian H = px^2*x^2 + py^2"

cat >"$work/stuck.sw" <<'END'
model stuck
coord x momentum px
coord y momentum py
hamiltonian H = py^2/2 + cos(y)
                + px^2*(1 + x^2)/2
init x = 0.5  init y = 0.1  init px = 0.2  init py = -0.4
run step = 0.1, steps = 10
END
expect 0 'none: x.*p?x.*/2, in the term at stuck.sw:5:19, has no exact flow' "$sw" check "$work/stuck.sw"
expect 0 'steps' "$sw" run "$work/stuck.sw"
expect 2 'stuck.sw:5:19: the part px\^2\*x\^2/2 of H|stuck.sw:5:19: the part x\^2\*px\^2/2 of H has no exact flow: it reads both x and px; write' \
  "$sw" run "$work/stuck.sw" --base splitting
echo 'run base = splitting' >>"$work/stuck.sw"
sed -i 's/^run step = 0.1, steps = 10$//' "$work/stuck.sw"
expect 2 'stuck.sw:5:19: error: base = splitting: the part' "$sw" check "$work/stuck.sw"
true_that 'the term is shown' grep -q '\^~~~~' "$work/output"

# A model with loops is divided into T(p) + V(q), or taken whole, alone.
cat >"$work/loops.sw" <<'END'
model loops
size N = 40
set node = 1 .. N
coord q[node] momentum p
hamiltonian H = sum(i in node: p[i]^2/(2*(1 + q[i]^2)))
init q[i in node] = 0
init p[i in node] = 1
run step = 0.1, steps = 10
END
expect 2 'H is neither T\(p\) \+ V\(q\) nor of degree 2, and a model with loops' \
  "$sw" run "$work/loops.sw" --lowering looped --base splitting
sed 's/(2\*(1 + q\[i\]^2))/2 + q[i]*p[i]/' "$work/loops.sw" >"$work/whole.sw"
sed -i 's/^model loops/model whole/' "$work/whole.sw"
expect 0 'change within \[[-0-9.e]*e-1[3-6], [0-9.e-]*\]|relative 0' "$sw" run "$work/whole.sw" --lowering looped --base splitting
sed 's/(2\*(1 + q\[i\]^2))/2 + cos(q[i])/' "$work/loops.sw" >"$work/apart.sw"
sed -i 's/^model loops/model apart/' "$work/apart.sw"
for base in splitting verlet; do
  "$sw" run "$work/apart.sw" --lowering looped --base $base --out "$work/$base.csv" --quiet
  sed '/^#/d' "$work/$base.csv" >"$work/$base.rows"
done
true_that 'splitting is verlet for T(p) + V(q)' cmp "$work/splitting.rows" "$work/verlet.rows"

# Runs with all that a run can have.
for model in charged_sphere mirror; do
  expect 0 'steps  *60' "$sw" run models/$model.sw --steps 60 --check-reversible
  expect 0 'steps  *60' "$sw" run models/$model.sw --steps 60 --method shake
  expect 0 "$before_order"'4\.0[0-9]*( |$)' "$sw" converge models/$model.sw --compose suzuki-4 --step 0.1 --t-end 1
  expect 0 "$before_order"'2\.0[0-9]*( |$)' "$sw" converge models/$model.sw --t-end 1
  expect 0 'order of RATTLE over splitting .*PASS' "$sw" verify models/$model.sw
  true_that 'nothing fails' grep -q ' 0 failed' "$work/output"
done
# Of a method that follows the flow itself no order is to be seen; of one that follows another flow nearly, it is not said.
cat >"$work/linear.sw" <<'END'
model linear
set node = 1 .. 3
coord q[node] momentum p
hamiltonian H = sum(i in node: p[i]^2 + q[i]^2)/2
init q[i in node] = 1
init p[i in node] = i
run step = 0.1, steps = 10
END
expect 0 'order of RATTLE over splitting .* -     exact to round-off: 4 to 32 steps' "$sw" verify "$work/linear.sw"
true_that 'nothing fails' grep -q ' 0 failed' "$work/output"
expect 0 'order of RATTLE over splitting .* -     exact to round-off: 4 to 32 steps' "$sw" verify tests/models/penning.sw --set B=3
for error in 1e-1 1e-4 1e-7 1e-10; do
  cat >"$work/cc" <<END
#!/bin/sh
for file; do
  case \$file in
    *.c) [ -w "\$file" ] && sed -i 's|1.0; .. q.1, q.1 ..|1.0 + $error;|' "\$file" ;;
  esac
done
exec cc "\$@"
END
  chmod +x "$work/cc"
  expect 0 '' env CC="$work/cc" "$sw" build "$work/linear.sw" -o "$work/wrong"
  expect 1 'order of RATTLE over splitting .*FAIL' "$work/wrong" verify --only 'order of RATTLE over splitting'
done
expect 0 'splitting  *exact flows of parts of H  *order 2, symmetric' "$sw" run models/mirror.sw --help
finish
