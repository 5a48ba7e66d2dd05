/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit/step_source.h -- the file NAME_step.c of a small model: its step as straight-line functions.
 */
#ifndef SIDEWINDER_EMIT_STEP_SOURCE_H
#define SIDEWINDER_EMIT_STEP_SOURCE_H

#include "emit/head.h"

/* NAME_step.c for in->step_method over in->step_base, which exports sw_stepper_NAME.  NULL where there is none,
 * and why, a phrase about the model, in *refusal. */
const char *emit_step_source(arena *a, ir_context *c, const emit_input *in, const char **refusal);

#endif
