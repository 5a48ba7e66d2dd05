/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/dependence_means.h"

#include <flint/fmpq_mpoly_factor.h>

#include "analysis/polynomial.h"
#include "expr/builders.h"
#include "expr/derivative.h"

/* Limits on polynomials that are factorised. */
enum { MOST_TERMS = 600, MOST_VARIABLES = 24 };

/* Adds a factor of g, repeated or not. */
static void repeated_take(study *s, const ir_expr *f, int is_repeated, repeated *r, int *any)
{
  if (!ir_reads_state(s->c, f) || !ir_may_vanish(s->p, f)) {
    return; /* it never vanishes */
  }
  r->base = r->base ? ir_times(s->c, r->base, f) : f;
  r->all = r->all && is_repeated;
  *any |= is_repeated;
}

/* Collects the factors of an explicit product; returns 0 if none of them is repeated. */
static int from_product(study *s, const ir_expr *g, repeated *r)
{
  const ir_expr *e = ir_primitive(g);
  int any = 0;
  for (int i = 0; e->kind == IR_PRODUCT && i < e->n; i++) {
    const ir_factor *f = &e->factors[i];
    if (mpq_sgn(f->exponent) > 0) {
      repeated_take(s, f->base, mpq_cmp_ui(f->exponent, 1, 1) > 0, r, &any);
    }
  }
  return any;
}

/* 1 if a variable of the ring is a root: a power of it may have no derivative. */
static int has_roots(const polynomial_ring *ring)
{
  int roots = 0;
  for (int i = 0; i < ring->n; i++) {
    const ir_expr *e = ring->atoms[i];
    roots |= e->kind == IR_PRODUCT && mpz_cmp_ui(mpq_denref(e->factors[0].exponent), 1) != 0;
  }
  return roots;
}

static int from_polynomial(study *s, const ir_expr *g, repeated *r)
{
  polynomial_ring *ring = polynomial_ring_create(s->c, 1, &g);
  int any = 0;
  if (!ring) {
    return 0;
  }
  fmpq_mpoly_t p;
  fmpq_mpoly_factor_t factors;
  fmpq_mpoly_init(p, ring->ctx);
  fmpq_mpoly_factor_init(factors, ring->ctx);
  if (ring->n <= MOST_VARIABLES && !has_roots(ring) && polynomial_of(ring, g, p) &&
      fmpq_mpoly_length(p, ring->ctx) <= MOST_TERMS &&
      fmpq_mpoly_factor_squarefree(factors, p, ring->ctx)) {
    for (slong i = 0; i < factors->num; i++) {
      repeated_take(s, polynomial_expr(ring, factors->poly + i),
                    fmpz_cmp_ui(factors->exp + i, 1) > 0, r, &any);
    }
  }
  fmpq_mpoly_factor_clear(factors, ring->ctx);
  fmpq_mpoly_clear(p, ring->ctx);
  polynomial_ring_free(ring);
  return any;
}

repeated find_repeated(study *s, const ir_expr *g)
{
  repeated r = {NULL, 1};
  if (from_product(s, g, &r)) {
    return r;
  }
  r = (repeated){NULL, 1};
  if (from_polynomial(s, g, &r)) {
    return r;
  }
  return (repeated){NULL, 0};
}
