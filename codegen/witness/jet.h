/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jet.h -- Taylor arithmetic in balls: a function's value and derivatives at a point, each within a proved
 * error.
 *
 * A jet is a polynomial in increments d_1 .. d_n of the variables, cut off at a degree (the `order`):
 *
 *   f(z + d) = sum_m f_m d^m,   f_m = (derivative of f by the monomial m)/m!
 *
 * Only monomials that can be there are stored, so that a sum over many pairs of variables costs what its
 * terms cost.  A coefficient is a ball of Arb that holds the exact one; for fibre flows it is a power series
 * in time, cut off at a `length`, whose coefficients are balls.
 *
 * Beside it stands the size of its terms, an upper bound: the sum of their magnitudes before they cancel,
 * and, behind a function f(x), |f(x)| + |f'(x)| times the size of x.  Rounding in any way to evaluate the
 * same formula is a small multiple of eps times it (N. J. Higham, Accuracy and Stability of Numerical
 * Algorithms, section 3.3).  It is kept for numbers; of a power series it is the first coefficient's.
 *
 * What is computed belongs to the arithmetic until jets_release, so that formulas read as such.
 */
#ifndef SIDEWINDER_WITNESS_JET_H
#define SIDEWINDER_WITNESS_JET_H

#include <arb_poly.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "witness/monomial.h"

enum { JET_MAX_ORDER = MONOMIAL_MAX_DEGREE };

/* Variables are numbered from 0 to this, less one. */
#define JET_MAX_VARIABLES 65535

typedef struct jet_term {
  uint64_t monomial;
  arb_poly_struct value;
  mag_struct size;
} jet_term;

/* Terms in ascending order of their monomials; the constant term, where there is one, is the first. */
typedef struct jet {
  long n;
  long room;
  jet_term *terms;
} jet;

typedef struct jets {
  slong precision;     /* bits */
  int order;           /* degree at which jets are cut off */
  slong length;        /* number of coefficients of a power series in time; 1: numbers */
  long work;           /* products of coefficients so far */
  long budget;         /* the most of them */
  const char *trouble; /* why a value does not exist, or is not known; NULL while all is well */
  jet **made;
  size_t n_made;
  size_t room;
} jets;

void jets_open(jets *arithmetic, long budget);
void jets_close(jets *arithmetic);

/* Releases every jet made since `mark`, which was arithmetic->n_made then. */
void jets_release(jets *arithmetic, size_t mark);

/* Notes why there is no value, unless something is noted already. */
void jets_trouble(jets *arithmetic, const char *why);

/* Counts n products; 0 once the budget is used up. */
int jets_afford(jets *arithmetic, long n);

/* result = factor * series. */
void series_times(arb_poly_t result, const arb_poly_t series, slong factor, slong precision);

/* 0. */
jet *jet_zero(jets *arithmetic);
/* A number. */
jet *jet_number(jets *arithmetic, const arb_t value);
jet *jet_integer(jets *arithmetic, slong value);
jet *jet_double(jets *arithmetic, double value);
/* The variable of that number, with its value. */
jet *jet_variable(jets *arithmetic, int number, const arb_poly_t value);

jet *jet_sum(jets *arithmetic, const jet *a, const jet *b);
jet *jet_difference(jets *arithmetic, const jet *a, const jet *b);
jet *jet_negative(jets *arithmetic, const jet *a);
jet *jet_product(jets *arithmetic, const jet *a, const jet *b);

/* sum_k c_k (a - a_0)^k for k = 0 .. order, where a_0 is the constant term of a and the c_k, with their sizes,
 * are given: a function of a, by its Taylor coefficients there. */
jet *jet_compose(jets *arithmetic, const jet *a, const arb_poly_struct coefficients[],
                 const mag_struct sizes[]);

/* {a,b} = a_q . b_p - a_p . b_q, where q are the variables 0 .. d-1 and p those from d on: of one order less. */
jet *jet_bracket(jets *arithmetic, const jet *a, const jet *b, int d);

/* The coefficient of the product of the variables u and v, -1 for none, in a polynomial in the variables with is_apart = 1: a jet
 * in the others. */
jet *jet_factor_of(jets *arithmetic, const jet *a, const char is_apart[], int u, int v);

/* The coefficient of a monomial, NULL where there is none: it is 0. */
const jet_term *jet_constant(const jet *a);

/* The sum of the degrees of its monomials. */
long jet_count_variables(const jet *a);

/* A sum of many jets, built without going through all its terms for each of them. */
typedef struct jet_total {
  jet sum;
  long sorted; /* terms of it that are in order */
} jet_total;

void jet_total_open(jet_total *total);
void jet_total_add(jets *arithmetic, jet_total *total, const jet *a);
/* The sum as a jet of the arithmetic; closes the total. */
jet *jet_total_close(jets *arithmetic, jet_total *total);

/* ---- elementary.c ---- */

/* a / b, a ^ b, and f(a), for atan2 f(a, b). */
jet *jet_quotient(jets *arithmetic, const jet *a, const jet *b);
jet *jet_power(jets *arithmetic, const jet *a, const jet *b);
jet *jet_call(jets *arithmetic, model_function f, const jet *a, const jet *b);

#endif
