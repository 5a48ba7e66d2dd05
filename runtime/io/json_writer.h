/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/json_writer.h -- writes JSON (RFC 8259) as it goes, so that a list of a million names needs no memory.
 *
 * The caller opens and closes objects and arrays, and gives a key to what stands in an object and NULL to what
 * stands in an array.  The thread's locale must have a decimal point.
 */
#ifndef SIDEWINDER_IO_JSON_WRITER_H
#define SIDEWINDER_IO_JSON_WRITER_H

#include <stdio.h>

typedef struct sw_json {
  FILE *file;
  int depth;
  int empty; /* 1 where nothing stands behind the last bracket yet */
} sw_json;

/* The bracket is '{' or '['; sw_json_close takes its opposite.  The text ends with a line break. */
void sw_json_open(sw_json *json, const char *key, char bracket);
void sw_json_close(sw_json *json, char bracket);

/* Text becomes valid UTF-8: each byte that is not becomes U+FFFD; null for NULL. */
void sw_json_text(sw_json *json, const char *key, const char *text);

/* The shortest decimal number that is read back as the same bits; null where x is not finite. */
void sw_json_number(sw_json *json, const char *key, double x);
void sw_json_integer(sw_json *json, const char *key, long n);
void sw_json_flag(sw_json *json, const char *key, int yes);
void sw_json_null(sw_json *json, const char *key);

#endif
