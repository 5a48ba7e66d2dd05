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

/* The program with IR_ACCELERATION and those behind it; the program itself where H is not quadratic in the momenta, or a
 * constraint reads them: the field of the Lagrangian is then not what these functions are.  NULL where they are too large. */
const ir_program *ir_with_acceleration(ir_context *c, const ir_program *p);

/* Likewise the loops with has_directions: of these the runtime makes accelerations. */
const ir_loops *ir_with_directions(ir_context *c, const ir_loops *loops);

#ifdef __cplusplus
}
#endif

#endif
