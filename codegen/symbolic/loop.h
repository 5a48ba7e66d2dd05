/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop.h -- the second door of the symbolic stage: families stay loops, and sizes stay variables.
 */
#ifndef SIDEWINDER_LOOP_H
#define SIDEWINDER_LOOP_H

#include "common/diagnostics.h"
#include "expr/expr.h"
#include "expr/loops.h"
#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Differentiates the body of each family once and finds how its constraints slide along their fibres.  The
 * cost does not depend on the sizes.
 *
 * NULL after an error that belongs to a place in the file, which is recorded in *d: what symbolic_lower
 * refuses there, and what cannot be looped, such as a nonlinear function of a sum over a set of any size. */
const ir_loops *symbolic_loop(arena *a, diagnostics *d, const model *m, ir_context *c);

#ifdef __cplusplus
}
#endif

#endif
