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

/* The program with IR_ACCELERATION and the functions after it.  The program itself if H is not
 * quadratic in the momenta or a constraint reads them, since the field of the Lagrangian is then
 * another one, and if the functions exceed a limit: the attempt has IR_ATTEMPT_MIB_METHOD.  *why
 * is then the reason, a phrase about accelerations; else NULL. */
const ir_program *ir_with_acceleration(ir_context *c, const ir_program *p, const char **why);

/* Likewise the loops with has_directions: of these the runtime makes accelerations. */
const ir_loops *ir_with_directions(ir_context *c, const ir_loops *loops, const char **why);

#ifdef __cplusplus
}
#endif

#endif
