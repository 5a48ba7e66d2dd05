/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function.h -- the writer of every C function, and the statements that all bodies share.
 */
#ifndef SIDEWINDER_EMIT_FUNCTION_H
#define SIDEWINDER_EMIT_FUNCTION_H

#include "emit/expression.h"
#include "emit/writer.h"

/* Leading arguments of many functions. */
#define EMIT_SIZES  "const long sizes[]"
#define EMIT_STATE  EMIT_SIZES ", const double z[], const double k[]"
#define EMIT_PIECE  EMIT_SIZES ", long piece, long pieces, const double z[], const double k[]"
#define EMIT_STATES EMIT_SIZES ", const double z[], const double z1[], const double k[]"

/* Writes the static function `result name(arguments)`: comment, head (declarations of the variables
 * that the body reads), body. Arguments that neither head nor body mentions are marked as
 * unused. */
void emit_function(writer *w, const char *comment, const char *result, const char *name,
                   const char *arguments, const char *head, const char *body);

/* ir_code_create for a quantity, such as "grad H". A number that is no double rejects the model
 * (ir_context_refuse), because C would replace it by infinity or 0. */
const ir_code *emit_code(ir_context *c, int n, const ir_expr *const outputs[],
                         const int size[IR_SPACES], const unsigned char fixed[],
                         const char *quantity);

/* "27 additions, 34 products"; "" if the code has no operations. */
const char *emit_cost(arena *a, const ir_code *code);

/* A declaration "const double a = x, b = y;" under construction. Lines are broken between
 * variables. */
typedef struct emit_declaration {
  const char *type; /* type of the variables */
  writer *w;
  int indent;
  const char *line; /* text not written yet, or NULL */
  int is_continued; /* 1 if the line is not the first */
} emit_declaration;

void emit_declare(emit_declaration *d, const char *name, const char *value);
void emit_declared(emit_declaration *d);

/* Writes const double t0 = ...; for all temporaries, and an empty line; nothing if there are no
 * temporaries. */
void emit_temporaries(writer *w, arena *a, const ir_code *code, const emit_names *names,
                      int indent);

/* Writes a statement and, unless note is "", a comment with the note after or before it. */
void emit_noted(writer *w, int indent, const char *statement, const char *note);

#endif
