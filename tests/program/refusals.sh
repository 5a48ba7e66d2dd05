#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Models that the theory, or this version, does not cover: exit code 1, and the reason in words.
# Usage: refusals.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

# refused PATTERN, the rest of the model on standard input
refused() {
  { echo "model refused"; cat; } >"$work/refused.sw"
  expect 1 "$1" "$sw" check "$work/refused.sw"
  expect 1 "$1" "$sw" generate "$work/refused.sw" -o "$work/out"
  true_that 'nothing is generated' test ! -e "$work/out/refused.c"
  expect 1 "$1" "$sw" run "$work/refused.sw" --step 0.1 --steps 1
}

refused "'rod' and 'still' are second class" <<'END'
coord x momentum px  coord y momentum py
hamiltonian H = px^2/2 + py^2/2 + y
constraint rod: x^2 + y^2 == 1
constraint still: x*px + y*py == 0
END
refused 'N = \{\{g,H\},g\} is singular for every state, proved' <<'END'
coord q momentum p  coord qbar momentum pbar
hamiltonian H = p^2/2 + pbar*q
constraint c: qbar == 0
END
refused "H conserves 'c' .*: drop it, a run that starts on it stays on it" <<'END'
coord q momentum p  coord qbar momentum pbar
hamiltonian H = p^2/2
constraint c: qbar == 0
END
refused 'no state satisfies all constraints, proved: M is empty' <<'END'
coord x momentum px  coord y momentum py
hamiltonian H = px^2/2 + py^2/2 + y
constraint nowhere: x^2 + y^2 == -1
END
# Elimination proves it for these parameters alone.
refused 'no state satisfies all constraints with the default parameters, proved: M is empty' <<'END'
param c = -1
coord x momentum px  coord y momentum py
hamiltonian H = px^2/2 + py^2/2 + y
constraint nowhere: x^2 + y^2 == c
END
true_that 'the remedy is another parameter' grep -q 'M may have points with other parameters' <("$sw" check "$work/refused.sw")
refused "the derivative of constraint 'twice' vanishes" <<'END'
coord x momentum px  coord y momentum py
hamiltonian H = px^2/2 + py^2/2 + y
constraint twice: (x^2 + y^2 - 1)^2 == 0
init x = 1  init y = 0  init px = 0  init py = 0
END
# M is a plane and a line, on which the gradients span one and two dimensions.
refused 'the gradients of the constraints are dependent on M' <<'END'
coord x momentum px  coord y momentum py  coord w momentum pw
hamiltonian H = px^2/2 + py^2/2 + pw^2/2
constraint one: x*y == 0
constraint same: 2*x*y == 0
constraint other: x*w == 0
init plane: x = 0  init plane: y = 1  init plane: w = 2  init plane: px = 0  init plane: py = 0  init plane: pw = 0
init line: x = 1  init line: y = 0  init line: w = 0  init line: px = 1  init line: py = 0  init line: pw = 0
END
# H does not change along the fibres, which redundant constraints do not excuse.
refused 'N = \{\{g,H\},g\} is singular at all [0-9]+ points of M\^H' <<'END'
coord q momentum p  coord qbar momentum pbar
hamiltonian H = p^2/2
constraint c: qbar == 0
constraint again: 2*qbar == 0
END
# N vanishes on M^H, though not on M.
refused 'singular at all [0-9]+ points of M\^H' <<'END'
coord x momentum px  coord y momentum py
hamiltonian H = x^3/3 + px^2/2 + py^2/2 + y^2/2
constraint still: px == 0
END
# N vanishes on M, though not as an identity.
refused 'singular on all of M, proved' <<'END'
coord x momentum px  coord y momentum py
hamiltonian H = (x^2 + y^2 + px^2 + py^2 - 1)*(x + 2*py + y^2)
constraint sphere: x^2 + y^2 + px^2 + py^2 == 1
END
finish
