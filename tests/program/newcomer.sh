#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What the README shows works as it says: its models go through check, verify and run, its C program compiles.
# Usage: newcomer.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

# The indented block of the README that begins with the line `model NAME ...`, up to the first line that is not
# indented.
block() {
  awk -v name="$1" '
    $0 ~ "^    model " name " " { on = 1 }
    on && /^[^ ]/ { exit }
    on { sub(/^    /, ""); print }' README.md
}
for name in hopf cart; do
  block $name >"$work/$name.sw"
  true_that "the README has the model $name" test -s "$work/$name.sw"
  expect 0 'SHAKE and RATTLE apply' "$sw" check "$work/$name.sw"
  expect 0 '0 failed' "$sw" verify "$work/$name.sw"
  expect 0 'steps' "$sw" run "$work/$name.sw" --out "$work/$name.csv"
done

# The C program, linked by the line below it.
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' README.md >"$work/example.c"
true_that 'the README has a C program' test -s "$work/example.c"
expect 0 '' "$sw" generate "$work/hopf.sw" -o "$work"
prefix=$(dirname "$(dirname "$sw")")
line=$(awk '/^    cc / { on = 1 } on { sub(/\\$/, ""); printf "%s ", $0; if ($0 !~ /-l|cc /) exit }
            on && /-lm/ { exit }' README.md)
line=${line//-I. -Ibuild\/include/-I$work -I$prefix/include}
line=${line//example.c hopf.c/$work/example.c $work/hopf.c -o $work/example}
line=${line//-Lbuild\/lib/-L$prefix/lib}
[ -z "${SW_BUILD_FLAGS:-}" ] || line="$line $SW_BUILD_FLAGS"
expect 0 '' bash -c "$line"
expect 0 '^q = \(-0\.91[0-9]*, -0\.32[0-9]*\)' "$work/example"
finish
