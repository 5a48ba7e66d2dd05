/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elementary.c -- elementary functions of jets, by their Taylor coefficients c_k = f^(k)(a)/k! at
 * the constant term a. Arb computes them as the power series of f(a + x).
 */
#include <arb_poly.h>

#include "witness/jet.h"

static const char undefined[] = "it is not defined, or not smooth, there";

/* Number of coefficients: sizes need one more than the order. */
enum { COEFFICIENTS = JET_MAX_ORDER + 2 };

typedef struct taylor {
  jets *arithmetic;
  int n;       /* number of coefficients to compute */
  int riccati; /* 1 if y' = 1 + y^2 or 1 - y^2 */
  int slopes;  /* number of derivatives of f that are bounded by 1; sizes use this bound */
  arb_t at;    /* the constant term */
  arb_ptr c;   /* COEFFICIENTS; not finite where undefined */
} taylor;

static void taylor_open(taylor *t, jets *arithmetic, const jet *a)
{
  *t = (taylor){
      .arithmetic = arithmetic, .n = arithmetic->order + 2, .c = _arb_vec_init(COEFFICIENTS)};
  arb_init(t->at);
  if (jet_constant(a)) {
    arb_set(t->at, &jet_constant(a)->value);
  }
}

/* The polynomial at + x; the caller clears it. */
static void taylor_argument(const taylor *t, arb_poly_t x)
{
  arb_poly_init(x);
  arb_poly_set_coeff_si(x, 1, 1);
  arb_poly_set_coeff_arb(x, 0, t->at);
}

/* Stores the coefficients of a series, and clears the series and its argument. */
static void taylor_take(taylor *t, arb_poly_t series, arb_poly_t x)
{
  for (int k = 0; k < t->n; k++) {
    arb_poly_get_coeff_arb(t->c + k, series, k);
  }
  arb_poly_clear(series);
  arb_poly_clear(x);
}

/* |a|, or the sign of a, whose slope is 0. Both are smooth unless a may be 0. */
static void magnitude_or_sign(taylor *t, int is_sign)
{
  (is_sign ? arb_sgn : arb_abs)(t->c, t->at);
  if (arb_contains_zero(t->at)) {
    _arb_vec_indeterminate(t->c + 1, t->n - 1);
  } else if (!is_sign) {
    arb_sgn(t->c + 1, t->at);
  }
}

/* Coefficients of f, which has one argument. */
static void taylor_function(taylor *t, model_function f)
{
  slong precision = t->arithmetic->precision;
  arb_poly_t x;
  arb_poly_t y;
  arb_poly_t divisor;
  if (f == FUNCTION_ABS || f == FUNCTION_SIGN) {
    magnitude_or_sign(t, f == FUNCTION_SIGN);
    return;
  }
  taylor_argument(t, x);
  arb_poly_init(y);
  switch (f) {
  case FUNCTION_SIN:
    arb_poly_sin_series(y, x, t->n, precision);
    break;
  case FUNCTION_COS:
    arb_poly_cos_series(y, x, t->n, precision);
    break;
  case FUNCTION_TAN:
    arb_poly_tan_series(y, x, t->n, precision);
    break;
  case FUNCTION_SINH:
    arb_poly_sinh_series(y, x, t->n, precision);
    break;
  case FUNCTION_COSH:
    arb_poly_cosh_series(y, x, t->n, precision);
    break;
  case FUNCTION_TANH:
    arb_poly_init(divisor);
    arb_poly_sinh_cosh_series(y, divisor, x, t->n, precision);
    arb_poly_div_series(y, y, divisor, t->n, precision);
    arb_poly_clear(divisor);
    break;
  case FUNCTION_EXP:
    arb_poly_exp_series(y, x, t->n, precision);
    break;
  case FUNCTION_LOG:
    arb_poly_log_series(y, x, t->n, precision);
    break;
  case FUNCTION_SQRT:
    arb_poly_sqrt_series(y, x, t->n, precision);
    break;
  case FUNCTION_ASIN:
    arb_poly_asin_series(y, x, t->n, precision);
    break;
  case FUNCTION_ACOS:
    arb_poly_acos_series(y, x, t->n, precision);
    break;
  case FUNCTION_ATAN:
    arb_poly_atan_series(y, x, t->n, precision);
    break;
  default:
    jets_trouble(t->arithmetic, "it has a function that is not known here");
    break;
  }
  taylor_take(t, y, x);
  if (f == FUNCTION_SQRT && arb_contains_zero(t->at)) {
    arb_sqrt(t->c, t->at, precision); /* exists at 0, without derivatives */
  }
}

