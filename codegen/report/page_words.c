/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/page_words.h"

#include <limits.h>
#include <string.h>

#include "common/utf8.h"
#include "formula/mathml.h"

static const char *latex_escape(char c)
{
  switch (c) {
  case '\\':
    return "\\textbackslash{}";
  case '^':
    return "\\textasciicircum{}";
  case '~':
    return "\\textasciitilde{}";
  case '<':
    return "\\textless{}";
  case '>':
    return "\\textgreater{}";
  case '|':
    return "\\textbar{}";
  case '"':
    return "\\textquotedbl{}";
  default:
    return NULL;
  }
}

/* Writes the first character of `words` and returns its length in bytes. */
static size_t write_character(writer *w, spelling style, const char *words)
{
  unsigned code = 0;
  size_t length = utf8_decode(words, strlen(words), &code);
  unsigned last = style == SPELL_UTF8 ? 0x10FFFF : style == SPELL_LATEX ? 0xFF : 0x7E;
  const char *escape = style == SPELL_LATEX ? latex_escape(*words) : NULL;
  if (length == 0) {
    writer_printf(w, "?");
    return 1;
  }
  if (code != '\n' && (code > last || utf8_is_control(code) || (code < 0xA1 && code > 0x7E))) {
    writer_printf(w, style == SPELL_LATEX ? "\\textless{}U+%04X\\textgreater{}" : "<U+%04X>", code);
  } else if (escape) {
    writer_printf(w, "%s", escape);
  } else if (style == SPELL_LATEX && strchr("{}$&#_%", *words)) {
    writer_printf(w, "\\%c", *words);
  } else {
    writer_printf(w, "%.*s", (int)length, words);
  }
  return length;
}

const char *page_words(arena *a, spelling style, const char *words)
{
  if (style == SPELL_MATHML) {
    return markup_escaped(a, page_utf8(a, words));
  }
  writer *w = writer_create(a);
  while (*words) {
    words += write_character(w, style, words);
  }
  return writer_text(w);
}

/* Splits words at dollar signs; every second piece is a formula. */
static const char *html_prose(arena *a, const char *words)
{
  writer *w = writer_create(a);
  for (int is_formula = 0; *words; is_formula = !is_formula) {
    const size_t n = strcspn(words, "$");
    const char *piece = arena_strndup(a, words, n);
    if (is_formula) {
      writer_printf(w, "<math>%s</math>", mathml_mixed(a, piece));
    } else {
      writer_printf(w, "%s", page_words(a, SPELL_MATHML, piece));
    }
    words += n + (words[n] == '$');
  }
  return writer_text(w);
}

const char *page_prose(arena *a, spelling style, const char *words)
{
  if (style == SPELL_MATHML) {
    return html_prose(a, words);
  }
  writer *w = writer_create(a);
  for (int is_formula = 0; *words;) {
    if (*words == '$') {
      is_formula = !is_formula;
      writer_append(w, "$", style == SPELL_LATEX);
      words++;
    } else if (is_formula) {
      writer_append(w, words, style == SPELL_LATEX || *words != '\\');
      words++;
    } else {
      words += write_character(w, style, words);
    }
  }
  return writer_text(w);
}

const char *page_utf8(arena *a, const char *text)
{
  char *copy = arena_strdup(a, text);
  for (size_t left = strlen(copy), i = 0; left > 0;) {
    unsigned code = 0;
    size_t length = utf8_decode(copy + i, left, &code);
    if (length == 0) {
      copy[i] = '?';
      length = 1;
    }
    i += length;
    left -= length;
  }
  return copy;
}

int page_columns(spelling s, const char *text)
{
  int n = 0;
  if (s == SPELL_MATHML) {
    return markup_columns(text);
  }
  for (; *text; text++) {
    n += ((unsigned char)*text & 0xC0) != 0x80;
  }
  return n;
}

/* ---- lines ---- */

/* 1 if the text begins with the sign of a sum: "+ ", "- " or the minus of Unicode and a blank. */
static int is_sign(const char *text)
{
  static const char *const signs[] = {"+ ", "- ", "\xe2\x88\x92 "};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    if (!strncmp(text, signs[i], strlen(signs[i]))) {
      return 1;
    }
  }
  return 0;
}

/* Length in bytes of the first line; the whole length if it fits in `room` columns. */
static size_t first_line(const char *text, size_t length, int room)
{
  size_t at_blank = 0;
  size_t at_sign = 0;
  size_t full = 0;
  int depth = 0;
  int least = INT_MAX;
  int columns = 0;
  for (size_t i = 0; i < length; i++) {
    columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    if (columns > room + (text[i] == ' ')) {
      size_t best = at_sign > full / 3 ? at_sign : at_blank;
      return best ? best : full;
    }
    if (((unsigned char)text[i + 1] & 0xC0) != 0x80) {
      full = i + 1;
    }
    depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
    if (text[i] == ' ' && i > 0) {
      at_blank = i;
      if (is_sign(text + i + 1) && (depth <= least || at_sign < full / 3)) {
        at_sign = i;
        least = depth;
      }
    }
  }
  return length;
}

void page_break(writer *out, const char *text, int first, int next, int columns)
{
  int indent = first;
  int own = 0; /* number of blanks at the beginning of the present line of the text */
  int is_new = 1;
  while (*text) {
    size_t line = strcspn(text, "\n");
    if (is_new) {
      own = (int)strspn(text, " ");
      own = (size_t)own < line && own < columns / 2 ? own : 0;
      text += own;
      line -= (size_t)own;
    }
    size_t taken = first_line(text, line, columns - indent - own);
    size_t shown = taken;
    while (shown > 0 && text[shown - 1] == ' ') {
      shown--;
    }
    writer_printf(out, "%*s%.*s\n", shown ? indent + own : 0, "", (int)shown, text);
    text += taken;
    is_new = taken == line;
    text += is_new ? *text == '\n' : strspn(text, " ");
    indent = next;
  }
}
