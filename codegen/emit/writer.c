/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/writer.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/user_text.h"

/* Position at which to break a line of at most `room` bytes; the first later one if there is none;
 * 0 if there is none at all. */
static size_t break_point(const char *text, size_t room)
{
  size_t best = 0;
  int quoted = 0;
  for (size_t i = 0; text[i] && (i <= room || best == 0); i++) {
    if (quoted && text[i] == '\\' && text[i + 1]) {
      i++;
      continue;
    }
    if (text[i] == '"') {
      quoted = !quoted;
    }
    if (quoted || text[i] != ' ' || i == 0) {
      continue;
    }
    char before = text[i - 1];
    char after = text[i + 1];
    if (before == ',' || (after && strchr("+-*/", after) && text[i + 2] == ' ')) {
      best = i;
    }
  }
  return best;
}

/* `first` begins the first line and `next` each later one. */
static void write_broken(writer *w, const char *first, const char *next, const char *text)
{
  const char *lead = first;
  while (strlen(lead) + strlen(text) > WRITER_COLUMNS) {
    size_t at = break_point(text, WRITER_COLUMNS - strlen(lead));
    if (at == 0) {
      break;
    }
    writer_append(w, lead, strlen(lead));
    writer_append(w, text, at);
    writer_append(w, "\n", 1);
    text += at + 1;
    lead = next;
  }
  writer_append(w, lead, strlen(lead));
  writer_append(w, text, strlen(text));
  writer_append(w, "\n", 1);
}

void writer_statement(writer *w, int indent, const char *text)
{
  write_broken(w, arena_printf(writer_memory(w), "%*s", indent, ""),
               arena_printf(writer_memory(w), "%*s", indent + 4, ""), text);
}

void writer_comment_formula(writer *w, const char *prefix, const char *text)
{
  writer *inert = writer_create(writer_memory(w));
  writer_comment_lines(inert, "", text);
  char *line = arena_strdup(writer_memory(w), writer_text(inert));
  line[strcspn(line, "\n")] = '\0';
  write_broken(w, prefix, arena_printf(writer_memory(w), "%s    ", prefix), line);
}

void writer_comment_lines(writer *w, const char *prefix, const char *text)
{
  while (*text) {
    size_t length = strcspn(text, "\n");
    size_t shown = length;
    while (shown > 0 && (text[shown - 1] == ' ' || text[shown - 1] == '\r')) {
      shown--;
    }
    size_t lead = strlen(prefix);
    while (shown == 0 && lead > 0 && prefix[lead - 1] == ' ') {
      lead--;
    }
    writer_append(w, prefix, lead);
    for (size_t i = 0; i < shown; i++) {
      writer_append(w, text + i, 1);
      char a = text[i];
      char b = text[i + 1]; /* the next character, or the terminator */
      if ((a == '*' && b == '/') || (a == '/' && b == '*') || (a == '?' && b == '?')) {
        writer_append(w, " ", 1);
      }
    }
    writer_append(w, "\n", 1);
    text += length + (text[length] == '\n');
  }
}

static size_t word_length(const char *text)
{
  size_t n = 0;
  while (isalnum((unsigned char)text[n]) || text[n] == '_') {
    n++;
  }
  return n;
}

/* The last character of the comment or string that begins here; NULL if none does. */
static const char *end_of_aside(const char *text)
{
  if (text[0] == '/' && text[1] == '*') {
    return strstr(text, "*/");
  }
  if (*text != '"') {
    return NULL;
  }
  for (text++; *text && *text != '"'; text++) {
    text += *text == '\\' && text[1];
  }
  return text;
}

int writer_mentions(const char *text, const char *word)
{
  size_t length = strlen(word);
  while (*text) {
    size_t n = word_length(text);
    if (n == length && !strncmp(text, word, n)) {
      return 1;
    }
    const char *aside = end_of_aside(text);
    text = aside ? aside : text;
    text += n ? n : *text != '\0';
  }
  return 0;
}

const char *writer_literal(arena *a, const char *text)
{
  char *out = ARENA_ARRAY(a, 4 * strlen(text) + 3, char);
  char *at = out;
  *at++ = '"';
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\' || c == '?') {
      *at++ = '\\';
      *at++ = *text;
    } else if (c == '\n') {
      *at++ = '\\';
      *at++ = 'n';
    } else if (c >= 32 && c < 127) {
      *at++ = *text;
    } else {
      at += sprintf(at, "\\%03o", c);
    }
  }
  *at++ = '"';
  *at = '\0';
  return out;
}

const char *writer_double(arena *a, double value)
{
  if (isnan(value)) {
    return "NAN";
  }
  if (isinf(value)) {
    return value > 0 ? "INFINITY" : "-INFINITY";
  }
  char text[SW_TEXT_NUMBER];
  sw_text_shortest(value, text);
  if (fabs(value) < 1e15 && value == floor(value)) { /* 10.0, not 1e+01 */
    return arena_printf(a, "%.1f", value);
  }
  return arena_printf(a, strpbrk(text, ".e") ? "%s" : "%s.0", text);
}