/* 1, or 0 with trouble recorded, if the coefficients up to the order exist. */
static int check_finite(taylor *t)
{
  for (int k = 0; k <= t->arithmetic->order; k++) {
    if (!arb_is_finite(t->c + k)) {
      jets_trouble(t->arithmetic, undefined);
    }
  }
  return !t->arithmetic->trouble;
}

/* Size of the constant term over its value. */
static void relative_size(mag_t relative, const jet *a)
{
  mag_t lower;
  mag_init(lower);
  mag_one(relative);
  if (jet_constant(a) && !arb_is_zero(&jet_constant(a)->value)) {
    arb_get_mag_lower(lower, &jet_constant(a)->value);
    mag_div(relative, &jet_constant(a)->size, lower);
  }
  mag_clear(lower);
}

/* Size of coefficient k > 0 if y' = 1 + y^2 or 1 - y^2. It is the size of the sum in the
 * recurrence, which cancels where tanh is flat. */
static void riccati_size(mag_struct sizes[], int k)
{
  for (int i = 0; i < k; i++) {
    mag_addmul(&sizes[k], &sizes[i], &sizes[k - 1 - i]);
  }
  if (k == 1) {
    mag_add_ui(&sizes[k], &sizes[k], 1);
  }
  mag_div_ui(&sizes[k], &sizes[k], (ulong)k);
}

/* f(a) from its coefficients c_k, which are released. Let s be the size of a. Coefficient k has
 * the size |c_k| + (k+1) |c_{k+1}| s; for a power a^alpha (alpha not NULL), whose relative error is
 * alpha times that of a, it has the size max(1, |alpha - k|) |c_k| s/|a|. */
static jet *elementary_compose(taylor *t, const jet *a, arb_srcptr alpha)
{
  jets *arithmetic = t->arithmetic;
  jet *value = jet_zero(arithmetic);
  mag_ptr sizes = _mag_vec_init(COEFFICIENTS);
  arb_t exponent;
  mag_t factor;
  mag_t relative;
  arb_init(exponent);
  mag_init(factor);
  mag_init(relative);
  relative_size(relative, a);
  for (int k = 0; k <= arithmetic->order; k++) {
    if (t->riccati && k > 0) {
      riccati_size(sizes, k);
      continue;
    }
    arb_get_mag(&sizes[k], t->c + k);
    if (alpha) {
      arb_sub_si(exponent, alpha, k, 64);
      arb_get_mag(factor, exponent);
      if (mag_cmp_2exp_si(factor, 0) < 0) {
        mag_one(factor);
      }
      mag_mul(&sizes[k], &sizes[k], factor);
      mag_mul(&sizes[k], &sizes[k], relative);
    } else if (jet_constant(a) && !mag_is_zero(&jet_constant(a)->size)) {
      arb_get_mag(factor, t->c + k + 1);
      mag_mul_ui(factor, factor, (ulong)k + 1);
      if (t->slopes > k) {
        mag_set_d(factor, k < 2 ? 1.0 : 1.0 / (k == 2 ? 2.0 : k == 3 ? 6.0 : 24.0));
      }
      mag_mul(factor, factor, &jet_constant(a)->size);
      mag_add(&sizes[k], &sizes[k], factor);
    }
  }
  if (check_finite(t)) {
    value = jet_compose(arithmetic, a, t->c, sizes);
  }
  mag_clear(relative);
  mag_clear(factor);
  arb_clear(exponent);
  _mag_vec_clear(sizes, COEFFICIENTS);
  _arb_vec_clear(t->c, COEFFICIENTS);
  arb_clear(t->at);
  return value;
}

