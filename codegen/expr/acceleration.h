/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * acceleration.h -- the functions of a model that a variational integrator needs besides the others.
 */
#ifndef SIDEWINDER_EXPR_ACCELERATION_H
#define SIDEWINDER_EXPR_ACCELERATION_H

#include "expr/loops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Nodes that one of these functions may have: a C compiler takes a minute for as many in one function, and far longer for more. */
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
