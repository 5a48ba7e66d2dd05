#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The methods as a user chooses them: names, what a base method is to each of them, what is refused, and orders.
# Usage: methods.sh PROGRAMS
set -uo pipefail
programs=$1
source tests/program/lib.sh
pendulum=$programs/pendulum

# Each has a base method that it takes when none is named, not the one of the model's run line.
expect 0 "$before_order"'4\.0[0-9]*( |$)' "$pendulum" converge --method lobatto --step 0.1 --t-end 1
expect 0 "$before_order"'(5\.9|6\.0)[0-9]*( |$)' "$pendulum" converge --method lobatto --base lobatto-6 --step 0.2 --levels 4 --t-end 1
expect 0 "$before_order"'2\.0[0-9]*( |$)' "$pendulum" converge --method lobatto --base lobatto-2 --step 0.05 --t-end 1
for method in leapfrog vs bdf2; do
  expect 0 '' "$pendulum" run --method $method --base none --steps 20
  expect 2 'it has a base method of its own and takes no other' "$pendulum" run --method $method --base verlet
  expect 2 "--check-reversible: $method has no inverse" "$pendulum" run --method $method --check-reversible
  expect 2 "$method is not symmetric" "$pendulum" run --method $method --compose suzuki-4
done
expect 0 "$before_order"'(1\.9|2\.0)[0-9]*( |$)' "$pendulum" converge --method bdf2 --step 0.01 --t-end 1
expect 0 "$before_order"'2\.0[0-9]*( |$)' "$pendulum" converge --method vs --step 0.05 --t-end 1
expect 0 '' "$pendulum" run --method lobatto --check-reversible --steps 50
expect 0 "$before_order"'6\.[01][0-9]*( |$)' "$pendulum" converge --method lobatto --compose kahan-li-6 --step 0.25 --levels 3 --t-end 2

expect 0 "$before_order"'(5\.9|6\.0)[0-9]*( |$)' "$pendulum" converge --method lobatto --compose suzuki-6 --step 0.25 --levels 3 --t-end 2
expect 2 'leave the order of this method at 4: suzuki-6' "$pendulum" run --method lobatto --compose suzuki-4
expect 2 'this method has order 2: triple-jump-4' "$pendulum" run --compose suzuki-6

# What a model is not made for, and where there are exponents of one state alone.
expect 2 'a constraint of this model depends on momenta' "$programs/hopf" run --method lobatto --steps 3
expect 2 'constant mass matrix' "$programs/spherical" run --method vs --steps 3
expect 2 'lobatto-2, lobatto-4 or lobatto-6' "$pendulum" run --method lobatto --base gauss-4 --steps 3
expect 2 'no base method of that name' "$pendulum" run --method rattle --base none --steps 3
expect 2 'maps one state to the next' "$programs/double_pendulum" lyapunov --method bdf2 --steps 10
expect 2 "did you mean 'lobatto'?" "$pendulum" run --method lobato

# The carry of a compensated sum is part of what a checkpoint has.
for model in pendulum hopf; do
  program=$programs/$model
  of=(run --compensated --compose suzuki-4 --quiet)
  expect 0 '' "$program" "${of[@]}" --steps 900 --save-state "$work/whole.csv"
  expect 0 '' "$program" "${of[@]}" --steps 400 --checkpoint "$work/half"
  expect 0 '' "$program" "${of[@]}" --steps 900 --resume "$work/half" --save-state "$work/halves.csv"
  true_that "$model in two halves is the whole run" cmp "$work/whole.csv" "$work/halves.csv"
done
expect 0 '' "$pendulum" run --compensated --check-reversible --steps 50
expect 2 'adds increments' "$pendulum" run --method bdf2 --compensated --steps 3
expect 2 'known: no, yes' "$pendulum" run --compensated=perhaps --steps 3

