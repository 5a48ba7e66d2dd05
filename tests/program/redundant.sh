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
# A run says "follows from" of constraints with a certificate, and "depends on" of others.
expect 3 "dependent gradients at its start: 5 of 6 constraints are independent, 'fall' depends on 'side\.1'.*--redundant drop or min-norm" \
  "$sw" run models/square.sw
expect 3 "dependent gradients at its start" "$sw" run models/square.sw --redundant error
expect 0 'steps +1000, to t = 20' "$sw" run models/square.sw --redundant drop
expect 0 'steps +1000, to t = 20' "$sw" run models/square.sw --redundant min-norm --method shake --base midpoint
expect 2 "unknown treatment of redundant constraints 'dropp'; did you mean 'drop'" \
  "$sw" run models/square.sw --redundant dropp
expect 3 "dependent gradients: 2 of 3 constraints are independent, 'coupler' depends on 'left', 'right'" "$sw" run models/four_bar.sw --init aimed
true_that 'nothing is said to follow' test -z "$(grep follows "$work/output")"
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
  expect 3 "'e\.3' (follows from|depends on) 'c\.3'" "$sw" run "$work/twice.sw" --lowering $how
  for redundant in drop min-norm; do
    expect 0 'steps +100, to t = 1' "$sw" run "$work/twice.sw" --lowering $how --redundant $redundant --solver kinsol \
      --save-state "$work/$how-$redundant.csv"
  done
done
true_that 'both lowerings agree' cmp "$work/unrolled-drop.csv" "$work/looped-drop.csv"
expect 0 'steps +10, to t = 0\.1' "$sw" run "$work/twice.sw" --lowering looped --size N=2000 --steps 10 --redundant drop

# The run line can choose it; the command line has the last word.
for redundant in drop min-norm; do
  sed "s/^run /run redundant = $redundant, /" "$work/twice.sw" >"$work/line.sw"
  expect 0 'steps +100, to t = 1' "$sw" run "$work/line.sw" --lowering unrolled --solver kinsol --save-state "$work/line.csv"
  true_that "the run line's $redundant" cmp "$work/line.csv" "$work/unrolled-$redundant.csv"
  expect 3 "follows from 'c\.1'" "$sw" run "$work/line.sw" --lowering unrolled --redundant error
done
expect 0 'redundant += min-norm|redundant +min-norm' "$sw" info "$work/line.sw"
expect 0 'redundant = "min-norm"' sh -c "'$sw' generate '$work/line.sw' -o '$work/line' && cat '$work/line/twice.c'"
sed "s/^run /run redundant = dropp, /" "$work/twice.sw" >"$work/line.sw"
expect 2 'redundant is error, drop or min-norm' "$sw" check "$work/line.sw"

# The generated step has the constraints that do not follow from others by proof, and serves drop.
expect 0 'straight line +100 %' "$sw" run "$work/twice.sw" --lowering unrolled --redundant drop --solver fused
expect 0 'straight line +99 %' "$sw" run tests/models/chain6_tied.sw --redundant drop --steps 100
for how in error min-norm; do
  expect 2 'no straight-line code for these options' "$sw" run tests/models/chain6_tied.sw --redundant $how --solver fused
done
expect 0 'straight-line step: some of its constraints follow from others, and variational takes independent constraints only' \
  "$sw" generate tests/models/chain6_tied.sw --method variational --with variational -o "$work/c"
expect 0 'none, because its constraints follow from others without proof' "$sw" check models/square.sw
expect 0 'straight-line step: its constraints follow from others without proof' \
  "$sw" generate "$work/twice.sw" --lowering looped --method shake -o "$work/c"

# A run names what it drops, by proof or by the solves, and not what has the multiplier 0 by chance.
names() { # WHAT, NAMES in JSON, FILE
  true_that "$1" grep -qF "\"dropped\":[$2]" <(tr -d ' \n' <"$3")
}
expect 0 'dropped +fall: its impulse is 0 at the end$' "$sw" run models/square.sw --redundant drop --out "$work/square.csv"
names 'FILE.json has the proved constraint' '"fall"' "$work/square.csv.json"
expect 0 'dropped +3 of 6 constraints, e\.1, e\.2, e\.3: their impulses are 0 at the end$' \
  "$sw" run "$work/twice.sw" --lowering looped --redundant drop
