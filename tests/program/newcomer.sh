#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The README, docs/first_model.md and docs/first_linkage.md: their models pass check, verify and run, the quoted output is the output, and
# their C compiles and runs.
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

# Whether file SHOWN is file PRINTED, in which a line `...` of the first stands for any number of lines.
is_page() { # SHOWN PRINTED
  awk 'NR == FNR { want[++n] = $0; next }
    FNR == 1 { i = 1 }
    want[i] == "..." && i < n && want[i + 1] != $0 { next }
    want[i] == "..." { i++ }
    i > n || want[i] != $0 { print "line " FNR ": " $0; wrong = 1; exit }
    { i++ }
    END { exit wrong || i <= n || n == 0 }' "$1" "$2"
}

# What a run prints, without its numbers: a word instead of each.
alike() {
  sed -E 's/-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/N/g; s/ +/ /g'
}

# The n-th summary of a run.
summary() {
  awk -v n="$1" '/^    steps  / { on = ++count == n } on && /^[^ ]|^$/ { exit }
    on { print substr($0, 5) }' "$page"
}

utf8=$(locale -a | grep -iE '^(C|en_US)\.utf-?8$' | head -1)
true_that 'there is a locale with UTF-8' test -n "$utf8"
# model NAME N: the model, its analysis and the N-th summary of $page.
model() {
  local name=$1 n=$2
  block "$name" >"$work/$name.sw"
  true_that "$page has the model $name" test -s "$work/$name.sw"
  expect 0 'SHAKE and RATTLE apply' env LC_ALL="$utf8" "$sw" check "$work/$name.sw"
  shown "$name" "$(sed -n '1s/^model \([a-z]*\) "\(.*\)"$/\1: \2/p' "$work/$name.sw")" >"$work/$name.shown"
  true_that "$page has an analysis of $name" test "$(wc -l <"$work/$name.shown")" -gt 10
  true_that "the analysis of $name is that in $page" is_page "$work/$name.shown" "$work/output"
  sed '4s/$/ /' "$work/$name.shown" >"$work/$name.other"
  true_that "another analysis of $name is not" test -n "$(is_page "$work/$name.other" "$work/output")"
  expect 0 '0 failed' "$sw" verify "$work/$name.sw"
  tail -1 "$work/output" >"$work/$name.verified"
  expect 0 'steps' "$sw" run "$work/$name.sw" --out "$work/$name.csv"
  true_that "$page has a run of $name" test -n "$(summary "$n")"
  true_that "the summary of $name is like that in $page" \
    test "$(summary "$n" | alike)" = "$(alike <"$work/output")"
}
page=README.md
model pendulum 1
true_that 'README.md has the last line of verify' \
  test "$(grep -m 1 -E '^    [0-9]+ passed, ' README.md | cut -c 5- | alike)" = "$(alike <"$work/pendulum.verified")"
page=docs/first_model.md
model hopf 1
# The quoted run has N = 1000; its summary has the same lines.
model chain 2

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
line=${line//-Lbuild\/lib/-L$prefix/lib}

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
