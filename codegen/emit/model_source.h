/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_source.h -- the generated file of a model: the only place, with its neighbours, that knows what C looks
 * like.
 */
#ifndef SIDEWINDER_EMIT_MODEL_SOURCE_H
#define SIDEWINDER_EMIT_MODEL_SOURCE_H

#include "emit/head.h"

/* NAME.c: C99, includes NAME.h and <math.h>, exports sw_model_NAME only. */
const char *emit_source(arena *a, ir_context *c, const emit_input *input);

/* NAME.h: declares sw_model_NAME. */
const char *emit_header(arena *a, const emit_input *input);

/* A main that hands the model to sw_program_main_of, with the text of its file and the comments behind its declarations, the
 * functions in H that are not defined everywhere (p: NULL if they are not known), and with its table of witnesses and its
 * step if it has them. */
const char *emit_main(arena *a, const model *m, ir_context *c, const ir_program *p, int witnessed,
                      int has_step);

/* The text of the user's C file `path`, behind what it is told of the model: SW_MODEL is the name of its sw_model; SW_STEPPER that of its
 * step as straight-line code, where it has one; SW_STEPPER_LANES, where those of several trajectories are compiled, too, the list of
 * pointers that sw_options.lanes takes. */
const char *emit_shared(arena *a, const model *m, int has_step, const char *path, const char *text);

#endif
