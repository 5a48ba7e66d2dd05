/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build.c -- constructors of formulas.
 */
#include "formula/formula.h"

#include <string.h>

static const formula *build_make(arena *a, formula_kind kind, const char *text, int n,
                                 const formula *const part[])
{
  formula *f = ARENA_NEW(a, formula);
  *f = (formula){kind, text, n, part};
  return f;
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
  int is_integer = mpz_cmp_ui(mpq_denref(exponent), 1) == 0;
  const char *text = below ? arena_printf(a, "%s/%s", above, below) : above;
  return formula_of(a, is_integer ? FORMULA_RAISED : FORMULA_POWER, base,
                    formula_atom(a, is_integer ? FORMULA_SUPERSCRIPT : FORMULA_EXPONENT, text));
}
