/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numbers.c -- exact rational constants.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/formula_checks.h"

mpq_srcptr numbers_from_long(arena *a, long value)
{
  mpq_t number;
  mpq_init(number);
  mpq_set_si(number, value, 1);
  mpq_srcptr kept = rational_keep(a, number);
  mpq_clear(number);
  return kept;
}

/* digits * 10^exponent. */
static mpq_srcptr numbers_decimal(arena *a, const char *digits, long exponent)
{
  mpq_t number;
  mpz_t power;
  mpq_init(number);
  mpz_init(power);
  mpz_set_str(mpq_numref(number), digits, 10);
  mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
  if (exponent >= 0) {
    mpz_mul(mpq_numref(number), mpq_numref(number), power);
  } else {
    mpz_set(mpq_denref(number), power);
  }
  mpq_canonicalize(number);
  mpq_srcptr kept = rational_keep(a, number);
  mpz_clear(power);
  mpq_clear(number);
  return kept;
}

mpq_srcptr numbers_literal(checker *c, const syntax_expr *e)
{
  char digits[SYNTAX_MAX_DIGITS + 1];
  size_t n = 0;
  long exponent = 0;
  int after_point = 0;
  int zero = 1;
  const char *s = e->text;
  double nearest = strtod(e->text, NULL);
  /* The lexer bounds digits and exponent. */
  for (; *s && *s != 'e' && *s != 'E'; s++) {
    if (*s == '.') {
      after_point = 1;
      continue;
    }
    if (n < SYNTAX_MAX_DIGITS) {
      digits[n++] = *s;
    }
    exponent -= after_point;
    zero = zero && *s == '0';
  }
  digits[n] = '\0';
  if (*s) {
    exponent += strtol(s + 1, NULL, 10);
  }
  if (!isfinite(nearest)) {
    diagnostics_error(c->d, e->where, "the number %s is too large for double precision", e->text);
    return NULL;
  }
  if (nearest == 0.0 && !zero) {
    diagnostics_error(c->d, e->where,
                      "the number %s is too small for double precision: it would be 0", e->text);
    return NULL;
  }
  return numbers_decimal(c->memory, digits, zero ? 0 : exponent);
}

long numbers_integer(checker *c, const syntax_expr *e, long most, const char *what)
{
  if (e->kind != SYNTAX_NUMBER || strspn(e->text, "0123456789") != strlen(e->text)) {
    diagnostics_error(c->d, e->where, "%s is a plain integer such as 12", what);
    return -1;
  }
  errno = 0;
  long value = strtol(e->text, NULL, 10);
  if (errno || value > most) {
    diagnostics_error(c->d, e->where, "%s is at most %ld", what, most);
    return -1;
  }
  return value;
}

const char *numbers_text(arena *a, mpq_srcptr number)
{
  return arena_printf(a, "%.15g", rational_double(number));
}
