/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer.h -- the few habits of C that everything emitted shares.
 */
#ifndef SIDEWINDER_EMIT_WRITER_H
#define SIDEWINDER_EMIT_WRITER_H

#include "common/text_writer.h"

#define WRITER_COLUMNS 100

/* A statement that begins with `indent` blanks and is broken to WRITER_COLUMNS before a binary operator
 * or after a comma; later lines are indented by 4 more.  Breaks only at blanks outside of string
 * literals. */
void writer_statement(writer *w, int indent, const char *text);

/* Text inside a block comment: each line after `prefix`, trailing blanks cut; what could end the comment
 * or start another is pulled apart. */
void writer_comment_lines(writer *w, const char *prefix, const char *text);

/* One line of text inside a block comment, made harmless likewise and broken as a statement is. */
void writer_comment_formula(writer *w, const char *prefix, const char *text);

/* 1 where the word stands in C text, comments and strings left out. */
int writer_mentions(const char *text, const char *word);

/* A C string literal, bytes outside printable ASCII as octal escapes. */
const char *writer_literal(arena *a, const char *text);

/* The shortest decimal that reads back as the same double, as a C literal of type double: "0.1", "2.0",
 * "1e-07"; NAN and INFINITY by name. */
const char *writer_double(arena *a, double value);

#endif
