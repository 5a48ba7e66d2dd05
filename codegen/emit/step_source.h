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

/* The same file for a model without such a step, for build systems that have to know beforehand which files there will be: it
 * declares nothing that can be used, and says why. */
const char *emit_no_step(arena *a, const char *name, const char *why);

#endif
