/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * relations.c -- polynomial relations between the atoms of a ring.
 */
#include "analysis/polynomial.h"

/* x^2 + sign y^2 - 1 for the variables x and y. */
static void circle(const polynomial_ring *r, int x, int y, int sign, fmpq_mpoly_t out)
{
  fmpq_mpoly_t square;
  fmpq_mpoly_init(square, r->ctx);
  fmpq_mpoly_gen(out, x, r->ctx);
  fmpq_mpoly_mul(out, out, out, r->ctx);
  fmpq_mpoly_gen(square, y, r->ctx);
  fmpq_mpoly_mul(square, square, square, r->ctx);
  if (sign > 0) {
    fmpq_mpoly_add(out, out, square, r->ctx);
  } else {
    fmpq_mpoly_sub(out, out, square, r->ctx);
  }
  fmpq_mpoly_one(square, r->ctx);
  fmpq_mpoly_sub(out, out, square, r->ctx);
  fmpq_mpoly_clear(square, r->ctx);
}

/* r^b - x, or r^b x - 1, for the atom r = x^(1/b) or x^(-1/b); returns 0 for other atoms. */
static int of_root(polynomial_ring *r, int i, fmpq_mpoly_t out)
{
  const ir_expr *e = r->atoms[i];
  if (e->kind != IR_PRODUCT || e->n != 1 ||
      mpz_cmp_ui(mpq_denref(e->factors[0].exponent), POLYNOMIAL_EXPONENT) > 0) {
    return 0;
  }
  fmpq_mpoly_t base;
  fmpq_mpoly_init(base, r->ctx);
  int good = polynomial_of(r, e->factors[0].base, base) &&
             polynomial_atom(r, e, mpz_get_ui(mpq_denref(e->factors[0].exponent)), out);
  if (good && mpq_sgn(e->factors[0].exponent) < 0) {
    good = polynomial_multiply(r, out, base);
    fmpq_mpoly_one(base, r->ctx);
  }
  fmpq_mpoly_sub(out, out, base, r->ctx);
  fmpq_mpoly_clear(base, r->ctx);
  return good;
}

/* x y - 1 for the variables x and y. */
static void hyperbola(const polynomial_ring *r, int x, int y, fmpq_mpoly_t out)
{
  fmpq_mpoly_t other;
  fmpq_mpoly_init(other, r->ctx);
  fmpq_mpoly_gen(out, x, r->ctx);
  fmpq_mpoly_gen(other, y, r->ctx);
  fmpq_mpoly_mul(out, out, other, r->ctx);
  fmpq_mpoly_one(other, r->ctx);
  fmpq_mpoly_sub(out, out, other, r->ctx);
  fmpq_mpoly_clear(other, r->ctx);
}

/* r s - 1 for r = x^(1/b) and s = x^(-1/b). */
static int of_inverses(const polynomial_ring *r, int i, int j, fmpq_mpoly_t out)
{
  const ir_expr *a = r->atoms[i];
  const ir_expr *b = r->atoms[j];
  if (a->kind != IR_PRODUCT || b->kind != IR_PRODUCT || a->n != 1 || b->n != 1 ||
      a->factors[0].base != b->factors[0].base || mpq_sgn(a->factors[0].exponent) < 0) {
    return 0;
  }
  mpq_t sum;
  mpq_init(sum);
  mpq_add(sum, a->factors[0].exponent, b->factors[0].exponent);
  int inverse = mpq_sgn(sum) == 0;
  mpq_clear(sum);
  if (inverse) {
    hyperbola(r, i, j, out);
  }
  return inverse;
}

static int of_functions(const polynomial_ring *r, int i, int j, fmpq_mpoly_t out)
{
  const ir_expr *a = r->atoms[i];
  const ir_expr *b = r->atoms[j];
  if (a->kind != IR_CALL || b->kind != IR_CALL) {
    return 0;
  }
  if (a->call == IR_EXP && b->call == IR_EXP && i < j) {
    const ir_expr *zero[2] = {a->arguments[0], b->arguments[0]};
    int inverse = ir_is_zero(ir_add(r->c, 2, zero));
    if (inverse) {
      hyperbola(r, i, j, out);
    }
    return inverse;
  }
  if (a->arguments[0] != b->arguments[0]) {
    return 0;
  }
  int trigonometric = a->call == IR_COS && b->call == IR_SIN;
  int hyperbolic = a->call == IR_COSH && b->call == IR_SINH;
  if (trigonometric || hyperbolic) {
    circle(r, i, j, trigonometric ? 1 : -1, out);
  }
  return trigonometric || hyperbolic;
}

int polynomial_relations(polynomial_ring *r, int most, fmpq_mpoly_struct out[])
{
  int n = 0;
  for (int i = 0; i < r->n; i++) {
    for (int j = 0; j < r->n && n < most; j++) {
      fmpq_mpoly_init(&out[n], r->ctx);
      int found = i == j ? of_root(r, i, &out[n])
                         : of_inverses(r, i, j, &out[n]) || of_functions(r, i, j, &out[n]);
      if (found) {
        n++;
      } else {
        fmpq_mpoly_clear(&out[n], r->ctx);
      }
    }
  }
  return n;
}
