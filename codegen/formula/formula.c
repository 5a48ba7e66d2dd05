/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formula/formula.h"

#include <ctype.h>
#include <string.h>

#include "common/rational.h"
#include "common/text_writer.h"
#include "formula/mathml.h"

/* ---- constructors of formulas ---- */

static const formula *build_make(arena *a, formula_kind kind, const char *text, int n,
                                 const formula *const part[])
{
  return ARENA_COPY(a, formula, &(formula){kind, text, n, part});
}

const formula *formula_atom(arena *a, formula_kind kind, const char *text)
{
  return build_make(a, kind, text, 0, NULL);
}

static const formula *build_of_two(arena *a, formula_kind kind, const char *text, const formula *x,
                                   const formula *y)
{
  const formula **part = ARENA_ARRAY(a, 2, const formula *);
  part[0] = x;
  part[1] = y;
  return build_make(a, kind, text, y ? 2 : 1, part);
}

const formula *formula_of(arena *a, formula_kind kind, const formula *x, const formula *y)
{
  return build_of_two(a, kind, NULL, x, y);
}

const formula *formula_list(arena *a, formula_kind kind, int n, const formula *const part[])
{
  return n == 1 ? part[0] : build_make(a, kind, NULL, n, part);
}

const formula *formula_call(arena *a, const char *name, const formula *x, const formula *y)
{
  return build_of_two(a, FORMULA_CALL, name, x, y);
}

/* ---- numbers ---- */

static char *integer_text(arena *a, mpz_srcptr value)
{
  char *text = ARENA_ARRAY(a, mpz_sizeinbase(value, 10) + 2, char);
  mpz_get_str(text, 10, value);
  return text;
}

/* The number of decimals of 1/denominator, max(i, j) for denominator = 2^i 5^j.  Returns -1 for
 * other denominators, and for more than 40 decimals. */
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
  if (length <= behind) { /* such as 0.05 */
    char *zeros = ARENA_ARRAY(a, behind - length + 1, char);
    memset(zeros, '0', behind - length);
    return arena_printf(a, "0.%s%s", zeros, text);
  }
  return arena_printf(a, "%.*s.%s", (int)(length - behind), text, text + length - behind);
}

/* |value| as text: a decimal or integer with *below = NULL, or a numerator with the denominator in
 * *below. */
static const char *rational_text(arena *a, mpq_srcptr value, const char **below)
{
  mpz_t numerator;
  mpz_init(numerator);
  mpz_abs(numerator, mpq_numref(value));
  mpz_srcptr denominator = mpq_denref(value);
  *below = NULL;
  const char *text = integer_text(a, numerator);
  if (mpz_cmp_ui(denominator, 1) != 0) {
    int is_small = mpz_cmp_ui(denominator, 100) < 0 && mpz_cmp_ui(numerator, 1000) < 0;
    long decimals = is_small ? -1 : decimals_of(denominator);
    if (decimals < 0) {
      *below = integer_text(a, denominator);
    } else {
      text = decimal_text(a, numerator, denominator, decimals);
    }
  }
  mpz_clear(numerator);
  return text;
}

const formula *formula_number(arena *a, mpq_srcptr value)
{
  const char *below = NULL;
  const formula *f = formula_atom(a, FORMULA_ATOM, rational_text(a, value, &below));
  if (below) {
    f = formula_of(a, FORMULA_QUOTIENT, f, formula_atom(a, FORMULA_ATOM, below));
  }
  return mpq_sgn(value) < 0 ? formula_of(a, FORMULA_NEGATION, f, NULL) : f;
}

const formula *formula_power(arena *a, const formula *base, mpq_srcptr exponent)
{
  const char *below = NULL;
  const char *above = rational_text(a, exponent, &below);
  if (below && !strcmp(above, "1") && !strcmp(below, "2")) {
    return formula_of(a, FORMULA_ROOT, base, NULL);
  }
  if (!below && !strcmp(above, "1")) {
    return base;
  }
  int is_integer = rational_is_integer(exponent);
  const char *text = below ? arena_printf(a, "%s/%s", above, below) : above;
  return formula_of(a, is_integer ? FORMULA_RAISED : FORMULA_POWER, base,
                    formula_atom(a, is_integer ? FORMULA_SUPERSCRIPT : FORMULA_EXPONENT, text));
}

