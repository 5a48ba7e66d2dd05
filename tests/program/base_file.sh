#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A base method of the user's own, from a file: runs, what is said about it, and files that are none.
# Usage: base_file.sh PROGRAMS
set -uo pipefail
programs=$1
source tests/program/lib.sh
pendulum=$programs/pendulum
run="$pendulum run --step 0.1 --steps 20 --quiet"

echo '{"name": "qz", "A": [[0.25, 0], [0.5, 0.25]], "b": [0.5, 0.5]}' >"$work/qz.json"
echo '{"name": "rule", "A": [[0.5]], "b": [1]}' >"$work/rule.json"
echo '{"name": "euler", "A": [[0]], "b": [1], "A_hat": [[1]], "b_hat": [1]}' >"$work/euler.json"
expect 0 'base method    qz: 2 stages, order 2, symplectic, symmetric; 4 d unknowns a step, 2 d where H is separable' \
  "$pendulum" run --base-file "$work/qz.json" --step 0.1 --steps 20
expect 0 'base method    qz: 2 stages' "$pendulum" converge --base-file "$work/qz.json" --step 0.1 --t-end 1
expect 0 "$before_order"'2\.0[0-9]*( |$)' "$pendulum" converge --base-file "$work/qz.json" --step 0.1 --t-end 1
expect 0 "$before_order"'1\.0[0-9]*( |$)' "$pendulum" converge --base-file "$work/euler.json" --step 0.01 --t-end 1
expect 0 '' "$pendulum" run --base-file "$work/qz.json" --check-reversible --step 0.1 --steps 20

# The coefficients of a method that the library knows give its numbers, bit for bit.
for pair in rule:midpoint euler:euler-a; do
  expect 0 '' $run --base-file "$work/${pair%:*}.json" --out "$work/own.csv"
  expect 0 '' $run --base "${pair#*:}" --out "$work/known.csv"
  true_that "$pair" cmp -s "$work/own.csv" "$work/known.csv"
done
true_that 'another method has other numbers' test "$(tail -1 "$work/known.csv")" != \
  "$($run --base-file "$work/qz.json" --out - | tail -1)"
# Fractions in quotes are rounded once, as in C.
echo '{"name": "lobatto", "A": [["5/24","1/3","-1/24"],["1/6","2/3","1/6"],[0,0,0]], "b": ["1/6","2/3","1/6"],
  "c": ["1/2", 1, "0"]}' >"$work/fractions.json"
python3 -c 'print("""{"name": "lobatto", "A": [[%r,%r,%r],[%r,%r,%r],[0,0,0]], "b": [%r,%r,%r]}""" %
  (5/24, 1/3, -1/24, 1/6, 2/3, 1/6, 1/6, 2/3, 1/6))' >"$work/decimals.json"
for how in fractions decimals; do
  expect 0 '' $run --base-file "$work/$how.json" --out "$work/$how.csv"
done
true_that 'fractions' cmp -s "$work/fractions.csv" "$work/decimals.csv"
# Index1 needs matrices A that can be inverted; 1e-17 beside 0.5 is zero.
echo '{"name": "near", "A": [[0.5, 0.5], [0, 1e-17]], "b": [0.5, 0.5]}' >"$work/near.json"
expect 2 '' "$programs/index1" run --method index1 --base-file "$work/near.json" --steps 2
# The last one counts.
expect 0 '' $run --base-file "$work/qz.json" --base euler-a --out "$work/own.csv"
true_that 'the last one counts' cmp -s "$work/own.csv" "$work/known.csv"

# A run goes on with the coefficients that it began with, and with no others of that name.
expect 0 '' "$pendulum" run --base-file "$work/qz.json" --step 0.1 --steps 20 --out "$work/r.npy" --checkpoint "$work/r.ckpt"
sed 's/0\.25, 0/0.25, 1e-9/' "$work/qz.json" >"$work/other.json"
expect 2 '' "$pendulum" run --base-file "$work/other.json" --step 0.1 --steps 20 --out "$work/r.npy" \
  --checkpoint "$work/r.ckpt" --resume "$work/r.ckpt"

# wrong PATTERN TEXT
wrong() {
  printf '%s' "$2" >"$work/wrong.json"
  expect 2 "--base-file: .*wrong.json: $1" $run --base-file "$work/wrong.json"
}
wrong 'line 1, column 1: ' '{'
wrong 'line 2, column 9: ' '{"name": "x",
  "A": [}'
wrong 'a tableau is an object' '[1]'
wrong "unknown key 'b_hatt'; did you mean 'b_hat'\?" '{"name": "x", "A": [[0]], "b": [1], "b_hatt": [1]}'
wrong '"name" is a text' '{"A": [[0]], "b": [1]}'
wrong '"A" is a list of 1 to 16 rows' '{"name": "x", "A": [], "b": []}'
wrong '"A" is a list of 2 numbers for each stage' '{"name": "x", "A": [[0, 0], [1]], "b": [0.5, 0.5]}'
wrong '"b" is a list of 1 numbers' '{"name": "x", "A": [[0]], "b": [0.5, 0.5]}'
for word in one 1/0 1/ /2 1/2/3 0.5/1 1/-2 -- '' 1/9007199254740993000; do
  wrong 'entry 1 of "b" is no number' '{"name": "x", "A": [[0]], "b": ["'"$word"'"]}'
done
wrong 'entry 2 of "c" is 1, but row 2 of "A" adds up to 0.5' \
  '{"name": "x", "A": [[0, 0], [0.5, 0]], "b": [0.5, 0.5], "c": [0, 1]}'
wrong '"c" is a list of 1 numbers' '{"name": "x", "A": [[0]], "b": [1], "c": []}'
wrong '"A_hat" and "b_hat" belong together' '{"name": "x", "A": [[0]], "b": [1], "A_hat": [[0]]}'
wrong 'this is no method: the steps of the tableau do not follow the field' '{"name": "x", "A": [[0]], "b": [0.5]}'
wrong 'line 1, column [0-9]*: ' '{"name": "x", "A": [[1e999]], "b": [1]}'
wrong 'duplicate|line 1' '{"name": "x", "name": "y", "A": [[0]], "b": [1]}'
wrong 'it is too long' "$(head -c 40000 /dev/zero | tr '\0' ' ')"
expect 3 'No such file' $run --base-file "$work/none.json"
expect 2 'not a regular file' $run --base-file "$work"

# The documentation has every name that the program has.
"$pendulum" run --help | sed -n '/^Base methods/,$p' | grep -E 'order [0-9]' >"$work/names"
true_that 'there are base methods' test "$(wc -l <"$work/names")" -ge 7
while read -r name _; do
  true_that "docs/methods.md has $name" grep -q "^| \`$name\` |" docs/methods.md
done <"$work/names"
# Nobody waits for who may write to a pipe.
mkfifo "$work/pipe"
expect 2 'pipe is not a regular file' timeout 10 $run --base-file "$work/pipe"

finish
