/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/text_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct writer {
  arena *memory;
  char *text;
  size_t length;
  size_t capacity;
};

writer *writer_create(arena *a)
{
  writer *w = ARENA_NEW(a, writer);
  w->memory = a;
  w->capacity = 128; /* enough for most texts, which are one expression */
  w->text = ARENA_ARRAY(a, w->capacity, char);
  return w;
}

/* Makes room for `length` more bytes and a final NUL. */
static void reserve(writer *w, size_t length)
{
  if (w->length + length + 1 <= w->capacity) {
    return;
  }
  while (w->length + length + 1 > w->capacity) {
    w->capacity *= 2;
  }
  char *larger = ARENA_ARRAY(w->memory, w->capacity, char);
  memcpy(larger, w->text, w->length);
  w->text = larger;
}

void writer_append(writer *w, const char *text, size_t length)
{
  reserve(w, length);
  memcpy(w->text + w->length, text, length);
  w->length += length;
  w->text[w->length] = '\0';
}

void writer_printf(writer *w, const char *format, ...)
{
  va_list args;
  va_list again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (length > 0) {
    reserve(w, (size_t)length);
    vsnprintf(w->text + w->length, (size_t)length + 1, format, again);
    w->length += (size_t)length;
  }
  va_end(again);
}

const char *writer_text(writer *w)
{
  return w->text;
}

arena *writer_memory(const writer *w)
{
  return w->memory;
}
