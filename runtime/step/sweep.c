/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/sweep.h"

#include <math.h>

#include "linear/sparse.h"
#include "model/scale.h"
#include "step/descent.h"

enum { most_iterations = 100 };

static int stages_of(const sw_sweep *s)
{
  return s->method->tableau ? s->method->tableau->stages : 0;
}

sw_status sw_sweep_open(sw_sweep *s)
{
  sw_status status = SW_OK;

  for (int i = 0; i < stages_of(s) && status == SW_OK; i++) {
    status = sw_field_point_open(s->field, &s->point[i]);
  }
  return status;
}

void sw_sweep_close(sw_sweep *s)
{
  for (int i = 0; i < SW_TABLEAU_STAGES; i++) {
    sw_field_point_close(&s->point[i]);
  }
}

void sw_sweep_carve(sw_carver *c, sw_sweep *s)
{
  const size_t d = (size_t)s->field->system->nq;
  const size_t stages = (size_t)stages_of(s);

  for (size_t i = 0; i < stages; i++) {
    sw_field_point_carve(c, s->field, &s->point[i]);
  }
  s->at = sw_carve(c, 2 * d, 1);
  s->w1 = sw_carve(c, 2 * d, 1);
  s->made = sw_carve(c, 2 * d, 1);
  s->start = sw_carve(c, 2 * d, 1);
  s->slopes_q = sw_carve(c, stages, d);
  s->slopes_v = sw_carve(c, stages, d);
  s->by_A = sw_carve(c, d, 1);
  s->a = sw_carve(c, 2 * d, 1);
  s->left = sw_carve(c, 2 * d, 1);
}

/* ---- E ---- */

/* s->made = start + t sum_j c_j (V_j, A_j) over the first n stages. */
static void sweep_advance(sw_sweep *s, double t, int n, const double c[])
{
  const int d = s->field->system->nq;

  sw_copy(s->made, s->start, 2 * (size_t)d);
  for (int j = 0; j < n; j++) {
    sw_add_scaled(d, t * c[j], s->point[j].v, s->made);
    sw_add_scaled(d, t * c[j], s->point[j].A, s->made + d);
  }
}

/* Computes E_t at w into s->made. */
static void go_forward(sw_sweep *s, double t, const double w[])
{
  const sw_tableau *tableau = s->method->tableau;
  const sw_one_step *map = s->method->map;
  const int d = s->field->system->nq;
  int good = 1;

  sw_copy(s->start, w, 2 * (size_t)d);
  for (int i = 0; i < stages_of(s); i++) {
    sweep_advance(s, t, i, tableau->A + i * tableau->stages);
    good = sw_field_at(s->field, s->made, s->made + d, &s->point[i]) && good;
  }
  if (tableau) {
    sweep_advance(s, t, tableau->stages, tableau->b);
  } else {
    good = map->values(map->context, t, w, s->field->k, s->made) == 0;
  }
  if (!good) {
    s->made[0] = NAN;
  }
}

/* slope = derivative of a.E_t + b E^S_t in its start, by a backward sweep through the stages. */
static void go_back_stages(sw_sweep *s, double t, const double a[], double b, double slope[])
{
  const sw_tableau *tableau = s->method->tableau;
  const int d = s->field->system->nq;
  const int stages = tableau->stages;

  sw_copy(slope, a, 2 * (size_t)d);
  for (int i = stages - 1; i >= 0; i--) {
    const double weight = t * tableau->b[i];
    double *by_q = sw_row(s->slopes_q, d, i);
    double *by_v = sw_row(s->slopes_v, d, i);
    for (int j = 0; j < d; j++) {
      by_q[j] = 0.0;
      by_v[j] = weight * a[j];
      s->by_A[j] = weight * a[d + j];
    }
    for (int j = i + 1; j < stages; j++) {
      const double by = t * tableau->A[j * stages + i];
      sw_add_scaled(d, by, sw_const_row(s->slopes_v, d, j), s->by_A);
      sw_add_scaled(d, by, sw_const_row(s->slopes_q, d, j), by_v);
    }
    sw_field_back(s->field, &s->point[i], s->by_A, b * weight, by_q, by_v);
    sw_add_scaled(d, 1.0, by_q, slope);
    sw_add_scaled(d, 1.0, by_v, slope + d);
  }
}

