#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Straight-line steps for the method and the base method that the command line names.
# Usage: steppers.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh
out=$work/out

# generate says what a step is for, or why there is none; the rest is generated all the same.
expect 0 'pendulum_step.c' "$sw" generate models/pendulum.sw --method shake --base midpoint -o "$out"
expect 0 'pendulum_step.c, shake over midpoint, ' cat "$out/pendulum.h"
expect 0 'A step of the method shake over the base method midpoint' cat "$out/pendulum_step.c"
expect 0 'pendulum_step.c' "$sw" generate models/pendulum.sw --method leapfrog -o "$out"
expect 0 'pendulum_step.c, leapfrog, ' cat "$out/pendulum.h"
expect 0 'A step of the method leapfrog as straight-line code' cat "$out/pendulum_step.c"
expect 0 'pendulum_step.c' "$sw" generate models/pendulum.sw --method bdf2 -o "$out"
expect 0 'pendulum_step.c, bdf2, ' cat "$out/pendulum.h"
expect 0 "'models/pendulum.sw' gets no straight-line step: it has no accelerations, which .--with variational. makes" \
  "$sw" generate models/pendulum.sw --method variational -o "$work/none"
true_that 'there is none' test ! -e "$work/none/pendulum_step.c"
expect 0 'No pendulum_step.c: it has no accelerations, which .--with variational. makes' cat "$work/none/pendulum.h"
expect 0 'pendulum_step.c' "$sw" generate models/pendulum.sw --method variational --with variational -o "$work/variational"
expect 0 'its base method is not explicit' \
  "$sw" generate models/pendulum.sw --method variational --base midpoint --with variational -o "$work/none"
expect 0 'it depends on the time, whose momentum is the derivative of an action' \
  "$sw" generate models/driven.sw --method variational --with variational -o "$work/none"
expect 0 'it has 60 unknowns, more than 24' "$sw" generate models/rigid_body.sw --method variational -o "$work/none"
expect 0 'its step has more than 10000 operations' "$sw" generate models/pendulum_angles.sw --method variational -o "$work/none"
# the lifted model, for derivatives along parameters
expect 0 'pendulum_lifted.c' "$sw" generate models/pendulum.sw --with parameters -o "$work/lifted"
expect 0 '.lifted = &sw_model_pendulum_lifted' cat "$work/lifted/pendulum.c"
expect 0 '' "$sw" build models/driven.sw --with parameters -o "$work/lifted/program"
expect 0 'hopf.sw. gets no straight-line step: the method lobatto is for constraints on the positions alone' \
  "$sw" generate models/hopf.sw --method lobatto -o "$work/none"
expect 0 'the method vs is for H = T.p. . V.q. with a constant mass matrix' \
  "$sw" generate models/charged_sphere.sw --method vs -o "$work/none"
expect 0 'the method lobatto is for base methods with a stage at either end' \
  "$sw" generate models/pendulum.sw --method lobatto --base midpoint -o "$work/none"
expect 0 'it has no discrete gradients, which .--with discrete. makes' \
  "$sw" generate models/pendulum.sw --method energy-momentum -o "$work/none"
expect 0 'pendulum_step.c' "$sw" generate models/pendulum.sw --method energy-momentum --with discrete -o "$work/discrete"
expect 2 "--method wants one of shake, .*, not 'shakes'" "$sw" generate models/pendulum.sw --method shakes -o "$out"
expect 2 "--base wants one of euler-a, .*, not 'mid'" "$sw" build models/pendulum.sw --base mid -o "$work/pendulum"

# Flows of parts of H, or the tableau that makes the same steps.
expect 0 'charged_sphere_step.c' "$sw" generate models/charged_sphere.sw --base splitting -o "$out"
expect 0 'charged_sphere_step.c, rattle over splitting, ' cat "$out/charged_sphere.h"
expect 0 'lj7_step.c, rattle over verlet, ' sh -c "'$sw' generate models/lj7.sw --base splitting -o '$out' && cat '$out/lj7.h'"
expect 0 'rattle over splitting has neither stages of a tableau nor flows of parts of H' \
  "$sw" generate models/spherical.sw --base splitting -o "$work/none"

# With compensated summation, where that is asked for.
expect 0 '' "$sw" generate models/pendulum.sw --compensated -o "$out"
expect 0 'pendulum_step.c, rattle over verlet, compensated, ' cat "$out/pendulum.h"
expect 0 'over the base method verlet, compensated, as' cat "$out/pendulum_step.c"
expect 0 '' "$sw" generate models/pendulum.sw --compensated=no -o "$out"
expect 0 'over the base method verlet as' cat "$out/pendulum_step.c"
expect 2 "--compensated wants one of yes, no, not 'nearly'" "$sw" generate models/pendulum.sw --compensated=nearly -o "$out"

