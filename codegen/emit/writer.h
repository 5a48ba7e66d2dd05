/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer.h -- how C is printed: statements, comments, literals, expressions, declarations and
 * functions.
 */
#ifndef SIDEWINDER_EMIT_WRITER_H
#define SIDEWINDER_EMIT_WRITER_H

#include "common/text_writer.h"
#include "emit/c_names.h"
#include "expr/code.h"

#define WRITER_COLUMNS 100

/* Writes a statement that begins with `indent` blanks. It is broken to WRITER_COLUMNS before a
 * binary operator or after a comma, at blanks outside string literals. Later lines are indented by
 * 4 more. */
void writer_statement(writer *w, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes text inside a block comment: each line after `prefix`, without trailing blanks. Sequences
 * that would end the comment or begin another are separated. */
void writer_comment_lines(writer *w, const char *prefix, const char *text);

/* Writes one line of text inside a block comment, escaped in the same manner and broken like a
 * statement. */
void writer_comment_formula(writer *w, const char *prefix, const char *text);

/* 1 if the word occurs in C text outside comments and strings. */
int writer_mentions(const char *text, const char *word);

/* A C string literal, bytes outside printable ASCII as octal escapes. */
const char *writer_literal(arena *a, const char *text);

/* The shortest decimal that reads back as the same double, as a C literal of type double: "0.1",
 * "2.0", "1e-07"; NAN and INFINITY by name. */
const char *writer_double(arena *a, double value);

/* The expression of an operation. An operation with a temporary is written as its name t<n>, unless
 * it is `op` itself and `define` is 1. */
const char *emit_expression(arena *a, const emit_names *names, const ir_op *op, int define);

/* ---- functions, and the statements that all bodies share ---- */

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
void emit_noted(writer *w, int indent, const char *note, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- helpers: small functions that generated code calls and C lacks ---- */

/* Writes the definitions of the helpers that `text`, the functions of a file, calls. */
void emit_helpers(writer *w, const char *text);

/* The same for vectors, in a file that is compiled for several lanes (sidewinder/lanes.h). */
void emit_helpers_in_lanes(writer *w, const char *text);

#endif
