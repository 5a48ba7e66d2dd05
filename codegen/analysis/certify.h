/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * certify.h -- exact proofs that an expression vanishes where others do.
 */
#ifndef SIDEWINDER_IR_CERTIFY_H
#define SIDEWINDER_IR_CERTIFY_H

#include "analysis/record.h"

/* What vanishes on the set in question, and its place for record_product. */
typedef struct certify_generator {
  int level;
  int index;
  const ir_expr *value;
} certify_generator;

/* Work that all certificates of one analysis may take together: unknowns^2 * equations of the linear
 * systems. */
typedef struct certifier {
  ir_context *c;
  double work;
  double limit;
} certifier;

certifier certifier_create(ir_context *c);

/* Gives back what FLINT keeps for the next computation. */
void certifier_free(certifier *k);

/* e multiplied out where that has at most `most` terms, otherwise e itself, or NULL where that is a longer
 * sum. */
const ir_expr *multiplied_out(ir_context *c, const ir_expr *e, int most);

/* What is left of e after division by generators: equal to e where these vanish.  e itself where that is no
 * shorter, or where the polynomials are too large for a division that ends soon. */
const ir_expr *reduced_modulo(ir_context *c, const ir_expr *e, int n,
                              const certify_generator generators[]);

/* b != 0 where e, multiplied out, is b plus even powers with numbers of the sign of b before them, so that
 * |e| >= |b| for all real arguments; 0 where it is not of that form. */
double definite_bound(ir_context *c, const ir_expr *e);

/* Looks for factors with  value = rest + sum_i factors_i generators_i  as an exact identity, where rest =
 * 0 or, with_rest, may read parameters.  The factors are polynomials with unknown rational coefficients,
 * in those monomials that can cancel one of value's or of a product's, of bounded degree: a linear system
 * over the rationals, which is solved exactly and by elimination without a choice of pivots, so that the
 * answer is always the same.  The identity is multiplied out and compared before it is returned.  NULL
 * where none was found: that says nothing. */
const record_certificate *certify(certifier *k, const ir_expr *value, int n,
                                  const certify_generator generators[], int with_rest);

#endif
