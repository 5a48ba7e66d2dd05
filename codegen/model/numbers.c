/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numbers.c -- exact rational constants.
 *
 * GMP allocates with malloc; what is kept is copied into the arena and read through GMP's read-only
 * view of foreign limbs, so that nothing needs to be freed.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/checker.h"

static void keep_integer(arena *a, mpz_ptr kept, mpz_srcptr number)
{
  size_t n = mpz_size(number);
  mp_limb_t *limbs = ARENA_ARRAY(a, n + 1, mp_limb_t);
  if (n > 0) {
    memcpy(limbs, mpz_limbs_read(number), n * sizeof *limbs);
  }
  mpz_roinit_n(kept, limbs, mpz_sgn(number) < 0 ? -(mp_size_t)n : (mp_size_t)n);
}

mpq_srcptr numbers_keep(arena *a, mpq_srcptr number)
{
  mpq_ptr kept = ARENA_NEW(a, __mpq_struct);
  keep_integer(a, mpq_numref(kept), mpq_numref(number));
  keep_integer(a, mpq_denref(kept), mpq_denref(number));
  return kept;
}

mpq_srcptr numbers_from_long(arena *a, long value)
{
  mpq_t number;
  mpq_init(number);
  mpq_set_si(number, value, 1);
  mpq_srcptr kept = numbers_keep(a, number);
  mpq_clear(number);
  return kept;
}

/* digits * 10^exponent. */
static mpq_srcptr decimal(arena *a, const char *digits, long exponent)
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
  mpq_srcptr kept = numbers_keep(a, number);
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
  return decimal(c->memory, digits, zero ? 0 : exponent);
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

/* GMP rounds towards zero; the nearest double is that or the next one, ties to even. */
double numbers_double(mpq_srcptr number)
{
  double below = mpq_get_d(number);
  double above = nextafter(below, mpq_sgn(number) < 0 ? -INFINITY : INFINITY);
  double nearest = below;
  mpq_t left;
  mpq_t right;
  if (!isfinite(below) || !isfinite(above)) {
    return below;
  }
  mpq_init(left);
  mpq_init(right);
  mpq_set_d(left, below);
  mpq_set_d(right, above);
  mpq_sub(left, number, left);
  mpq_sub(right, right, number);
  mpq_abs(left, left);
  mpq_abs(right, right);
  int order = mpq_cmp(left, right);
  int significand_bits = 0;
  (void)frexp(below, &significand_bits);
  int below_is_odd = fmod(ldexp(below, 53 - significand_bits), 2.0) != 0.0;
  if (order > 0 || (order == 0 && below_is_odd)) {
    nearest = above;
  }
  mpq_clear(left);
  mpq_clear(right);
  return nearest;
}

const char *numbers_text(arena *a, mpq_srcptr number)
{
  return arena_printf(a, "%.15g", numbers_double(number));
}