static jet *powered(jets *arithmetic, const jet *a, const arb_t alpha)
{
  taylor t;
  arb_poly_t x;
  arb_poly_t series;
  taylor_open(&t, arithmetic, a);
  taylor_argument(&t, x);
  arb_poly_init(series);
  if (arb_equal_si(alpha, -1)) {
    arb_poly_inv_series(series, x, t.n, arithmetic->precision);
  } else {
    arb_poly_pow_arb_series(series, x, alpha, t.n, arithmetic->precision);
  }
  taylor_take(&t, series, x);
  return elementary_compose(&t, a, alpha);
}

static jet *elementary_inverse(jets *arithmetic, const jet *a)
{
  arb_t alpha;
  arb_init(alpha);
  arb_set_si(alpha, -1);
  jet *result = powered(arithmetic, a, alpha);
  arb_clear(alpha);
  return result;
}

jet *jet_quotient(jets *arithmetic, const jet *a, const jet *b)
{
  return jet_product(arithmetic, a, elementary_inverse(arithmetic, b));
}

/* Power by repeated squaring. */
static jet *elementary_integer_power(jets *arithmetic, const jet *a, slong n)
{
  jet *result = jet_double(arithmetic, 1.0);
  const jet *square = a;
  for (slong left = n < 0 ? -n : n; left > 0 && !arithmetic->trouble; left /= 2) {
    if (left % 2) {
      result = jet_product(arithmetic, result, square);
    }
    square = left > 1 ? jet_product(arithmetic, square, square) : square;
  }
  return n < 0 ? elementary_inverse(arithmetic, result) : result;
}

static int is_zero(const jet *a)
{
  for (long i = 0; i < a->n; i++) {
    if (!arb_is_zero(&a->terms[i].value)) {
      return 0;
    }
  }
  return 1;
}

/* 1 if a is the constant 0, independent of the state. */
static int is_number_zero(const jet *a)
{
  return is_zero(a) && jet_count_variables(a) == 0;
}

/* Gets the exponent and returns 1 if it is a number, independent of the state. */
static int elementary_is_number(const jet *b, arb_t value)
{
  const jet_term *constant = jet_constant(b);
  if (b->n > 1 || !constant) {
    return 0;
  }
  arb_set(value, &constant->value);
  return 1;
}

/* Adds the effect of an inexact exponent to the sizes: a^b (1 + |log a| size of b). */
static void add_exponent_size(jet *result, const jet *a, const jet *b)
{
  mag_t part;
  arb_t log_a;
  mag_init(part);
  arb_init(log_a);
  arb_log(log_a, &jet_constant(a)->value, 64);
  arb_get_mag(part, log_a);
  mag_mul(part, part, &jet_constant(b)->size);
  mag_add_ui(part, part, 1);
  for (long i = 0; i < result->n; i++) {
    mag_mul(&result->terms[i].size, &result->terms[i].size, part);
  }
  arb_clear(log_a);
  mag_clear(part);
}

jet *jet_power(jets *arithmetic, const jet *a, const jet *b)
{
  arb_t exponent;
  jet *result = NULL;
  arb_init(exponent);
  if (b->n == 0) {
    result = jet_double(arithmetic, 1.0);
  } else if (!elementary_is_number(b, exponent)) {
    result =
        jet_call(arithmetic, FUNCTION_EXP,
                 jet_product(arithmetic, b, jet_call(arithmetic, FUNCTION_LOG, a, NULL)), NULL);
  } else if (arb_is_int(exponent) && arf_cmpabs_2exp_si(arb_midref(exponent), 31) < 0) {
    result =
        elementary_integer_power(arithmetic, a, arf_get_si(arb_midref(exponent), ARF_RND_DOWN));
    /* 0 to a positive power has a value, though perhaps no slope */
  } else if (is_number_zero(a) && arb_is_positive(exponent)) {
    result = jet_sum(arithmetic, a, jet_zero(arithmetic));
  } else {
    result = powered(arithmetic, a, exponent);
    if (!arithmetic->trouble && !arb_is_exact(exponent)) {
      add_exponent_size(result, a, b);
    }
  }
  arb_clear(exponent);
  return result;
}

