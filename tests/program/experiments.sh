#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# docs/experiments.md is what its experiments give today, each of its comparisons can fail, and its figures are there.
# Usage: experiments.sh EXPERIMENTS GENERATOR
set -uo pipefail
experiments=$1
generator=$2
source tests/program/lib.sh

expect 0 '[1-9][0-9]* numbers compared, 0 disagree' \
  "$experiments" "$generator" experiments/page.md "$work/data" "$work/page.md"
expect 0 '' diff docs/experiments.md "$work/page.md"

# One wrong digit is seen.
sed '0,/0\.980000006363 |$/s//0.980000006364 |/' docs/experiments.md >"$work/changed.md"
expect 1 '' diff "$work/changed.md" "$work/page.md"

# Every number is falsified, and every comparison fails.
expect 0 '([1-9][0-9]*) numbers compared, \1 disagree' \
  "$experiments" --wrong "$generator" experiments/page.md "$work/wrong" "$work/wrong.md"

# Every figure that a page shows is there, and every figure is shown.
while read -r figure; do
  true_that "$figure" test -s "docs/$figure"
done < <(grep -o 'figures/[^)]*\.svg' docs/experiments.md)
for figure in docs/figures/*.svg; do
  true_that "$figure is shown" grep -qF "figures/$(basename "$figure")" docs/experiments.md
done

# The figures are those of today's data, where gnuplot is the one that drew them.
version=$(gnuplot --version | sed 's/^gnuplot //' 2>/dev/null)
if [ -n "$version" ] && grep -qF "GNUPLOT $version" docs/figures/hopf_orbits.svg; then
  for script in examples/hopf_*.gp experiments/0*.gp; do
    expect 0 '' gnuplot -e "folder='$work/data'" "$script"
  done
  for figure in docs/figures/*.svg; do
    expect 0 '' cmp "$figure" "$work/data/$(basename "$figure")"
  done
  expect 0 '' "$generator" run models/pendulum.sw --step 0.05 --steps 64 --every 8 --columns q,multiplier --out "$work/pendulum_force.csv"
  expect 0 '' gnuplot -e "folder='$work'" examples/pendulum_force.gp
  expect 0 '' cmp docs/multiplier.svg "$work/multiplier.svg"
fi

# What is no use of it, and a page that it cannot write.
expect 2 usage "$experiments"
expect 3 'cannot open' "$experiments" "$generator" "$work/none.md" "$work/data" "$work/page.md"
echo '@nothing@' >"$work/unknown.md"
expect 3 'there is no table @nothing@' "$experiments" "$generator" "$work/unknown.md" "$work/data" "$work/page.md"
echo 'no table' >"$work/empty.md"
expect 3 'has the table .* 0 times' "$experiments" "$generator" "$work/empty.md" "$work/data" "$work/page.md"
finish
