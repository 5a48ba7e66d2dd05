/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * certify.h -- exact proofs that an expression vanishes on the zero set of others.
 */
#ifndef SIDEWINDER_IR_CERTIFY_H
#define SIDEWINDER_IR_CERTIFY_H

#include "analysis/record.h"

/* An expression that vanishes on the set in question; level and index as in record_product. */
typedef struct certify_generator {
  int level;
  int index;
  const ir_expr *value;
} certify_generator;

/* The work of all certificates of one analysis, and its limit.  The unit is unknowns^2 * equations
 * of the linear systems. */
typedef struct certifier {
  ir_context *c;
  double work;
  double limit;
} certifier;

certifier certifier_create(ir_context *c);

/* Releases FLINT's caches. */
void certifier_free(certifier *k);

/* The expansion of e if it has at most `most` terms.  Otherwise e itself, or NULL if e is a sum
 * with more terms. */
const ir_expr *multiplied_out(ir_context *c, const ir_expr *e, int most);

/* The remainder of e after division by generators, which equals e on their zero set.  Returns e
 * itself if the remainder is not shorter, or if the polynomials are too large for a fast
 * division. */
const ir_expr *reduced_modulo(ir_context *c, const ir_expr *e, int n,
                              const certify_generator generators[]);

/* A bound b != 0 with |e| >= |b| for all real arguments.  It exists if the expansion of e is b plus
 * even powers whose coefficients have the sign of b; otherwise the result is 0. */
double definite_bound(ir_context *c, const ir_expr *e);

/* 1 if `certify` tries n generators: not if these are too many, or after too much work. */
int certify_affords(const certifier *k, int n);

/* Looks for factors with  value = rest + sum_i factors_i generators_i  as an exact identity; rest
 * is 0, or, with `with_rest`, may read parameters.  The factors are polynomials with unknown
 * rational coefficients.  Their monomials have a bounded degree and can cancel a monomial of value
 * or of a product.  The unknowns solve a linear system over the rationals.  Exact elimination
 * without a choice of pivots makes the answer reproducible.  The identity is expanded and checked
 * before it is returned.  NULL if no factors were found, which proves nothing. */
const record_certificate *certify(certifier *k, const ir_expr *value, int n,
                                  const certify_generator generators[], int with_rest);

#endif