# A saved state has all that the next step depends on: two halves are the whole run, bit for bit.
for options in '--method leapfrog' '--method bdf2' '--method vs' '--compensated'; do
  for ending in csv npy; do
    first=$work/first.$ending
    # shellcheck disable=SC2086
    {
      expect 0 '' "$pendulum" run $options --quiet --steps 90 --save-state "$work/whole.$ending"
      expect 0 '' "$pendulum" run $options --quiet --steps 40 --save-state "$first"
      expect 0 '' "$pendulum" run $options --quiet --steps 50 --init-file "$first" --save-state "$work/halves.$ending"
    }
    true_that "two halves of $options in .$ending" cmp "$work/whole.$ending" "$work/halves.$ending"
  done
done
expect 0 '' "$pendulum" run --method bdf2 --quiet --steps 40 --save-state "$work/b.csv"
true_that 'the file says what it has' grep -q '^bdf2:step,0.1' "$work/b.csv"
true_that 'and so does its metadata' grep -q '"contents": "the state of bdf2: z, z of the step before' "$work/b.csv.json"
for options in '--method rattle' '--method leapfrog' '--compensated'; do
  # shellcheck disable=SC2086
  expect 2 'b.csv has the state of bdf2: .* which is no state to begin a run of' "$pendulum" run $options --init-file "$work/b.csv"
done
expect 2 'b.csv has the state of bdf2: .* it is not moved' "$pendulum" run --method bdf2 --project --init-file "$work/b.csv"
sed -i '/^bdf2:/d' "$work/b.csv"
expect 2 'remove the .json if the file was edited' "$pendulum" run --init-file "$work/b.csv" --quiet --project
rm "$work/b.csv.json"
expect 0 '' "$pendulum" run --init-file "$work/b.csv" --quiet --project
# With another step the method begins anew from the last state.
expect 0 '' "$pendulum" run --method bdf2 --quiet --init-file "$work/b.csv" --step 0.05 --project

# A file that was altered, or that another writer has put beside the metadata, is refused; without metadata it is read.
for ending in csv npy; do
  expect 0 '' "$pendulum" run --quiet --steps 5 --save-state "$work/one.$ending" --out "$work/rows.$ending"
  expect 0 '' "$pendulum" run --quiet --steps 50 --save-state "$work/two.$ending"
  expect 0 '' "$pendulum" run --quiet --steps 5 --init-file "$work/one.$ending"
  cp "$work/two.$ending" "$work/one.$ending"
  expect 2 "one.$ending is not the file that its .json is about: its digest is another one" \
    "$pendulum" run --quiet --steps 5 --init-file "$work/one.$ending"
  rm "$work/one.$ending.json"
  expect 0 '' "$pendulum" run --quiet --steps 5 --init-file "$work/one.$ending"
done
from() {
  "$pendulum" ensemble --quiet --steps 5 --init-from "$work/rows.csv" --out "$work/rows.h5"
}
if "$pendulum" run --steps 1 --quiet --out "$work/probe.h5" 2>"$work/output" ||
  ! grep -q 'HDF5 was not there when the runtime was built' "$work/output"; then
  expect 0 '' from
else
  echo 'not tried in a build without HDF5: ensemble --init-from'
fi
sed -i '$s/^5/6/' "$work/rows.csv"
expect 2 'rows.csv is not the file that its .json is about' from

# SHAKE whose rows are projected has the rows of RATTLE.
columns=t,q,p,energy
expect 0 '' "$programs/hopf" run --method shake --project-output --steps 200 --columns $columns --out "$work/shown.csv" --quiet
expect 0 '' "$programs/hopf" run --method rattle --steps 200 --columns $columns --out "$work/rattle.csv" --quiet
true_that 'projected rows of SHAKE are those of RATTLE' awk -F, 'NR == FNR { row[FNR] = $0; next }
  { n = split(row[FNR], a); for (i = 1; i <= n && FNR > 1; i++) if ((a[i] - $i) ^ 2 > 1e-22) bad = 1 }
  END { exit bad || FNR != 202 }' "$work/shown.csv" "$work/rattle.csv"
