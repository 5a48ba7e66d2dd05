#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `sidewinder report`: pages whose data are those of the run, whose words are those of `check`, and which need nothing else;
# what they say of a model that is refused and of a step that fails; and `sidewinder plot` of a model.
# Usage: report.sh GENERATOR
set -uo pipefail
sw=$(realpath "$1")
source tests/program/lib.sh
model=$PWD/models
page=$PWD/tests/report/check_page.py
cd "$work" || exit 1

# is_whole MODEL POINTS OPTION...: report, run and check with these options agree; prints what the animation shows.
is_whole() {
  local file=$1 points=$2 sizes=()
  shift 2
  for word in "$@"; do [[ $word == --size=* || $word == --lowering=* ]] && sizes+=("$word"); done
  expect 0 '^page\.html$' "$sw" report "$file" "$@" -o page.html
  expect 0 '' "$sw" run "$file" "$@" --out rows.csv --quiet
  "$sw" check "$file" "${sizes[@]}" --json >check.json
  expect 0 '' python3 "$page" page.html "$file" check.json rows.csv "$points"
}
shows() { true_that "the animation of $1 shows $2" grep -qF -- "$2" "$work/output"; }

is_whole "$model/pendulum.sw" q.x,q.y
shows pendulum '"bonds": [], "anchors": [[0, 0, 0]]'
is_whole "$model/pendulum.sw" q.x,q.y --method shake --step 0.05 --steps 200 --every 4 --set length=2
is_whole "$model/hopf.sw" q.1,q.2
shows hopf '"axes": 2, "bonds": [], "anchors": []'
is_whole "$model/four_bar.sw" 'q.1.x,q.1.y q.2.x,q.2.y'
shows four_bar '"bonds": [[0, 1]], "anchors": [[0, 0, 0], [1, 2, 0]]'
is_whole "$model/charged_sphere.sw" q.x,q.y,q.z
shows charged_sphere '"axes": 3, "bonds": [], "anchors": [[0, 0, 0, 0]]'
nodes='q.1.x,q.1.y,q.1.z q.2.x,q.2.y,q.2.z q.3.x,q.3.y,q.3.z q.4.x,q.4.y,q.4.z'
for how in unrolled looped; do
  is_whole "$model/chain.sw" "$nodes" --size=N=4 --lowering=$how --steps 100 --every 10
  shows "$how chain" '"bonds": [[0, 1], [1, 2], [2, 3]], "anchors": []'
done
sites='q.1.O.x,q.1.O.y,q.1.O.z q.1.H1.x,q.1.H1.y,q.1.H1.z q.1.H2.x,q.1.H2.y,q.1.H2.z'
is_whole "$model/water_box.sw" "$sites" --size=W=1 --steps 100 --every 5
shows water_box '"bonds": [[0, 1], [0, 2], [1, 2]], "anchors": [], "kind_names": ["O", "H"]'
# A pivot that is shaken is no place at rest, and a model without points has an orbit.
is_whole "$model/driven.sw" q.x,q.y --steps 2000
shows driven '"anchors": []'
is_whole "$model/index1.sw" q,p
# A position may be called like a column that every trajectory has.
sed 's/coord q momentum p/coord residual_g momentum p/; s/\bq\b/residual_g/g' "$model/index1.sw" >taken.sw
expect 0 '' "$sw" report taken.sw -o taken.html

# Rows that are left out: so many that a frame moves little, or the first ones only where neighbours move far.
is_whole "$model/pendulum.sw" q.x,q.y --step 0.001 --steps 20000
true_that 'rows were left out' grep -qE '"stride": ([2-9]|1[0-9])\}' "$work/output"
is_whole "$model/pendulum.sw" q.x,q.y --step 0.1 --steps 20000
shows 'a long run' '"stride": 1}'
true_that 'and the page says so' grep -q 'every row of the first 1500, to t = 149\.9; the run wrote 20001' page.html

# The check can fail: a number that is another one, a letter that is not in a token, a tag that is not closed.
is_whole "$model/pendulum.sw" q.x,q.y
for change in 's/\[\[0.6,/[[0.61,/' 's/<mi>H<\/mi>/H/' 's/<\/figure>//' 's/href="data:,"/href="http:x"/' \
  's/SHAKE and RATTLE apply/They apply/' 's/<td>1000</<td>999</'; do
  sed "$change" page.html >other.html
  true_that "$change changes the page" test -n "$(cmp page.html other.html)"
  expect 1 'Error' python3 "$page" other.html "$model/pendulum.sw" check.json rows.csv q.x,q.y
done

# Equal runs have equal pages; nothing of them stays anywhere else.
expect 0 '' env XDG_CACHE_HOME="$work/kept" "$sw" report "$model/pendulum.sw" -o again.html
true_that 'equal runs have equal pages' cmp page.html again.html
true_that 'the cache has the program alone' test "$(find "$work/kept/sidewinder" -mindepth 1 | grep -c .)" -eq 1

# Text is text.
sed 's|^model pendulum .*|model pendulum "</title><script>alert(1)</script> \&amp; <b>"|' "$model/pendulum.sw" >evil.sw
echo '# </code></pre></main><script>alert(2)</script> &lt;' >>evil.sw
is_whole "$PWD/evil.sw" q.x,q.y
true_that 'there are two scripts' test "$(grep -c '<script' page.html)" -eq 2

