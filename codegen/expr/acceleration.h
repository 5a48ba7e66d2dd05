/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * acceleration.h -- the additional functions that a variational integrator needs.
 */
#ifndef SIDEWINDER_EXPR_ACCELERATION_H
#define SIDEWINDER_EXPR_ACCELERATION_H

#include "expr/loops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of nodes in one of these functions.  A C compiler needs about a minute for one
 * function of this size, and far longer beyond it. */
#define ACCELERATION_MOST 20000

/* Adds IR_ACCELERATION and the functions after it to a copy of the program.  Returns the program
 * itself if H is not quadratic in the momenta or a constraint reads momenta: these functions then
 * do not describe the field of the Lagrangian.  Returns NULL if the functions are too large. */
const ir_program *ir_with_acceleration(ir_context *c, const ir_program *p);

/* The counterpart for loops: sets has_directions, from which the runtime computes accelerations. */
const ir_loops *ir_with_directions(ir_context *c, const ir_loops *loops);

#ifdef __cplusplus
}
#endif

#endif