# A program runs everything, and the step that it was built for is straight-line code.
expect 0 '' "$sw" build models/pendulum.sw --no-lanes --base midpoint -o "$work/pendulum"
expect 0 'base = midpoint' sh -c "'$work/pendulum' info | sed -n '/straight-line/,\$p'"
expect 0 'straight line' "$work/pendulum" run --base midpoint --steps 100 --solver fused
expect 0 '' "$work/pendulum" run --steps 100
true_that 'other steps are those of KINSOL' test -z "$(grep straight "$work/output")"
expect 2 'no straight-line code for these options' "$work/pendulum" run --steps 100 --solver fused

# run makes what it is asked for, wherever the options stand.
for words in '--method leapfrog' '--method lobatto' '--method lobatto --base lobatto-6' '--method vs' '--method bdf2' '--base midpoint' '--base=verlet --base=midpoint' '--method shake --base gauss-4' '--method rattle'; do
  # shellcheck disable=SC2086
  expect 0 'straight line' "$sw" run models/pendulum.sw $words --steps 100 --solver fused
done
expect 0 'straight line' "$sw" run models/four_particles.sw --steps 100 --solver fused
for model in charged_sphere lj7; do
  expect 0 'straight line +100 %' "$sw" run models/$model.sw --base splitting --steps 100 --solver fused
done
for words in --compensated '--compensated=no --compensated=yes'; do
  # shellcheck disable=SC2086
  expect 0 'straight line' "$sw" run models/hopf.sw $words --steps 100 --solver fused
done
expect 0 'straight line' "$sw" run models/hopf.sw --compensated=no --steps 100 --solver fused
for method in leapfrog lobatto; do
  expect 0 'straight line' "$sw" run models/pendulum.sw --method $method --compensated --steps 100 --solver fused
done
expect 0 'steps +10,' "$sw" run models/pendulum.sw --method variational --steps 10
expect 0 'straight line +100 %' "$sw" run models/pendulum_angles.sw --method rattle --base gauss-4 --steps 100 --solver fused

# A momentum that a step leaves where it is has no new place, and neither has what follows from it, such as the velocity p[2,y]*m: the
# steps of both are the same.
cat >"$work/resting.sw" <<'END'
model resting
set xy = {x, y}
set atom = 1 .. 4
coord q[atom, xy] momentum p
param m = 1.5
hamiltonian H = sum(i in atom, k in xy: p[i,k]^2*m/2) + cos(q[1,y])
constraint rod: (q[3,x] - q[4,x])^2 + (q[3,y] - q[4,y])^2 == 2
constraint pin: q[1,x] + q[1,y]*q[2,x] == 3
init q[i in atom, k in xy] = i
init p[i in atom, k in xy] = {{0, 0}, {0, 1}, {0, 0}, {0, 0}}
run method = rattle, step = 1e-2, steps = 20
END
for solver in fused kinsol; do
  expect 0 '^steps +20' "$sw" run "$work/resting.sw" --solver $solver --columns q,p --out "$work/$solver.csv"
done
expect 0 '' python3 tests/program/random_graph.py compare "$work/fused.csv" "$work/kinsol.csv" 1e-13

# Models with loops have the step of one cluster of constraints, for any number of them.
expect 0 'straight line +100 %' "$sw" run models/water_box.sw --size W=30 --size forces=0 --steps 10 --solver fused
expect 0 'straight line +100 %' "$sw" run models/water_box.sw --size W=3 --base euler-b --steps 10 --solver fused
# Where there are none, nothing else makes the steps unnoticed.
cat >"$work/rods.sw" <<'END'
model rods "Rods, and a bead"
size N = 12
set rod = 1 .. N
set xy = {x, y}
coord q[rod, xy] momentum p
coord b[xy] momentum pb
hamiltonian H = sum(i in rod, k in xy: p[i,k]^2/2) + sum(k in xy: pb[k]^2/2 + b[k]^2/2)
constraint tie[i in rod]: sum(k in xy: q[i,k]^2) == 1
init q[i in rod, x] = 0
init q[i in rod, y] = 1
init p[i in rod, x] = 1
init p[i in rod, y] = 0
init b[k in xy] = 1
init pb[k in xy] = 0
run method = rattle, base = verlet, step = 0.1
END
expect 0 'straight line +100 %' "$sw" run "$work/rods.sw" --lowering looped --size N=1 --steps 10 --solver fused
expect 2 '--solver fused: the straight-line code is for clusters .*, and at these sizes the model has none' \
  "$sw" run "$work/rods.sw" --lowering looped --size N=0 --steps 10 --solver fused
expect 0 'steps +10,' "$sw" run "$work/rods.sw" --lowering looped --size N=0 --steps 10
for words in 'water_box --base midpoint:kicks and drifts' 'water_box --method shake:the method is not rattle' \
  'chain --base verlet:no small clusters that share no coordinate' 'spin_chain --base verlet:H = T\(p\) \+ V\(q\)'; do
  # shellcheck disable=SC2086
  set -- ${words%%:*}
  expect 0 "gets no straight-line step: .*${words#*:}" "$sw" generate "models/$1.sw" "$2" "$3" -o "$work/none"
done

finish
