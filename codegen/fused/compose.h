/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/compose.h -- composition of a step from the table of a method and a model's expressions.
 */
#ifndef SIDEWINDER_FUSED_COMPOSE_H
#define SIDEWINDER_FUSED_COMPOSE_H

#include "fused/step.h"

/* When entries of the state are updated: AT_ONCE: at the end. ADVANCING: as soon as they are final.
 * CUT: the step has two phases, and all entries are updated between them (fused/step.h). */
typedef enum fused_shape { FUSED_AT_ONCE, FUSED_ADVANCING, FUSED_CUT } fused_shape;

/* Composes the step of a method over a base method, with a carry if it is compensated. Returns NULL
 * if there is no such step; *refusal then gives the reason, a phrase about the model. */
const fused_step *fused_step_compose(ir_context *c, const ir_program *p, const sw_method *method,
                                     const fused_base *base, int compensated, fused_shape shape,
                                     const char **refusal);

#endif
