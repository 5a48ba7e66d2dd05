/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbolic.h -- the two doors of the symbolic stage: every instance by itself, or families as loops whose sizes stay
 * variables.  GiNaC stays behind them.
 */
#ifndef SIDEWINDER_SYMBOLIC_H
#define SIDEWINDER_SYMBOLIC_H

#include "common/diagnostics.h"
#include "expr/expr.h"
#include "expr/ir_program.h"
#include "expr/loops.h"
#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Unrolls the model, differentiates it, finds its structure and its fibre flow, and lowers everything
 * to the context's normal form.  Cost: proportional to the terms of H and g and the square of the
 * variables that each one reads.
 *
 * NULL after an error that belongs to a place in the file (a pole, a value that is not real), which is
 * recorded in *d.  A model whose fibre flow has no closed form comes back with structure.numerical set, and
 * without the functions of the fibre; structure.pairs are those that may be second class. */
const ir_program *symbolic_lower(arena *a, diagnostics *d, const model *m, ir_context *c);

/* Adds the discrete gradients of H and of the constraints (expr/discrete_gradient.h) to the program of that model.  Returns 0 after an
 * error as above. */
int symbolic_discrete(arena *a, diagnostics *d, const model *m, ir_context *c, ir_program *program);

/* Differentiates the body of each family once and finds how its constraints slide along their fibres.  The
 * cost does not depend on the sizes.
 *
 * NULL after an error that belongs to a place in the file, which is recorded in *d: what symbolic_lower
 * refuses there, and what cannot be looped, such as a nonlinear function of a sum over a set of any size. */
const ir_loops *symbolic_loop(arena *a, diagnostics *d, const model *m, ir_context *c);

/* Adds the discrete gradients of the kernels to the loops of that model.  Returns 0 after an error as above. */
int symbolic_loop_discrete(arena *a, diagnostics *d, const model *m, ir_context *c,
                           ir_loops *loops);

#ifdef __cplusplus
}
#endif

#endif
