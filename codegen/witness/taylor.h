/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taylor.h -- Taylor coefficients c_k = f^(k)(a)/k! of elementary functions, where a is a ball or a power series in
 * time.
 *
 * They follow from the differential equation of f: of exp, sin and their like directly, of a power and of
 * what is the integral of a power of a quadratic polynomial (asin, acos, atan) by the recurrence of J. C. P.
 * Miller, of tan and tanh from y' = 1 + y^2 and y' = 1 - y^2.
 */
#ifndef SIDEWINDER_WITNESS_TAYLOR_H
#define SIDEWINDER_WITNESS_TAYLOR_H

#include "witness/jet.h"

/* The coefficients, one more than the order for the sizes. */
enum { COEFFICIENTS = JET_MAX_ORDER + 2 };

typedef struct taylor {
  jets *arithmetic;
  int n;       /* coefficients that are wanted */
  int riccati; /* 1 where y' = 1 + y^2 or 1 - y^2 */
  int slopes;  /* so many derivatives of f are bounded by 1, and that is what counts for sizes */
  arb_poly_struct c[COEFFICIENTS];
} taylor;

/* n power series that are 0, to be released. */
arb_poly_struct *polys_init(int n);
void polys_clear(arb_poly_struct *p, int n);

/* n constants as power series. */
void polys_set(arb_poly_struct *p, arb_srcptr constant, int n);

void taylor_open(taylor *t, jets *arithmetic);
void taylor_close(taylor *t);

/* Of f, which is not atan2, and of a^alpha, at a.  Coefficients that do not exist are not finite. */
void taylor_function(taylor *t, model_function f, const arb_poly_t a);
void taylor_power(taylor *t, const arb_poly_t a, const arb_t alpha);

/* c_k <- c_k times numerator/denominator. */
void taylor_scale(taylor *t, int k, slong numerator, slong denominator);

#endif