/* The binding strength of the outermost operator of a text, weakest first.  A sum over a set
 * extends to the next sign. */
typedef enum binding {
  BIND_SUM,
  BIND_BIG,
  BIND_QUOTIENT,
  BIND_PRODUCT,
  BIND_FACTOR,
  BIND_BASE
} binding;

/* The format of a kind of formula, its binding strength, and the strength that its parts need. */
typedef struct shape {
  const char *form;
  binding binds;
  binding least[2];
} shape;

#define ALL(ascii, utf8, latex, ...)                                                               \
  {                                                                                                \
    {ascii, __VA_ARGS__}, {utf8, __VA_ARGS__},                                                     \
    {                                                                                              \
      latex, __VA_ARGS__                                                                           \
    }                                                                                              \
  }

/* Spellings without an entry use the ASCII entry. */
static const shape shapes[FORMULA_KINDS][SPELLINGS] = {
    [FORMULA_NEGATION] = ALL("-%s", "−%s", "-%s", BIND_SUM, {BIND_BIG}),
    [FORMULA_QUOTIENT] = {{"%s/%s", BIND_QUOTIENT, {BIND_QUOTIENT, BIND_FACTOR}},
                          {"%s/%s", BIND_QUOTIENT, {BIND_QUOTIENT, BIND_FACTOR}},
                          {"\\frac{%s}{%s}", BIND_FACTOR, {BIND_SUM, BIND_SUM}},
                          {"%s / %s", BIND_QUOTIENT, {BIND_QUOTIENT, BIND_FACTOR}}},
    [FORMULA_POWER] = {{"%s^%s", BIND_FACTOR, {BIND_BASE, BIND_BASE}},
                       {"%s^%s", BIND_FACTOR, {BIND_BASE, BIND_BASE}},
                       {"%s^{%s}", BIND_FACTOR, {BIND_BASE, BIND_SUM}}},
    [FORMULA_RAISED] = ALL("%s^%s", "%s%s", "%s^{%s}", BIND_FACTOR, {BIND_BASE, BIND_SUM}),
    [FORMULA_ROOT] = {{"sqrt(%s)", BIND_BASE, {BIND_SUM}},
                      {"√(%s)", BIND_BASE, {BIND_SUM}},
                      {"\\sqrt{%s}", BIND_FACTOR, {BIND_SUM}}},
    [FORMULA_ABS] = ALL("abs(%s)", "|%s|", "\\left|%s\\right|", BIND_BASE, {BIND_SUM}),
    [FORMULA_GROUP] = ALL("(%s)", "(%s)", "\\left(%s\\right)", BIND_BASE, {BIND_SUM}),
    [FORMULA_NOT_NEGATIVE] =
        ALL("[%s >= 0]", "[%s ≥ 0]", "\\left[%s \\ge 0\\right]", BIND_BASE, {BIND_SUM}),
    [FORMULA_BRACKET] =
        ALL("bracket(%s, %s)", "{%s, %s}", "\\{%s, %s\\}", BIND_BASE, {BIND_SUM, BIND_SUM}),
    [FORMULA_WHERE] = {{"(if %s then %s else 0)", BIND_BASE, {BIND_SUM, BIND_SUM}},
                       {"[%s]·%s", BIND_PRODUCT, {BIND_SUM, BIND_FACTOR}},
                       {"\\left[%s\\right] %s", BIND_PRODUCT, {BIND_SUM, BIND_FACTOR}}},
    [FORMULA_SUM_OVER] = {{"sum(%s: %s)", BIND_BASE, {BIND_SUM, BIND_SUM}},
                          {"Σ{%s} %s", BIND_BIG, {BIND_SUM, BIND_BIG}},
                          {"\\sum_{%s} %s", BIND_BIG, {BIND_SUM, BIND_BIG}}},
    [FORMULA_PRODUCT_OVER] = {{"product(%s: %s)", BIND_BASE, {BIND_SUM, BIND_SUM}},
                              {"Π{%s} %s", BIND_BIG, {BIND_SUM, BIND_BIG}},
                              {"\\prod_{%s} %s", BIND_BIG, {BIND_SUM, BIND_BIG}}},
    [FORMULA_EQ] = ALL("%s == %s", "%s = %s", "%s = %s", BIND_PRODUCT, {BIND_SUM, BIND_SUM}),
    [FORMULA_NE] = ALL("%s != %s", "%s ≠ %s", "%s \\ne %s", BIND_PRODUCT, {BIND_SUM, BIND_SUM}),
    [FORMULA_LT] = ALL("%s < %s", "%s < %s", "%s < %s", BIND_PRODUCT, {BIND_SUM, BIND_SUM}),
    [FORMULA_LE] = ALL("%s <= %s", "%s ≤ %s", "%s \\le %s", BIND_PRODUCT, {BIND_SUM, BIND_SUM}),
    [FORMULA_GT] = ALL("%s > %s", "%s > %s", "%s > %s", BIND_PRODUCT, {BIND_SUM, BIND_SUM}),
    [FORMULA_GE] = ALL("%s >= %s", "%s ≥ %s", "%s \\ge %s", BIND_PRODUCT, {BIND_SUM, BIND_SUM}),
    [FORMULA_AND] = {{"%s and %s", BIND_BIG, {BIND_BIG, BIND_BIG}},
                     {"%s and %s", BIND_BIG, {BIND_BIG, BIND_BIG}},
                     {"%s \\text{ and } %s", BIND_BIG, {BIND_BIG, BIND_BIG}},
                     {"%s && %s", BIND_BIG, {BIND_BIG, BIND_BIG}}},
    [FORMULA_OR] = {{"%s or %s", BIND_SUM, {BIND_PRODUCT, BIND_PRODUCT}},
                    {"%s or %s", BIND_SUM, {BIND_PRODUCT, BIND_PRODUCT}},
                    {"%s \\text{ or } %s", BIND_SUM, {BIND_PRODUCT, BIND_PRODUCT}},
                    {"%s || %s", BIND_SUM, {BIND_PRODUCT, BIND_PRODUCT}}},
    [FORMULA_NOT] = {{"not %s", BIND_PRODUCT, {BIND_PRODUCT}},
                     {"not %s", BIND_PRODUCT, {BIND_PRODUCT}},
                     {"\\text{not } %s", BIND_PRODUCT, {BIND_PRODUCT}},
                     {"!%s", BIND_FACTOR, {BIND_BASE}}},
};

