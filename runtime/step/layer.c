/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/layer.h"

#include "linear/dense.h"

void sw_layer_carve(sw_carver *c, sw_layer *s)
{
  const size_t d = (size_t)s->lagrangian->system->nq;
  const size_t stages = (size_t)s->tableau->stages;

  for (size_t i = 0; i < stages; i++) {
    sw_lagrangian_point_carve(c, s->lagrangian, &s->point[i]);
  }
  s->stage_w = sw_carve(c, stages, 4 * d * d);
  s->slope_w = sw_carve(c, stages, 2 * d * d);
  s->q = sw_carve(c, d, 1);
  s->v = sw_carve(c, d, 1);
  s->q_w = sw_carve(c, d, 2 * d);
  s->S_w = sw_carve(c, 2 * d, 1);
  s->slopes_q = sw_carve(c, stages, d);
  s->slopes_v = sw_carve(c, stages, d);
  s->slopes_A = sw_carve(c, stages, d);
  s->second = sw_carve(c, 2 * d, 2 * d);
  s->product = sw_carve(c, 2 * d, 2 * d);
}

/* Rows of the unit matrix: of q from `first` = 0, of v from d on. */
static void set_unit(int d, int first, double X[])
{
  sw_zero(X, 2 * (size_t)d * (size_t)d);
  for (int i = 0; i < d; i++) {
    sw_row(X, 2 * d, i)[first + i] = 1.0;
  }
}

/* (q,v) + t sum_j c_j (V_j, A_j) over the first n stages, and its derivative, 2d x 2d; v_w may be NULL. */
static void advance(sw_layer *s, int n, const double c[], const double q[], const double v[],
                    int with_derivatives, double q1[], double v1[], double q_w[], double v_w[])
{
  const int d = s->lagrangian->system->nq;
  const int all = 2 * d * d;

  sw_copy(q1, q, (size_t)d);
  sw_copy(v1, v, (size_t)d);
  for (int j = 0; j < n; j++) {
    sw_add_scaled(d, s->t * c[j], s->point[j].v, q1);
    sw_add_scaled(d, s->t * c[j], s->point[j].rate, v1);
  }
  if (!with_derivatives) {
    return;
  }
  set_unit(d, 0, q_w);
  for (int j = 0; j < n; j++) {
    const double *V_w = s->stage_w + (size_t)j * 2 * (size_t)all + all;
    sw_add_scaled(all, s->t * c[j], V_w, q_w);
  }
  if (v_w) {
    set_unit(d, d, v_w);
    for (int j = 0; j < n; j++) {
      sw_add_scaled(all, s->t * c[j], s->slope_w + (size_t)j * (size_t)all, v_w);
    }
  }
}

void sw_layer_values(sw_layer *s, double t, const double q[], const double v[],
                     int with_derivatives)
{
  const int d = s->lagrangian->system->nq;
  const int all = 2 * d * d;
  const int stages = t == 0.0 ? 0 : s->tableau->stages;
  const double *b = s->tableau->b;

  s->t = t;
  sw_zero(s->S_w, 2 * (size_t)d);
  for (int i = 0; i < stages; i++) {
    sw_lagrangian_point *point = &s->point[i];
    double *Q_w = s->stage_w + (size_t)i * 2 * (size_t)all;
    double *A_w = s->slope_w + (size_t)i * (size_t)all;
    /* s->q and s->v are scratch until the end is made */
    advance(s, i, s->tableau->A + i * s->tableau->stages, q, v, with_derivatives, s->q, s->v, Q_w,
            Q_w + all);
    sw_lagrangian_at(s->lagrangian, s->q, s->v, with_derivatives, point);
    if (with_derivatives) {
      sw_zero(A_w, (size_t)all);
      sw_dense_add_product(d, 2 * d, 2 * d, 1.0, point->A_w, Q_w, A_w);
      sw_dense_add_transposed_times(2 * d, 2 * d, t * b[i], Q_w, point->L_w, s->S_w);
    }
  }
  advance(s, stages, b, q, v, with_derivatives, s->q, s->v, s->q_w, NULL);
}

/* Derivatives of a.R^q + b R^S by Q_i, V_i and A_i, backwards through the stages. */
static void sweep_back(sw_layer *s, const double a[], double b)
{
  const int d = s->lagrangian->system->nq;
  const int stages = s->tableau->stages;

  for (int i = stages - 1; i >= 0; i--) {
    const sw_lagrangian_point *point = &s->point[i];
    const double of_L = b * s->t * s->tableau->b[i];
    double *by_q = sw_row(s->slopes_q, d, i);
    double *by_v = sw_row(s->slopes_v, d, i);
    double *by_A = sw_row(s->slopes_A, d, i);
    sw_zero(by_A, (size_t)d);
    for (int j = 0; j < d; j++) {
      by_q[j] = of_L * point->L_w[j];
      by_v[j] = of_L * point->L_w[d + j] + s->t * s->tableau->b[i] * a[j];
    }
    for (int j = i + 1; j < stages; j++) {
      const double by = s->t * s->tableau->A[j * stages + i];
      sw_add_scaled(d, by, sw_const_row(s->slopes_v, d, j), by_A);
      sw_add_scaled(d, by, sw_const_row(s->slopes_q, d, j), by_v);
    }
    for (int j = 0; j < d; j++) {
      sw_add_scaled(d, by_A[j], sw_const_row(point->A_w, 2 * d, j), by_q);
      sw_add_scaled(d, by_A[j], sw_const_row(point->A_w, 2 * d, j) + d, by_v);
    }
  }
}

void sw_layer_second(sw_layer *s, const double a[], double b, double K[])
{
  const int d = s->lagrangian->system->nq;
  const size_t all = 4 * (size_t)d * (size_t)d;

  if (s->t == 0.0) {
    return;
  }
  sweep_back(s, a, b);
  for (int i = 0; i < s->tableau->stages; i++) {
    const double *stage_w = s->stage_w + (size_t)i * all;
    sw_zero(s->second, all);
    sw_zero(s->product, all);
    sw_lagrangian_second(s->lagrangian, &s->point[i], sw_const_row(s->slopes_A, d, i),
                         b * s->t * s->tableau->b[i], s->second);
    sw_dense_add_product(2 * d, 2 * d, 2 * d, 1.0, s->second, stage_w, s->product);
    sw_dense_add_transposed(2 * d, 2 * d, 2 * d, 1.0, stage_w, s->product, K);
  }
}
