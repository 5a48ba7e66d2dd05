/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/compose.h -- from the table of a method and a model's expressions to a step.
 */
#ifndef SIDEWINDER_FUSED_COMPOSE_H
#define SIDEWINDER_FUSED_COMPOSE_H

#include "fused/step.h"

/* When entries of the state are moved on: at the end; as soon as nothing changes them any more; or all of them between the two
 * phases that the step then has, where it is cut (fused/step.h). */
typedef enum fused_shape { FUSED_AT_ONCE, FUSED_ADVANCING, FUSED_CUT } fused_shape;

/* The step of the method over that base method, with a carry where it is compensated.  NULL where there is none, and why, a phrase
 * about the model, in *refusal. */
const fused_step *fused_step_compose(ir_context *c, const ir_program *p, const sw_method *method,
                                     const fused_base *base, int compensated, fused_shape shape,
                                     const char **refusal);

#endif
