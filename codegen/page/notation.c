/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "page/notation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emit/writer.h"
#include "utf8.h"

const char *page_letter_text(page_style style, page_letter letter)
{
  static const char *const letters[LETTER_COUNT][3] = {
      [LETTER_LAMBDA] = {"lambda", "λ", "\\lambda"},
      [LETTER_RHO] = {"rho", "ρ", "\\rho"},
      [LETTER_GAMMA] = {"Gamma", "Γ", "\\Gamma"},
      [LETTER_MAPS_TO] = {"->", "→", "\\mapsto"},
      [LETTER_MINUS] = {"-", "−", "-"},
      [LETTER_DOTS] = {"...", "…", "\\cdots"},
      [LETTER_PARTIAL] = {"d", "∂", "\\partial"},
      [LETTER_SUM] = {"sum", "Σ", "\\sum"},
      [LETTER_PRODUCT] = {"prod", "Π", "\\prod"},
      [LETTER_IN] = {"in", "∈", "\\in"},
  };
  return letters[letter][style];
}

/* ---- names ---- */

/* Not those that the theory has for itself: lambda, rho, Gamma. */
static int is_greek(const char *name, size_t length)
{
  static const char *const greek[] = {
      "alpha", "beta",  "gamma", "delta",  "epsilon", "zeta", "eta",     "theta", "iota", "kappa",
      "mu",    "nu",    "xi",    "pi",     "sigma",   "tau",  "upsilon", "phi",   "chi",  "psi",
      "omega", "Delta", "Theta", "Lambda", "Xi",      "Pi",   "Sigma",   "Phi",   "Psi",  "Omega"};
  for (size_t i = 0; i < sizeof greek / sizeof *greek; i++) {
    if (strlen(greek[i]) == length && !strncmp(greek[i], name, length)) {
      return 1;
    }
  }
  return 0;
}

