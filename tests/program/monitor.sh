#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What is noticed while a run goes on: an energy that leaves its scale, and a mass matrix that becomes singular.
# Usage: monitor.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh
near=tests/monitor/near.sw

# ---- the energy leaves its scale ----
# A particle crosses a pole of H in one step.
cat >"$work/barrier.sw" <<'END'
model barrier "Particle before a barrier 1/q^2"
param eps = 1e-6 in (0, inf)
coord q momentum p
hamiltonian H = p^2/2 + eps/q^2
init q = 1
init p = -1
run method = rattle, base = verlet, step = 0.01, t_end = 2
END
expect 3 'the energy has left its scale before t = 2: ' "$sw" run "$work/barrier.sw" --quiet
expect 3 'H = [0-9.e+]* there, 0[.]500001 at the start' "$sw" run "$work/barrier.sw" --out "$work/b.csv"
true_that 'the file says that a step failed' grep -q '"end": "step failed"' "$work/b.csv.json"
expect 3 '"end": "failed"' "$sw" run "$work/barrier.sw" --json
true_that 'one line under --quiet' test "$("$sw" run "$work/barrier.sw" --quiet 2>&1 | wc -l)" -eq 1
expect 0 '' "$sw" run "$work/barrier.sw" --step 1e-4 --quiet
# Controls need not conserve it.
expect 0 '' "$sw" run "$work/barrier.sw" --base euler --quiet

# Energies that are 0, momenta that are 0, and states at rest are no reason to stop.
for options in '' '--quiet' '--step 0.5' '--step 1e-3 --quiet' '--method leapfrog' '--method vs' '--compose suzuki-4 --step 0.5'; do
  # shellcheck disable=SC2086
  expect 0 '' "$sw" run tests/monitor/released.sw $options
done

# A run that is taken up again judges as the whole run does.
expect 0 '' "$sw" run "$work/barrier.sw" --steps 20 --checkpoint "$work/c" --quiet
"$sw" run "$work/barrier.sw" --steps 200 2>"$work/whole" >/dev/null
"$sw" run "$work/barrier.sw" --steps 200 --resume "$work/c" 2>"$work/halves" >/dev/null
true_that 'the verdict is that of the whole run' cmp "$work/whole" "$work/halves"
finish
