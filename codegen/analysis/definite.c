/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * definite.c -- polynomials whose form shows that they have no real zero.
 */
#include "analysis/certify.h"
#include "analysis/polynomial.h"
#include "common/rational.h"

/* 1 if all exponents of a term are even; sets *constant if all of them are 0. */
static int is_even(const polynomial_ring *r, const fmpq_mpoly_t p, slong term, int *constant)
{
  ulong exponents[POLYNOMIAL_VARIABLES] = {0};
  fmpq_mpoly_get_term_exp_ui(exponents, p, term, r->ctx);
  *constant = 1;
  for (int v = 0; v < r->n; v++) {
    *constant = *constant && exponents[v] == 0;
    if (exponents[v] % 2) {
      return 0;
    }
  }
  return 1;
}

/* The constant term of a polynomial whose terms are all even and of one sign; 0 for other
 * polynomials. */
static double definite_constant(const polynomial_ring *r, const fmpq_mpoly_t p)
{
  double least = 0;
  int sign = 0;
  int good = 1;
  fmpq_t coefficient;
  mpq_t value;
  fmpq_init(coefficient);
  mpq_init(value);
  for (slong i = 0; i < fmpq_mpoly_length(p, r->ctx) && good; i++) {
    int constant = 0;
    good = is_even(r, p, i, &constant);
    fmpq_mpoly_get_term_coeff_fmpq(coefficient, p, i, r->ctx);
    good = good && (sign == 0 || fmpq_sgn(coefficient) == sign);
    sign = fmpq_sgn(coefficient);
    if (constant) {
      fmpq_get_mpq(value, coefficient);
      least = rational_double(value);
    }
  }
  mpq_clear(value);
  fmpq_clear(coefficient);
  return good ? least : 0.0;
}

double definite_bound(ir_context *c, const ir_expr *e)
{
  polynomial_ring *r = polynomial_ring_create(c, 1, &e);
  if (!r) {
    return 0;
  }
  fmpq_mpoly_t p;
  fmpq_mpoly_init(p, r->ctx);
  double bound = polynomial_of(r, e, p) ? definite_constant(r, p) : 0.0;
  fmpq_mpoly_clear(p, r->ctx);
  polynomial_ring_free(r);
  return bound;
}
