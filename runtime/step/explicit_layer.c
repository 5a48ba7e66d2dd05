/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * explicit_layer.c -- explicit one-step methods: Runge-Kutta methods, differentiated by the
 * variational equations, and user-computed methods.
 */
#include <float.h>
#include <math.h>

#include "linear/dense.h"
#include "model/scale.h"
#include "step/layer.h"

void sw_explicit_carve(sw_carver *c, sw_explicit *s)
{
  const size_t d = (size_t)s->lagrangian->system->nq;
  const size_t stages = s->method->tableau ? (size_t)s->method->tableau->stages : 0;

  /* at least one point, which also serves as scratch */
  for (size_t i = 0; i < stages || i == 0; i++) {
    sw_lagrangian_point_carve(c, s->lagrangian, &s->point[i]);
  }
  s->stage_w = sw_carve(c, stages, 4 * d * d);
  s->slope_w = sw_carve(c, stages, 2 * d * d);
  SW_CARVE(c, 2 * d, 1, &s->at, &s->w1, &s->S_w);
  SW_CARVE(c, 2 * d, 2 * d, &s->w1_w, &s->second, &s->product);
  SW_CARVE(c, stages, d, &s->slopes_q, &s->slopes_v, &s->slopes_A);
}

/* ---- Runge-Kutta methods ---- */

/* w1 = w + t sum_j c_j (V_j, A_j) over the first n stages, and its derivative w1_w. */
static void advance(sw_explicit *s, int n, const double c[], int with_derivatives, double w1_w[])
{
  const int d = s->lagrangian->system->nq;
  const int all = 2 * d * d;

  sw_copy(s->w1, s->at, 2 * (size_t)d);
  for (int j = 0; j < n; j++) {
    sw_add_scaled(d, s->t * c[j], s->point[j].v, s->w1);
    sw_add_scaled(d, s->t * c[j], s->point[j].rate, s->w1 + d);
  }
  if (!with_derivatives) {
    return;
  }
  sw_zero(w1_w, 2 * (size_t)all);
  for (int i = 0; i < 2 * d; i++) {
    sw_row(w1_w, 2 * d, i)[i] = 1.0;
  }
  for (int j = 0; j < n; j++) {
    const double *V_w = s->stage_w + (size_t)j * 2 * (size_t)all + all;
    sw_add_scaled(all, s->t * c[j], V_w, w1_w);
    sw_add_scaled(all, s->t * c[j], s->slope_w + (size_t)j * (size_t)all, w1_w + all);
  }
}

static void take_stages(sw_explicit *s, const sw_tableau *tableau, int with_derivatives)
{
  const int d = s->lagrangian->system->nq;
  const int all = 2 * d * d;
  const int stages = tableau->stages;

  sw_zero(s->S_w, 2 * (size_t)d);
  for (int i = 0; i < stages; i++) {
    sw_lagrangian_point *point = &s->point[i];
    double *Q_w = s->stage_w + (size_t)i * 2 * (size_t)all;
    double *A_w = s->slope_w + (size_t)i * (size_t)all;
    advance(s, i, tableau->A + i * tableau->stages, with_derivatives, Q_w);
    sw_lagrangian_at(s->lagrangian, s->w1, s->w1 + d, with_derivatives, point);
    if (with_derivatives) {
      sw_zero(A_w, (size_t)all);
      sw_dense_add_product(d, 2 * d, 2 * d, 1.0, point->A_w, Q_w, A_w);
      sw_dense_add_transposed_times(2 * d, 2 * d, s->t * tableau->b[i], Q_w, point->L_w, s->S_w);
    }
  }
  advance(s, stages, tableau->b, with_derivatives, s->w1_w);
}

/* Derivatives of a.E + b E^S in Q_i, V_i and A_i, by a backward sweep through the stages. */
static void sweep_back(sw_explicit *s, const sw_tableau *tableau, const double a[], double b)
{
  const int d = s->lagrangian->system->nq;
  const int stages = tableau->stages;

  for (int i = stages - 1; i >= 0; i--) {
    const sw_lagrangian_point *point = &s->point[i];
    const double weight = s->t * tableau->b[i];
    double *by_q = sw_row(s->slopes_q, d, i);
    double *by_v = sw_row(s->slopes_v, d, i);
    double *by_A = sw_row(s->slopes_A, d, i);
    for (int j = 0; j < d; j++) {
      by_q[j] = b * weight * point->L_w[j];
      by_v[j] = b * weight * point->L_w[d + j] + weight * a[j];
      by_A[j] = weight * a[d + j];
    }
    for (int j = i + 1; j < stages; j++) {
      const double by = s->t * tableau->A[j * stages + i];
      sw_add_scaled(d, by, sw_const_row(s->slopes_v, d, j), by_A);
      sw_add_scaled(d, by, sw_const_row(s->slopes_q, d, j), by_v);
    }
    for (int j = 0; j < d; j++) {
      sw_add_scaled(d, by_A[j], sw_const_row(point->A_w, 2 * d, j), by_q);
      sw_add_scaled(d, by_A[j], sw_const_row(point->A_w, 2 * d, j) + d, by_v);
    }
  }
}

