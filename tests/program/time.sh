#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Models whose formulas contain the time t: the pair (t, p_t) that they get, known motions, orders, names of their own.
# Usage: time.sh SIDEWINDER
set -uo pipefail
. tests/program/lib.sh
sidewinder=$1
run() { "$sidewinder" run "$@" --quiet >/dev/null; }

# The pivot that moves, with the time as a word and with a clock by hand: the same motion.
expect 0 "t' = 1. Its momentum p_t has been added to H" "$sidewinder" check models/driven.sw
cat >"$work/clock.sw" <<'END'
model clock
set xy = {x, y}
param length  = 1 in (0, inf)
param gravity = 1
param shake   = 0.1
param omega   = 30
param tilt    = 0.3
coord q[xy] momentum p
coord clock momentum work
hamiltonian H = sum(k in xy: p[k]^2)/2 + gravity*q[y] + work
constraint rod: q[x]^2 + (q[y] - shake*cos(omega*clock))^2 == length^2
observe angle  = atan2(q[x], q[y] - shake*cos(omega*clock))
observe energy = sum(k in xy: p[k]^2)/2 + gravity*q[y]
invariant extended = H
init q[x] = length*sin(tilt)
init q[y] = shake + length*cos(tilt)
init p[k in xy] = 0
init clock = 0
init work = 0
run method = rattle, base = verlet, step = 1e-3, t_end = 20, every = 20
END
run models/driven.sw --out "$work/driven.csv"
run "$work/clock.sw" --out "$work/clock.csv"
# The bead at rest in the rotating frame stays there; the energy in that frame is proved to be conserved, and the error is of order 2.
expect 0 'jacobi: proved' "$sidewinder" check models/hoop.sw
for solver in kinsol auto; do
  for step in 0.02 0.01; do
    run models/hoop.sw --init rest --step $step --solver $solver --every 1 --out "$work/rest_${solver}_$step.csv"
    run models/hoop.sw --step $step --solver $solver --every 1 --t-end 5 --out "$work/slide_${solver}_$step.csv"
  done
done

# A driven oscillator, H = (p^2 + q^2)/2 - a q cos(w t), from rest: q = a (cos(w t) - cos t)/(1 - w^2).
cat >"$work/forced.sw" <<'END'
model forced
param a = 0.3
param w = 0.6
coord q momentum p
hamiltonian H = (p^2 + q^2)/2 - a*q*cos(w*t)
observe energy = H
observe rate = bracket(q, H)
init q = 0
init p = 0
init late: q = 0
init late: p = 0
init late: t = 2
run method = rattle, base = verlet, step = 0.1, t_end = 10
END
for pair in verlet:2 midpoint:2 gauss-4:4 gauss-6:6 rk4:4; do
  for step in 0.2 0.1; do
    run "$work/forced.sw" --base "${pair%:*}" --step $step --out "$work/forced_${pair}_$step.csv"
  done
done
for step in 0.1 0.05; do
  run "$work/forced.sw" --compose suzuki-4 --step $step --out "$work/forced_composed:4_$step.csv"
done
run "$work/forced.sw" --init late --base gauss-6 --step 0.05 --out "$work/late.csv"
for pair in explicit-midpoint:2 kutta-3:4 rk4:4; do
  for step in 0.2 0.1; do
    run "$work/forced.sw" --method variational --base "${pair%:*}" --step $step --out "$work/forced_variational_${pair}_$step.csv"
  done
done

# Variational integrators: what does not move is a model without time; a moving constraint has the motion that RATTLE has.
sed 's/^hamiltonian.*/hamiltonian H = (p^2 + q^2)\/2 + q^4*(1 + move*sin(w*t))/; s/init q = 0/init q = 1/' "$work/forced.sw" |
  sed '/late/d; 2i param move = 0' >"$work/still.sw"
sed 's/ + move\*sin(w\*t)//' "$work/still.sw" >"$work/timeless.sw"
for name in still timeless; do
  run "$work/$name.sw" --method variational --base kutta-3 --bias forward --step 0.05 --out "$work/$name.csv"
