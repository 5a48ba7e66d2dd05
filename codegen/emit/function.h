/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function.h -- one function of the contract as C: comment, inputs, temporaries, outputs.
 */
#ifndef SIDEWINDER_EMIT_FUNCTION_H
#define SIDEWINDER_EMIT_FUNCTION_H

#include "emit/contract.h"
#include "emit/expression.h"
#include "emit/writer.h"
#include "expr/ir_program.h"

/* ir_code_create for a quantity, such as "grad H".  A number that is no double is a reason to refuse the model
 * (ir_context_refuse): C would have infinity or 0 in its place. */
const ir_code *emit_code(ir_context *c, int n, const ir_expr *const outputs[],
                         const int size[IR_SPACES], const char *quantity);

/* "27 additions, 34 products"; "" where there is nothing to do. */
const char *emit_cost(arena *a, const ir_code *code);

/* const double t0 = ...; for all temporaries, and an empty line; nothing where there are none. */
void emit_temporaries(writer *w, arena *a, const ir_code *code, const emit_names *names,
                      int indent);

/* A statement and, where note is not "", what it is for, as a comment behind or before it. */
void emit_noted(writer *w, arena *a, int indent, const char *statement, const char *note);

/* The function, and before it the tables row and col of its pattern if it is a matrix with entries. */
void emit_function(writer *w, arena *a, ir_context *c, const ir_program *p, const emit_names *names,
                   ir_function_id id);

/* (void)a, (void)b; for the arguments that are not used; nothing where all are. */
void emit_unused(writer *w, int n, const char *const arguments[], const unsigned char used[]);

/* The defaults of the parameters, as numbers. */
void emit_parameter_values(writer *w, arena *a, const ir_program *p);

/* z = state(k) as `static void <name>(const long sizes[], const double k[], double z[])`. */
void emit_state(writer *w, arena *a, ir_context *c, const ir_program *p, const emit_names *names,
                const ir_state *state, const char *name);

#endif
