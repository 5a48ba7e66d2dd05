#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What is noticed while a run goes on: an energy that leaves its scale, and a mass matrix that becomes singular.
# Usage: monitor.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh
near=tests/monitor/near.sw
barrier=tests/monitor/barrier.sw

# ---- the energy leaves its scale ----
# A particle crosses a pole of H in one step.
expect 3 'step failed at t = 0[.]99: the energy leaves its scale: ' "$sw" run $barrier --quiet
expect 3 'H would be 45042[.]7 at its end and was 0[.]500001 at the start of the run, with a scale of 1;' "$sw" run $barrier --out "$work/b.csv"
true_that 'the file says that a step failed' grep -q '"end": "step failed"' "$work/b.csv.json"
expect 3 '"end": "failed"' "$sw" run $barrier --json
true_that 'one line under --quiet' test "$("$sw" run $barrier --quiet 2>&1 | wc -l)" -eq 1
expect 0 '' "$sw" run $barrier --step 1e-4 --quiet
# Controls need not conserve it.
expect 0 '' "$sw" run $barrier --base euler --quiet

# A step that is too long for a spring: the energy grows from step to step, by a factor of 10 000 or of 2, at any rows.
cat >"$work/spring.sw" <<'END'
model spring "Stiff spring"
param k = 1 in (0, inf)
coord q momentum p
hamiltonian H = p^2/2 + k*q^2/2
init q = 1
init p = 0
run method = rattle, base = verlet, step = 0.1, t_end = 100
END
for k in 402 600 4e4 4e6; do
  for options in '' '--quiet' '--every 100 --quiet'; do
    # shellcheck disable=SC2086
    expect 3 'the energy leaves its scale' "$sw" run "$work/spring.sw" --set k=$k $options
  done
done
for k in 1e-6 1 100 390; do
  expect 0 '' "$sw" run "$work/spring.sw" --set k=$k --quiet
done

# Energies that are 0, momenta that are 0, and states at rest are no reason to stop.
for options in '' '--quiet' '--step 0.5' '--step 1e-3 --quiet' '--method leapfrog' '--method vs' '--compose suzuki-4 --step 0.5'; do
  # shellcheck disable=SC2086
  expect 0 '' "$sw" run tests/monitor/released.sw $options
done

# So is an energy near 0 of a bead that is dropped on a bowl, and of a pendulum that leaves its upright state.
cat >"$work/fall.sw" <<'END'
model fall "Bead on a bowl"
param zero = 0.8
coord x momentum px
coord y momentum py
hamiltonian H = (px^2 + py^2)/2 + 9.81*(y - zero)
constraint bowl: x^2 + y^2 == 1
init x = 0.6
init y = 0.8
init px = 0
init py = 0
run method = rattle, base = verlet, step = 0.01, t_end = 30
END
cat >"$work/upright.sw" <<'END'
model upright
param zero = 1
coord q momentum p
hamiltonian H = p^2/2 + cos(q) - zero
init q = 1e-10
init p = 0
run method = rattle, base = verlet, step = 0.5, t_end = 5000
END
for options in '--set zero=0.8' '--set zero=0.8000000000000002' '--set zero=0.7999999999999' '--set zero=0.799999999' \
  '--set zero=0.8000000000000002 --step 0.05 --method shake' '--set zero=0.7999999999999 --method lobatto' \
  '--set zero=0.8000000000000002 --method leapfrog' '--set zero=0.7999999999999 --step 0.05 --method vs'; do
  # shellcheck disable=SC2086
  expect 0 '' "$sw" run "$work/fall.sw" --quiet $options
done
for options in '' '--set zero=0.9999999999999999' '--set zero=0.999999999999' '--set zero=0.9999999999999999 --step 1' \
  '--set zero=0.9999999999999999 --base midpoint'; do
  # shellcheck disable=SC2086
  expect 0 '' "$sw" run "$work/upright.sw" --quiet $options
  # shellcheck disable=SC2086
  expect 0 '' "$sw" run "$work/upright.sw" $options
done

# The last good state is kept, whatever rows there are.
for options in '' '--every 7' '--quiet' '--every 1000 --quiet' '--solver kinsol'; do
  # shellcheck disable=SC2086
  expect 3 'step failed at t = 0[.]99' "$sw" run $barrier --save-state "$work/s.csv" --out "$work/r.csv" $options
  true_that 'the state is that before the step' grep -q '^q,0[.]010086336249528' "$work/s.csv"
done

# Ensembles stop a trajectory at the same step, with any rows and threads, also when they are resumed.
passes='q ~ uniform(-1e-4, 1e-4)'
for options in '--every 1 --threads 2' '--every 50' '--every 200'; do
  # shellcheck disable=SC2086
  expect 3 '0 after 9[0-9] steps: SW_ERR_ENERGY: step failed at t = 0[.]9[0-9]*: the energy leaves its scale: H would be' \
    "$sw" ensemble $barrier --count 5 --seed 1 --sample "$passes" $options --out "$work/e.h5"
  grep SW_ERR_ENERGY "$work/output" >"$work/failed.now"
  [ -f "$work/failed" ] || cp "$work/failed.now" "$work/failed"
  true_that 'the trajectories that fail are the same' cmp "$work/failed" "$work/failed.now"
done
expect 3 '5 of 5 trajectories have failed' "$sw" ensemble $barrier --count 5 --seed 1 --sample "$passes" --quiet --out "$work/e.h5"
expect 0 '' "$sw" ensemble $barrier --count 5 --seed 1 --sample "$passes" --step 1e-4 --every 20000 --quiet --out "$work/e.h5"
expect 0 '' "$sw" ensemble $barrier --count 5 --seed 1 --sample "$passes" --base euler --quiet --out "$work/e.h5"

