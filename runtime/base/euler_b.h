/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * base/euler_b.h -- symplectic Euler with implicit positions, the adjoint of euler-a.
 *
 *   q1 = q + h H_p(q1,p),   p1 = p - h H_q(q1,p)          stage values x = q1
 *
 * Where H is separable, H_p does not depend on q1 and the method is explicit.
 */
#ifndef SIDEWINDER_BASE_EULER_B_H
#define SIDEWINDER_BASE_EULER_B_H

#include "base/base.h"
#include "base/reach.h"

static inline void sw_euler_b_start(sw_base_context *c, double h, const double y[], double x[])
{
  const int d = c->system->nq;

  sw_base_gradient(c, y, y + d);
  for (int i = 0; i < d; i++) {
    x[i] = y[i] + h * c->gradient[d + i];
  }
}

static inline void sw_euler_b_explicit(sw_base_context *c, double h, const double y[], double x[],
                                       double z1[])
{
  const int d = c->system->nq;
  const double *H_p = sw_base_velocity(c, y + d);

  for (int i = 0; i < d; i++) {
    x[i] = y[i] + h * H_p[i];
  }
  const double *H_q = sw_base_force(c, x);
  for (int i = 0; i < d; i++) {
    z1[d + i] = y[d + i] - h * H_q[i];
  }
  sw_copy(z1, x, (size_t)d);
}

static inline void sw_euler_b_residual(sw_base_context *c, double h, const double y[], double x[],
                                       double r[], double z1[])
{
  const int d = c->system->nq;
  const double *H_q = c->gradient;
  const double *H_p = c->gradient + d;

  if (c->system->model->structure.separable) {
    sw_euler_b_explicit(c, h, y, x, z1);
    return;
  }
  sw_base_gradient(c, x, y + d);
  for (int i = 0; i < d; i++) {
    r[i] = x[i] - y[i] - h * H_p[i];
    z1[i] = x[i];
    z1[d + i] = y[d + i] - h * H_q[i];
  }
}

static inline void sw_euler_b_tangent(sw_base_context *c, double h, const double y[],
                                      const double x[], int n, const double DY[], double DX[],
                                      double DR[], double DZ[])
{
  const int d = c->system->nq;
  const size_t half = (size_t)d * (size_t)n;
  const double *DQ = DY;
  const double *DP = DY + half;
  const double *DH_q = c->dgradient;
  const double *DH_p = c->dgradient + half;

  sw_base_hessian(c, x, y + d);
  if (c->system->model->structure.separable) {
    sw_base_dgradient(c, n, NULL, DP);
    for (size_t i = 0; i < half; i++) {
      DX[i] = DQ[i] + h * DH_p[i];
    }
  }
  sw_base_dgradient(c, n, DX, DP);
  if (!c->system->model->structure.separable) {
    for (size_t i = 0; i < half; i++) {
      DR[i] = DX[i] - DQ[i] - h * DH_p[i];
    }
  }
  for (size_t i = 0; i < half; i++) {
    DZ[i] = DX[i];
    DZ[half + i] = DP[i] - h * DH_q[i];
  }
}

static inline void sw_euler_b_reach(sw_reach *c, const sw_pattern *const y[2],
                                    const sw_pattern *const x[], const sw_pattern *r[],
                                    const sw_pattern *z1[2])
{
  const int separable = c->system->model->structure.separable;
  const sw_pattern *drift = sw_reach_product(c, c->H_pp, y[1]);
  const sw_pattern *Q = separable ? sw_reach_sum(c, y[0], drift) : x[0];
  const sw_pattern *kick = sw_reach_product(c, c->H_qq, Q);

  if (!separable) {
    drift = sw_reach_sum(c, drift, sw_reach_product(c, c->H_pq, Q));
    kick = sw_reach_sum(c, kick, sw_reach_product(c, c->H_qp, y[1]));
    r[0] = sw_reach_sum(c, Q, sw_reach_sum(c, y[0], drift));
  }
  z1[0] = Q;
  z1[1] = sw_reach_sum(c, y[1], kick);
}

static const sw_base sw_base_euler_b = {
    .name = "euler-b",
    .blocks = "q",
    .explicit_if_separable = 1,
    .order = 1,
    .symmetric = 0,
    .start = sw_euler_b_start,
    .residual = sw_euler_b_residual,
    .tangent = sw_euler_b_tangent,
    .reach = sw_euler_b_reach,
};

#endif
