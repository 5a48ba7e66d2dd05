#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A problem of the gallery: what is known of it is met, as docs/gallery.md has it; with wrong parameters no result of it is; and its picture is shown.
# Usage: gallery.sh GENERATOR PYTHON NAME
set -uo pipefail
source tests/program/lib.sh
name=$3
gallery=("$2" gallery/gallery.py "$1" "$work/data" "$name")
export PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 SIDEWINDER=$1

expect 0 'known' "${gallery[@]}" --page docs/gallery.md
expect 0 'NOT MET' "${gallery[@]}" --spoilt
true_that 'the picture is there' test -s "docs/gallery/$name.svg"
true_that 'the picture is shown' grep -qF "](gallery/$name.svg)" docs/gallery.md

# The lines of models that the page has are lines of models.
while IFS= read -r line; do
  true_that "a model has: $line" grep -qxF -- "$line" gallery/*.sw models/driven.sw
done < <(awk '/^    (hamiltonian|constraint)/ { on = 1 } /^$/ { on = 0 } on { print substr($0, 5) }' docs/gallery.md)

# A known number of a page that differs in its seventh digit is seen, in the same way for each problem.
if [ "$name" = butane ]; then
  sed 's/\(frequency of small torsions, 1\/ps  *5\.04220\)15/\199/' docs/gallery.md >"$work/changed.md"
  expect 1 'the page has' "${gallery[@]}" --page "$work/changed.md"
fi
finish
