/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/diagnostics.h"

#include <stdarg.h>
#include <string.h>

#include "common/utf8.h"

#define MAX_ERRORS 20
#define MAX_LINE   160        /* limit on the shown bytes of a line */
#define MAX_TEXT   (16 << 20) /* limit on offsets; later positions count as the end */

typedef struct message {
  span where;
  const char *text;
} message;

typedef struct record {
  message error;
  message *notes;
  size_t n_notes;
  size_t room;
} record;

struct diagnostics {
  arena *memory;
  const char *file;
  const char *text;
  int length;
  int *lines; /* offset of each line */
  size_t n_lines;
  int count;
  record errors[MAX_ERRORS];
};

static int clamp(int value, int low, int high)
{
  return value < low ? low : value > high ? high : value;
}

diagnostics *diagnostics_create(arena *a, const char *file, const char *text, size_t length)
{
  diagnostics *d = ARENA_NEW(a, diagnostics);
  d->memory = a;
  d->file = file;
  d->text = text;
  d->length = length > MAX_TEXT ? MAX_TEXT : (int)length;
  size_t lines = 1;
  for (int i = 0; i < d->length; i++) {
    lines += text[i] == '\n';
  }
  d->lines = ARENA_ARRAY(a, lines, int);
  d->n_lines = 1;
  for (int i = 0; i < d->length; i++) {
    if (text[i] == '\n') {
      d->lines[d->n_lines++] = i + 1;
    }
  }
  return d;
}

void diagnostics_error(diagnostics *d, span where, const char *format, ...)
{
  int place = d->count;
  if (d->count < 1000000000) {
    d->count++;
  }
  if (place >= MAX_ERRORS) {
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  d->errors[place].error.where = where;
  d->errors[place].error.text = arena_vprintf(d->memory, format, arguments);
  va_end(arguments);
}

void diagnostics_note(diagnostics *d, span where, const char *format, ...)
{
  if (d->count == 0 || d->count > MAX_ERRORS) {
    return;
  }
  record *r = &d->errors[d->count - 1];
  r->notes = arena_grow(d->memory, r->notes, r->n_notes, &r->room, sizeof *r->notes);
  va_list arguments;
  va_start(arguments, format);
  r->notes[r->n_notes].where = where;
  r->notes[r->n_notes].text = arena_vprintf(d->memory, format, arguments);
  r->n_notes++;
  va_end(arguments);
}

int diagnostics_count(const diagnostics *d)
{
  return d->count;
}

int diagnostics_line(const diagnostics *d, span where)
{
  int place = clamp(where.begin, 0, d->length);
  size_t low = 0; /* invariant: line `low` begins at or before the position */
  size_t high = d->n_lines;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (d->lines[middle] <= place) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return (int)low + 1;
}

/* ---- printing ---- */

/* The length of the first character in bytes; 1 for an invalid sequence. */
static int character_length(const char *text, int length)
{
  unsigned code = 0;
  size_t n = utf8_decode(text, (size_t)length, &code);
  return n == 0 ? 1 : (int)n;
}

/* Prints text on one line, with '?' for control characters and invalid bytes, which could upset a
 * terminal. */
static void print_text(FILE *out, const char *text, int length)
{
  for (int i = 0; i < length; i += character_length(text + i, length - i)) {
    unsigned code = 0;
    size_t n = utf8_decode(text + i, (size_t)(length - i), &code);
    if (code == '\t') {
      putc(' ', out);
    } else if (n == 0 || utf8_is_control(code)) {
      putc('?', out);
    } else {
      fwrite(text + i, 1, n, out);
    }
  }
}

/* Prints `mark` under every character of a text. */
static void print_marks(FILE *out, char mark, const char *text, int length)
{
  for (int i = 0; i < length; i += character_length(text + i, length - i)) {
    putc(mark, out);
  }
}

/* Moves a position back to the first byte of its character. */
static int character_start(const char *text, int place, int low)
{
  int start = place;
  while (start > low && place - start < 3 && ((unsigned char)text[start] & 0xC0) == 0x80) {
    start--;
  }
  return start;
}

/* The visible part of the caret's line, without the line end. */
static span window(const diagnostics *d, int line, int caret)
{
  int begin = d->lines[line - 1];
  int end = d->length;
  if ((size_t)line < d->n_lines) {
    end = d->lines[line] - 1;
    end -= end > begin && d->text[end - 1] == '\r';
  }
  if (end - begin <= MAX_LINE) {
    return (span){begin, end};
  }
  int from = clamp(caret - MAX_LINE / 2, begin, end - MAX_LINE);
  int to = from + MAX_LINE;
  return (span){character_start(d->text, from, begin),
                to < end ? character_start(d->text, to, from) : end};
}

/* The line of a message.  Below it are a caret and tildes up to the end of the span or line. */
static void print_excerpt(FILE *out, const diagnostics *d, span where)
{
  int line = diagnostics_line(d, where);
  span shown = window(d, line, where.begin);
  int caret = clamp(where.begin, shown.begin, shown.end);
  int stop = clamp(where.end, caret, shown.end);
  int cut_left = shown.begin > d->lines[line - 1];
  int cut_right = shown.end < d->length && d->text[shown.end] != '\n' && d->text[shown.end] != '\r';

  int width = fprintf(out, "%5d", line);
  fprintf(out, " | %s", cut_left ? "..." : "");
  print_text(out, d->text + shown.begin, shown.end - shown.begin);
  fprintf(out, "%s\n%*s | %s", cut_right ? "..." : "", width, "", cut_left ? "   " : "");
  print_marks(out, ' ', d->text + shown.begin, caret - shown.begin);
  putc('^', out);
  if (stop > caret) {
    int first = character_length(d->text + caret, stop - caret);
    print_marks(out, '~', d->text + caret + first, stop - caret - first);
  }
  putc('\n', out);
}

static void print_message(FILE *out, const diagnostics *d, const char *kind, const message *m)
{
  int line = diagnostics_line(d, m->where);
  int column = clamp(m->where.begin, 0, d->length) - d->lines[line - 1] + 1;
  print_text(out, d->file, (int)strlen(d->file));
  fprintf(out, ":%d:%d: %s: ", line, column, kind);
  print_text(out, m->text, (int)strlen(m->text));
  putc('\n', out);
  print_excerpt(out, d, m->where);
}

int diagnostics_print(const diagnostics *d, FILE *out)
{
  int kept = d->count < MAX_ERRORS ? d->count : MAX_ERRORS;
  int order[MAX_ERRORS];
  for (int i = 0; i < kept; i++) {
    int j = i; /* insertion sort: stable for equal positions */
    for (; j > 0 && d->errors[order[j - 1]].error.where.begin > d->errors[i].error.where.begin;
         j--) {
      order[j] = order[j - 1];
    }
    order[j] = i;
  }
  for (int i = 0; i < kept; i++) {
    const record *r = &d->errors[order[i]];
    print_message(out, d, "error", &r->error);
    for (size_t k = 0; k < r->n_notes; k++) {
      print_message(out, d, "note", &r->notes[k]);
    }
  }
  if (d->count > kept) {
    fprintf(out, "%d errors; %d more not shown\n", kept, d->count - kept);
  } else if (kept > 0) {
    fprintf(out, "%d error%s\n", kept, kept == 1 ? "" : "s");
  }
  return d->count;
}