static void second_of_stages(sw_explicit *s, const sw_tableau *tableau, const double a[], double b,
                             double K[])
{
  const int d = s->lagrangian->system->nq;
  const size_t all = 4 * (size_t)d * (size_t)d;

  sweep_back(s, tableau, a, b);
  for (int i = 0; i < tableau->stages; i++) {
    const double *stage_w = s->stage_w + (size_t)i * all;
    sw_zero(s->second, all);
    sw_zero(s->product, all);
    sw_lagrangian_second(s->lagrangian, &s->point[i], sw_const_row(s->slopes_A, d, i),
                         b * s->t * tableau->b[i], s->second);
    sw_dense_add_product(2 * d, 2 * d, 2 * d, 1.0, s->second, stage_w, s->product);
    sw_dense_add_transposed(2 * d, 2 * d, 2 * d, 1.0, stage_w, s->product, K);
  }
}

/* ---- user-computed methods ---- */

static void call(sw_explicit *s, const sw_one_step *map, int with_derivatives)
{
  const int d = s->lagrangian->system->nq;
  const double *k = s->lagrangian->k;
  double *unit = s->product;
  int failed = map->values(map->context, s->t, s->at, k, s->w1) != 0;

  sw_zero(unit, 2 * (size_t)d);
  for (int i = 0; i < 2 * d && with_derivatives && !failed; i++) {
    unit[i] = 1.0;
    failed = map->slope(map->context, s->t, s->at, k, unit, 0.0, sw_row(s->w1_w, 2 * d, i)) != 0;
    unit[i] = 0.0;
  }
  if (with_derivatives && !failed) {
    failed = map->slope(map->context, s->t, s->at, k, unit, 1.0, s->S_w) != 0;
  }
  if (failed) {
    s->w1[0] = NAN;
    s->S_w[0] = NAN;
  }
}

/* The distance of a central difference in entry i of w = (q,v). It is relative to the entry and to
 * the motion |t| |v| in one step. A clock has its own: it may have run for long. */
static double difference_distance(const sw_explicit *s, int i)
{
  const int d = s->lagrangian->system->nq;
  const int clock = s->lagrangian->clock;
  const double t = fabs(s->t);
  double motion = 0.0;

  if (i == clock) {
    return fmax(cbrt(DBL_EPSILON) * t, 1e4 * DBL_EPSILON * fabs(s->at[i]));
  }
  for (int j = 0; j < d; j++) {
    motion = j == clock ? motion : fmax(motion, t * fabs(s->at[d + j]));
  }
  const double size = fmax(motion, fabs(s->at[i]) * (i < d ? 1.0 : t));
  return cbrt(DBL_EPSILON) * sw_nonzero_scale(size) / (i < d ? 1.0 : t);
}

/* Central differences of the slopes, for a map without second derivatives. They are accurate enough
 * for Newton's method, which then converges linearly. The clock's velocity is always 1: its row
 * stays zero. Returns 0 on success. */
static int difference_slopes(sw_explicit *s, const sw_one_step *map, const double a[], double b)
{
  const int d = s->lagrangian->system->nq;
  const int clock = s->lagrangian->clock;
  double *ends[2] = {s->product, sw_row(s->product, 2 * d, 1)};
  int failed = 0;

  for (int i = 0; i < 2 * d && !failed; i++) {
    if (clock >= 0 && i == d + clock) {
      continue;
    }
    const double by = difference_distance(s, i);
    const double middle = s->at[i];
    for (int side = 0; side < 2 && !failed; side++) {
      s->at[i] = middle + (side ? by : -by);
      failed = map->slope(map->context, s->t, s->at, s->lagrangian->k, a, b, ends[side]) != 0;
    }
    s->at[i] = middle;
    for (int j = 0; j < 2 * d; j++) {
      sw_row(s->second, 2 * d, i)[j] = (ends[1][j] - ends[0][j]) / (2.0 * by);
    }
  }
  return failed;
}

static void add_called_second(sw_explicit *s, const sw_one_step *map, const double a[], double b,
                              double K[])
{
  const int d = s->lagrangian->system->nq;

  sw_zero(s->second, 4 * (size_t)d * (size_t)d);
  const int failed = map->second
                         ? map->second(map->context, s->t, s->at, s->lagrangian->k, a, b, s->second)
                         : difference_slopes(s, map, a, b);
  if (failed) {
    s->second[0] = NAN;
  }
  sw_add_scaled(4 * d * d, 1.0, s->second, K);
}

/* ---- either kind ---- */

void sw_explicit_values(sw_explicit *s, double t, const double w[], int with_derivatives)
{
  const sw_layer_method *method = s->method;

  s->t = t;
  sw_copy(s->at, w, 2 * (size_t)s->lagrangian->system->nq);
  if (method->tableau) {
    take_stages(s, method->tableau, with_derivatives);
  } else {
    call(s, method->map, with_derivatives);
  }
}

void sw_explicit_second(sw_explicit *s, const double a[], double b, double K[])
{
  const sw_layer_method *method = s->method;

  if (method->tableau) {
    second_of_stages(s, method->tableau, a, b, K);
  } else {
    add_called_second(s, method->map, a, b, K);
  }
}
