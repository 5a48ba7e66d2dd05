/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * acceleration.h -- the functions of a model that a variational integrator needs besides the others.
 */
#ifndef SIDEWINDER_EXPR_ACCELERATION_H
#define SIDEWINDER_EXPR_ACCELERATION_H

#include "expr/ir_program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The program with IR_ACCELERATION and those behind it; the program itself where H is not quadratic in the momenta, or a
 * constraint reads them: the field of the Lagrangian is then not what these functions are. */
const ir_program *ir_with_acceleration(ir_context *c, const ir_program *p);

#ifdef __cplusplus
}
#endif

#endif
