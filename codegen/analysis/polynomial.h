/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * polynomial.h -- expressions as polynomials over the rationals (FLINT).  Variables are the entries
 * of z, the parameters, and atoms: subexpressions that are not polynomials, such as sin(q1) or 1/m.
 *
 * Atoms are treated as independent.  An identity between polynomials therefore implies an identity
 * between the expressions, but not conversely.  polynomial_relations adds simple relations, such as
 * sin^2 + cos^2 - 1.
 */
#ifndef SIDEWINDER_IR_POLYNOMIAL_H
#define SIDEWINDER_IR_POLYNOMIAL_H

#include <flint/fmpq_mpoly.h>

#include "expr/expr.h"

/* Limits on variables of a ring, terms of a polynomial, and exponents that are expanded. */
#define POLYNOMIAL_VARIABLES 64
#define POLYNOMIAL_TERMS     2000
#define POLYNOMIAL_EXPONENT  40

/* Exponentials of one node: every exp(c node) is a power of exp(unit node) or exp(-unit node). */
typedef struct polynomial_group {
  const ir_expr *node;
  const ir_expr *unit; /* a positive number, the greatest common divisor of all c */
} polynomial_group;

typedef struct polynomial_ring {
  ir_context *c;
  int n;       /* number of variables */
  int n_state; /* number of variables that read z; these come first */
  const ir_expr *atoms[POLYNOMIAL_VARIABLES];
  int n_groups;
  polynomial_group groups[POLYNOMIAL_VARIABLES];
  fmpq_mpoly_ctx_t ctx;
  long work; /* number of converted nodes */
} polynomial_ring;

/* The ring of n expressions.  Variables that read z come first; otherwise they are in the order of
 * ir_compare.  NULL if there are too many variables. */
polynomial_ring *polynomial_ring_create(ir_context *c, int n, const ir_expr *const e[]);
void polynomial_ring_free(polynomial_ring *r);

/* out = the expansion of e.  Returns 0 if it is too large or e has an atom outside the ring. */
int polynomial_of(polynomial_ring *r, const ir_expr *e, fmpq_mpoly_t out);

/* Converts a polynomial to an expression. */
const ir_expr *polynomial_expr(const polynomial_ring *r, const fmpq_mpoly_t p);

/* Polynomials that vanish as expressions, because of relations between atoms: s^2 + c^2 - 1 for a
 * sine and a cosine, c^2 - s^2 - 1 for hyperbolic ones, r^b - x for r = x^(1/b), s^b x - 1 for
 * s = x^(-1/b), and r s - 1, also for exp(x) and exp(-x).  At most `most` polynomials are
 * initialised here; returns their number. */
int polynomial_relations(polynomial_ring *r, int most, fmpq_mpoly_struct out[]);

#endif
