/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnostics.h -- errors with file:line:col, the line, a caret, and a suggestion.
 *
 *     models/x.sw:7:14: error: 'thetta' is not declared; did you mean 'theta'?
 *         7 | hamiltonian H = cos(thetta)
 *           |                     ^~~~~~
 *
 * Errors are collected, sorted by position, and printed together, so that one run reports several.
 */
#ifndef SIDEWINDER_COMMON_DIAGNOSTICS_H
#define SIDEWINDER_COMMON_DIAGNOSTICS_H

#include <stdio.h>

#include "common/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A half-open range of bytes in the model's text. */
typedef struct span {
  int begin;
  int end;
} span;

typedef struct diagnostics diagnostics;

/* `file` is the name to print, `text` the model's text (length bytes, arbitrary contents). */
diagnostics *diagnostics_create(arena *a, const char *file, const char *text, size_t length);

/* Records an error.  Only the first 20 are kept; the others are counted. */
void diagnostics_error(diagnostics *d, span where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a second position to the last error ("first declared here"). */
void diagnostics_note(diagnostics *d, span where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

int diagnostics_count(const diagnostics *d);

/* Prints all recorded errors and their count; returns the count. */
int diagnostics_print(const diagnostics *d, FILE *out);

/* The line of a span's beginning, from 1. */
int diagnostics_line(const diagnostics *d, span where);

#ifdef __cplusplus
}
#endif

#endif
