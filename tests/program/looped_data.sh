#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# States and parameters of a looped model of 1000 nodes through files: what is saved and read again is the same
# bit for bit, and files for another size are refused.
# Usage: looped_data.sh PROGRAMS
set -uo pipefail
chain=$1/chain
source tests/program/lib.sh
run=("$chain" run --size N=1000 --step 1e-4)

same_values() { # NAME A B
  if cmp -s "$2" "$3" && [ "$(wc -l <"$2")" -gt 1000 ]; then
    true_that "$1" true
  else
    true_that "$1" false
  fi
}

# A state goes through either kind of file and back.
for kind in csv npy; do
  expect 0 '' "${run[@]}" --steps 5 --quiet --save-state "$work/five.$kind"
  expect 0 '' "${run[@]}" --t-end 0 --quiet --init-file "$work/five.$kind" --save-state "$work/again_$kind.csv"
done
same_values 'through .npy' "$work/five.csv" "$work/again_npy.csv"
same_values 'through .csv' "$work/five.csv" "$work/again_csv.csv"

# Five steps and five steps are ten: a step is a map of the state alone.
expect 0 '' "${run[@]}" --steps 10 --quiet --save-state "$work/ten.csv"
expect 0 '' "${run[@]}" --steps 5 --quiet --init-file "$work/five.npy" --save-state "$work/both.csv"
same_values 'five and five are ten' "$work/ten.csv" "$work/both.csv"
true_that 'ten are not five' test -z "$(cmp -s "$work/ten.csv" "$work/five.csv" && echo same)"

# Names tell which value is whose, so their order does not matter.
{
  echo '# by hand'
  head -1 "$work/five.csv"
  tail -n +2 "$work/five.csv" | tac
} >"$work/turned.csv"
expect 0 '' "${run[@]}" --steps 5 --quiet --init-file "$work/turned.csv" --save-state "$work/turned_back.csv"
same_values 'in any order' "$work/ten.csv" "$work/turned_back.csv"

# Masses: each 1/N, once from a file, once by default, and once in a column without names.
{
  echo 'name,value'
  for i in $(seq 1000); do
    echo "m.$i,0.001"
  done
} >"$work/masses.csv"
expect 0 '' "${run[@]}" --steps 5 --quiet --set "m=@$work/masses.csv" --save-state "$work/massive.csv"
same_values 'masses from a file' "$work/five.csv" "$work/massive.csv"
yes 0.001 | head -1000 >"$work/column.csv"
expect 0 '' "${run[@]}" --steps 5 --quiet --set "m=@$work/column.csv" --save-state "$work/massive.csv"
same_values 'masses from a column' "$work/five.csv" "$work/massive.csv"
sed 's/^m\.500,.*/m.500,0.0011/' "$work/masses.csv" >"$work/heavy.csv"
expect 0 '' "${run[@]}" --steps 5 --quiet --set "m=@$work/heavy.csv" --save-state "$work/heavier.csv"
true_that 'a mass makes a difference' \
  test -z "$(cmp -s "$work/five.csv" "$work/heavier.csv" && echo same)"
expect 0 '' "${run[@]}" --steps 5 --quiet --set m.500=0.0011 --save-state "$work/one.csv"
same_values 'one mass from the command line' "$work/heavier.csv" "$work/one.csv"

# A checkpoint is of one size.
expect 0 '' "$chain" run --size N=6 --step 1e-4 --steps 3 --quiet --checkpoint "$work/c"
expect 2 "of another run: size N is '6' there and '7' here" \
  "$chain" run --size N=7 --step 1e-4 --steps 3 --resume "$work/c"

# What does not fit.
head -n -1 "$work/masses.csv" >"$work/short.csv"
expect 2 "m\.1000" "${run[@]}" --steps 1 --set "m=@$work/short.csv"
(cat "$work/masses.csv"; echo 'm.1001,1') >"$work/long.csv"
expect 2 "m\.1001" "${run[@]}" --steps 1 --set "m=@$work/long.csv"
sed 's/^m\.7,.*/m.7,-1/' "$work/masses.csv" >"$work/negative.csv"
expect 2 'm\.7.*outside' "${run[@]}" --steps 1 --set "m=@$work/negative.csv"
for kind in csv npy; do
  expect 2 'five' "$chain" run --size N=999 --step 1e-4 --steps 1 --init-file "$work/five.$kind"
  expect 2 'five' "$chain" run --size N=1001 --step 1e-4 --steps 1 --init-file "$work/five.$kind"
done
expect 2 'unknown parameter' "${run[@]}" --steps 1 --set m.1001=1
finish