done
for step in 0.02 0.01; do
  run models/hoop.sw --method variational --base rk4 --step $step --t-end 1 --every 10 --out "$work/hoop_variational_$step.csv"
done
run "$work/still.sw" --set move=1e-6 --method variational --base kutta-3 --bias forward --step 0.05 --out "$work/moves.csv"
for step in 0.02 0.01; do
  run models/hoop.sw --compose kahan-li-6 --step 1e-3 --t-end 1 --every "${step/0.0/}00" --out "$work/hoop_rattle_$step.csv"
done
expect 0 '' "$sidewinder" run models/hoop.sw --method variational --base kutta-3 --bias forward --check-reversible --steps 50
expect 0 'discrete\.jacobi' "$sidewinder" run models/hoop.sw --method variational --base rk4 --steps 1 --columns discrete.jacobi --out - --quiet
for model in driven hoop pushed; do
  sed 's/^run method = rattle, base = verlet/run method = variational, base = rk4/' models/$model.sw >"$work/$model.sw"
  expect 0 'VARIATIONAL keeps its form on M\^H +[0-9.e-]+ +1.00e-13 +PASS' "$sidewinder" verify "$work/$model.sw"
  true_that "order and steps back of $model" test "$(grep -Ec '^(VARIATIONAL\(-h\)|order of VARIATIONAL).* PASS' "$work/output")" = 2
done

# With a Lagrangian, and the H that belongs to it.
cat >"$work/rope.sw" <<'END'
model rope
coord q velocity v
lagrangian L = v^2*(2 + sin(t)) - q^2/2
observe energy = H
observe given = L
init q = 1
init v = 0.5
run method = rattle, base = midpoint, step = 0.05, steps = 100
END
cat >"$work/rope_H.sw" <<'END'
model rope_H
coord q momentum p
hamiltonian H = p^2/(4*(2 + sin(t))) + q^2/2
observe energy = H
observe given = p^2/(4*(2 + sin(t))) - q^2/2
init q = 1
init p = 2
run method = rattle, base = midpoint, step = 0.05, steps = 100
END
run "$work/rope.sw" --out "$work/rope.csv"
run "$work/rope_H.sw" --out "$work/rope_H.csv"

# Loops: the same as formulas.
cat >"$work/row.sw" <<'END'
model row
size N = 40
set node = 1 .. N
coord q[node] momentum p
hamiltonian H = sum(i in node: p[i]^2/2 + (1 + 0.1*i)*q[i]^2/2) + cos(2*t)*sum(i in node: q[i])
constraint first: q[1] == sin(t)
observe energy = H
init q[i in node] = 0
init p[i in node] = if i == 1 then 1 else 0
run method = rattle, base = verlet, step = 0.02, steps = 100
END
for how in looped unrolled; do
  run "$work/row.sw" --size N=5 --lowering $how --out "$work/row_$how.csv"
done
expect 0 'steps +100' "$sidewinder" run "$work/row.sw" --size N=2000
for how in looped unrolled; do
  run "$work/row.sw" --size N=5 --method variational --base rk4 --lowering $how --out "$work/row_variational_$how.csv"
done
expect 0 'steps +20' "$sidewinder" run "$work/row.sw" --size N=50 --method variational --base rk4 --steps 20

python3 - "$work" <<'END' >"$work/said"
import csv, math, sys
work = sys.argv[1]
failed = []
def rows(name):
    with open(f"{work}/{name}.csv") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
def below(what, value, most):
    if not value <= most:
        failed.append(f"{what}: {value:.3g}, at most {most:.3g}")
def differ(a, b, names):
    return max(abs(x[m] - y[n]) for x, y in zip(a, b) for m, n in names)