expect 0 'dropped +9 of 18 constraints, e\.1, .*, e\.5, \.\.\.: their' "$sw" run "$work/twice.sw" --lowering looped --size N=9 --redundant drop
# A chain of two bars between two supports, which a third bar connects. Nothing moves along y: the multiplier of hold.7 is 0.
cat >"$work/truss.json" <<'END'
{"node": 3, "bar": 3, "support": 7, "mass": [1, 1, 1], "load": [[0, 0, 0], [0, 0, 0], [5, 0, 0]],
 "x": [[0, 0, 0], [1, 0, -1], [2, 0, 0]], "v": [[0, 0, 0], [0, 0, 0], [0, 0, 0]], "a": [1, 2, 1], "b": [2, 3, 3],
 "held": [1, 1, 1, 3, 3, 3, 2], "along": ["x", "y", "z", "x", "y", "z", "y"]}
END
truss=(run examples/graphs/space_truss.sw --data "$work/truss.json" --steps 20)
for options in '' '--method shake' '--method lobatto' '--compensated' '--compose triple-jump-4'; do
  # shellcheck disable=SC2086
  expect 0 'dropped +hold\.4: its impulse is 0 at the end$' "$sw" "${truss[@]}" --redundant drop $options
done
expect 0 'hold.4' "$sw" "${truss[@]}" --redundant drop --json --out "$work/truss.csv"
names '--json has the dropped constraint' '"hold.4"' "$work/output"
names 'FILE.json has it' '"hold.4"' "$work/truss.csv.json"
kept=("$sw" "${truss[@]}" --redundant drop --out "$work/truss.csv" --checkpoint "$work/truss.kept")
expect 0 'dropped +hold\.4' "${kept[@]}"
cp "$work/truss.csv.json" "$work/before.json"
expect 0 'dropped +hold\.4' "${kept[@]}" --resume "$work/truss.kept"
true_that 'to resume at the end changes nothing' cmp "$work/truss.csv.json" "$work/before.json"
expect 0 'steps' "$sw" "${truss[@]}" --redundant min-norm --out "$work/truss.csv"
true_that 'min-norm drops nothing' test -z "$(grep -h dropped "$work/output" "$work/truss.csv.json")"
expect 0 'steps' "$sw" run models/pendulum.sw --json
names 'nothing is dropped' '' "$work/output"

# Constraints that are proved to follow from others are left out before a method sees them: off M their gradients are independent.
model() { # NAME, constraints, last constraint, initial state
  printf 'model %s\ncoord x momentum px\ncoord y momentum py\ncoord z momentum pz\n' "$1" >"$work/$1.sw"
  printf 'hamiltonian H = (px^2+py^2+pz^2)/2 + z + 0.3*x*y\n%s\n%s\n' "$2" "$3" >>"$work/$1.sw"
  printf 'observe force = multiplier(%s)\n%s\nrun method = rattle, base = midpoint\n' "$5" "$4" >>"$work/$1.sw"
}
ball='x^2+y^2+z^2+px^2+py^2+pz^2'
mixed="constraint ball: $ball == 1
constraint spin: x*py - y*px == 0.1"
start=$'init x = 0.4\ninit y = 0.5\ninit z = -0.6\ninit px = 0.1\ninit py = 0.3\ninit pz = 0.1'
model one "$mixed" '' "$start" spin
model more "$mixed" "constraint both: ($ball - 1)*(1+0.2*x) + 2*(x*py - y*px - 0.1) == 0" "$start" both
bowl='constraint ball: x^2+y^2+z^2 == 1
constraint plane: x*y + z == 0.2'
high=$'init x = 0.7\ninit y = 0.7\ninit z = -0.3\ninit px = 0.1\ninit py = -0.1\ninit pz = 0.3'
model bowl "$bowl" '' "$high" plane
model bowls "$bowl" 'constraint both: (x^2+y^2+z^2 - 1)*(1+0.2*x) + (x*y + z - 0.2)*(2 + y) == 0' "$high" both
expect 0 "redundant +'both' follows from 'ball', 'spin'" "$sw" check "$work/more.sw"
if "$sw" ensemble "$work/more.sw" --redundant drop --project=inf --sample 'z ~ normal(-0.6, 0.01)' --seed 1 --count 2 --steps 5 --step 0.02 \
  --quiet --out "$work/more.h5" >"$work/output" 2>&1; then
  names 'the metadata of an ensemble have the constraint that all trajectories leave out' '"both"' "$work/more.h5"
