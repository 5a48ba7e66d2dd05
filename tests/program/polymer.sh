#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ./dev bench polymer: what is ours stands in the table, what is not installed says so, and what does not make RATTLE's steps is not timed.
# Usage: polymer.sh GENERATOR PYTHON
set -uo pipefail
export SIDEWINDER=$1 PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1
python=$2
source tests/program/lib.sh
mkdir "$work/bin"
for tool in cc as ld; do ln -s "$(command -v $tool)" "$work/bin"; done
compare() { # PAGE
  env PATH="$work/bin" "$python" bench/rivals/polymer.py "$work/data" "$1" 1 50
}
row() { grep -cE -- "$1" "$work/page.md"; }

printf 'before\n<!-- polymer -->\nan older table\n<!-- end of polymer -->\nafter\n' >"$work/page.md"
expect 0 'GROMACS SHAKE 1e-12, double \| not installed: .apt-get install gromacs' compare "$work/page.md"
true_that 'LAMMPS is missing, too' test "$(row 'LAMMPS fix (rattle|shake) \| not installed: .apt-get install lammps')" -eq 2
true_that 'the table is in its place' test "$(row '^before$|^after$|^<!-- (end of )?polymer -->$')" -eq 4
true_that 'the older one is gone' test "$(row older)" -eq 0
true_that 'what is ours is there, to round-off' test "$(row '^\| sidewinder, RATTLE, to round-off \| [0-9.]+ \| .* \| [0-9]e-1[4-7] \| [0-9]e-1[5-7] \|$')" -eq 1

# A GROMACS that leaves everything where it is: bonds hold, and it is found out all the same.  (A head of .trr, and the start's numbers.)
cat >"$work/bin/gmx_d" <<END
#!$python
import struct, sys
if "mdrun" in sys.argv:
    with open("start.gro", encoding="ascii") as file:
        lines = file.read().splitlines()[2:-1]
    x = [float(line[i:i + 21]) for line in lines for i in (20, 41, 62)]
    v = [float(line[i:i + 21]) for line in lines for i in (83, 104, 125)]
    n = len(lines)
    with open("run.trr", "wb") as file:
        file.write(struct.pack(">3i", 1993, 13, 12) + b"GMX_trn_file" +
                   struct.pack(">13i", 0, 0, 0, 0, 0, 0, 0, 24 * n, 24 * n, 0, n, 0, 0) + bytes(16) + struct.pack(f">{6 * n}d", *x, *v))
    with open("run.log", "w") as file:
        file.write(" Update  1  1  20  0.1  1\n Constraints  1  1  20  0.1  1\n")
END
chmod +x "$work/bin/gmx_d"
expect 0 'GROMACS SHAKE 1e-12, double \| bonds are off by [0-9]e-1[0-9] and positions by 1e\+00 after 20 steps' compare "$work/page.md"

echo 'a page' >"$work/other.md"
expect 1 'has no place for the table of polymer' compare "$work/other.md"
true_that 'and is not changed' test "$(cat "$work/other.md")" = 'a page'
finish