static void sweep_go_back(sw_sweep *s, double t, const double a[], double b, double slope[])
{
  const sw_one_step *map = s->method->map;

  if (s->method->tableau) {
    go_back_stages(s, t, a, b, slope);
  } else if (map->slope(map->context, t, s->start, s->field->k, a, b, slope) != 0) {
    slope[0] = NAN;
  }
}

/* ---- the adjoint ---- */

/* Sum of the sizes of two vectors, for positions and velocities. */
static sw_sizes sizes_of_both(const sw_sweep *s, const double v[], const double w[])
{
  const sw_system *system = s->field->system;

  return sw_sizes_sum(sw_sizes_of(system, v), 1.0, sw_sizes_of(system, w));
}

/* Last change of the iteration, relative to the sizes. */
static double sweep_moved(const sw_sweep *s, sw_sizes size)
{
  return sw_sizes_relative(sw_sizes_of(s->field->system, s->left), size);
}

/* Solves E_{-t}(w1) = w for w1. */
static void sweep_invert(sw_sweep *s, const double w[])
{
  const int d = s->field->system->nq;
  sw_descent path = sw_descent_begin();

  go_forward(s, s->t, w);
  sw_copy(s->w1, s->made, 2 * (size_t)d);
  const sw_sizes size = sizes_of_both(s, w, s->w1);
  do {
    go_forward(s, -s->t, s->w1);
    for (int i = 0; i < d; i++) {
      s->left[d + i] = w[d + i] - s->made[d + i];
      s->left[i] = w[i] - s->made[i] + s->t * s->left[d + i];
    }
    sw_add_scaled(2 * d, 1.0, s->left, s->w1);
  } while (sw_descent_goes_on(&path, most_iterations, sweep_moved(s, size)));
  go_forward(s, -s->t, s->w1);
  if (path.failed) {
    s->w1[0] = NAN;
  }
}

/* The derivative of a.w1 - b E^S_{-t}(w1) in w: the weights c with (c.E_{-t} + b E^S_{-t})_w =
 * a. */
static void go_back_inverse(sw_sweep *s, const double a[], double b, double slope[])
{
  const int d = s->field->system->nq;
  sw_descent path = sw_descent_begin();
  sw_sizes size = {0.0, 0.0};

  sw_copy(slope, a, 2 * (size_t)d);
  do {
    sweep_go_back(s, -s->t, slope, b, s->left);
    if (path.n == 0) { /* sizes of the terms, because their sum may nearly cancel */
      size = sizes_of_both(s, a, s->left);
      size.p += fabs(s->t) * size.q;
    }
    for (int i = 0; i < d; i++) {
      s->left[i] = a[i] - s->left[i];
      s->left[d + i] = a[d + i] - s->left[d + i] + s->t * s->left[i];
    }
    sw_add_scaled(2 * d, 1.0, s->left, slope);
  } while (sw_descent_goes_on(&path, most_iterations, sweep_moved(s, size)));
  if (path.failed) {
    slope[0] = NAN;
  }
}

/* ---- either kind ---- */

void sw_sweep_values(sw_sweep *s, double t, const double w[])
{
  const size_t dim = 2 * (size_t)s->field->system->nq;

  s->t = t;
  sw_copy(s->at, w, dim);
  if (t == 0.0) {
    sw_copy(s->w1, w, dim);
  } else if (s->method->adjoint) {
    sweep_invert(s, s->at);
  } else {
    go_forward(s, t, w);
    sw_copy(s->w1, s->made, dim);
  }
}

void sw_sweep_back(sw_sweep *s, const double a[], double b, double slope[])
{
  const size_t dim = 2 * (size_t)s->field->system->nq;

  sw_copy(s->a, a, dim);
  if (s->t == 0.0) {
    sw_copy(slope, a, dim);
  } else if (s->method->adjoint) {
    go_back_inverse(s, s->a, b, slope);
  } else {
    sweep_go_back(s, s->t, s->a, b, slope);
  }
}
