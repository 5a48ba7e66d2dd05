/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jet.h -- Taylor arithmetic in balls: a function's value and derivatives at a point, each with a
 * proved error bound.
 *
 * A jet is a polynomial in increments d_1 .. d_n of the variables, truncated at a degree (the
 * `order`):
 *
 *   f(z + d) = sum_m f_m d^m,   f_m = (derivative of f by the monomial m)/m!
 *
 * Only monomials that can have a nonzero coefficient are stored, so the cost of a sum over many
 * pairs of variables is proportional to its number of terms. A coefficient is a ball of Arb that
 * contains the exact one.
 *
 * Each term also has a size, an upper bound of the magnitudes of the summands before they cancel.
 * The size of a function f(x) is |f(x)| + |f'(x)| times the size of x. The rounding error of any
 * evaluation of the same formula is a small multiple of eps times this size (N. J. Higham, Accuracy
 * and Stability of Numerical Algorithms, section 3.3).
 *
 * The arithmetic owns every jet until jets_release, so that a formula can be written as nested
 * calls.
 */
#ifndef SIDEWINDER_WITNESS_JET_H
#define SIDEWINDER_WITNESS_JET_H

#include <arb.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* A monomial is a product of variables, encoded in 64 bits: 16 bits for each variable, which hold
 * its number + 1. The largest number is in the lowest bits. 0 is the constant monomial 1. */

/* Number of variables of a monomial, counted with repetition; so it is the highest degree. */
enum { MONOMIAL_MAX_DEGREE = 4 };

int monomial_degree(uint64_t monomial);

/* Variable number i of the monomial; i = 0 is the largest one. */
int monomial_variable(uint64_t monomial, int i);

enum { JET_MAX_ORDER = MONOMIAL_MAX_DEGREE };

/* Variables have numbers from 0 to JET_MAX_VARIABLES - 1. */
#define JET_MAX_VARIABLES 65535

typedef struct jet_term {
  uint64_t monomial;
  arb_struct value;
  mag_struct size;
} jet_term;

/* Terms in ascending order of their monomials; the constant term, if there is one, is the first. */
typedef struct jet {
  long n;
  long room;
  jet_term *terms;
} jet;

typedef struct jets {
  slong precision;     /* bits */
  int order;           /* degree at which jets are truncated */
  long work;           /* number of products of coefficients so far */
  long budget;         /* upper limit of `work` */
  const char *trouble; /* why a value does not exist or is unknown; NULL: no trouble */
  jet **made;
  size_t n_made;
  size_t room;
} jets;

void jets_open(jets *arithmetic, long budget);
void jets_close(jets *arithmetic);

/* Releases every jet created since n_made had the value `mark`. */
void jets_release(jets *arithmetic, size_t mark);

/* Records the reason why there is no value, unless a reason is recorded already. */
void jets_trouble(jets *arithmetic, const char *why);

/* Counts n products. Returns 0 once the budget is used up. */
int jets_afford(jets *arithmetic, long n);

/* The jet of the constant 0. */
jet *jet_zero(jets *arithmetic);
/* The jet of a constant. */
jet *jet_number(jets *arithmetic, const arb_t value);
jet *jet_double(jets *arithmetic, double value);
/* The variable with this number, at this value. */
jet *jet_variable(jets *arithmetic, int number, const arb_t value);

jet *jet_sum(jets *arithmetic, const jet *a, const jet *b);
jet *jet_difference(jets *arithmetic, const jet *a, const jet *b);
jet *jet_negative(jets *arithmetic, const jet *a);
jet *jet_product(jets *arithmetic, const jet *a, const jet *b);

/* Composes a function with a: sum_k c_k (a - a_0)^k for k = 0 .. order. a_0 is the constant term of
 * a; the c_k are the Taylor coefficients of the function at a_0, with these sizes. */
jet *jet_compose(jets *arithmetic, const jet *a, const arb_struct coefficients[],
                 const mag_struct sizes[]);

/* {a,b} = a_q . b_p - a_p . b_q, where q has the variables 0 .. d-1 and p the variables from d on.
 * The result has one order less. */
jet *jet_bracket(jets *arithmetic, const jet *a, const jet *b, int d);

/* The derivative of a along the vector `weights`, which has an entry for each variable. The result
 * has one order less. */
jet *jet_along(jets *arithmetic, const jet *a, const double weights[]);

/* The coefficient of the product of the variables u and v (-1: none), if a is a polynomial in the
 * variables with is_apart = 1.  It is a jet in the other variables. */
jet *jet_factor_of(jets *arithmetic, const jet *a, const char is_apart[], int u, int v);

/* The constant term of a; NULL if a has none, which means 0. */
const jet_term *jet_constant(const jet *a);

/* Sum of the degrees of all monomials of a. */
long jet_count_variables(const jet *a);

/* A sum of many jets. Adding a jet does not traverse all terms of the sum. */
typedef struct jet_total {
  jet sum;
  long sorted; /* number of leading terms that are in order */
} jet_total;

void jet_total_open(jet_total *total);
void jet_total_add(jets *arithmetic, jet_total *total, const jet *a);
/* Closes the total and returns the sum as a jet of the arithmetic. */
jet *jet_total_close(jets *arithmetic, jet_total *total);

/* ---- elementary.c ---- */

/* a / b, a ^ b, and f(a), or f(a, b) if f is atan2, min or max. */
jet *jet_quotient(jets *arithmetic, const jet *a, const jet *b);
jet *jet_power(jets *arithmetic, const jet *a, const jet *b);
jet *jet_call(jets *arithmetic, model_function f, const jet *a, const jet *b);

#endif
