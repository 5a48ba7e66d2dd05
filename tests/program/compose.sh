#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Compositions as a user runs them: orders, what is refused, and what the files say.
# Usage: compose.sh PROGRAMS
set -uo pipefail
programs=$1
source tests/program/lib.sh
hopf=$programs/hopf

expect 0 "$before_order"'4\.0[0-9]*( |$)' "$hopf" converge --compose suzuki-4 --step 0.05 --t-end 1
expect 0 "$before_order"'6\.[01][0-9]*( |$)' "$hopf" converge --compose kahan-li-6 --init zc --step 0.2 --levels 4 --t-end 1
expect 2 "shake is not symmetric, so no composition raises its order; use rattle" \
  "$hopf" run --compose suzuki-4 --method shake --steps 3
expect 2 'the base method euler-a is not symmetric' "$hopf" run --compose suzuki-4 --base euler-a --steps 3
expect 2 "did you mean 'suzuki-4'?" "$hopf" run --compose suzki-4
expect 0 '' "$hopf" run --compose triple-jump-4 --check-reversible --steps 50

# The composition is part of what a run is: it stands in the files.
expect 0 '' "$hopf" run --compose triple-jump-4 --steps 40 --out "$work/run.npy" --quiet
true_that 'the file names the composition' grep -q '"compose": *"triple-jump-4"' "$work/run.npy.json"
finish
