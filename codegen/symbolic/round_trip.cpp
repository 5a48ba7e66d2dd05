// SPDX-License-Identifier: GPL-2.0-or-later
// round_trip.cpp -- IR to GiNaC and back must be the identity.
#include "symbolic/exact.h"
#include "symbolic/symbolic.h"

int symbolic_round_trip(const model *m, ir_context *c, const ir_program *program)
{
  const sidewinder::Symbols symbols(*m);
  sidewinder::Raising raise(symbols);
  sidewinder::Lowering lower(c, symbols);
  int different = 0;
  for (const ir_function &f : program->functions) {
    for (int i = 0; i < f.n; i++) {
      different += lower(raise(f.entries[i].value)) != f.entries[i].value;
    }
  }
  return different;
}
