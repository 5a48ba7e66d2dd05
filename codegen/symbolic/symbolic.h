/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbolic.h -- the interface of the symbolic stage.  The model is either unrolled, or lowered to
 * loops whose sizes stay variables.  No caller sees GiNaC.
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

/* Unrolls the model, differentiates it, finds its structure and its fibre flow, and lowers
 * everything to the context's normal form.  Cost: proportional to the number of terms of H and
 * g, and to the square of the number of variables that a term reads.
 *
 * Returns NULL after an error with a location in the file (a pole, a value that is not real),
 * which is recorded in *d.  If the fibre flow has no closed form, structure.numerical is set and
 * the functions of the fibre are missing; structure.pairs then lists the pairs that may be
 * second class. */
const ir_program *symbolic_lower(arena *a, diagnostics *d, const model *m, ir_context *c);

/* Adds the discrete gradients of H and of the constraints (expr/discrete_gradient.h) to the
 * program of this model.  Returns 0 after an error, which is recorded in *d. */
int symbolic_discrete(arena *a, diagnostics *d, const model *m, ir_context *c, ir_program *program);

/* Differentiates the body of each family once, and finds the fibre flow of each family of
 * constraints.  The cost does not depend on the sizes.
 *
 * Returns NULL after an error with a location in the file, which is recorded in *d: the errors
 * of symbolic_lower, and models that have no looped form, such as a nonlinear function of a sum
 * over a set of any size. */
const ir_loops *symbolic_loop(arena *a, diagnostics *d, const model *m, ir_context *c);

/* Adds the discrete gradients of the kernels to the loops of this model.  Returns 0 after an
 * error, which is recorded in *d. */
int symbolic_loop_discrete(arena *a, diagnostics *d, const model *m, ir_context *c,
                           ir_loops *loops);

#ifdef __cplusplus
}
#endif

#endif
