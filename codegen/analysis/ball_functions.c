/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/ball_functions.h"

#include <arb_hypgeom.h>
#include <flint/fmpq.h>

void ball_times_slope(mag_t size, const arb_t slope, mag_srcptr of_x)
{
  mag_t magnitude;
  mag_init(magnitude);
  arb_get_mag(magnitude, slope);
  mag_mul(size, magnitude, of_x);
  mag_clear(magnitude);
}

void ball_add_slope(mag_t size, const arb_t slope, mag_srcptr of_x)
{
  mag_t magnitude;
  mag_init(magnitude);
  arb_get_mag(magnitude, slope);
  mag_addmul(size, magnitude, of_x);
  mag_clear(magnitude);
}

void ball_rational_power(const ball *x, mpq_srcptr exponent, arb_t value, mag_t size,
                         slong precision)
{
  fmpq_t a;
  fmpq_init(a);
  fmpq_set_mpq(a, exponent);
  arb_pow_fmpq(value, &x->value, a, precision);
  if (fmpq_is_one(a)) {
    mag_set(size, &x->size);
  } else {
    arb_t slope;
    fmpq_t less;
    arb_init(slope);
    fmpq_init(less);
    fmpq_sub_si(less, a, 1);
    arb_pow_fmpq(slope, &x->value, less, 64);
    arb_mul_fmpz(slope, slope, fmpq_numref(a), 64);
    arb_div_fmpz(slope, slope, fmpq_denref(a), 64);
    ball_times_slope(size, slope, &x->size);
    fmpq_clear(less);
    arb_clear(slope);
  }
  fmpq_clear(a);
}

void ball_single(ir_call f, const arb_t x, arb_t value, arb_t slope, slong precision)
{
  arb_one(slope);
  switch (f) {
  case IR_SIN:
  case IR_COS:
    (f == IR_SIN ? arb_sin : arb_cos)(value, x, precision);
    return;
  case IR_ATAN:
  case IR_TANH:
    (f == IR_ATAN ? arb_atan : arb_tanh)(value, x, precision);
    return;
  case IR_ABS:
    arb_abs(value, x);
    return;
  case IR_TAN:
    arb_tan(value, x, precision);
    arb_addmul(slope, value, value, precision);
    return;
  case IR_ASIN:
  case IR_ACOS:
    (f == IR_ASIN ? arb_asin : arb_acos)(value, x, precision);
    arb_submul(slope, x, x, precision);
    arb_rsqrt(slope, slope, precision);
    return;
  case IR_SINH:
    arb_sinh_cosh(value, slope, x, precision);
    return;
  case IR_COSH:
    arb_sinh_cosh(slope, value, x, precision);
    arb_set(slope, value);
    return;
  case IR_EXP:
    arb_exp(value, x, precision);
    arb_set(slope, value);
    return;
  case IR_LOG:
    arb_log(value, x, precision);
    arb_inv(slope, x, precision);
    return;
  case IR_HOLD:
    arb_set(value, x);
    return;
  default:
    break;
  }
  /* Steps are evaluated only on one side of their jump, and sign also at 0 itself.  Other functions
   * do not occur in models. */
  arb_zero(slope);
  if (f == IR_INSIDE && arb_is_nonnegative(x)) {
    arb_one(value);
  } else if (f == IR_SIGN && (arb_is_zero(x) || !arb_contains_zero(x))) {
    arb_sgn(value, x);
  } else {
    arb_indeterminate(value);
  }
}

void ball_angle(const ball *y, const ball *x, arb_t value, mag_t size, slong precision)
{
  arb_t square;
  mag_t part;
  arb_init(square);
  mag_init(part);
  arb_atan2(value, &y->value, &x->value, precision);
  ball_times_slope(size, &x->value, &y->size);
  ball_add_slope(size, &y->value, &x->size);
  arb_mul(square, &x->value, &x->value, precision);
  arb_addmul(square, &y->value, &y->value, precision);
  arb_get_mag_lower(part, square);
  mag_div(size, size, part);
  mag_clear(part);
  arb_clear(square);
}

/* x^y; the derivatives are y x^(y-1) and x^y log x. */
void ball_power(const ball *x, const ball *y, arb_t value, mag_t size, slong precision)
{
  arb_t slope;
  arb_init(slope);
  arb_pow(value, &x->value, &y->value, precision);
  arb_div(slope, &y->value, &x->value, precision);
  ball_times_slope(size, slope, &x->size);
  arb_log(slope, &x->value, precision);
  ball_add_slope(size, slope, &y->size);
  ball_times_slope(size, value, size);
  arb_clear(slope);
}

/* G_k(c, t) = t^k/k! 1F2(1; (k+1)/2, (k+2)/2; c t^2/4).  Its derivative with respect to t is
 * G_{k-1}(c, t), or c G_1(c, t) for k = 0.  Its derivative with respect to c is at most t^2
 * G_k(|c|, |t|)/(2 k + 2). */
static void universal_value(int k, const arb_t c, const arb_t t, arb_t value, slong precision)
{
  arb_struct lower[2];
  arb_t one;
  arb_t x;
  arb_init(one);
  arb_init(x);
  arb_one(one);
  for (int i = 0; i < 2; i++) {
    arb_init(&lower[i]);
    arb_set_si(&lower[i], k + 1 + i);
    arb_mul_2exp_si(&lower[i], &lower[i], -1);
  }
  arb_mul(x, t, t, precision);
  arb_mul(x, x, c, precision);
  arb_mul_2exp_si(x, x, -2);
  arb_hypgeom_pfq(value, one, 1, lower, 2, x, 0, precision);
  arb_pow_ui(x, t, (ulong)k, precision);
  arb_mul(value, value, x, precision);
  arb_fac_ui(x, (ulong)k, precision);
  arb_div(value, value, x, precision);
  arb_clear(&lower[0]);
  arb_clear(&lower[1]);
  arb_clear(x);
  arb_clear(one);
}

void ball_universal(int k, const ball *c, const ball *t, arb_t value, mag_t size, slong precision)
{
  arb_t slope;
  arb_t other;
  arb_init(slope);
  arb_init(other);
  universal_value(k, &c->value, &t->value, value, precision);
  universal_value(k ? k - 1 : 1, &c->value, &t->value, slope, precision);
  if (k == 0) {
    arb_mul(slope, slope, &c->value, precision);
  }
  ball_times_slope(size, slope, &t->size);
  arb_abs(slope, &c->value);
  arb_abs(other, &t->value);
  universal_value(k, slope, other, slope, precision);
  arb_mul(other, other, other, precision);
  arb_mul(slope, slope, other, precision);
  arb_div_si(slope, slope, 2 * k + 2, precision);
  ball_add_slope(size, slope, &c->size);
  arb_clear(other);
  arb_clear(slope);
}
