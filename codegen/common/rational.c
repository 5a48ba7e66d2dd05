/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rational.c -- copies of GMP numbers in the arena.  GMP allocates with malloc.  The copies are
 * read through GMP's read-only view of foreign limbs, so nothing needs to be freed.
 */
#include "common/rational.h"

#include <math.h>
#include <string.h>

static void keep_integer(arena *a, mpz_ptr kept, mpz_srcptr number)
{
  size_t n = mpz_size(number);
  mp_limb_t *limbs = ARENA_ARRAY(a, n + 1, mp_limb_t);
  if (n > 0) {
    memcpy(limbs, mpz_limbs_read(number), n * sizeof *limbs);
  }
  mpz_roinit_n(kept, limbs, mpz_sgn(number) < 0 ? -(mp_size_t)n : (mp_size_t)n);
}

mpq_srcptr rational_keep(arena *a, mpq_srcptr number)
{
  mpq_ptr kept = ARENA_NEW(a, __mpq_struct);
  keep_integer(a, mpq_numref(kept), mpq_numref(number));
  keep_integer(a, mpq_denref(kept), mpq_denref(number));
  return kept;
}

/* A quotient of two integers of at most 53 bits is rounded correctly by the division.  For others,
 * GMP rounds towards zero.  The nearest double is GMP's result or the next one, ties to even. */
double rational_double(mpq_srcptr number)
{
  if (mpz_sizeinbase(mpq_numref(number), 2) <= 53 && mpz_sizeinbase(mpq_denref(number), 2) <= 53) {
    return mpz_get_d(mpq_numref(number)) / mpz_get_d(mpq_denref(number));
  }
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