else
  true_that 'ensembles need HDF5' grep -q HDF5 "$work/output"
fi
near() { # FILE, FILE: each value differs by at most 1e-11
  paste -d, "$1" "$2" | awk -F, 'NR > 1 && ($2-$4)^2 > 1e-22 { bad = 1 } END { exit bad || NR < 7 }'
}
same_end() { # METHOD, MODEL without it, MODEL with it
  for name in "$2" "$3"; do
    "$sw" run "$work/$name.sw" --redundant drop --project=inf --method "$1" --step 0.02 --steps 20 --quiet \
      --save-state "$work/$name.csv" >"$work/output" 2>&1
  done
  true_that "$1 of $3 is that of $2" near "$work/$2.csv" "$work/$3.csv"
  rm -f "$work/$2.csv" "$work/$3.csv"
}
for method in rattle shake energy-momentum; do
  same_end $method one more
done
for method in rattle shake vs lobatto bdf2 energy-momentum; do
  same_end $method bowl bowls
done
for how in drop min-norm; do
  expect 0 'moves positions by 0\.0859 ' "$sw" run "$work/more.sw" --redundant $how --project=inf --step 0.02 --steps 5
done
expect 3 "dependent .*'both' follows from" "$sw" run "$work/more.sw" --project=inf --step 0.02 --steps 5
expect 0 '^5,[^,]*,0$' "$sw" run "$work/more.sw" --redundant drop --project=inf --step 0.02 --steps 5 --columns step,x,impulse.both --out - --quiet
# Columns of impulses are those of all constraints, 0 of those that are dropped, wherever these are declared.
expect 0 '^step,impulse\.ball,impulse\.spin,impulse\.both$' "$sw" run "$work/more.sw" --redundant drop --project=inf --step 0.02 --steps 5 \
  --columns step,impulse --out - --quiet
true_that 'the impulse of what is dropped is 0' grep -q '^5,.*,0$' "$work/output"
# Multipliers are those of the smallest norm, whatever the solves do.
for how in drop min-norm; do
  "$sw" run "$work/more.sw" --redundant $how --project=inf --step 0.02 --steps 5 --columns step,multiplier --out "$work/$how.csv" --quiet 2>/dev/null
done
true_that 'multipliers are a function of the state' awk -F, 'FNR == 1 { next } NR == FNR { for (i = 2; i < 5; i++) a[FNR, i] = $i; next }
  { for (i = 2; i < 5; i++) if ((a[FNR, i] - $i)^2 > 1e-20 || $i^2 < 1e-6) bad = 1; n++ } END { exit bad || n != 6 }' "$work/drop.csv" "$work/min-norm.csv"
# Copies of a constraint share its force equally, on positions and on momenta, and so does one whose factor changes along the motion.
copies() { # NAME, the left-hand side
  printf 'model %s\ncoord q momentum p\ncoord r momentum w\nhamiltonian H = p^2/2 + w^2/2 + r\n' "$1"
  printf 'constraint a: %s == 0\nconstraint b: 3*(%s) == 0\nconstraint c: 1e-12*(%s) == 0\n' "$2" "$2" "$2"
  printf 'constraint d: 1e9*(%s) == 0\nconstraint e: (2+q)*(%s) == 0\n' "$2" "$2"
  printf 'init q = -0.3\ninit r = -0.9\ninit p = 0.5\ninit w = -0.1\nrun method = rattle, base = midpoint\n'
}
copies rod 'q^2 + r^2 - 1' >"$work/rod.sw"
copies ball 'q^2 + r^2 + p^2 + w^2 - 1.2' >"$work/ball.sw"
for name in rod ball; do
  expect 0 '' "$sw" run "$work/$name.sw" --redundant drop --project=inf --step 0.02 --steps 50 --columns q,multiplier --out "$work/copies.csv" --quiet
  true_that "copies of $name share its force" awk -F, 'NR > 1 { n++; f[1] = 3; f[2] = 1e-12; f[3] = 1e9; f[4] = 2 + $1
    for (i = 1; i < 5; i++) if ((f[i]*$(i + 2)/$2 - 1)^2 > 1e-18) bad = 1 } END { exit bad || n != 51 }' "$work/copies.csv"
