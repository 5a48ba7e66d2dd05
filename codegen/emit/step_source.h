/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit/step_source.h -- the file NAME_step.c of a small model: its step as straight-line functions.
 */
#ifndef SIDEWINDER_EMIT_STEP_SOURCE_H
#define SIDEWINDER_EMIT_STEP_SOURCE_H

#include "emit/tables.h"

/* NAME_step.c for in->step_method over in->step_base, which exports sw_stepper_NAME. NULL if there
 * is no such step; *refusal then gives the reason, a phrase about the model. */
const char *emit_step_source(arena *a, ir_context *c, const emit_input *in, const char **refusal);

/* The file of a model without such a step, for build systems that need to know all file names in
 * advance. It declares nothing and gives the reason in a comment. */
const char *emit_no_step(arena *a, const char *name, const char *why);

#endif
