/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/json_writer.h"

#include <math.h>
#include <string.h>

#include "common/user_text.h"
#include "common/utf8.h"

static void put_string(FILE *file, const char *text)
{
  fputc('"', file);
  while (*text != '\0') {
    unsigned code = 0;
    size_t length = utf8_decode(text, strnlen(text, 4), &code);
    if (code == '"' || code == '\\') {
      fprintf(file, "\\%c", (int)code);
    } else if (code == '\n') {
      fputs("\\n", file);
    } else if (length > 0 && (code < ' ' || code == 0x7f)) {
      fprintf(file, "\\u%04x", code);
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

/* Writes the separator, the line break and the key before a value. */
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
  if (text == NULL) {
    sw_json_null(json, key);
    return;
  }
  begin_value(json, key);
  put_string(json->file, text);
}

void sw_json_number(sw_json *json, const char *key, double x)
{
  char text[SW_TEXT_NUMBER];
  begin_value(json, key);
  fputs(isfinite(x) ? sw_text_shortest(x, text) : "null", json->file);
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