# A run that is taken up again judges as the whole run does.
expect 0 '' "$sw" run $barrier --steps 20 --checkpoint "$work/c" --quiet
"$sw" run $barrier --steps 200 2>"$work/whole" >/dev/null
"$sw" run $barrier --steps 200 --resume "$work/c" 2>"$work/halves" >/dev/null
true_that 'the verdict is that of the whole run' cmp "$work/whole" "$work/halves"

# ---- the mass matrix becomes singular ----
# A symmetric top whose axis passes the vertical, by the generated step and by the general one, and in its own units.
for options in '--step 0.013' '--step 0.013 --solver kinsol' '--step 1e-3 --base rk4' '--step 0.013 --base midpoint' \
  '--step 0.013 --set A=1e-30 --set Cz=5e-31' '--step 1e-3 --compose triple-jump-4'; do
  # shellcheck disable=SC2086
  expect 3 'the mass matrix becomes singular at .* of it: H_pp has a zero or a pole there, in the row of p_phi' \
    "$sw" run $near --quiet --steps 2000 $options
done
# A step that ends beside the axis and not beyond it is an error of the energy.
expect 3 'step failed at t = 0[.]49: the energy leaves its scale' "$sw" run $near --quiet --step 0.01
true_that 'one line under --quiet' test "$("$sw" run $near --quiet --step 0.01 2>&1 | wc -l)" -eq 1
# Steps that resolve the turn near the vertical are fine.
expect 0 '100 % of the steps by the model' "$sw" run $near --step 2e-5
expect 3 'of which 2 failed' "$sw" ensemble $near --step 0.01 --count 2 --seed 1 --sample 'phi ~ uniform(0, 1)' --out "$work/e.h5"

# mass HAMILTONIAN INIT...: a model, in $work/mass.sw.
mass() {
  printf '%s\n' 'model mass "One or two masses that depend on the state"' 'coord q momentum p' 'coord x momentum r' "$@" \
    'run method = rattle, base = midpoint, step = 0.05, t_end = 10' >"$work/mass.sw"
}
# A zero of H_pp: p is infinite before the motion reaches it.
mass 'hamiltonian H = q*p^2/2 + r^2/2 + 4*q' 'init q = 1' 'init p = 0' 'init x = 0' 'init r = 0'
expect 3 'step failed at' "$sw" run "$work/mass.sw" --quiet
expect 0 'mass singular *H_pp has a zero or a pole where q = 0, as at q = 0' "$sw" check "$work/mass.sw"
# Signs that stay are fine, and H that is not quadratic in momenta has no mass matrix.
mass 'hamiltonian H = (1 + q^2)*p^2/2 - (2 + cos(x))*r^2/2 + q^2/2' 'init q = 1' 'init p = 0.3' 'init x = 0' 'init r = 1'
expect 0 '' "$sw" run "$work/mass.sw" --quiet
mass 'hamiltonian H = cos(p) + cos(q) + r^4/4 + x^2/2' 'init q = 1' 'init p = 1' 'init x = 1' 'init r = 0'
expect 0 '' "$sw" run "$work/mass.sw" --quiet
expect 0 '' "$sw" generate "$work/mass.sw" -o "$work"
true_that 'no mass matrix is watched' test -z "$(grep '[.]mass_watch' "$work/mass.c")"
expect 0 'not watched *H_pp depends on the momenta, since H is not quadratic in them: motions may pass its' "$sw" check "$work/mass.sw"
expect 0 '"mass_of_momenta": true' "$sw" check --json "$work/mass.sw"

# What is proved is not watched: constant masses, and those whose determinant has a sign.
for model in pendulum pendulum_angles spherical; do
  true_that "$model is not watched" test -z "$(grep mass_watch generated/$model.c)"
done
expect 0 'mass singular *H_pp has a zero or a pole where sin\(th\) = 0, as at phi = 0, th = 0' "$sw" check $near
expect 0 '"mass_singular": \[$' "$sw" check --json $near
expect 0 '"mass_of_momenta": false' "$sw" check --json $near
true_that 'it is watched' test -z "$("$sw" check $near | grep 'not watched')"

# ---- H is not finite at the start ----
expect 2 'because of 1/sin\(th\)\^2 at th = 0 \(the mass matrix is singular there\)' "$sw" run tests/monitor/sleeping.sw
# start HAMILTONIAN Q X PATTERN
start() {
  mass "hamiltonian H = $1" "init q = $2" 'init p = 0' "init x = $3" 'init r = 0'
  expect 2 "H is .*$4" "$sw" run "$work/mass.sw"
}
start '(p^2 + r^2)/2 + log(q) + x^2' -1 1 'because of log\(q\) at q = -1'
start '(p^2 + r^2)/2 + sqrt(1 - x^2) + 1/q' 1 1.5 'because of sqrt\(.*x\^2.*\) at x = 1[.]5'
start '(p^2 + r^2)/2 - 1/sqrt(q^2 + x^2)' 0 0 'because of 1/sqrt\(q\^2 \+ x\^2\) at q = 0'
start '(p^2 + r^2)/2 + exp(x^2)' 0 50 'because of x = 50'
start 'sqrt(1 + p^2 + r^2/q^2)' 0 0 'because of 1/q\^2 at q = 0'
finish