/* A copy of a that has a constant term, possibly 0. */
static jet *with_constant(jets *arithmetic, const jet *a)
{
  return jet_sum(arithmetic, a, jet_double(arithmetic, 0.0));
}

/* The constant term of a, which must have one. */
static jet *constant_part(jets *arithmetic, const jet *a)
{
  return jet_compose(arithmetic, jet_zero(arithmetic), &a->terms[0].value, &a->terms[0].size);
}

/* atan2(y, x). Rotating (x, y) by -theta_0, the angle of the constant terms, brings it near the x
 * axis. The angle there is atan(u), u = (x_0 y - y_0 x)/(x_0 x + y_0 y), and u has no constant
 * term. */
static jet *angle(jets *arithmetic, const jet *y, const jet *x)
{
  taylor t;
  x = with_constant(arithmetic, x);
  y = with_constant(arithmetic, y);
  if (arithmetic->trouble) {
    return jet_zero(arithmetic);
  }
  const jet *x_0 = constant_part(arithmetic, x);
  const jet *y_0 = constant_part(arithmetic, y);
  const jet *cosine =
      jet_sum(arithmetic, jet_product(arithmetic, x_0, x), jet_product(arithmetic, y_0, y));
  const jet *sine =
      jet_difference(arithmetic, jet_product(arithmetic, x_0, y), jet_product(arithmetic, y_0, x));
  jet *u = with_constant(arithmetic, jet_quotient(arithmetic, sine, cosine));
  if (arithmetic->trouble) {
    return jet_zero(arithmetic);
  }
  arb_zero(&u->terms[0].value); /* keeps its size, which is that of the angle's rounding */
  taylor_open(&t, arithmetic, u);
  taylor_function(&t, FUNCTION_ATAN);
  arb_atan2(t.c, &y->terms[0].value, &x->terms[0].value, arithmetic->precision);
  return elementary_compose(&t, u, NULL);
}

/* (a + b - |a - b|)/2 or (a + b + |a - b|)/2. Sizes include derivatives of both arguments. */
static jet *smaller_or_larger(jets *arithmetic, model_function f, const jet *a, const jet *b)
{
  const jet *difference = jet_difference(arithmetic, a, b);
  if (is_zero(difference)) { /* equal numbers have a minimum although |x| has no slope at 0 */
    return jet_sum(arithmetic, a, jet_zero(arithmetic));
  }
  const jet *apart = jet_call(arithmetic, FUNCTION_ABS, difference, NULL);
  const jet *sum = jet_sum(arithmetic, a, b);
  const jet *twice =
      f == FUNCTION_MIN ? jet_difference(arithmetic, sum, apart) : jet_sum(arithmetic, sum, apart);
  return jet_product(arithmetic, jet_double(arithmetic, 0.5), twice);
}

/* Number of derivatives that are bounded by 1: all for sin and cos, the first for atan, tanh and
 * abs. */
static int bounded_slopes(model_function f)
{
  return f == FUNCTION_SIN || f == FUNCTION_COS                          ? COEFFICIENTS
         : f == FUNCTION_ATAN || f == FUNCTION_TANH || f == FUNCTION_ABS ? 1
                                                                         : 0;
}

jet *jet_call(jets *arithmetic, model_function f, const jet *a, const jet *b)
{
  taylor t;
  if (arithmetic->trouble) {
    return jet_zero(arithmetic);
  }
  if (f == FUNCTION_ATAN2) {
    return angle(arithmetic, a, b);
  }
  if (f == FUNCTION_MIN || f == FUNCTION_MAX) {
    return smaller_or_larger(arithmetic, f, a, b);
  }
  if (is_number_zero(a) && (f == FUNCTION_SQRT || f == FUNCTION_ABS || f == FUNCTION_SIGN)) {
    /* the value is 0, though there is no slope */
    return jet_sum(arithmetic, a, jet_zero(arithmetic));
  }
  taylor_open(&t, arithmetic, a);
  taylor_function(&t, f);
  t.slopes = bounded_slopes(f);
  t.riccati = f == FUNCTION_TAN || f == FUNCTION_TANH;
  return elementary_compose(&t, a, NULL);
}
