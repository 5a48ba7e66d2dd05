#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `sidewinder plot`: pictures of what `run` writes, in both formats; what it refuses; and that nothing in a file or in
# its name is a command to gnuplot.
# Usage: plot.sh GENERATOR
set -uo pipefail
sw=$(realpath "$1")
source tests/program/lib.sh
model=$PWD/models
cd "$work" || exit 1
unset DISPLAY TERM

# A whole SVG: well-formed, with some of these texts, and so many curves (paths in groups that gnuplot names).
svg() { # FILE CURVES TEXT...
  python3 - "$@" <<'END'
import sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
space = "{http://www.w3.org/2000/svg}"
assert root.tag == space + "svg", root.tag
texts = ["".join(t.itertext()).strip() for t in root.iter(space + "text")]
curves = [g for g in root.iter(space + "g") if "_plot_" in g.get("id", "")]
assert len(curves) == int(sys.argv[2]), f"{len(curves)} curves"
assert all(len(list(g.iter())) > 1 for g in curves), "an empty curve"
for text in sys.argv[3:]:
    assert text in texts, (text, texts)
END
}

expect 0 '' "$sw" run "$model/hopf.sw" --steps 300 --out h.csv --quiet
expect 0 '' "$sw" run "$model/hopf.sw" --steps 300 --out h.npy --quiet
kinds=(csv npy)
if "$sw" run "$model/hopf.sw" --steps 300 --out h.h5 --quiet 2>/dev/null; then
  kinds+=(h5) # where HDF5 is there
fi
for kind in "${kinds[@]}"; do
  expect 0 '^e\.svg$' "$sw" plot h.$kind energy -o e.svg
  expect 0 '' svg e.svg 1 t energy
  expect 0 '^p\.svg$' "$sw" plot h.$kind q,p.1 hopf_re -o p.svg
  expect 0 '' svg p.svg 4 t q.1 q.2 p.1 hopf_re
  expect 0 '^x\.svg$' "$sw" plot h.$kind q.2 --x q.1 -o x.svg
  expect 0 '' svg x.svg 1 q.1 q.2
  rm -f h.svg
  expect 0 '^h\.svg$' "$sw" plot h.$kind
  expect 0 '' svg h.svg 4 'change of energy' residuals residual_g residual_hidden orbit q.1 q.2
done
true_that 'nothing else is left' test "$(ls | grep -vcE '^(h\.(csv|npy|h5)(\.json)?|[hepx]\.svg|output)$')" -eq 0

# The line of docs/first_model.md for gnuplot.
line=$(grep -oE "^    gnuplot -p -e .*" "$model/../docs/first_model.md")
true_that 'docs/first_model.md has a line for gnuplot' test -n "$line"
cp h.csv traj.csv
expect 0 'traj\.csv. using .t.:.energy.' env GNUTERM=svg bash -c "$line"
true_that 'gnuplot has no complaint' test -z "$(grep -iE 'warning|error|line 0' output)"
rm traj.csv

# One degree of freedom: the orbit is in phase space.  A node that is pinned does not move, so the next one is shown.
expect 0 '' "$sw" run "$model/chain.sw" --size N=5 --steps 100 --every 1 --out c.csv --quiet
expect 0 '' "$sw" plot c.csv
expect 0 '' svg c.svg 4 orbit q.2.x q.2.y
# Any name of an invariant, found in FILE.json.
sed 's/invariant energy/invariant total/' "$model/pendulum.sw" >total.sw
expect 0 '' "$sw" run total.sw --steps 20 --out total.csv --quiet
expect 0 '' "$sw" plot total.csv
expect 0 '' svg total.svg 4 'change of total'
# Some columns only: what there is of them.
expect 0 '' "$sw" run "$model/pendulum.sw" --steps 20 --out some.csv --columns t,energy --quiet
expect 0 '' "$sw" plot some.csv
expect 0 '' svg some.svg 1 'change of energy'
# Files of other programs: quotes, missing values, comments, carriage returns.
printf '# by hand\r\n"t","a b"\r\n0,1\r\n1,NA\r\n2,3\r\n3,\r\n4,5.5\r\n' >other.csv
expect 0 '' "$sw" plot other.csv 'a b'
expect 0 '' svg other.svg 1 'a b'
# A value that does not change, zeros, and a column that is NaN in row 0 alone.
expect 0 '' "$sw" run "$model/hopf_free.sw" --steps 20 --out free.csv --quiet
expect 0 '^free\.svg$' "$sw" plot free.csv
true_that 'gnuplot says nothing' test "$(wc -l <output)" -eq 1

# Many rows are thinned, and a peak is still there.
awk 'BEGIN { print "t,y"; for (i = 0; i < 300000; i++) print i "," (i == 123457 ? 7 : sin(i / 1000)) }' >many.csv
expect 0 '' "$sw" plot many.csv y
expect 0 '' svg many.svg 1 y
true_that 'the picture is small' test "$(stat -c %s many.svg)" -lt 1000000
# Its range is that of the data: the peak makes 7 a number on the axis.
expect 0 '' svg many.svg 1 7