/* One identifier for LaTeX: a letter, a Greek letter, or a word in the given face. */
static void latex_identifier(writer *w, const char *name, size_t length, const char *face)
{
  if (length == 1 && *name != '_') {
    writer_printf(w, "%c", *name);
  } else if (is_greek(name, length)) {
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
    latex_index(w, name); /* an index that stands as a number, such as i-1 */
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

static const char *subscripts(arena *a, const char *digits, size_t n)
{
  static const char *const below[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  writer *w = writer_create(a);
  for (size_t i = 0; i < n; i++) {
    writer_printf(w, "%s", below[digits[i] - '0']);
  }
  return writer_text(w);
}

const char *page_name(arena *a, page_style style, const char *name)
{
  if (style == PAGE_LATEX) {
    return latex_name(a, name);
  }
  size_t head = strcspn(name, "[");
  size_t digits = name[head] ? strspn(name + head + 1, "0123456789") : 0;
  if (style == PAGE_UTF8 && digits && !strcmp(name + head + 1 + digits, "]") &&
      !isdigit((unsigned char)name[head - 1])) {
    return arena_printf(a, "%.*s%s", (int)head, name, subscripts(a, name + head + 1, digits));
  }
  return name;
}

const char *page_index(arena *a, page_style style, const char *index)
{
  if (style != PAGE_LATEX) {
    return index;
  }
  writer *w = writer_create(a);
  latex_index(w, index);
  return writer_text(w);
}

const char *page_dotted(arena *a, const char *name)
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

const char *page_indexed(arena *a, page_style style, const char *letter, int number)
{
  if (number == 0) {
    return letter;
  }
  const char *digits = arena_printf(a, "%d", number);
  if (style == PAGE_UTF8) {
    return arena_printf(a, "%s%s", letter, subscripts(a, digits, strlen(digits)));
  }
  return arena_printf(a, style == PAGE_LATEX ? "%s_{%s}" : "%s[%s]", letter, digits);
}

page_names page_program_names(arena *a, page_style style, const ir_program *p)
{
  page_names names;
  const char **z = ARENA_ARRAY(a, 2 * p->nq + 1, const char *);
  const char **k = ARENA_ARRAY(a, p->nk + 1, const char *);
  const char **lambda = ARENA_ARRAY(a, p->nc + 1, const char *);
  for (int i = 0; i < p->nq; i++) {
    z[i] = page_name(a, style, page_dotted(a, p->q_names[i]));
    z[p->nq + i] = page_name(a, style, page_dotted(a, p->p_names[i]));
  }
  for (int i = 0; i < p->nk; i++) {
    k[i] = page_name(a, style, page_dotted(a, p->k_names[i]));
  }
  const char *letter = page_letter_text(style, LETTER_LAMBDA);
  for (int i = 0; i < p->nc; i++) {
    lambda[i] = page_indexed(a, style, letter, p->nc > 1 ? i + 1 : 0);
  }
  names.of[IR_K] = k;
  names.of[IR_LAMBDA] = lambda;
  names.of[IR_Z] = z;
  return names;
}

/* ---- words ---- */

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
static size_t write_character(writer *w, page_style style, const char *words)
{
  unsigned code = 0;
  size_t length = utf8_decode(words, strlen(words), &code);
  unsigned last = style == PAGE_UTF8 ? 0x10FFFF : style == PAGE_LATEX ? 0xFF : 0x7E;
  const char *escape = style == PAGE_LATEX ? latex_escape(*words) : NULL;
  if (length == 0) {
    writer_printf(w, "?");
    return 1;
  }
  if (code != '\n' && (code > last || utf8_is_control(code) || (code < 0xA1 && code > 0x7E))) {
    writer_printf(w, style == PAGE_LATEX ? "\\textless{}U+%04X\\textgreater{}" : "<U+%04X>", code);
  } else if (escape) {
    writer_printf(w, "%s", escape);
  } else if (style == PAGE_LATEX && strchr("{}$&#_%", *words)) {
    writer_printf(w, "\\%c", *words);
  } else {
    writer_printf(w, "%.*s", (int)length, words);
  }
  return length;
}

const char *page_words(arena *a, page_style style, const char *words)
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
    words += length ? length : write_character(w, PAGE_LATEX, words);
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

/* ---- numbers ---- */

static char *integer_text(arena *a, mpz_srcptr value)
{
  char *text = ARENA_ARRAY(a, mpz_sizeinbase(value, 10) + 2, char);
  mpz_get_str(text, 10, value);
  return text;
}

/* The decimals behind the point that denominator = 2^i 5^j asks for: max(i, j); -1 for others, and
 * where there would be too many to read. */
static long decimals_of(mpz_srcptr denominator)
{
  mpz_t rest;
  mpz_t factor;
  mpz_init(rest);
  mpz_init_set_ui(factor, 2);
  long twos = (long)mpz_remove(rest, denominator, factor);
  mpz_set_ui(factor, 5);
  long fives = (long)mpz_remove(rest, rest, factor);
  long n = twos > fives ? twos : fives;
  int ends = mpz_cmp_ui(rest, 1) == 0;
  mpz_clear(rest);
  mpz_clear(factor);
  return ends && n <= 40 ? n : -1;
}

static const char *decimal_text(arena *a, mpz_srcptr numerator, mpz_srcptr denominator, long n)
{
  mpz_t digits;
  mpz_init(digits);
  mpz_ui_pow_ui(digits, 10, (unsigned long)n);
  mpz_mul(digits, digits, numerator);
  mpz_divexact(digits, digits, denominator);
  const char *text = integer_text(a, digits);
  mpz_clear(digits);
  size_t length = strlen(text);
  size_t behind = (size_t)n;
  if (length <= behind) { /* 0.05 */
    char *zeros = ARENA_ARRAY(a, behind - length + 1, char);
    memset(zeros, '0', behind - length);
    return arena_printf(a, "0.%s%s", zeros, text);
  }
  return arena_printf(a, "%.*s.%s", (int)(length - behind), text, text + length - behind);
}

const char *page_rational(arena *a, mpq_srcptr value, int *is_fraction)
{
  mpz_t numerator;
  mpz_init(numerator);
  mpz_abs(numerator, mpq_numref(value));
  mpz_srcptr denominator = mpq_denref(value);
  *is_fraction = 0;
  const char *text = integer_text(a, numerator);
  if (mpz_cmp_ui(denominator, 1) != 0) {
    int is_small = mpz_cmp_ui(denominator, 100) < 0 && mpz_cmp_ui(numerator, 1000) < 0;
    long decimals = is_small ? -1 : decimals_of(denominator);
    *is_fraction = decimals < 0;
    text = decimals < 0 ? arena_printf(a, "%s/%s", text, integer_text(a, denominator))
                        : decimal_text(a, numerator, denominator, decimals);
  }
  mpz_clear(numerator);
  return text;
}

const char *page_exponent(arena *a, page_style style, mpq_srcptr exponent)
{
  static const char *const above[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  int is_fraction = 0;
  const char *text = page_rational(a, exponent, &is_fraction);
  int is_integer = mpz_cmp_ui(mpq_denref(exponent), 1) == 0;
  if (is_integer && mpz_cmp_ui(mpq_numref(exponent), 1) == 0) {
    return "";
  }
  if (style == PAGE_LATEX) {
    return arena_printf(a, "^{%s}", text);
  }
  if (!is_integer || style == PAGE_ASCII) {
    return arena_printf(a, is_integer ? "^%s" : "^(%s)", text);
  }
  writer *w = writer_create(a);
  for (; *text; text++) {
    writer_printf(w, "%s", above[*text - '0']);
  }
  return writer_text(w);
}
