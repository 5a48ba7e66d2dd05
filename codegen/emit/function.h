/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function.h -- the one writer of a function in C, and what stands in the bodies of all of them.
 */
#ifndef SIDEWINDER_EMIT_FUNCTION_H
#define SIDEWINDER_EMIT_FUNCTION_H

#include "emit/expression.h"
#include "emit/writer.h"

/* Arguments that many functions begin with. */
#define EMIT_SIZES  "const long sizes[]"
#define EMIT_STATE  EMIT_SIZES ", const double z[], const double k[]"
#define EMIT_PIECE  EMIT_SIZES ", long piece, long pieces, const double z[], const double k[]"
#define EMIT_STATES EMIT_SIZES ", const double z[], const double z1[], const double k[]"

/* The function `result name(arguments)`, static: comment, head (declarations of what the body reads), body.  Arguments
 * that neither mentions are marked as unused. */
void emit_function(writer *w, const char *comment, const char *result, const char *name,
                   const char *arguments, const char *head, const char *body);

/* ir_code_create for a quantity, such as "grad H".  A number that is no double is a reason to refuse the model
 * (ir_context_refuse): C would have infinity or 0 in its place. */
const ir_code *emit_code(ir_context *c, int n, const ir_expr *const outputs[],
                         const int size[IR_SPACES], const unsigned char fixed[],
                         const char *quantity);

/* "27 additions, 34 products"; "" where there is nothing to do. */
const char *emit_cost(arena *a, const ir_code *code);

/* "const double a = x, b = y;" while it is written: the lines are broken between variables. */
typedef struct emit_declaration {
  const char *type; /* of what is declared */
  writer *w;
  int indent;
  const char *line; /* what is not written yet; NULL: nothing */
  int is_continued; /* 1 where the line is not the first */
} emit_declaration;

void emit_declare(emit_declaration *d, const char *name, const char *value);
void emit_declared(emit_declaration *d);

/* const double t0 = ...; for all temporaries, and an empty line; nothing where there are none. */
void emit_temporaries(writer *w, arena *a, const ir_code *code, const emit_names *names,
                      int indent);

/* A statement and, where note is not "", what it is for, as a comment behind or before it. */
void emit_noted(writer *w, int indent, const char *statement, const char *note);

#endif