a, b = rows("driven"), rows("clock")
# The same C.
below("t as a word and a clock", differ(a, b, [("q.x", "q.x"), ("q.y", "q.y"), ("p.x", "p.x"), ("p_t", "work"), ("energy", "energy")]), 0)
below("the column of the position t", max(abs(r["state.t"] - r["t"]) for r in a), 1e-11)

for solver in "kinsol", "auto":
    at_rest = [max(abs(r["angle"] - math.acos(1/4)) for r in rows(f"rest_{solver}_{h}")) for h in ("0.02", "0.01")]
    below(f"at rest, order 2, {solver}", abs(math.log2(at_rest[0] / at_rest[1]) - 2), 0.05)
    jacobi = []
    for h in "0.02", "0.01":
        r = rows(f"slide_{solver}_{h}")
        jacobi.append(max(abs(x["jacobi"] - r[0]["jacobi"]) for x in r))
    below(f"energy in the frame, order 2, {solver}", abs(math.log2(jacobi[0] / jacobi[1]) - 2), 0.1)

def exact(t, a=0.3, w=0.6):
    return a * (math.cos(w * t) - math.cos(t)) / (1 - w * w)
def error(name):
    return max(abs(r["q"] - exact(r["t"])) for r in rows(name))
for pair, steps in [("verlet:2", ("0.2", "0.1")), ("midpoint:2", ("0.2", "0.1")), ("gauss-4:4", ("0.2", "0.1")), ("gauss-6:6", ("0.2", "0.1")),
                    ("rk4:4", ("0.2", "0.1")), ("composed:4", ("0.1", "0.05"))]:
    e = [error(f"forced_{pair}_{h}") for h in steps]
    below(f"driven oscillator, {pair}", abs(math.log2(e[0] / e[1]) - int(pair.split(":")[1])), 0.2)
for pair in "explicit-midpoint:2", "kutta-3:4", "rk4:4":
    of_q, of_p_t = [], []
    for h in "0.2", "0.1":
        r = rows(f"forced_variational_{pair}_{h}")
        of_q.append(max(abs(x["q"] - exact(x["t"])) for x in r))
        of_p_t.append(max(abs(x["energy"] + x["p_t"]) for x in r))
    for what, e in ("q", of_q), ("p_t", of_p_t):
        below(f"driven oscillator, variational over {pair}, {what}", abs(math.log2(e[0] / e[1]) - int(pair.split(":")[1])), 0.2)
moved = differ(rows("moves"), rows("timeless"), [("q", "q"), ("p", "p")])
true_move = 1e-8 < moved < 1e-4
below("a driving of 1e-6 is seen", 0 if true_move else moved, 0)
below("no driving", differ(rows("still"), rows("timeless"), [("q", "q"), ("p", "p")]), 5e-13)
e = []
for h in "0.02", "0.01":
    a, b = rows(f"hoop_variational_{h}"), rows(f"hoop_rattle_{h}")
    if len(a) != len(b) or abs(a[-1]["t"] - b[-1]["t"]) > 1e-12:
        failed.append("times of the hoop")
    e.append(differ(a, b, [(k, k) for k in ("q.x", "q.y", "q.z", "p.x", "p.y", "p.z", "p_t")]))
below("the hoop as RATTLE has it", abs(math.log2(e[0] / e[1]) - 4), 0.1)
below("the hoop as RATTLE has it", e[1], 2e-8)
r = rows("forced_gauss-6:6_0.1")
below("H is the file's, not the conserved one", max(abs(x["energy"] - ((x["p"]**2 + x["q"]**2) / 2 - 0.3 * x["q"] * math.cos(0.6 * x["t"]))) for x in r), 7e-14)
below("p_t is minus the energy that came in", max(abs(x["energy"] + x["p_t"]) for x in r), 2e-11)
below("{q,H}", max(abs(x["rate"] - x["p"]) for x in r), 1e-15)
late = rows("late")
w, a0, t0 = 0.6, 0.3 / (1 - 0.36), 2.0
def shifted(t):  # the particular solution, and the free one that makes q = p = 0 at t0
    c, s = -a0 * math.cos(w * t0), a0 * w * math.sin(w * t0)
    return a0 * math.cos(w * t) + c * math.cos(t - t0) + s * math.sin(t - t0)
