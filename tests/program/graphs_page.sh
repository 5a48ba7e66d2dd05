#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The commands of docs/graphs.md do what the page says.
# Usage: graphs_page.sh GENERATOR PYTHON
set -uo pipefail
sw=$(realpath "$1")
python=$2
page=$PWD/docs/graphs.md
source tests/program/lib.sh
export PYTHONPATH=$PWD/python PYTHONDONTWRITEBYTECODE=1
mkdir "$work/run"
ln -s "$PWD/examples" "$PWD/models" "$work/run"
cd "$work/run" || exit 1

commands=0
while read -r program words; do
  # shellcheck disable=SC2086 # words are split as the shell would
  case $program in
  sidewinder) expect 0 '' "$sw" $words ;;
  python3) expect 0 '' "$python" $words ;;
  esac
  cp "$work/output" "output_$((++commands))"
done < <(sed -nE 's/^    ((sidewinder|python3) .*)/\1/p' "$page")
true_that 'the page has its six commands' test "$commands" -eq 6

# What a command has printed that fits, with no more than six digits behind a point, is on the page.
is_shown() { # the number of the command, a line that it prints
  local line
  line=$(grep -E -- "$2" "output_$1" | sed -E 's/([0-9]\.[0-9]{6})[0-9]*/\1/g')
  true_that "the page shows '$2'" test -n "$line"
  true_that "the page shows '$line'" grep -qF -- "$line" <(sed -E 's/([0-9]\.[0-9]{6})[0-9]*/\1/g' "$page")
}
is_shown 2 '^projection'
is_shown 2 '^Newton'
is_shown 2 '^energy'
true_that 'statics: bars 31 and 36, and a support' grep -qE '^0\.001,-5090\.(5|49999)[0-9]*,-447\.213595[0-9]*,4052\.(5|49999)' output_3
is_shown 6 '^energy'
true_that 'a frame of the alkane is 100 atoms' test "$(sed -n 1p alkane.xyz)" = 100
expect 0 '' "$sw" run models/four_bar.sw --step 0.1 --steps 20 --columns t,q --out written.csv
cat >agree.py <<'END'
import numpy
data, written = (numpy.genfromtxt(name, delimiter=",", skip_header=1) for name in ("four_bar.csv", "written.csv"))
assert data.shape == (21, 9), data.shape
assert abs(data[:, 3:7] - written[:, 1:]).max() < 1e-11 and abs(written[-1, 1] - written[0, 1]) > 1e-3
END
expect 0 '' "$python" agree.py
finish
