#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What `check` prints, in all its forms: the page in UTF-8 and in ASCII, JSON, LaTeX; the same bytes in every process.
# Usage: check_page.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh
utf8=$(locale -a 2>/dev/null | grep -iE '^(C|en_US)\.utf-?8$' | head -1)

cat >"$work/second.sw" <<'END_OF_MODEL'
model second "100% {second} class: _^~ & $ # <rod> ☃"
coord x momentum px  coord y momentum py
hamiltonian H = px^2/2 + py^2/2 + y
constraint rod_1: x^2 + y^2 == 1
constraint still: x*px + y*py == 0
END_OF_MODEL
cat >"$work/five.sw" <<'END_OF_MODEL'
model five "index five"
coord q momentum p  coord qbar momentum pbar
hamiltonian H = p^2/2 + pbar*q
constraint c: qbar == 0
END_OF_MODEL
cat >"$work/empty.sw" <<'END_OF_MODEL'
model empty
coord q momentum p
hamiltonian H = p^2/2 + cos(q)
END_OF_MODEL
cat >"$work/nowhere.sw" <<'END_OF_MODEL'
model nowhere
coord x momentum px  coord y momentum py
hamiltonian H = px^2/2 + py^2/2 + y
constraint none: x^2 + y^2 == -1
END_OF_MODEL

# page MODEL CODE OPTIONS...: runs check, nothing on standard error, and keeps the page in $work/page.
page() {
  local model=$1 code=$2 actual
  shift 2
  "$sw" check "$model" "$@" >"$work/page" 2>"$work/errors" </dev/null
  actual=$?
  true_that "exit code of $model $*" test "$actual" -eq "$code"
  true_that "$model $*: nothing on standard error" test ! -s "$work/errors"
}

# longest: columns of the longest line of the page.
longest() { python3 -c 'import sys; print(max(len(l.rstrip("\n")) for l in open(sys.argv[1], encoding="utf-8")))' "$work/page"; }

for entry in models/hopf.sw:0 models/chain.sw:0 models/lj7.sw:0 models/water_box.sw:0 models/two_constraints.sw:0 models/pendulum_angles.sw:0 \
             "$work/second.sw:1" "$work/five.sw:1" "$work/empty.sw:0" "$work/nowhere.sw:1"; do
  model=${entry%:*}
  code=${entry##*:}
  for locale in C ${utf8:+"$utf8"}; do
    LC_ALL=$locale page "$model" "$code"
    true_that "$model in $locale: at most 100 columns" test "$(longest)" -le 100
  done
  LC_ALL=${utf8:-C} page "$model" "$code" --ascii
  true_that "$model --ascii: ASCII" test "$(LC_ALL=C grep -cP '[^\x00-\x7f]' "$work/page")" -eq 0
  page "$model" "$code" --latex
  true_that "$model --latex: LaTeX" python3 tests/program/check_latex.py <"$work/page"
  page "$model" "$code" --document
  true_that "$model --document: LaTeX" python3 tests/program/check_latex.py --document <"$work/page"
  case "$code $model" in
  1*) answer=no ;;
  *water_box*) answer=unexamined ;;
  *hopf* | *two_constraints*) answer=not_everywhere ;;
  *) answer=yes ;;
  esac
  page "$model" "$code" --json
  true_that "$model --json: as described" python3 tests/program/check_json.py docs/check.md "$answer" <"$work/page"
done

