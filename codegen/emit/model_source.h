/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_source.h -- the generated files of a model. Only this folder knows the syntax of C.
 */
#ifndef SIDEWINDER_EMIT_MODEL_SOURCE_H
#define SIDEWINDER_EMIT_MODEL_SOURCE_H

#include "emit/tables.h"
#include "sidewinder/witness.h"

/* NAME.c: C99, includes NAME.h and <math.h>, exports only sw_model_NAME. */
const char *emit_source(arena *a, ir_context *c, const emit_input *input);

/* NAME_lifted.c: exports only sw_model_NAME_lifted, for the input of the lifted model
 * (language/rewrite.h). */
const char *emit_lifted(arena *a, ir_context *c, const emit_input *input, const char *name);

/* NAME.h: declares sw_model_NAME. */
const char *emit_header(arena *a, const emit_input *input);

/* Writes the table `partial` of sw_partial_function, such as {"1/sin(th)^2", "th"}: a function in H
 * that is not defined everywhere, and the coordinates and momenta that it reads (p: NULL if they
 * are unknown). */
void emit_partial_functions(writer *w, arena *a, ir_context *c, const ir_program *p);

/* A main function that calls sw_program_main_of for the model. It passes the text of the model
 * file, the comments of its declarations, and the functions in H that are not defined everywhere
 * (p: NULL if they are unknown). It also passes the table of witnesses and the step if the model
 * has them. */
const char *emit_main(arena *a, const model *m, ir_context *c, const ir_program *p, int witnessed,
                      int has_step);

/* The text of the user's C file `path`, after macros that describe the model:
 * - SW_MODEL: the name of its sw_model;
 * - SW_STEPPER: the name of its step as straight-line code, if it has one;
 * - SW_STEPPER_LANES: the list of pointers for sw_options.lanes, if steps of several trajectories
 *   are compiled as well. */
const char *emit_shared(arena *a, const model *m, int has_step, const char *path, const char *text);

/* NAME_step.c of a small model, its step as straight-line functions: for in->step_method over
 * in->step_base. It exports sw_stepper_NAME. NULL if there is no such step; *refusal then gives the
 * reason, a phrase about the model. */
const char *emit_step_source(arena *a, ir_context *c, const emit_input *in, const char **refusal);

/* The file of a model without such a step, for build systems that need to know all file names in
 * advance. It declares nothing and gives the reason in a comment. */
const char *emit_no_step(arena *a, const char *name, const char *why);

/* NAME.witness.c: C99, includes sidewinder/witness.h, exports only sw_witness_of_NAME. */
const char *emit_witness_table(arena *a, const model *m, const sw_witness *table);

#endif