# A model that is refused, and one that is wrong.
cat >second.sw <<'END'
model second "Second class"
set ax = 1 .. 2
coord q[ax] momentum p
hamiltonian H = sum(k in ax: p[k]^2)/2
constraint one: q[1] == 0
constraint other: p[1] == 0
init q[k in ax] = 0
init p[k in ax] = 0
END
expect 1 "'second.sw' is refused" "$sw" report second.sw -o second.html
expect 1 '' "$sw" check second.sw --json
cp output second.json
expect 0 '' python3 "$page" second.html second.sw second.json
true_that 'the page says why' grep -q 'second class' second.html
echo 'model wrong' >wrong.sw
expect 2 'wrong\.sw:' "$sw" report wrong.sw -o wrong.html
true_that 'a wrong model has no page' test ! -e wrong.html

# A step that fails: the page goes up to there.
expect 3 'step failed at t = 1\.86' "$sw" report "$model/hopf.sw" --step 0.31 -o page.html
"$sw" run "$model/hopf.sw" --step 0.31 --out rows.csv --quiet 2>/dev/null
"$sw" check "$model/hopf.sw" --json >check.json
expect 0 '' python3 "$page" page.html "$model/hopf.sw" check.json rows.csv q.1,q.2
true_that 'the page has the message' grep -q '<p class="message">step failed at t = 1\.86:' page.html
# A user who has seen enough, once there are rows.
XDG_CACHE_HOME=$work/other "$sw" report "$model/hopf.sw" --steps 2000000000 --every 1000 -o enough.html >/dev/null 2>&1 &
for _ in {1..600}; do
  [ -n "$(find "$work/other" -name 'trajectory.npy.part*' -size +8k 2>/dev/null)" ] && break
  sleep 0.1
done
kill -TERM $!
wait $!
true_that 'a run that is ended ends the command' test $? -eq 143
true_that 'and has a page' grep -q '<p class="message">interrupted at t = [0-9.]*, after [0-9]* of 2000000000 steps</p>' enough.html

# What is refused.
refused() {
  local code=$1 pattern=$2
  shift 2
  expect "$code" "$pattern" "$sw" report "$@"
  true_that "no page after $pattern" test ! -e no.html
}
expect 0 '^hopf\.html$' "$sw" report "$model/hopf.sw" --step 0.1 --steps 5
true_that 'the page is in the current folder' test -s hopf.html
rm -f hopf.html
refused 2 '-o wants' "$model/hopf.sw" -o
refused 2 'Usage: sidewinder report' -o no.html
refused 2 'a report chooses its own columns' "$model/hopf.sw" -o no.html --columns q
refused 2 'a report chooses its own columns' "$model/hopf.sw" -o no.html -x q.1
refused 2 "unknown option '--stepp'; did you mean '--steps'" "$model/hopf.sw" -o no.html --stepp 3
refused 2 'unknown parameter' "$model/hopf.sw" -o no.html --set zz=1
cp "$model/hopf.sw" own.sw
refused 2 'is the model' own.sw -o own.sw
true_that 'the model is what it was' cmp "$model/hopf.sw" own.sw
refused 3 "cannot write 'none/no.html'" "$model/hopf.sw" -o none/no.html
# Without gnuplot there is a page, which says what it lacks.
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/gnuplot
chmod +x bin/gnuplot
expect 3 'gnuplot failed' env PATH="$work/bin:$PATH" "$sw" report "$model/hopf.sw" -o page.html
true_that 'the page says so' grep -q 'gnuplot is missing, or has failed' page.html

# `plot` of a model: the columns of the run, and all that an overview has.
curves() { python3 -c '
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
space = "{http://www.w3.org/2000/svg}"
texts = ["".join(t.itertext()).strip() for t in root.iter(space + "text")]
assert sum("_plot_" in g.get("id", "") for g in root.iter(space + "g")) == int(sys.argv[2])
assert set(sys.argv[3:]) <= set(texts), texts' "$@"; }
expect 0 '^p\.svg$' "$sw" plot "$model/pendulum.sw" --steps 200 -o p.svg
expect 0 '' curves p.svg 5 'change of energy' residuals 'multiplier of rod' orbit q.x q.y
expect 0 '^p\.svg$' "$sw" plot "$model/pendulum.sw" --steps 200 --columns angle,multiplier -o p.svg
expect 0 '' curves p.svg 2 t angle multiplier.rod
expect 0 '^p\.svg$' "$sw" plot -o p.svg "$model/pendulum.sw" --columns=q.y -x q.x --steps=50
expect 0 '' curves p.svg 1 q.x q.y
expect 3 'step failed' "$sw" plot "$model/hopf.sw" --step 0.31 -o failed.svg
expect 0 '' curves failed.svg 5 orbit
expect 2 "unknown column 'zz'" "$sw" plot "$model/pendulum.sw" --columns zz -o none.svg
expect 2 'are the same file' "$sw" plot own.sw -o own.sw
true_that 'no picture of what has failed' test ! -e none.svg

finish