done
model twin "$bowl" '' "$high" plane
sed 's/^constraint plane/constraint again: 2*(x^2+y^2+z^2) == 2\n&/' "$work/bowl.sw" >"$work/between.sw"
"$sw" run "$work/bowl.sw" --project=inf --step 0.02 --steps 5 --columns multiplier.ball,multiplier.plane,force --out "$work/left.csv" --quiet
for how in drop min-norm; do
  "$sw" run "$work/between.sw" --redundant $how --project=inf --step 0.02 --steps 5 --columns multiplier,force --out "$work/all.csv" \
    --quiet 2>/dev/null
  true_that "$how leaves the sum of multipliers, and that of the constraint behind it" awk -F, 'FNR < 3 { next }
    NR == FNR { a[FNR] = $1; b[FNR] = $2; c[FNR] = $3; next }
    ($1 + 2*$2 - a[FNR])^2 + ($3 - b[FNR])^2 + ($4 - c[FNR])^2 > 1e-22 { bad = 1 } { n++ } END { exit bad || n != 5 }' \
    "$work/left.csv" "$work/all.csv"
done
"$sw" run "$work/more.sw" --redundant drop --project=inf --step 0.02 --steps 20 --quiet --save-state "$work/whole.csv" >/dev/null 2>&1
"$sw" run "$work/more.sw" --redundant drop --project=inf --step 0.02 --steps 20 --quiet --checkpoint "$work/more.check" --threads 2 \
  --save-state "$work/threads.csv" >/dev/null 2>&1
true_that 'two threads make the same' cmp "$work/whole.csv" "$work/threads.csv"
# A factor that is infinite or undefined where the others are finite proves nothing there: x*y = 0 does not imply y + 0/x = 0.
printf 'name,value\nx,1e-14\ny,0.6\nz,0.8\npx,0\npy,0\npz,0\n' >"$work/others.csv"
model pole $'constraint ball: x^2+y^2+z^2 == 1\nconstraint cut: x*(z - 0.3*y) == 0' \
  'constraint line: z - 0.3*y + (x^2+y^2+z^2 - 1)/x == 0' \
  $'init x = 0.6\ninit y = 0.76624\ninit z = 0.229872\ninit px = 0\ninit py = 0\ninit pz = 0' line
expect 3 "it would end off M: constraint 'line'" "$sw" run "$work/pole.sw" --redundant drop --init-file "$work/others.csv" --step 0.02 --steps 5
circle() { # FACTOR, the number of constraints that follow by proof
  model circle 'constraint once: x^2+y^2 == 1' "constraint again: (x^2+y^2 - 1)*$1 == 0" \
    $'init x = 0.6\ninit y = 0.8\ninit z = 0\ninit px = -0.8\ninit py = 0.6\ninit pz = 0' again
  expect 0 "$2$" sh -c "'$sw' generate '$work/circle.sw' -o '$work/c' && grep -c '\.follows' '$work/c/circle.c' || true"
}
for factor in 'sqrt(x)' 'log(x)' 'tan(x)'; do
  circle "$factor" 0
done
circle '1/(1 + x^2)' 1
# Multipliers of the smallest norm take all constraints, which are independent within steps of these methods.
for method in lobatto bdf2 energy-momentum; do
  expect 3 "gradients of the constraints depends on others at its start, and not where $method evaluates .*\"drop\"" \
    "$sw" run "$work/bowls.sw" --redundant min-norm --project=inf --method $method --step 0.05 --steps 10
  expect 0 'steps +50' "$sw" run models/square.sw --redundant drop --method $method --steps 50
done

