/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/taylor.h"

arb_poly_struct *polys_init(int n)
{
  arb_poly_struct *p = flint_malloc((size_t)n * sizeof *p);
  for (int i = 0; i < n; i++) {
    arb_poly_init(&p[i]);
  }
  return p;
}

void polys_clear(arb_poly_struct *p, int n)
{
  for (int i = 0; i < n; i++) {
    arb_poly_clear(&p[i]);
  }
  flint_free(p);
}

void polys_set(arb_poly_struct *p, arb_srcptr constant, int n)
{
  for (int i = 0; i < n; i++) {
    arb_poly_set_arb(&p[i], constant + i);
  }
}

void taylor_open(taylor *t, jets *arithmetic)
{
  t->arithmetic = arithmetic;
  t->n = arithmetic->order + 2;
  t->slopes = 0;
  t->riccati = 0;
  for (int k = 0; k < COEFFICIENTS; k++) {
    arb_poly_init(&t->c[k]);
  }
}

void taylor_close(taylor *t)
{
  for (int k = 0; k < COEFFICIENTS; k++) {
    arb_poly_clear(&t->c[k]);
  }
}

static void multiply(const taylor *t, arb_poly_t product, const arb_poly_t a, const arb_poly_t b)
{
  arb_poly_mullow(product, a, b, t->arithmetic->length, t->arithmetic->precision);
}

void taylor_scale(taylor *t, int k, slong numerator, slong denominator)
{
  slong precision = t->arithmetic->precision;
  arb_t by;
  arb_init(by);
  arb_set_si(by, numerator);
  arb_div_si(by, by, denominator, precision);
  arb_poly_scalar_mul(&t->c[k], &t->c[k], by, precision);
  arb_clear(by);
}

/* From f and f': c_k = sign c_{k-2} / (k(k-1)), because f'' = sign f. */
static void by_second_derivative(taylor *t, int sign)
{
  for (int k = 2; k < t->n; k++) {
    arb_poly_set(&t->c[k], &t->c[k - 2]);
    taylor_scale(t, k, sign, (slong)k * (k - 1));
  }
}

static void taylor_exponential(taylor *t, const arb_poly_t a)
{
  arb_poly_exp_series(&t->c[0], a, t->arithmetic->length, t->arithmetic->precision);
  for (int k = 1; k < t->n; k++) {
    arb_poly_set(&t->c[k], &t->c[k - 1]);
    taylor_scale(t, k, 1, k);
  }
}

/* Sine or cosine if sign = -1, sinh or cosh if sign = 1, where f'' = sign f. */
static void circular(taylor *t, const arb_poly_t a, int is_sine, int sign)
{
  (sign < 0 ? arb_poly_sin_cos_series
            : arb_poly_sinh_cosh_series)(&t->c[is_sine ? 0 : 1], &t->c[is_sine ? 1 : 0], a,
                                         t->arithmetic->length, t->arithmetic->precision);
  if (!is_sine && sign < 0) {
    arb_poly_neg(&t->c[1], &t->c[1]);
  }
  by_second_derivative(t, sign);
}

/* c_k from c_0 .. c_{k-1}, for y' = 1 + sign y^2. */
static void riccati(taylor *t, int sign)
{
  arb_poly_t product;
  arb_poly_init(product);
  for (int k = 1; k < t->n; k++) {
    arb_poly_zero(&t->c[k]);
    for (int i = 0; i < k; i++) {
      multiply(t, product, &t->c[i], &t->c[k - 1 - i]);
      arb_poly_add(&t->c[k], &t->c[k], product, t->arithmetic->precision);
    }
    if (sign < 0) {
      arb_poly_neg(&t->c[k], &t->c[k]);
    }
    if (k == 1) {
      arb_poly_add_si(&t->c[k], &t->c[k], 1, t->arithmetic->precision);
    }
    taylor_scale(t, k, 1, k);
  }
  arb_poly_clear(product);
}

