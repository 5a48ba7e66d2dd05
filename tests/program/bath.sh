#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Heat baths as a user runs them: seeds, checkpoints, ensembles in threads and parts, and what is refused.
# Usage: bath.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh
bead=tests/models/bath_bead.sw
chain=tests/models/bath_chain.sw

# The default method of a model with a bath is baoab; other methods leave the bath out and say so.
expect 0 '^heat bath +seed 0; mean kinetic temperature 0\.[0-9]+$' "$sw" run $bead --step 0.1 --steps 100
expect 0 '^heat bath +left out by rattle; baoab includes it' "$sw" run $bead --method rattle --step 0.1 --steps 10
expect 0 '"seed": *5,' "$sw" run $bead --step 0.1 --steps 10 --seed 5 --json

# Rows depend on the seed alone, not on threads or a restart.
rows() { "$sw" run $chain --steps 60 --out "$work/$1.csv" "${@:2}" --quiet; }
rows a --seed 3
rows b --seed 3 --threads 2
rows c --seed 4
true_that 'threads give the same rows' cmp -s "$work/a.csv" "$work/b.csv"
true_that 'another seed gives other rows' sh -c "! cmp -s '$work/a.csv' '$work/c.csv'"
grep -q '"seed": *3' "$work/a.csv.json" || { echo 'FAILED: the metadata lacks the seed'; failed=$((failed + 1)); }
long() { "$sw" run $chain --seed 3 --out "$work/long.csv" "$@" --quiet; }
long --steps 25 --checkpoint "$work/kept"
expect 2 "seed is '3' there" "$sw" run $chain --seed 4 --out "$work/long.csv" --steps 60 --resume "$work/kept" --quiet
long --steps 60 --resume "$work/kept"
true_that 'a resumed run gives the same rows' cmp -s "$work/a.csv" "$work/long.csv"

# Forces act beside a bath, and both are restored.
{ cat $bead; echo 'force wind on p[x] = 0.3'; } >"$work/wind.sw"
expect 0 '^work ' "$sw" run "$work/wind.sw" --step 0.1 --steps 40 --seed 2 --out "$work/wind.csv"
half() { "$sw" run "$work/wind.sw" --step 0.1 --seed 2 --out "$work/half.csv" "$@" --quiet; }
half --steps 20 --checkpoint "$work/half.kept"
half --steps 40 --resume "$work/half.kept"
true_that 'forces and noise resume' cmp -s "$work/wind.csv" "$work/half.csv"

# Trajectories of an ensemble: their numbers, threads, parts.
"$sw" build $chain -o "$work/chain" >/dev/null
many() {
  "$work/chain" ensemble --count 6 --sample 'p ~ normal(0, 1)' --seed 2 --steps 20 --trajectories \
    --out "$work/$1.h5" "${@:2}"
}
expect 0 '^heat bath +seed 2; mean kinetic temperature [0-9.]+$' many one
many two --threads 2 --quiet
many part1 --index 1 --of 2 --quiet
many part2 --index 2 --of 2 --quiet
"$work/chain" merge --out "$work/merged.h5" "$work"/part{2,1}.h5
true_that 'threads write the same file' cmp -s "$work/one.h5" "$work/two.h5"
true_that 'parts write the same file' cmp -s "$work/one.h5" "$work/merged.h5"
printf 'q.x,q.y,q.z,p.x,p.y,p.z\n0,0,-1,0,0,0\n0,0,-1,0,0,0\n' >"$work/start.csv"
expect 0 '' "$sw" ensemble $bead --init-from "$work/start.csv" --seed 1 --step 0.1 --steps 5 --out "$work/same.h5" --quiet

# The time has no bath.  Masses are constant, and H is even in momenta with a bath.
variant() { sed "$1" $bead >"$work/variant.sw"; }
variant 's/q\[z\]$/q[z] + 0.3*cos(2*t)*q[x]/'
expect 0 'kinetic temperature 0.[56]' "$sw" run "$work/variant.sw" --step 0.1 --steps 20000
variant 's/q\[z\]$/q[z] + 0.1*p[x]/'
expect 2 'linear in momenta' "$sw" run "$work/variant.sw" --step 0.1 --steps 10
variant 's/q\[z\]$/q[z] + q[x]^2*p[x]^2/'
expect 2 'constant mass matrix' "$sw" run "$work/variant.sw" --step 0.1 --steps 10

# What noise excludes.
expect 2 'contain no noise' "$sw" run $bead --method rattle --seed 1 --step 0.1 --steps 10
expect 2 'contain noise' "$sw" converge $bead --step 0.1 --t-end 1
expect 2 'contain noise' "$sw" lyapunov $bead --step 0.1 --steps 10
expect 2 'increments' "$sw" run $bead --compensated=yes --step 0.1 --steps 10
expect 2 'no inverse' "$sw" run $bead --check-reversible --step 0.1 --steps 10
expect 2 'heat bath' "$sw" run models/pendulum.sw --method baoab
expect 0 'contain noise' "$sw" generate $bead --method baoab -o "$work"
expect 2 'are coupled' "$sw" run $chain --set gamma.1=2
expect 0 '' "$sw" verify $bead
expect 0 'heat bath +included by the method baoab' "$sw" check $chain

finish
