/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/page_words.h"

#include <string.h>

#include "common/text_writer.h"
#include "common/utf8.h"

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

/* Writes the first character of `words`; its length in bytes. */
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
  writer *w = writer_create(a);
  while (*words) {
    words += write_character(w, style, words);
  }
  return writer_text(w);
}

/* Bytes of the formula of the theory at the head of `words`, which is written in LaTeX; 0 for none. */
static size_t write_theory(writer *w, const char *words)
{
  static const char *const theory[][2] = {
      {"{{g,H},g}", "$\\{\\{g, H\\}, g\\}$"},
      {"{g_i,g_j}", "$\\{g_i, g_j\\}$"},
      {"{g_i,H}", "$\\{g_i, H\\}$"},
      {"{I,H}", "$\\{I, H\\}$"},
      {"{I,g}", "$\\{I, g\\}$"},
      {"{g,H}", "$\\{g, H\\}$"},
      {"M^H", "$M^H$"},
      {"H_pp", "$H_{pp}$"},
      {"T(p) + V(q)", "$T(p) + V(q)$"},
      {"(q, p)", "$(q, p)$"},
      {"|g|", "$|g|$"},
      {"|rho|", "$|\\rho|$"},
      {" lambda ", " $\\lambda$ "},
  };
  for (size_t i = 0; i < sizeof theory / sizeof *theory; i++) {
    if (!strncmp(words, theory[i][0], strlen(theory[i][0]))) {
      writer_printf(w, "%s", theory[i][1]);
      return strlen(theory[i][0]);
    }
  }
  return 0;
}

const char *page_prose(arena *a, const char *words)
{
  writer *w = writer_create(a);
  while (*words) {
    size_t length = write_theory(w, words);
    words += length ? length : write_character(w, SPELL_LATEX, words);
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

int page_columns(const char *text)
{
  int n = 0;
  for (; *text; text++) {
    n += ((unsigned char)*text & 0xC0) != 0x80;
  }
  return n;
}
