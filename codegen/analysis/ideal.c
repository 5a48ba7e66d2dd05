/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/ideal.h"

#include <stdlib.h>

#include "analysis/polynomial.h"

/* Limits on polynomials of a basis, on reduced S-polynomials, and on terms and degree of a
 * polynomial. */
enum { MOST_POLYNOMIALS = 72, MOST_PAIRS = 400, MOST_TERMS = 80, MOST_DEGREE = 8 };
/* Work of a reduction per term and divisor, in the certifier's unit. */
#define REDUCTION_WORK 50.0

typedef struct basis {
  certifier *k;
  polynomial_ring *ring;
  int n;
  fmpq_mpoly_struct f[MOST_POLYNOMIALS];
  /* 1 for pairs (i, j), i < j, that are reduced or need no reduction */
  char done[MOST_POLYNOMIALS][MOST_POLYNOMIALS];
  int is_one; /* 1 if the basis contains a constant */
} basis;

static void leading(const basis *b, int i, ulong exponents[])
{
  fmpq_mpoly_get_term_exp_ui(exponents, &b->f[i], 0, b->ring->ctx);
}

static int ideal_is_small(const basis *b, const fmpq_mpoly_t p)
{
  return fmpq_mpoly_length(p, b->ring->ctx) <= MOST_TERMS &&
         fmpq_mpoly_total_degree_si(p, b->ring->ctx) <= MOST_DEGREE;
}

/* p <- the remainder of p after division by all polynomials except number `but` (-1 excludes
 * none). */
static void reduce(basis *b, fmpq_mpoly_t p, int but)
{
  fmpq_mpoly_struct quotients[MOST_POLYNOMIALS];
  fmpq_mpoly_struct *q[MOST_POLYNOMIALS];
  fmpq_mpoly_struct *by[MOST_POLYNOMIALS];
  fmpq_mpoly_t rest;
  slong n = 0;
  fmpq_mpoly_init(rest, b->ring->ctx);
  for (int i = 0; i < b->n; i++) {
    if (i != but && !fmpq_mpoly_is_zero(&b->f[i], b->ring->ctx)) {
      fmpq_mpoly_init(&quotients[n], b->ring->ctx);
      q[n] = &quotients[n];
      by[n++] = &b->f[i];
    }
  }
  b->k->work += REDUCTION_WORK * (double)(n + 1) * (double)fmpq_mpoly_length(p, b->ring->ctx);
  if (n > 0) {
    fmpq_mpoly_divrem_ideal(q, rest, p, by, n, b->ring->ctx);
    fmpq_mpoly_swap(p, rest, b->ring->ctx);
  }
  for (slong i = 0; i < n; i++) {
    fmpq_mpoly_clear(q[i], b->ring->ctx);
  }
  fmpq_mpoly_clear(rest, b->ring->ctx);
}

/* Appends the remainder of p unless it is 0 or too large. */
static void ideal_append(basis *b, fmpq_mpoly_t p)
{
  if (!ideal_is_small(b, p)) {
    return;
  }
  reduce(b, p, -1);
  if (fmpq_mpoly_is_zero(p, b->ring->ctx) || !ideal_is_small(b, p) || b->n == MOST_POLYNOMIALS) {
    return;
  }
  b->is_one |= fmpq_mpoly_is_fmpq(p, b->ring->ctx);
  fmpq_mpoly_make_monic(p, p, b->ring->ctx);
  fmpq_mpoly_init(&b->f[b->n], b->ring->ctx);
  fmpq_mpoly_swap(&b->f[b->n++], p, b->ring->ctx);
}

/* Appends the S-polynomial of two monic polynomials: the difference of the multiples whose leading
 * monomials cancel. */
static void append_pair(basis *b, int i, int j)
{
  ulong u[POLYNOMIAL_VARIABLES] = {0};
  ulong v[POLYNOMIAL_VARIABLES] = {0};
  fmpq_mpoly_t left;
  fmpq_mpoly_t right;
  fmpq_mpoly_t shift;
  leading(b, i, u);
  leading(b, j, v);
  for (int k = 0; k < b->ring->n; k++) {
    ulong most = u[k] > v[k] ? u[k] : v[k];
    u[k] = most - u[k];
    v[k] = most - v[k];
  }
  fmpq_mpoly_init(left, b->ring->ctx);
  fmpq_mpoly_init(right, b->ring->ctx);
  fmpq_mpoly_init(shift, b->ring->ctx);
  fmpq_mpoly_push_term_si_ui(left, 1, u, b->ring->ctx);
  fmpq_mpoly_mul(left, left, &b->f[i], b->ring->ctx);
  fmpq_mpoly_push_term_si_ui(shift, 1, v, b->ring->ctx);
  fmpq_mpoly_mul(right, shift, &b->f[j], b->ring->ctx);
  fmpq_mpoly_sub(left, left, right, b->ring->ctx);
  ideal_append(b, left);
  fmpq_mpoly_clear(shift, b->ring->ctx);
  fmpq_mpoly_clear(right, b->ring->ctx);
  fmpq_mpoly_clear(left, b->ring->ctx);
}

