/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formula/notation.h"

#include <ctype.h>
#include <string.h>

#include "common/text_writer.h"
#include "formula/mathml.h"

const char *spelled_letter(spelling s, formula_letter which)
{
  enum { MATHML = 3 };
  static const char *const letters[LETTER_COUNT][4] = {
      [LETTER_LAMBDA] = {"lambda", "λ", "\\lambda", "<mi>λ</mi>"},
      [LETTER_RHO] = {"rho", "ρ", "\\rho", "<mi>ρ</mi>"},
      [LETTER_MAPS_TO] = {"->", "→", "\\mapsto", "<mo>↦</mo>"},
      [LETTER_DOTS] = {"...", "…", "\\cdots", "<mo>⋯</mo>"},
      [LETTER_IN] = {"in", "∈", "\\in", "<mo>∈</mo>"},
      [LETTER_PI] = {"pi", "π", "\\pi", "<mi>π</mi>"},
  };
  return letters[which][s == SPELL_MATHML ? MATHML : (int)s];
}

/* ---- names ---- */

/* A LaTeX identifier: a letter, a Greek letter, or a word in the given font. */
static void latex_identifier(writer *w, const char *name, size_t length, const char *face)
{
  if (length == 1 && *name != '_') {
    writer_printf(w, "%c", *name);
  } else if (greek_letter(name, length)) {
    writer_printf(w, "\\%.*s", (int)length, name);
  } else {
    writer_printf(w, "\\%s{", face);
    for (size_t i = 0; i < length; i++) {
      writer_printf(w, name[i] == '_' ? "\\_" : "%c", name[i]);
    }
    writer_printf(w, "}");
  }
}

static size_t identifier_length(const char *text)
{
  size_t length = 0;
  if (isalpha((unsigned char)*text) || *text == '_') {
    while (isalnum((unsigned char)text[length]) || text[length] == '_') {
      length++;
    }
  }
  return length;
}

static void latex_index(writer *w, const char *at)
{
  while (*at && *at != ']') {
    size_t length = identifier_length(at);
    if (length) {
      latex_identifier(w, at, length, "mathrm");
    } else if (*at == '*') {
      writer_printf(w, "\\,");
    } else if (*at == '{' || *at == '}') {
      writer_printf(w, "\\%c", *at);
    } else if (*at == '.' && at[1] == '.') {
      writer_printf(w, "\\dots ");
      length = 2;
    } else {
      writer_printf(w, "%c", *at);
    }
    at += length ? length : 1;
  }
}

static const char *latex_name(arena *a, const char *name)
{
  writer *w = writer_create(a);
  size_t head = strcspn(name, "[");
  if (identifier_length(name) != head) {
    latex_index(w, name); /* an index used as a number, such as i-1 */
    return writer_text(w);
  }
  latex_identifier(w, name, head, "mathit");
  if (!name[head]) {
    return writer_text(w);
  }
  writer_printf(w, "_{");
  latex_index(w, name + head + 1);
  writer_printf(w, "}");
  return writer_text(w);
}

static const char *in_digits(arena *a, const char *const form[10], const char *digits)
{
  writer *w = writer_create(a);
  for (; *digits; digits++) {
    writer_printf(w, "%s", form[*digits - '0']);
  }
  return writer_text(w);
}

const char *spelled_below(arena *a, const char *digits)
{
  static const char *const below[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  return in_digits(a, below, digits);
}

const char *spelled_above(arena *a, const char *digits)
{
  static const char *const above[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  return in_digits(a, above, digits);
}

const char *spelled_name(arena *a, spelling s, const char *name)
{
  if (s == SPELL_LATEX) {
    return latex_name(a, name);
  }
  if (s == SPELL_MATHML) {
    return mathml_name(a, name);
  }
  size_t head = strcspn(name, "[");
  size_t digits = name[head] ? strspn(name + head + 1, "0123456789") : 0;
  if (s == SPELL_UTF8 && digits && !strcmp(name + head + 1 + digits, "]") &&
      !isdigit((unsigned char)name[head - 1])) {
    return arena_printf(a, "%.*s%s", (int)head, name,
                        spelled_below(a, arena_strndup(a, name + head + 1, digits)));
  }
  return name;
}

const char *spelled_index(arena *a, spelling s, const char *index)
{
  if (s == SPELL_MATHML) {
    return mathml_name(a, index);
  }
  if (s != SPELL_LATEX) {
    return index;
  }
  writer *w = writer_create(a);
  latex_index(w, index);
  return writer_text(w);
}

const char *spelled_entry(arena *a, const char *name)
{
  if (!strchr(name, '.')) {
    return name;
  }
  char *text = arena_printf(a, "%s]", name);
  char separator = '[';
  for (char *at = strchr(text, '.'); at; at = strchr(at, '.')) {
    *at = separator;
    separator = ',';
  }
  return text;
}

const char *spelled_indexed(arena *a, spelling s, formula_letter which, int number)
{
  static const char *const forms[SPELLINGS] = {
      [SPELL_ASCII] = "%s[%s]",
      [SPELL_UTF8] = "%s%s",
      [SPELL_LATEX] = "%s_{%s}",
      [SPELL_MATHML] = "<msub>%s<mn>%s</mn></msub>",
  };
  const char *digits = arena_printf(a, "%d", number);
  const char *index = s == SPELL_UTF8 ? spelled_below(a, digits) : digits;
  return arena_printf(a, number ? forms[s] : "%s", spelled_letter(s, which), index);
}