# What is refused: exit codes, messages, and no picture.
rm -f ./*.svg
refused() { # CODE PATTERN WORD...
  local code=$1 pattern=$2
  shift 2
  expect "$code" "$pattern" "$sw" plot "$@"
  true_that "no picture: $*" test -z "$(find . -name '*.svg*')"
}
refused 2 'which file' -o x.svg
refused 2 'which columns over it' h.csv -x t
refused 2 "'h.csv' has no column 'enrgy'; did you mean 'energy'\?" h.csv enrgy
refused 2 "'h.csv' has no column 'q.3'" h.csv q.3
refused 2 "'h.csv' has no column 'u'" h.csv energy -x u
refused 3 'none.csv cannot be read: No such file' none.csv
refused 2 'is not a regular file' /dev/null
refused 2 'is not a regular file' . energy
refused 3 "cannot write 'none/x.svg': No such file" h.csv energy -o none/x.svg
ln h.csv same.csv
refused 2 'are the same file' h.csv energy -o h.csv
refused 2 'are the same file' h.csv energy -o same.csv
printf 't,\033]0;y\n0,1\n' >control.csv
refused 2 "control.csv: the name of column 2 has a control character" control.csv energy
: >empty.csv
refused 2 'empty.csv is empty' empty.csv t
echo t,y >head.csv
refused 2 'has no rows' head.csv y
printf 't,y\n0,1\n1,x\n' >word.csv
refused 2 "word.csv: line 3, column 2 \(y\): 'x' is not a decimal number" word.csv y
printf 't,y\n0,1\n1\n' >short.csv
refused 2 'line 3 has fewer values than the 2 columns of line 1' short.csv y
printf 't,y\n0,1,2\n' >long.csv
refused 2 'line 2 has more values than the 2 columns of line 1' long.csv y
printf 't,y\n0,NaN\n1,nan\n' >nothing.csv
refused 2 "nothing to draw: 'y' has no finite value" nothing.csv y
head -c 300 h.npy >cut.npy
cp h.npy.json cut.npy.json
refused 2 "cut.npy is not the file that its .json is about" cut.npy energy
if [ -e h.h5 ]; then
  head -c 300 h.h5 >cut.h5
  refused 2 'cut.h5 cannot be read as HDF5' cut.h5 energy
  cp h.npy other.h5
  refused 2 'other.h5 cannot be read as HDF5' other.h5 energy
fi
cp h.npy nameless.npy
refused 2 'nameless.npy: the names of its columns are to be in its .json' nameless.npy energy
echo '{"columns": ["t", "energy"]}' >nameless.npy.json
refused 2 'wanted are rows of 2 values, which its .json names' nameless.npy energy
printf '{"columns": [1, 2' >nameless.npy.json
refused 2 'cannot be read' nameless.npy energy
cp "$model/hopf.sw" model.npy
refused 2 'names of its columns' model.npy

# No gnuplot, and one that fails.
mkdir bin
ln -s "$(command -v env)" bin/env
expect 3 'cannot start gnuplot: No such file or directory; install it \(Debian: gnuplot-nox\)' \
  env PATH="$work/bin" "$sw" plot h.csv energy
true_that 'no picture without gnuplot' test -z "$(find . -name '*.svg*')"
printf '#!/bin/sh\nexit 1\n' >bin/gnuplot
chmod +x bin/gnuplot
expect 3 'gnuplot failed' env PATH="$work/bin" "$sw" plot h.csv energy
true_that 'no picture of a gnuplot that fails' test -z "$(find . -name '*.svg*')"

# Names are no commands: neither those of columns nor that of the file, nor a file of settings.
evil="x'; system('touch owned'); '\`touch owned\`\$(touch owned)<b>&\"@END"
printf 't,%s\n0,1\n1,2\n' "$(printf '%s' "$evil" | tr -d '",')" >evil.csv
expect 0 '' "$sw" plot evil.csv "$(printf '%s' "$evil" | tr -d '",')"
expect 0 '' svg evil.svg 1
printf 't,END\n0,1\n1,2\n' >"it's \`touch owned\`.csv"
expect 0 '' "$sw" plot "it's \`touch owned\`.csv" END
expect 0 '' svg "it's \`touch owned\`.svg" 1
mkdir home
echo 'system("touch owned")' >home/.gnuplot
expect 0 '' env HOME="$work/home" "$sw" plot h.csv energy
true_that 'nothing was owned' test -z "$(find . -name owned)"
# A decimal comma in the locale changes nothing.
expect 0 '' env LC_ALL=de_DE.UTF-8 LOCPATH="${GERMAN:-}" "$sw" plot h.csv energy -o german.svg
expect 0 '' "$sw" plot h.csv energy -o plain.svg
true_that 'the same picture' cmp german.svg plain.svg
finish
