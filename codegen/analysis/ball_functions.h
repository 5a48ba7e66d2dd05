/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ball_functions.h -- powers and functions of balls, with the sizes of their values (ball.h).
 */
#ifndef SIDEWINDER_ANALYSIS_BALL_FUNCTIONS_H
#define SIDEWINDER_ANALYSIS_BALL_FUNCTIONS_H

#include <arb.h>

#include "expr/expr.h"

typedef struct ball {
  arb_struct value;
  mag_struct size;
  unsigned pass; /* pass that computed value and size */
} ball;

/* size <- |slope| size(x), and size <- size + |slope| size(x). */
void ball_times_slope(mag_t size, const arb_t slope, mag_srcptr of_x);
void ball_add_slope(mag_t size, const arb_t slope, mag_srcptr of_x);

/* f(x) for one argument, and a slope whose magnitude bounds |f'(x)|. */
void ball_single(ir_call f, const arb_t x, arb_t value, arb_t slope, slong precision);

/* x^a, with its complete size |a| |x|^(a-1) size(x). */
void ball_rational_power(const ball *x, mpq_srcptr exponent, arb_t value, mag_t size,
                         slong precision);

/* x^y, atan2(y, x), and G_k(c, t) of sidewinder/functions.h.  Here size is the contribution of the
 * arguments, without |f|. */
void ball_power(const ball *x, const ball *y, arb_t value, mag_t size, slong precision);
void ball_angle(const ball *y, const ball *x, arb_t value, mag_t size, slong precision);
void ball_universal(int k, const ball *c, const ball *t, arb_t value, mag_t size, slong precision);

#endif
