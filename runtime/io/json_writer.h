/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/json_writer.h -- writes JSON (RFC 8259) directly to a stream, so that a list of a million
 * names needs no memory.
 *
 * The caller opens and closes objects and arrays.  The key is NULL for elements of arrays.  The
 * thread's locale must have a decimal point.
 */
#ifndef SIDEWINDER_IO_JSON_WRITER_H
#define SIDEWINDER_IO_JSON_WRITER_H

#include <stdio.h>

typedef struct sw_json {
  FILE *file;
  int depth;
  int empty; /* 1 if nothing has been written since the last opening bracket */
} sw_json;

/* bracket: '{' or '[' to open, '}' or ']' to close.  Closing the outermost bracket ends the
 * line. */
void sw_json_open(sw_json *json, const char *key, char bracket);
void sw_json_close(sw_json *json, char bracket);

/* Writes text as valid UTF-8: each invalid byte becomes U+FFFD. text NULL becomes null. */
void sw_json_text(sw_json *json, const char *key, const char *text);

/* The shortest decimal number that is read back as the same bits; null if x is not finite. */
void sw_json_number(sw_json *json, const char *key, double x);
void sw_json_integer(sw_json *json, const char *key, long n);
void sw_json_flag(sw_json *json, const char *key, int yes);
void sw_json_null(sw_json *json, const char *key);

#endif
