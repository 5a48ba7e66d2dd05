/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * polynomial.h -- expressions as polynomials over the rationals (FLINT), in the entries of z, the parameters,
 * and whatever is no polynomial in these: an atom, such as sin(q1) or 1/m, is one more variable.
 *
 * Atoms are taken as independent of each other.  An identity between polynomials in them is then one
 * between the expressions, but not the other way round; polynomial_relations adds what is simple, such as
 * sin^2 + cos^2 - 1.
 */
#ifndef SIDEWINDER_IR_POLYNOMIAL_H
#define SIDEWINDER_IR_POLYNOMIAL_H

#include <flint/fmpq_mpoly.h>

#include "expr/expr.h"

/* Most variables of a ring, terms of a polynomial, and exponent that is multiplied out. */
#define POLYNOMIAL_VARIABLES 64
#define POLYNOMIAL_TERMS     2000
#define POLYNOMIAL_EXPONENT  40

/* exp(c node) for all c that occur are powers of exp(unit node) and of exp(-unit node). */
typedef struct polynomial_group {
  const ir_expr *node;
  const ir_expr *unit; /* a positive number, the greatest common divisor of the c */
} polynomial_group;

typedef struct polynomial_ring {
  ir_context *c;
  int n;       /* variables */
  int n_state; /* the first of them read z */
  const ir_expr *atoms[POLYNOMIAL_VARIABLES];
  int n_groups;
  polynomial_group groups[POLYNOMIAL_VARIABLES];
  fmpq_mpoly_ctx_t ctx;
  long work; /* nodes converted */
} polynomial_ring;

/* The ring that n expressions live in: variables that read z first, otherwise in the order of ir_compare.
 * NULL where there are too many. */
polynomial_ring *polynomial_ring_create(ir_context *c, int n, const ir_expr *const e[]);
void polynomial_ring_free(polynomial_ring *r);

/* out = e, multiplied out; 0 where that is too large or e has an atom that is not the ring's. */
int polynomial_of(polynomial_ring *r, const ir_expr *e, fmpq_mpoly_t out);

/* out = atom^power; 0 where the ring has no such atom.  a = a b; 0 where that may become too long. */
int polynomial_atom(polynomial_ring *r, const ir_expr *atom, ulong power, fmpq_mpoly_t out);
int polynomial_multiply(polynomial_ring *r, fmpq_mpoly_t a, const fmpq_mpoly_t b);

/* Back to an expression. */
const ir_expr *polynomial_expr(const polynomial_ring *r, const fmpq_mpoly_t p);

/* Polynomials that are zero as expressions, because of what the atoms are: s^2 + c^2 - 1 for a sine and a
 * cosine, c^2 - s^2 - 1 for hyperbolic ones, r^b - x for r = x^(1/b), s^b x - 1 for
 * s = x^(-1/b), and r s - 1,
 * likewise for exp(x) and exp(-x).
 * At most `most`, initialised here; returns how many. */
int polynomial_relations(polynomial_ring *r, int most, fmpq_mpoly_struct out[]);

#endif