/* In MathML, the parts of fractions, powers and roots need no parentheses. */
static const shape elements[FORMULA_KINDS] = {
    [FORMULA_NEGATION] = {"<mrow><mo>−</mo>%s</mrow>", BIND_SUM, {BIND_BIG}},
    [FORMULA_QUOTIENT] = {"<mfrac><mrow>%s</mrow><mrow>%s</mrow></mfrac>",
                          BIND_FACTOR,
                          {BIND_SUM, BIND_SUM}},
    [FORMULA_POWER] = {"<msup><mrow>%s</mrow><mrow>%s</mrow></msup>",
                       BIND_FACTOR,
                       {BIND_BASE, BIND_SUM}},
    [FORMULA_RAISED] = {"<msup><mrow>%s</mrow>%s</msup>", BIND_FACTOR, {BIND_BASE, BIND_SUM}},
    [FORMULA_ROOT] = {"<msqrt>%s</msqrt>", BIND_FACTOR, {BIND_SUM}},
    [FORMULA_ABS] = {"<mrow><mo>|</mo>%s<mo>|</mo></mrow>", BIND_BASE, {BIND_SUM}},
    [FORMULA_GROUP] = {"<mrow><mo>(</mo>%s<mo>)</mo></mrow>", BIND_BASE, {BIND_SUM}},
    [FORMULA_NOT_NEGATIVE] = {"<mrow><mo>[</mo>%s<mo>≥</mo><mn>0</mn><mo>]</mo></mrow>",
                              BIND_BASE,
                              {BIND_SUM}},
    [FORMULA_BRACKET] =
        {"<mrow><mo stretchy=\"false\">{</mo>%s<mo>,</mo>%s<mo stretchy=\"false\">}</mo></mrow>",
         BIND_BASE,
         {BIND_SUM, BIND_SUM}},
    [FORMULA_WHERE] = {"<mrow><mo>[</mo>%s<mo>]</mo></mrow>%s",
                       BIND_PRODUCT,
                       {BIND_SUM, BIND_FACTOR}},
    [FORMULA_SUM_OVER] = {"<mrow><munder><mo>∑</mo><mrow>%s</mrow></munder>%s</mrow>",
                          BIND_BIG,
                          {BIND_SUM, BIND_BIG}},
    [FORMULA_PRODUCT_OVER] = {"<mrow><munder><mo>∏</mo><mrow>%s</mrow></munder>%s</mrow>",
                              BIND_BIG,
                              {BIND_SUM, BIND_BIG}},
    [FORMULA_EQ] = {"%s<mo>=</mo>%s", BIND_PRODUCT, {BIND_SUM, BIND_SUM}},
    [FORMULA_NE] = {"%s<mo>≠</mo>%s", BIND_PRODUCT, {BIND_SUM, BIND_SUM}},
    [FORMULA_LT] = {"%s<mo>&lt;</mo>%s", BIND_PRODUCT, {BIND_SUM, BIND_SUM}},
    [FORMULA_LE] = {"%s<mo>≤</mo>%s", BIND_PRODUCT, {BIND_SUM, BIND_SUM}},
    [FORMULA_GT] = {"%s<mo>&gt;</mo>%s", BIND_PRODUCT, {BIND_SUM, BIND_SUM}},
    [FORMULA_GE] = {"%s<mo>≥</mo>%s", BIND_PRODUCT, {BIND_SUM, BIND_SUM}},
    [FORMULA_AND] = {"%s<mtext> and </mtext>%s", BIND_BIG, {BIND_BIG, BIND_BIG}},
    [FORMULA_OR] = {"%s<mtext> or </mtext>%s", BIND_SUM, {BIND_PRODUCT, BIND_PRODUCT}},
    [FORMULA_NOT] = {"<mtext>not </mtext>%s", BIND_PRODUCT, {BIND_PRODUCT}},
};