# Parallel cranks: dependent on all of M, and one or two fewer in the flat shapes, which no constraint follows from.
cranks() { # NAME, number of cranks, constraints of the coupler
  cat >"$work/$1.sw" <<END
model $1
size N = $2
set joint = 1 .. N
set inner = 2 .. N-1
set xy = {x, y}
coord q[joint, xy] momentum p
let rx(i) = q[i,x] - (i-1)
hamiltonian H = sum(i in joint: dot(p[i],p[i])/2 + 9.81*q[i,y])
constraint crank[i in joint]: rx(i)^2 + q[i,y]^2 == 1
constraint coupler[i in inner, k in xy]: q[i,k] == q[1,k] + (q[N,k] - q[1,k])*(i-1)/(N-1)
constraint bar: dot(q[N]-q[1], q[N]-q[1]) == (N-1)^2
init q[i in joint, x] = (i-1) + sin(0.5)
init q[i in joint, y] = -cos(0.5)
init p[i in joint, k in xy] = 0
run method = rattle, base = verlet, step = 1e-3, t_end = 1, every = 1000
END
}
cranks three 3
cranks four 4 # 9 constraints on 8 degrees of freedom
cranks six 6  # 15 on 12
expect 0 "redundant +dependent gradients on all of M, where 5 of 6 constraints are independent:" "$sw" check "$work/three.sw"
expect 0 "where 7 of 9 constraints are independent:" "$sw" check "$work/four.sw"
expect 0 "apply with --redundant drop, or min-norm" "$sw" check "$work/four.sw"
for name in three four six; do
  for how in drop min-norm; do
    for lowering in unrolled looped; do
      # A pendulum from 0.5 is at sin = -0.47868573035619888 after one second.
      "$sw" run "$work/$name.sw" --redundant $how --lowering $lowering --method lobatto --columns t,q.1.x --out - --quiet \
        2>/dev/null | tail -1 >"$work/end"
      true_that "$name, $how, $lowering moves as a pendulum" awk -F, \
        '{ n = 1; bad = ($2 + 0.47868573035619888)^2 > 1e-24 } END { exit bad || !n }' "$work/end"
      expect 0 'to t = 1,' "$sw" run "$work/$name.sw" --redundant $how --lowering $lowering
    done
  done
  expect 3 'dependent gradients at its start: .* constraints are independent, .* depends on .*: ask for --redundant drop' "$sw" run "$work/$name.sw"
  true_that "nothing of $name is said to follow" test -z "$(grep follows "$work/output")"
done
# Each pair twice: 6 constraints on 3 degrees of freedom, of which 4 follow.
cat >"$work/pairs.sw" <<'END'
model pairs
set node = 1 .. 3
coord q[node] momentum p
hamiltonian H = sum(i in node: p[i]^2/2 + q[i]^2/2)
constraint equal[i in node, j in node where i != j]: q[i] - q[j] == 0
init q[i in node] = 1
init p[i in node] = 0
run method = rattle, base = verlet, step = 0.1, steps = 10
END
expect 0 "'equal\.3\.1' follows from 'equal\.1\.3'" "$sw" check "$work/pairs.sw"
expect 0 'steps +10, to t = 1' "$sw" run "$work/pairs.sw" --redundant drop
# A straight CO2 that three distances hold: the third one follows from no others.
cat >"$work/co2.sw" <<'END'
model co2
set atom = 1 .. 3
set xyz = {x, y, z}
coord q[atom, xyz] momentum p
let d2(i, j) = sum(k in xyz: (q[i,k] - q[j,k])^2)
hamiltonian H = sum(i in atom, k in xyz: p[i,k]^2/2)
constraint left: d2(1, 2) == 0.116^2
constraint right: d2(2, 3) == 0.116^2
constraint long: d2(1, 3) == 0.232^2
init q[i in atom, k in xyz] = (i - 2)*0.116/sqrt(3)
init p[i in atom, k in xyz] = 0
run method = rattle, base = verlet, step = 0.001, steps = 10
END
expect 1 'although no constraint follows from the others there: dependent gradients of a singular shape' "$sw" check "$work/co2.sw"
# The same distances as data.
cat >"$work/molecule.sw" <<'END'
model molecule
set atom = data
set bond = data
set xyz = {x, y, z}
param a[bond] in atom
param b[bond] in atom
param length[bond] in (0, inf)
coord q[atom, xyz] momentum p
hamiltonian H = sum(i in atom, k in xyz: p[i,k]^2/2)
constraint rod[e in bond]: sum(k in xyz: (q[a[e],k] - q[b[e],k])^2) == length[e]^2
init q[i in atom, k in xyz] = (i - 2)*0.116/sqrt(3)
init p[i in atom, k in xyz] = 0.1
run method = rattle, base = verlet, step = 0.001, steps = 10
END
echo '{"atom": 3, "a": [1, 2, 1], "b": [2, 3, 3], "length": [0.116, 0.116, 0.232]}' >"$work/co2.json"
expect 3 "dependent gradients at its start: 2 of 3 constraints are independent, 'rod.3' depends on 'rod.1', 'rod.2'; the shape is a singular one" \
  "$sw" run "$work/molecule.sw" --data "$work/co2.json"
true_that 'nothing of CO2 is said to follow' test -z "$(grep follows "$work/output")"

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