below("a later start", max(abs(x["q"] - shifted(x["state.t"])) for x in late), 2e-11)
a, b = rows("rope"), rows("rope_H")
below("Lagrangian", differ(a, b, [("q", "q"), ("p_q", "p"), ("p_t", "p_t"), ("energy", "energy"), ("given", "given")]), 3e-15)
names = [(f"q.{i}", f"q.{i}") for i in range(1, 6)] + [("p_t", "p_t"), ("energy", "energy")]
below("loops", differ(rows("row_looped"), rows("row_unrolled"), names), 1.3e-14)
below("loops, variational", differ(rows("row_variational_looped"), rows("row_variational_unrolled"), names), 2e-13)
below("q.1 = sin t", max(abs(r["q.1"] - math.sin(r["t"])) for r in rows("row_looped")), 1.7e-14)
print("\n".join(failed))
sys.exit(bool(failed))
END
good=$?
true_that "motions: $(cat "$work/said")" test $good = 0

# Names of one's own stay what they are.
own() { # statements
  printf 'model own\n%s\ninit q = 1\ninit p = 0\n' "$1" >"$work/own.sw"
  expect 0 'H ' "$sidewinder" check "$work/own.sw"
  true_that "t is not the time" test "$(grep -c "t' = 1" "$work/output")" = 0
}
own $'param t = 2\ncoord q momentum p\nhamiltonian H = p^2/2 + t*q^2'
own $'coord q momentum p\nlet f(t) = t^2\nhamiltonian H = p^2/2 + f(q)'
own $'set few = 1 .. 3\ncoord q momentum p\nhamiltonian H = p^2/2 + sum(t in few: t*q^2)'
printf 'model own\ncoord q momentum p\ncoord t momentum e\nhamiltonian H = p^2/2 + q^2/2 + e\ninit q = 1\ninit p = 0\ninit t = 0\ninit e = 0\n' >"$work/own.sw"
expect 0 '' "$sidewinder" run "$work/own.sw" --base verlet --step 0.1 --steps 3 --out "$work/own.csv"
true_that "one column of each name" test "$(head -1 "$work/own.csv")" = "step,t,q,state.t,p,e,residual_g,residual_hidden"

# No velocity tells these momenta.
linear() { # what H has of a second momentum
  printf 'model own\ncoord x momentum px\ncoord y momentum py\nhamiltonian H = px^2/2 + x^2*y%s\n' "$1" >"$work/linear.sw"
  printf 'init x = 1\ninit px = 0\ninit y = 1\ninit py = 0\nrun base = verlet, step = 0.1, steps = 10\n' >>"$work/linear.sw"
  "$sidewinder" run "$work/linear.sw" --method variational --base rk4 >"$work/output" 2>&1
}
for H in '' ' + x*py' '*cos(t) + py'; do
  linear "$H"
  true_that "refused: $H" grep -q 'linear in the momentum of some position that is not the time' "$work/output"
done
linear ' + 2*py'
true_that 'a clock of another speed' grep -q '^steps  *10,' "$work/output"

# What is wrong.
wrong() { # pattern, statements
  printf 'model wrong\n%s\n' "$2" >"$work/wrong.sw"
  expect 2 "$1" "$sidewinder" check "$work/wrong.sw"
}
wrong "4:[0-9]+: error: 'p_t', .* is added to H by itself" $'coord q momentum p\n\nhamiltonian H = p^2/2 + q*t + p_t'
wrong "'t' is the time here, whose momentum is called 'p_t'" $'param p_t = 1\ncoord q momentum p\nhamiltonian H = p^2/2 + p_t*q*t'
wrong "'t' is not declared" $'param a = t\ncoord q momentum p\nhamiltonian H = p^2/2 + a*q'
wrong "has no coordinates" $'hamiltonian H = cos(t)'
finish