/* An explicit infix form keeps the spaces at the beginning of an element, too. */
#define MATHML_SIGN "<mo form=\"infix\" lspace=\"0.22em\" rspace=\"0.22em\">"

/* The separators of lists. */
typedef struct marks {
  const char *plus;
  const char *minus;
  const char *times;
  const char *comma;
} marks;

static const marks all_marks[SPELLINGS] = {
    [SPELL_ASCII] = {" + ", " - ", "*", ", "},
    [SPELL_UTF8] = {" + ", " − ", " ", ", "},
    [SPELL_LATEX] = {" + ", " - ", " \\, ", ", "},
    [SPELL_C] = {" + ", " - ", " * ", ", "},
    [SPELL_INDEX] = {"+", "-", "*", ","},
    [SPELL_MATHML] = {MATHML_SIGN "+</mo>", MATHML_SIGN "−</mo>", "<mspace width=\"0.17em\"/>",
                      "<mo>,</mo>"}};

static const shape *shape_of(formula_kind kind, spelling s)
{
  return s == SPELL_MATHML ? &elements[kind]
                           : &shapes[kind][shapes[kind][s].form ? s : SPELL_ASCII];
}

/* ---- the printer ---- */

static const char *write_part(arena *a, spelling s, const formula *f, binding least);

static const char *write_sum(arena *a, spelling s, const formula *f)
{
  writer *w = writer_create(a);
  for (int i = 0; i < f->n; i++) {
    writer_printf(w, "%s", formula_term(a, s, f->part[i], i == 0));
  }
  return writer_text(w);
}

static const char *write_product(arena *a, spelling s, const formula *f)
{
  writer *w = writer_create(a);
  for (int i = 0; i < f->n; i++) {
    /* A quotient after another factor keeps its parentheses, so that the order of operations is
     * visible. */
    const char *text = write_part(a, s, f->part[i], i ? BIND_PRODUCT : BIND_QUOTIENT);
    const char *times = s == SPELL_UTF8 && *text == '(' ? "·" : all_marks[s].times;
    writer_printf(w, "%s%s", i ? times : "", text);
  }
  return writer_text(w);
}

