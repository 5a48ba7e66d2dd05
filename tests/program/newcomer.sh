#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The README, docs/first_model.md, docs/first_linkage.md and docs/motor_brake_bath.md: the quoted C and models are the generated C
# and the models of the examples; programs in C and CMake compile and run. What the commands print is compared by docs_commands.py.
# Usage: newcomer.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

# The functions below read the file $page.

# The indented block that begins with the line `model NAME ...`, up to the first line that is not indented.
block() {
  awk -v name="$1" '
    $0 ~ "^    model " name " " { on = 1 }
    on && /^[^ ]/ { exit }
    on { sub(/^    /, ""); print }' "$page"
}

# The indented block that begins with line LINE, counting from line `model NAME ...` on.
shown() { # NAME LINE
  awk -v name="$1" -v line="    $2" '
    $0 ~ "^    model " name " " { after = 1 }
    after && $0 == line { on = 1 }
    on && /^[^ ]/ { exit }
    on { sub(/^    /, ""); print }' "$page" | sed '$ { /^$/d }'
}

# model NAME: the model of $page.
model() {
  block "$1" >"$work/$1.sw"
  true_that "$page has the model $1" test -s "$work/$1.sw"
}
page=README.md
model pendulum
page=docs/first_model.md
model hopf
model chain

# The quoted C is the generated C.
written() { # FILE LINE: the function after the comment that begins with LINE
  awk -v line="$2" '$0 == line { on = 1 } on { print } on && /^}/ { exit }' "$1"
}
same() { # NAME LINE...: consecutive functions in $page
  local name=$1 first=$2
  shift
  expect 0 '' "$sw" generate "$work/$name.sw" -o "$work"
  for line; do
    [ "$line" = "$first" ] || echo
    written "$work/$name.c" "$line"
  done >"$work/$name.functions"
  true_that "$page has C of $name" test -n "$(shown "$name" "$first")"
  true_that "the C of $name is that in $page" \
    test -z "$(shown "$name" "$first" | diff - "$work/$name.functions" 2>&1)"
}
same hopf '/* g: 1 value.  4 additions, 4 products. */' \
  '/* Gamma_lambda(z) = exp(sum_i lambda_i X_{g_i})(z): 4 values.  8 additions, 24 products,'
same chain '/* g: m values, of a piece of the instances. */'
mkdir "$work/longer"
expect 0 '' "$sw" generate "$work/chain.sw" --size N=1000000 -o "$work/longer"
length=$(wc -c <"$work/chain.c")
long=$(wc -c <"$work/longer/chain.c")
true_that "$page has the length of the C" grep -q "is $((length / 1000)) kB long whatever N is" "$page"
true_that 'it is the same for every N, but for its digits' test $((long - length)) -lt 20

# The sizes of the chain are set when its program runs.
expect 0 '' "$sw" build "$work/chain.sw" -o "$work/chain"
expect 0 '^steps +100, to t = 0\.01' "$work/chain" run --size N=1000 --step 1e-4 --steps 100
expect 0 '^steps +10, to t = 1e-05' "$work/chain" run --size N=30000 --step 1e-6 --steps 10

# The n-th C program.
program() {
  awk -v n="$1" '/^```c$/ { on = ++count == n; next } /^```$/ { on = 0 } on' "$page"
}
prefix=$(dirname "$(dirname "$sw")")
line=$(awk '/^    cc / { on = 1 } on { sub(/\\$/, ""); printf "%s ", $0; if ($0 !~ /-l|cc /) exit }
            on && /-lm/ { exit }' README.md)
line=${line//-I. -Ibuild\/include/-I$work -I$prefix/include}
line=${line//build\/lib/$prefix/lib}

# compile NAME: NAME_example.c and NAME.c, linked by the line of README.md.
compile() {
  local this=${line//example.c pendulum.c/$work/$1_example.c $work/$1.c -o $work/$1_example}
  [ -z "${SW_BUILD_FLAGS:-}" ] || this="$this $SW_BUILD_FLAGS"
  expect 0 '' bash -c "$this"
}
# The example of docs/recipes.md is the beginning of the model that is shipped.
sed -n '/^    model driven/,/^    constraint/s/^    //p' docs/recipes.md >"$work/driven.beginning"
true_that "docs/recipes.md shows models/driven.sw" cmp "$work/driven.beginning" \
  <(sed -n "/^model driven/,/^constraint/p" models/driven.sw)
page=docs/first_linkage.md
block crank_rocker | sed '$ { /^$/d }' >"$work/crank_rocker.shown"
true_that "$page shows examples/crank_rocker.sw" cmp "$work/crank_rocker.shown" <(sed 1d examples/crank_rocker.sw)
page=docs/motor_brake_bath.md
for name in swing_up warm_bead; do
  block $name | sed '$ { /^$/d }' >"$work/$name.shown"
  true_that "$page shows examples/forces/$name.sw" cmp "$work/$name.shown" <(sed 1,2d "examples/forces/$name.sw")
done
true_that "$page shows examples/forces/swing_up.csv" cmp <(sed -n '/^    t,torque/,/^$/s/^    //p' $page) examples/forces/swing_up.csv
page=README.md
program 1 >"$work/pendulum_example.c"
true_that 'README.md has a C program' test -s "$work/pendulum_example.c"
expect 0 '' "$sw" generate "$work/pendulum.sw" -o "$work"
compile pendulum
expect 0 '^q = \(0\.529[0-9]*, -0\.848[0-9]*\)' "$work/pendulum_example"

# docs/first_model.md has the lines that set sizes.
page=docs/first_model.md
{
  printf '%s\n' '#include "chain.h"' '#include "sidewinder/sim.h"' '#include <stddef.h>' 'int main(void)' '{' \
    '  sw_options options;' '  sw_sim *sim = NULL;' '  sw_options_init(&options);'
  program 1
  printf '%s\n' '  const int d = sw_sim_nq(sim);' '  const int failed = sw_sim_step(sim, 1e-6) != SW_OK;' \
    '  sw_sim_free(&sim);' '  return failed || d != 30000;' '}'
} | sed 's/1000000/10000/' >"$work/chain_example.c"
true_that "$page sets sizes in C" grep -q 'options\.sizes' "$work/chain_example.c"
compile chain
expect 0 '' "$work/chain_example"
finish
