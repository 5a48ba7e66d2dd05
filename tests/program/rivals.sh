#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ./dev bench rivals: where no other program is installed it says so in its rows, and what does not make RATTLE's steps is not timed.
# Usage: rivals.sh BENCH_ROUND
set -uo pipefail
round=$1
source tests/program/lib.sh
python=$(python3 -c 'import sys; print(sys.executable)')
mkdir "$work/bin" "$work/nothing" "$work/modules"
echo 'raise ImportError' >"$work/modules/casadi.py"
compare() { # PATH PAGE
  env PATH="$1" PYTHONPATH="$work/modules" PYTHONDONTWRITEBYTECODE=1 "$python" bench/rivals/rivals.py "$round" "$work/data" "$2" 1
}
row() { grep -cE -- "$1" "$work/page.md"; }

printf 'before\n<!-- rivals -->\nan older table\n<!-- end of rivals -->\nafter\n' >"$work/page.md"
expect 0 'GROMACS SETTLE, double \| - \| not installed: .apt-get install gromacs' compare "$work/nothing" "$work/page.md"
true_that 'LAMMPS is missing, too' test "$(row 'LAMMPS fix (rattle|shake), 1e-12 \| - \| not installed: .apt-get install lammps')" -eq 2
true_that 'CasADi is missing, too' test "$(row '(pendulum|chain6), a step \| CasADi, .* \| - \| not installed: .pip install casadi')" -eq 4
true_that 'the table is in its place' test "$(row '^before$|^after$|^<!-- (end of )?rivals -->$')" -eq 4
true_that 'the older one is gone' test "$(row older)" -eq 0
true_that 'what is ours is there' test "$(row '^\| (pendulum|hopf|chain6), a step \| (by hand|straight line|general way|SUNDIALS IDA, 1e-..) \| [0-9]')" -eq 12
true_that 'chains and water by hand, with a ratio of 1' test "$(row '^\| (chain|coil|water) 10+, .* \| by hand \| .* \| 1 \| [0-9]e-1[345] ')" -eq 4
true_that 'no point without a program' test "$(grep -cE '^"(GROMACS|LAMMPS) .*: not here"$' "$work/data/tolerance_water.dat")" -eq 8

# A LAMMPS that leaves everything where it is keeps bonds, and is found out all the same; so is one that moves a node.
fake() { # the lines of Python that change x, the coordinates of node i
  cat >"$work/bin/lmp" <<END
#!$python
rows = open("water.data").read().split("Atoms\n\n")[1].split("\n\n")
x = [[float(word) for word in row.split()[3:]] for row in rows[0].splitlines()]
$1
open("log.lammps", "w").write("Modify  | 0.001 | 0.001 | 0.001 | 0.0 | 90.00\n")
with open("end.dump", "w") as file:
    file.write("head\n" * 9)
    for i, row in enumerate(x):
        file.write(f"{i + 1} {row[0]!r} {row[1]!r} {row[2]!r} 1 0 0\n")
END
  chmod +x "$work/bin/lmp"
}
fake ''
expect 0 'LAMMPS fix rattle, 1e-12 \| - \| bonds are off by 0e\+00 and positions by 1e\+00' compare "$work/bin" "$work/page.md"
fake 'x[7][0] += 0.1'
expect 0 'LAMMPS fix rattle, 1e-12 \| - \| bonds are off by [1-9]e(-01|\+00) ' compare "$work/bin" "$work/page.md"
fake 'raise SystemExit(1)'
expect 0 'LAMMPS fix shake, 1e-12 \| - \| gave up' compare "$work/bin" "$work/page.md"

# A page without a place for the table stays as it is.
echo 'a page' >"$work/other.md"
expect 1 'has no place for the table' compare "$work/nothing" "$work/other.md"
true_that 'and is not changed' test "$(cat "$work/other.md")" = 'a page'
expect 1 'BENCH_ROUND FOLDER PAGE' "$python" bench/rivals/rivals.py
finish
