/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taylor.h -- Taylor coefficients c_k = f^(k)(a)/k! of elementary functions at a, a ball or a power
 * series in time.
 *
 * They follow from differential equations: directly for exp, sin, cos, sinh and cosh; by the
 * recurrence of J. C. P. Miller for powers and for asin, acos and atan, which are integrals of
 * powers of a quadratic polynomial; and from y' = 1 + y^2 and y' = 1 - y^2 for tan and tanh.
 */
#ifndef SIDEWINDER_WITNESS_TAYLOR_H
#define SIDEWINDER_WITNESS_TAYLOR_H

#include "witness/jet.h"

/* Number of coefficients: sizes need one more than the order. */
enum { COEFFICIENTS = JET_MAX_ORDER + 2 };

typedef struct taylor {
  jets *arithmetic;
  int n;       /* number of coefficients to compute */
  int riccati; /* 1 if y' = 1 + y^2 or 1 - y^2 */
  int slopes;  /* number of derivatives of f that are bounded by 1; sizes use this bound */
  arb_poly_struct c[COEFFICIENTS];
} taylor;

/* n power series that are 0; the caller frees them with polys_clear. */
arb_poly_struct *polys_init(int n);
void polys_clear(arb_poly_struct *p, int n);

/* Sets p to n constants. */
void polys_set(arb_poly_struct *p, arb_srcptr constant, int n);

void taylor_open(taylor *t, jets *arithmetic);
void taylor_close(taylor *t);

/* Coefficients at a of f, which is not atan2, and of a^alpha. Undefined coefficients are not
 * finite. */
void taylor_function(taylor *t, model_function f, const arb_poly_t a);
void taylor_power(taylor *t, const arb_poly_t a, const arb_t alpha);

/* c_k <- c_k numerator/denominator. */
void taylor_scale(taylor *t, int k, slong numerator, slong denominator);

#endif