static void tangent(taylor *t, const arb_poly_t a)
{
  arb_poly_tan_series(&t->c[0], a, t->arithmetic->length, t->arithmetic->precision);
  riccati(t, 1);
}

static void hyperbolic_tangent(taylor *t, const arb_poly_t a)
{
  slong length = t->arithmetic->length;
  slong precision = t->arithmetic->precision;
  arb_poly_t c;
  arb_poly_init(c);
  arb_poly_sinh_cosh_series(&t->c[0], c, a, length, precision);
  arb_poly_div_series(&t->c[0], &t->c[0], c, length, precision);
  arb_poly_clear(c);
  riccati(t, -1);
}

static int may_vanish(const arb_poly_t a)
{
  return arb_poly_length(a) == 0 || arb_contains_zero(arb_poly_get_coeff_ptr(a, 0));
}

static void set_undefined(arb_poly_t a)
{
  arb_t value;
  arb_init(value);
  arb_indeterminate(value);
  arb_poly_set_arb(a, value);
  arb_clear(value);
}

/* Writes the coefficients of (q_0 + q_1 s + q_2 s^2)^alpha in powers of s into c[first],
 * c[first+1], ..., by Miller's recurrence
 *   k q_0 c_k = sum_{j=1,2} (alpha j - (k - j)) q_j c_{k-j}
 * q[3] is scratch. All coefficients are indeterminate if q_0 may be 0. */
static void power_of_quadratic(taylor *t, int first, arb_poly_struct q[], const arb_t alpha)
{
  slong length = t->arithmetic->length;
  slong precision = t->arithmetic->precision;
  arb_poly_struct *c = t->c + first;
  arb_poly_t inverse;
  arb_t factor;
  if (may_vanish(&q[0])) {
    for (int k = 0; k + first < t->n; k++) {
      set_undefined(&c[k]);
    }
    return;
  }
  arb_poly_init(inverse);
  arb_init(factor);
  arb_poly_inv_series(inverse, &q[0], length, precision);
  if (arb_equal_si(alpha, -1)) {
    arb_poly_set(&c[0], inverse);
  } else {
    arb_poly_pow_arb_series(&c[0], &q[0], alpha, length, precision);
  }
  for (int k = 1; k + first < t->n; k++) {
    arb_poly_zero(&c[k]);
    for (int j = 1; j <= 2 && j <= k; j++) {
      arb_mul_si(factor, alpha, j, precision);
      arb_sub_si(factor, factor, k - j, precision);
      arb_div_si(factor, factor, k, precision);
      multiply(t, &q[3], &q[j], &c[k - j]);
      arb_poly_scalar_mul(&q[3], &q[3], factor, precision);
      arb_poly_add(&c[k], &c[k], &q[3], precision);
    }
    multiply(t, &c[k], &c[k], inverse);
  }
  arb_poly_clear(inverse);
  arb_clear(factor);
}

void taylor_power(taylor *t, const arb_poly_t a, const arb_t alpha)
{
  arb_poly_struct *q = polys_init(4);
  arb_poly_set(&q[0], a);
  arb_poly_one(&q[1]);
  power_of_quadratic(t, 0, q, alpha);
  polys_clear(q, 4);
}

/* Expects c_0; computes c_1, c_2, ... from f' = sign (1 + curve (a + s)^2)^alpha. */
static void taylor_integral(taylor *t, const arb_poly_t a, int sign, int curve, double alpha)
{
  slong precision = t->arithmetic->precision;
  arb_t exponent;
  arb_poly_struct *q = polys_init(4);
  arb_init(exponent);
  arb_set_d(exponent, alpha);
  multiply(t, &q[0], a, a);
  series_times(&q[0], &q[0], curve, precision);
  arb_poly_add_si(&q[0], &q[0], 1, precision);
  series_times(&q[1], a, 2L * curve, precision);
  arb_poly_set_si(&q[2], curve);
  power_of_quadratic(t, 1, q, exponent);
  for (int k = 1; k < t->n; k++) {
    taylor_scale(t, k, sign, k);
  }
  arb_clear(exponent);
  polys_clear(q, 4);
}

