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
refused 'N = \{\{g,H\},g\} is singular at every sampled point of M\^H' <<'END'
coord q momentum p  coord qbar momentum pbar
hamiltonian H = p^2/2 + pbar*q
constraint c: qbar == 0
END
refused 'N = \{\{g,H\},g\} is singular at every sampled point of M\^H' <<'END'
coord q momentum p  coord qbar momentum pbar
hamiltonian H = p^2/2
constraint c: qbar == 0
END
refused 'no point was found that satisfies all constraints' <<'END'
coord x momentum px  coord y momentum py
hamiltonian H = px^2/2 + py^2/2 + y
constraint nowhere: x^2 + y^2 == -1
END
refused "the derivative of constraint 'twice' vanishes" <<'END'
coord x momentum px  coord y momentum py
hamiltonian H = px^2/2 + py^2/2 + y
constraint twice: (x^2 + y^2 - 1)^2 == 0
init x = 1  init y = 0  init px = 0  init py = 0
END
# `check` breaks this line.
refused 'their gradients span 1 dimensions, not' <<'END'
coord x momentum px  coord y momentum py
hamiltonian H = px^2/2 + py^2/2 + y
constraint one: x^2 + y^2 == 1
constraint same: 2*x^2 + 2*y^2 == 2
END
# N vanishes on M^H, though not on M.
refused 'singular at every sampled point of M\^H' <<'END'
coord x momentum px  coord y momentum py
hamiltonian H = x^3/3 + px^2/2 + py^2/2 + y^2/2
constraint still: px == 0
END
# N vanishes on M, though not as an identity.
refused 'singular at every sampled point of M\^H' <<'END'
coord x momentum px  coord y momentum py
hamiltonian H = (x^2 + y^2 + px^2 + py^2 - 1)*(x + 2*py + y^2)
constraint sphere: x^2 + y^2 + px^2 + py^2 == 1
END
finish
