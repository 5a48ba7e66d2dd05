/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer.h -- formatting of the emitted C: line breaks, comments, literals.
 */
#ifndef SIDEWINDER_EMIT_WRITER_H
#define SIDEWINDER_EMIT_WRITER_H

#include "common/text_writer.h"

#define WRITER_COLUMNS 100

/* Writes a statement that begins with `indent` blanks. It is broken to WRITER_COLUMNS before a
 * binary operator or after a comma, at blanks outside string literals. Later lines are indented by
 * 4 more. */
void writer_statement(writer *w, int indent, const char *text);

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

#endif