/* |a|, or the sign of a, whose slope is 0. Both are smooth unless a may be 0. */
static void magnitude_or_sign(taylor *t, const arb_poly_t a, int is_sign)
{
  arb_t value;
  arb_init(value);
  arb_poly_get_coeff_arb(value, a, 0);
  if (!may_vanish(a)) {
    int sign = arb_is_negative(value) ? -1 : 1;
    arb_poly_set_si(&t->c[is_sign ? 0 : 1], sign);
    if (!is_sign) {
      series_times(&t->c[0], a, sign, t->arithmetic->precision);
    }
  } else {
    if (is_sign) {
      arb_sgn(value, value);
    } else {
      arb_abs(value, value);
    }
    arb_poly_set_arb(&t->c[0], value);
    for (int k = 1; k < t->n; k++) {
      set_undefined(&t->c[k]);
    }
  }
  arb_clear(value);
}

static void logarithm(taylor *t, const arb_poly_t a)
{
  arb_t alpha;
  arb_init(alpha);
  arb_set_si(alpha, -1);
  /* f' = 1/(a + s), so c_{k+1} is coefficient k of f' over k + 1. */
  taylor_power(t, a, alpha);
  for (int k = t->n - 1; k > 0; k--) {
    arb_poly_set(&t->c[k], &t->c[k - 1]);
    taylor_scale(t, k, 1, k);
  }
  arb_poly_log_series(&t->c[0], a, t->arithmetic->length, t->arithmetic->precision);
  arb_clear(alpha);
}

static void taylor_square_root(taylor *t, const arb_poly_t a)
{
  arb_t alpha;
  arb_init(alpha);
  arb_set_d(alpha, 0.5);
  taylor_power(t, a, alpha);
  if (may_vanish(a)) {
    /* The root exists at 0, without derivatives. */
    arb_poly_get_coeff_arb(alpha, a, 0);
    arb_sqrt(alpha, alpha, t->arithmetic->precision);
    arb_poly_set_arb(&t->c[0], alpha);
  }
  arb_clear(alpha);
}

void taylor_function(taylor *t, model_function f, const arb_poly_t a)
{
  slong length = t->arithmetic->length;
  slong precision = t->arithmetic->precision;
  switch (f) {
  case FUNCTION_SIN:
  case FUNCTION_COS:
    circular(t, a, f == FUNCTION_SIN, -1);
    return;
  case FUNCTION_SINH:
  case FUNCTION_COSH:
    circular(t, a, f == FUNCTION_SINH, 1);
    return;
  case FUNCTION_TAN:
    tangent(t, a);
    return;
  case FUNCTION_TANH:
    hyperbolic_tangent(t, a);
    return;
  case FUNCTION_EXP:
    taylor_exponential(t, a);
    return;
  case FUNCTION_LOG:
    logarithm(t, a);
    return;
  case FUNCTION_SQRT:
    taylor_square_root(t, a);
    return;
  case FUNCTION_ABS:
  case FUNCTION_SIGN:
    magnitude_or_sign(t, a, f == FUNCTION_SIGN);
    return;
  case FUNCTION_ASIN:
    arb_poly_asin_series(&t->c[0], a, length, precision);
    taylor_integral(t, a, 1, -1, -0.5);
    return;
  case FUNCTION_ACOS:
    arb_poly_acos_series(&t->c[0], a, length, precision);
    taylor_integral(t, a, -1, -1, -0.5);
    return;
  case FUNCTION_ATAN:
    arb_poly_atan_series(&t->c[0], a, length, precision);
    taylor_integral(t, a, 1, 1, -1.0);
    return;
  case FUNCTION_ATAN2:
  case FUNCTION_MIN:
  case FUNCTION_MAX:
  case FUNCTION_COUNT:
    break;
  }
  jets_trouble(t->arithmetic, "it has a function that is not known here");
}
