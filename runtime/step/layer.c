/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layer.c -- the method of a layer, or its adjoint w1 = E_{-t}^{-1}(w), which Newton's method
 * computes.
 *
 * Derivatives of the adjoint follow from E_{-t}(w1) = w. Let X = dw1/dw = (E_{-t})_w^{-1}, and let
 * the weights c make a.w1 - b E^S_{-t}(w1) + c.(E_{-t}(w1) - w) stationary in w1. Then the second
 * derivatives of a.w1 - b E^S are X^T (second derivatives of c.E - b E^S) X.
 */
#include "step/layer.h"

#include <math.h>

#include "linear/dense.h"
#include "linear/dense_lu.h"
#include "model/scale.h"
#include "step/descent.h"

static size_t layer_dimension(const sw_layer *s)
{
  return 2 * (size_t)s->of.lagrangian->system->nq;
}

void sw_layer_carve(sw_carver *c, sw_lagrangian *lagrangian, sw_layer *s)
{
  const size_t d = (size_t)lagrangian->system->nq;
  const size_t n = s->method->adjoint ? 2 * d : 0;

  s->of.method = s->method;
  s->of.lagrangian = lagrangian;
  sw_explicit_carve(c, &s->of);
  s->a = sw_carve(c, 2 * d, 1);
  SW_CARVE(c, n, 1, &s->w1, &s->S_w, &s->step);
  SW_CARVE(c, n, n, &s->w1_w, &s->matrix);
  s->exchange = sw_carve_bytes(c, n * sizeof(int));
  if (!s->method->adjoint) {
    s->w1 = s->of.w1;
    s->w1_w = s->of.w1_w;
    s->S_w = s->of.S_w;
  }
  if (c->block) {
    s->q = s->w1;
    s->v = s->w1 + d;
    s->q_w = s->w1_w;
  }
}

/* ---- the adjoint ---- */

/* Factorises the derivative of E, column-major, with velocities in units of |t|, which make the
 * entries dimensionless. */
static int layer_factor(sw_layer *s, double unit)
{
  const int d = s->of.lagrangian->system->nq;
  const int n = 2 * d;
  double least = 0.0;

  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const double row = i < d ? 1.0 : unit;
      const double col = j < d ? 1.0 : unit;
      sw_row(s->matrix, n, j)[i] = sw_const_row(s->of.w1_w, n, i)[j] * row / col;
    }
  }
  return sw_lu_factor(n, s->matrix, s->exchange, &least) == 0;
}

static void solve(const sw_layer *s, double unit, double x[])
{
  const int d = s->of.lagrangian->system->nq;

  for (int i = d; i < 2 * d; i++) {
    x[i] *= unit;
  }
  sw_lu_solve(2 * d, s->matrix, s->exchange, x);
  for (int i = d; i < 2 * d; i++) {
    x[i] /= unit;
  }
}

/* One step of Newton's method for E_{-t}(w1) = w. Returns the displacement of w1, or NaN. */
static double layer_improve(sw_layer *s, double t, double unit, const double w[])
{
  const sw_system *system = s->of.lagrangian->system;
  const size_t n = layer_dimension(s);

  sw_explicit_values(&s->of, -t, s->w1, 1);
  if (!layer_factor(s, unit)) {
    return NAN;
  }
  for (size_t i = 0; i < n; i++) {
    s->step[i] = w[i] - s->of.w1[i];
  }
  solve(s, unit, s->step);
  sw_add_scaled((int)n, 1.0, s->step, s->w1);
  return sw_sizes_relative(sw_sizes_of(system, s->step), sw_sizes_of(system, s->w1));
}

/* Computes E_{-t}^{-1}(w) with derivatives. */
static void layer_invert(sw_layer *s, double t, const double w[])
{
  enum { most_iterations = 30 };
  const double unit = sw_power_below(fabs(t));
  const size_t n = layer_dimension(s);
  sw_descent path = sw_descent_begin();

  sw_explicit_values(&s->of, t, w, 0);
  sw_copy(s->w1, s->of.w1, n);
  while (sw_descent_goes_on(&path, most_iterations, layer_improve(s, t, unit, w))) {
  }
  sw_explicit_values(&s->of, -t, s->w1, 1);
  if (path.failed || !layer_factor(s, unit)) {
    s->w1[0] = NAN;
    s->S_w[0] = NAN;
    return;
  }
  sw_zero(s->S_w, n);
  for (size_t j = 0; j < n; j++) {
    sw_zero(s->step, n);
    s->step[j] = 1.0;
    solve(s, unit, s->step);
    for (size_t i = 0; i < n; i++) {
      sw_row(s->w1_w, (int)n, (int)i)[j] = s->step[i];
      s->S_w[j] -= s->step[i] * s->of.S_w[i];
    }
  }
}

/* Second derivatives of the adjoint for the weights s->a. */
static void second_of_inverse(sw_layer *s, double b, double K[])
{
  const size_t n = layer_dimension(s);
  double *inner = s->matrix; /* the factorisation is no longer needed */

  for (size_t i = 0; i < n; i++) {
    s->step[i] = b * s->of.S_w[i] - s->a[i];
  }
  sw_zero(s->a, n);
  sw_dense_add_transposed_times((int)n, (int)n, 1.0, s->w1_w, s->step, s->a);
  sw_zero(inner, n * n);
  sw_explicit_second(&s->of, s->a, -b, inner);
  sw_zero(s->of.product, n * n);
  sw_dense_add_product((int)n, (int)n, (int)n, 1.0, inner, s->w1_w, s->of.product);
  sw_dense_add_transposed((int)n, (int)n, (int)n, 1.0, s->w1_w, s->of.product, K);
}

/* ---- either kind ---- */

/* At t = 0 every method is the identity. */
static void stay(sw_layer *s, const double w[])
{
  const size_t n = layer_dimension(s);

  s->of.t = 0.0;
  sw_copy(s->w1, w, n);
  sw_zero(s->S_w, n);
  sw_zero(s->w1_w, n * n);
  for (size_t i = 0; i < n; i++) {
    sw_row(s->w1_w, (int)n, (int)i)[i] = 1.0;
  }
}

void sw_layer_values(sw_layer *s, double t, const double q[], const double v[],
                     int with_derivatives)
{
  const size_t d = (size_t)s->of.lagrangian->system->nq;

  sw_copy(s->a, q, d);
  sw_copy(s->a + d, v, d);
  if (t == 0.0) {
    stay(s, s->a);
  } else if (s->method->adjoint) {
    layer_invert(s, t, s->a);
  } else {
    sw_explicit_values(&s->of, t, s->a, with_derivatives);
  }
}

void sw_layer_second(sw_layer *s, const double a[], double b, double K[])
{
  const size_t d = (size_t)s->of.lagrangian->system->nq;

  if (s->of.t == 0.0) {
    return;
  }
  (void)sw_copy_and_zero(s->a, a, d);
  if (s->method->adjoint) {
    second_of_inverse(s, b, K);
  } else {
    sw_explicit_second(&s->of, s->a, b, K);
  }
}
