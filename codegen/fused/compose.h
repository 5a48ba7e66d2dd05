/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/compose.h -- from the table of a method and a model's expressions to a step.
 */
#ifndef SIDEWINDER_FUSED_COMPOSE_H
#define SIDEWINDER_FUSED_COMPOSE_H

#include "fused/step.h"

/* The step of the method over that base method, with a carry where it is compensated.  may_advance: whether entries of the state may be moved on
 * before the end.  NULL where there is none, and why, a phrase about the model, in *refusal. */
const fused_step *fused_step_compose(ir_context *c, const ir_program *p, const sw_method *method,
                                     const sw_tableau *base, int compensated, int may_advance,
                                     const char **refusal);

#endif
