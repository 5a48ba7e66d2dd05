/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/json_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length of the character that begins at text, as Unicode 15, table 3-7, has it; 0 where there is none. */
static size_t utf8_length(const char *text)
{
  const unsigned char *at = (const unsigned char *)text;
  unsigned char low = 0x80;
  unsigned char high = 0xbf;
  size_t length = at[0] < 0x80                    ? 1
                  : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                  : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                  : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                  : 0;
  low = at[0] == 0xe0 ? 0xa0 : at[0] == 0xf0 ? 0x90 : low;
  high = at[0] == 0xed ? 0x9f : at[0] == 0xf4 ? 0x8f : high;
  for (size_t i = 1; i < length; i++) {
    if (at[i] < low || at[i] > high) {
      return 0;
    }
    low = 0x80;
    high = 0xbf;
  }
  return length;
}

static void put_string(FILE *file, const char *text)
{
  fputc('"', file);
  while (*text != '\0') {
    size_t length = utf8_length(text);
    unsigned char first = (unsigned char)*text;
    if (first == '"' || first == '\\') {
      fprintf(file, "\\%c", first);
    } else if (first < ' ' || first == 0x7f) {
      fprintf(file, "\\u%04x", (unsigned)first);
    } else if (length == 0) {
      fputs("\\ufffd", file);
    } else {
      fwrite(text, 1, length, file);
    }
    text += length == 0 ? 1 : length;
  }
  fputc('"', file);
}

static void begin_line(sw_json *json)
{
  fputc('\n', json->file);
  for (int i = 0; i < json->depth; i++) {
    fputs("  ", json->file);
  }
}

/* What stands before a value. */
static void begin_value(sw_json *json, const char *key)
{
  if (json->depth > 0) {
    if (!json->empty) {
      fputc(',', json->file);
    }
    begin_line(json);
  }
  json->empty = 0;
  if (key != NULL) {
    put_string(json->file, key);
    fputs(": ", json->file);
  }
}

void sw_json_open(sw_json *json, const char *key, char bracket)
{
  begin_value(json, key);
  fputc(bracket, json->file);
  json->depth++;
  json->empty = 1;
}

void sw_json_close(sw_json *json, char bracket)
{
  json->depth--;
  if (!json->empty) {
    begin_line(json);
  }
  json->empty = 0;
  fputc(bracket, json->file);
  if (json->depth == 0) {
    fputc('\n', json->file);
  }
}

void sw_json_text(sw_json *json, const char *key, const char *text)
{
  begin_value(json, key);
  put_string(json->file, text);
}

void sw_json_number(sw_json *json, const char *key, double x)
{
  char text[32] = "null";
  for (int digits = 15; digits <= 17 && isfinite(x); digits++) {
    snprintf(text, sizeof text, "%.*g", digits, x);
    if (strtod(text, NULL) == x) {
      break;
    }
  }
  begin_value(json, key);
  fputs(text, json->file);
}

void sw_json_integer(sw_json *json, const char *key, long n)
{
  begin_value(json, key);
  fprintf(json->file, "%ld", n);
}

void sw_json_flag(sw_json *json, const char *key, int yes)
{
  begin_value(json, key);
  fputs(yes ? "true" : "false", json->file);
}

void sw_json_null(sw_json *json, const char *key)
{
  begin_value(json, key);
  fputs("null", json->file);
}