# The formulas.
expect 0 '^  H = p\[1\]\^2/2 \+ p\[2\]\^2/2 - g\[1\]\*q\[1\] - g\[2\]\*q\[2\]$' "$sw" check --ascii models/hopf.sw
expect 0 '^  L = m\*\(v\[x\]\^2 \+ v\[y\]\^2 \+ v\[z\]\^2\)/2 \+ B\*' "$sw" check --ascii models/charge_lagrangian.sw
expect 0 '^  H = p\[z\]\^2/\(2\*m\) \+ \(B\*q\[x\] - 2\*p\[y\]\)\^2/\(8\*m\) \+ ' "$sw" check --ascii models/charge_lagrangian.sw
expect 0 '^  H = sum\(i in node, k in xyz: p\[i,k\]\^2/\(2\*m\[i\]\)\)' "$sw" check --ascii tests/models/chain_lagrangian.sw
expect 0 'mass matrix couples up to 2 of them' "$sw" check models/pendulum_angles.sw
expect 0 '^  rho = 2\*q\[x\]\*p\[x\] \+ 2\*q\[y\]\*p\[y\]$' "$sw" check --ascii models/pendulum.sw
expect 0 '^  p\[x\] -> p\[x\] - 2\*lambda\*q\[x\]$' "$sw" check --ascii models/pendulum.sw
expect 0 '^  N = \[ -4\*q\[x\]\^2 - 4\*q\[y\]\^2 \]$' "$sw" check --ascii models/pendulum.sw
expect 0 '^  p\[i\+1,x\] -> p\[i\+1,x\] - 2\*lambda\*\(q\[i\+1,x\] - q\[i,x\]\)$' "$sw" check --ascii models/chain.sw
expect 1 '^  C = \[ +0 +2\*x\^2 \+ 2\*y\^2 \]$' "$sw" check --ascii "$work/second.sw"
expect 1 'quaternary: 0 = pbar' "$sw" check --ascii "$work/five.sw"
expect 0 '"text": "q\[1\]\^2 \+ q\[2\]\^2 \+ p\[1\]\^2 \+ p\[2\]\^2 - 1"' "$sw" check --json models/hopf.sw
expect 1 '"kind": "second_class"' "$sw" check --json "$work/second.sw"
expect 0 '\\frac\{p_\{1\}\^\{2\}\}\{2\}' "$sw" check --latex models/hopf.sw
if [ -n "$utf8" ]; then
  expect 0 '^  H = p₁²/2 \+ p₂²/2 − g₁ q₁ − g₂ q₂$' env LC_ALL="$utf8" "$sw" check models/hopf.sw
  expect 0 'Σ\{i ∈ node\} m\[i\] gravity q\[i,z\]' env LC_ALL="$utf8" "$sw" check models/chain.sw
fi

# The page in docs/check.md is what is printed.
if [ -n "$utf8" ]; then
  LC_ALL=$utf8 page models/pendulum.sw 0
  shown=0
  while IFS= read -r line; do
    true_that "docs/check.md: $line" grep -qFx -- "$line" "$work/page"
    shown=$((shown + 1))
  done < <(sed -n '/^The page of/,/^\* /{/^    /s/^    //p}' docs/check.md | grep -v '^ *\.\.\.$')
  true_that 'docs/check.md shows a page' test "$shown" -gt 25
fi

# The options.
expect 2 'exclude each other' "$sw" check --json --latex models/hopf.sw
expect 2 'exclude each other' "$sw" check --ascii --document models/hopf.sw
expect 0 '"schema"' "$sw" check --json --json models/hopf.sw
expect 2 "unrecognized option '--json'" "$sw" generate --json models/hopf.sw -o "$work/out"
"$sw" check --json tests/bad_models/empty.sw >"$work/page" 2>"$work/errors"
true_that 'a wrong model has no object' test ! -s "$work/page"
true_that 'but errors' test -s "$work/errors"

# The same bytes in every process.
for model in models/two_constraints.sw models/spin_chain.sw "$work/second.sw"; do
  for form in --ascii --json --latex; do
    texts=$(for _ in 1 2 3 4 5 6; do "$sw" check $form "$model" | sha256sum; done | sort -u | wc -l)
    true_that "$model $form: one text from six processes" test "$texts" -eq 1
  done
done

# The checks of this test can fail.
for wrong in '\begin{align*} x' '\section*{a_b}' '$\left(x$' '$\frobnicate$' '50% {' '\begin{description} x \end{description}' ''; do
  if printf '%s' "$wrong" | python3 tests/program/check_latex.py 2>/dev/null; then
    true_that "'$wrong' is no LaTeX" false
  fi
done
for edit in 's/"answer": "not_everywhere"/"answer": "no"/' 's/"d": 2/"d": 3/' 's/"schema"/"scheme"/' 's/"title"/"d"/'; do
  if "$sw" check --json models/hopf.sw | sed "$edit" |
      python3 tests/program/check_json.py docs/check.md not_everywhere 2>/dev/null; then
    true_that "JSON changed by $edit is wrong" false
  fi
done
# Arrays of indices are in it, too.
"$sw" check tests/models/graph.sw --json >"$work/page"
true_that 'graph.sw --json: as described' python3 tests/program/check_json.py docs/check.md yes <"$work/page"
finish
