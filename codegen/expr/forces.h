/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forces.h -- how the forces of a model depend on the momenta.
 */
#ifndef SIDEWINDER_EXPR_FORCES_H
#define SIDEWINDER_EXPR_FORCES_H

#include "expr/loops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kind of the sum of all forces (sidewinder/model.h), from IR_FORCE_JAC and force_target. */
sw_force_kind ir_force_kind(ir_context *c, const ir_program *p);

/* The same for the forces of a looped model, for all sizes. */
sw_force_kind ir_loops_force_kind(ir_context *c, const model *m, const ir_loops *loops);

#ifdef __cplusplus
}
#endif

#endif