static const char *function_name(arena *a, spelling s, const char *name)
{
  static const char *const latex[] = {"sin",  "cos",  "tan", "arcsin", "arccos", "arctan", "sinh",
                                      "cosh", "tanh", "exp", "log",    "min",    "max"};
  int is_universal = *name == 'G' && isdigit((unsigned char)name[1]);
  if (is_universal && (s == SPELL_UTF8 || s == SPELL_LATEX)) {
    return s == SPELL_UTF8 ? arena_printf(a, "G%s", spelled_below(a, name + 1))
                           : arena_printf(a, "G_%s", name + 1);
  }
  if (s == SPELL_MATHML) {
    return is_universal ? arena_printf(a, "<msub><mi>G</mi><mn>%s</mn></msub>", name + 1)
                        : arena_printf(a, "<mi>%s</mi><mo>&#x2061;</mo>", name);
  }
  if (s != SPELL_LATEX) {
    return name;
  }
  for (size_t i = 0; i < sizeof latex / sizeof *latex; i++) {
    int is_arc = !strncmp(latex[i], "arc", 3);
    if (is_arc ? *name == 'a' && !strcmp(name + 1, latex[i] + 3) : !strcmp(name, latex[i])) {
      return arena_printf(a, "\\%s", latex[i]);
    }
  }
  return arena_printf(a, "\\operatorname{%s}", name);
}

/* The text in parentheses.  MathML parentheses stretch only around fractions and sums. */
static const char *grouped(arena *a, spelling s, const char *text)
{
  static const char low[] =
      "<mrow><mo stretchy=\"false\">(</mo>%s<mo stretchy=\"false\">)</mo></mrow>";
  const int is_low = s == SPELL_MATHML && !strstr(text, "<mfrac>") && !strstr(text, "<munder>");
  return arena_printf(a, is_low ? low : shape_of(FORMULA_GROUP, s)->form, text);
}

static const char *write_call(arena *a, spelling s, const formula *f)
{
  const char *list = write_part(a, s, f->part[0], BIND_SUM);
  if (f->n > 1) {
    list =
        arena_printf(a, "%s%s%s", list, all_marks[s].comma, write_part(a, s, f->part[1], BIND_SUM));
  }
  return arena_printf(a, "%s%s", function_name(a, s, f->text), grouped(a, s, list));
}

static const char *formula_write_shape(arena *a, spelling s, const formula *f)
{
  const shape *form = shape_of(f->kind, s);
  const char *x = write_part(a, s, f->part[0], form->least[0]);
  const char *y = f->n > 1 ? write_part(a, s, f->part[1], form->least[1]) : "";
  return arena_printf(a, form->form, x, y);
}

/* The formula, in parentheses if it binds weaker than `least`. */
static const char *write_part(arena *a, spelling s, const formula *f, binding least)
{
  binding binds = BIND_BASE;
  const char *text = f->text;
  switch (f->kind) {
  case FORMULA_ATOM:
    text = s == SPELL_MATHML ? mathml_mixed(a, text) : text;
    break;
  case FORMULA_INDEX:
    binds = strpbrk(text, "+-*") || strstr(text, "−") ? BIND_SUM : BIND_BASE;
    break;
  case FORMULA_EXPONENT:
    binds = BIND_QUOTIENT;
    text = s == SPELL_MATHML ? mathml_name(a, text) : text;
    break;
  case FORMULA_PI:
    text = spelled_letter(s, LETTER_PI);
    break;
  case FORMULA_SUPERSCRIPT:
    text = s == SPELL_UTF8     ? spelled_above(a, text)
           : s == SPELL_MATHML ? arena_printf(a, "<mn>%s</mn>", text)
                               : text;
    break;
  case FORMULA_SUM:
    binds = BIND_SUM;
    text = write_sum(a, s, f);
    break;
  case FORMULA_PRODUCT:
    binds = BIND_PRODUCT;
    text = write_product(a, s, f);
    break;
  case FORMULA_CALL:
    text = write_call(a, s, f);
    break;
  default:
    binds = shape_of(f->kind, s)->binds;
    text = formula_write_shape(a, s, f);
    break;
  }
  return binds < least ? grouped(a, s, text) : text;
}

const char *formula_text(arena *a, spelling s, const formula *f)
{
  return write_part(a, s, f, BIND_SUM);
}

const char *formula_term(arena *a, spelling s, const formula *f, int is_first)
{
  if (is_first) {
    return write_part(a, s, f, BIND_SUM);
  }
  const marks *m = &all_marks[s];
  return f->kind == FORMULA_NEGATION
             ? arena_printf(a, "%s%s", m->minus, write_part(a, s, f->part[0], BIND_BIG))
             : arena_printf(a, "%s%s", m->plus, write_part(a, s, f, BIND_BIG));
}