expect 2 'rattle stays on M\^H' "$programs/hopf" run --project-output --out "$work/rattle.csv"
expect 2 'project-output needs --out FILE' "$programs/hopf" run --method shake --project-output

# Variational integrators, of the model whose run line asks for them.
sphere=$programs/spherical_pendulum
expect 0 "$before_order"'4\.00[0-9]*( |$)' "$sphere" converge --base kutta-3 --step 0.1 --t-end 1
expect 0 "$before_order"'2\.[89][0-9]*( |$)' "$sphere" converge --base kutta-3 --bias forward --step 0.1 --t-end 1
expect 0 '' "$sphere" run --bias -0.25,0.75 --check-reversible --steps 50
expect 0 '' "$sphere" lyapunov --steps 100
expect 0 '' "$sphere" run --steps 1000 --columns J,discrete.J --out "$work/v.csv" --quiet
true_that 'the discrete momentum stays, that of the state does not' awk -F, 'NR == 2 { J = $1; D = $2 }
  NR > 2 { if (($2 - D) ^ 2 > 1e-24) bad = 1; if (($1 - J) ^ 2 > 1e-16) moves = 1 } END { exit bad || !moves || NR != 1002 }' \
  "$work/v.csv"
expect 2 'A- <= 0 <= A' "$sphere" run --bias 0.5,1.5
expect 2 "'half' is not symmetric, forward, or two numbers" "$sphere" run --bias half
expect 2 'it has no bias' "$sphere" run --method rattle --base verlet --bias forward
expect 2 'explicit base method' "$sphere" run --base midpoint
expect 2 'two-forms' "$sphere" run --compose suzuki-4
expect 2 '--with variational' "$programs/spherical" run --method variational --base rk4
expect 0 '' "$sphere" run --bias forward --base-minus euler --adjoint plus --steps 60 --out "$work/v.npy" --quiet
true_that 'the file names bias and methods' sh -c "tr -d ' \n' < '$work/v.npy.json' |
  grep -q '\"bias\":\[0,1\],\"base_minus\":\"euler\",\"adjoint\":\"plus\"'"

# Two methods, and an adjoint.
expect 0 "$before_order"'(2\.9|3\.0)[0-9]*( |$)' "$sphere" converge --base kutta-3 --adjoint minus --step 0.05 --t-end 1
expect 0 "$before_order"'4\.0[0-9]*( |$)' "$sphere" converge --base kutta-3 --adjoint both --step 0.1 --t-end 1
expect 0 "$before_order"'3\.0[0-9]*( |$)' "$sphere" converge --base rk4 --base-minus kutta-3 --step 0.05 --t-end 1
expect 0 '' "$sphere" run --base rk4 --base-minus kutta-3 --adjoint plus --check-reversible --steps 50
expect 0 "$before_order"'4\.0[0-9]*( |$)' "$sphere" converge --method variational --base kutta-3 --step 0.1 --t-end 1
expect 2 'C of .sidewinder build --with variational. \(or .generate.\)' "$programs/chain" run --size N=20 --method variational
expect 2 'C of .sidewinder build --with variational. \(or .generate.\)' "$programs/driven" run --method variational
expect 2 'explicit base method' "$sphere" run --base-minus midpoint
expect 2 "did you mean 'minus'" "$sphere" run --adjoint minsu
expect 2 'variational has others' "$sphere" run --method rattle --base verlet --adjoint minus

# What a run was is written behind it; test_restart and kills take such runs up again.
expect 0 '' "$pendulum" run --method bdf2 --steps 60 --out "$work/run.npy" --quiet
true_that 'the file names the method' grep -q '"method": *"bdf2"' "$work/run.npy.json"
true_that 'the file says that there is no base method' grep -q '"base": *"none"' "$work/run.npy.json"
finish