/* Finds the open pair whose common multiple has the smallest degree; returns 0 if there is none.
 * Pairs with coprime leading monomials reduce to 0 (Buchberger's first criterion). */
static int next_pair(basis *b, int *first, int *second)
{
  ulong best = 0;
  int found = 0;
  for (int j = 1; j < b->n; j++) {
    for (int i = 0; i < j; i++) {
      ulong u[POLYNOMIAL_VARIABLES] = {0};
      ulong v[POLYNOMIAL_VARIABLES] = {0};
      ulong degree = 0;
      int coprime = 1;
      if (b->done[i][j]) {
        continue;
      }
      leading(b, i, u);
      leading(b, j, v);
      for (int k = 0; k < b->ring->n; k++) {
        coprime = coprime && (u[k] == 0 || v[k] == 0);
        degree += u[k] > v[k] ? u[k] : v[k];
      }
      b->done[i][j] = (char)coprime;
      if (!coprime && (!found || degree < best)) {
        best = degree;
        *first = i;
        *second = j;
        found = 1;
      }
    }
  }
  return found;
}

/* 1 if the form of a polynomial excludes 0. */
static int is_never_zero(study *s, const basis *b, const fmpq_mpoly_t p)
{
  const ir_expr *e = polynomial_expr(b->ring, p);
  return !ir_may_vanish(s->p, e) || definite_bound(s->c, e) != 0;
}

/* 1 if one of the polynomials, or its remainder modulo the others, has no zero. */
static int excludes_zero(study *s, basis *b)
{
  int excluded = b->is_one;
  fmpq_mpoly_t p;
  fmpq_mpoly_init(p, b->ring->ctx);
  for (int i = 0; i < b->n && !excluded; i++) {
    fmpq_mpoly_set(p, &b->f[i], b->ring->ctx);
    excluded = is_never_zero(s, b, p);
    if (!excluded) {
      reduce(b, p, i);
      excluded = !fmpq_mpoly_is_zero(p, b->ring->ctx) && is_never_zero(s, b, p);
    }
  }
  fmpq_mpoly_clear(p, b->ring->ctx);
  return excluded;
}

/* Starts a basis with the values and with the relations among the atoms of the ring. */
static void ideal_begin(basis *b, int n, const ir_expr *const values[])
{
  fmpq_mpoly_struct known[MOST_POLYNOMIALS];
  fmpq_mpoly_t p;
  fmpq_mpoly_init(p, b->ring->ctx);
  for (int i = 0; i < n; i++) {
    if (polynomial_of(b->ring, values[i], p)) {
      ideal_append(b, p);
    }
  }
  fmpq_mpoly_clear(p, b->ring->ctx);
  int relations = polynomial_relations(b->ring, MOST_POLYNOMIALS, known);
  for (int i = 0; i < relations; i++) {
    ideal_append(b, &known[i]);
    fmpq_mpoly_clear(&known[i], b->ring->ctx);
  }
}

int ideal_is_empty(study *s, int n, const ir_expr *const values[])
{
  const ir_expr **by_default = ARENA_ARRAY(s->memory, n + 1, const ir_expr *);
  for (int i = 0; i < n; i++) {
    by_default[i] = study_with(s, 1, values[i]);
  }
  polynomial_ring *ring = polynomial_ring_create(s->c, n, by_default);
  if (!ring) {
    return 0;
  }
  basis *b = ir_zeros(1, sizeof *b);
  b->k = &s->k;
  b->ring = ring;
  ideal_begin(b, n, by_default);
  int first = 0;
  int second = 0;
  for (int pairs = 0; pairs < MOST_PAIRS && !b->is_one && s->k.work <= s->k.limit; pairs++) {
    if (!next_pair(b, &first, &second)) {
      break;
    }
    b->done[first][second] = 1;
    append_pair(b, first, second);
  }
  int empty = excludes_zero(s, b);
  for (int i = 0; i < b->n; i++) {
    fmpq_mpoly_clear(&b->f[i], ring->ctx);
  }
  polynomial_ring_free(ring);
  free(b);
  return empty;
}
