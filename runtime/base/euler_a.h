/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * base/euler_a.h -- symplectic Euler with implicit momenta (paper 000, section 5.1.3).
 *
 *   p1 = p - h H_q(q,p1),   q1 = q + h H_p(q,p1)          stage values x = p1
 *
 * Where H is separable, H_q does not depend on p1 and the method is explicit.
 */
#ifndef SIDEWINDER_BASE_EULER_A_H
#define SIDEWINDER_BASE_EULER_A_H

#include "base/base.h"
#include "base/reach.h"

static inline void sw_euler_a_start(sw_base_context *c, double h, const double y[], double x[])
{
  const int d = c->system->nq;

  sw_base_gradient(c, y, y + d);
  for (int i = 0; i < d; i++) {
    x[i] = y[d + i] - h * c->gradient[i];
  }
}

static inline void sw_euler_a_explicit(sw_base_context *c, double h, const double y[], double x[],
                                       double z1[])
{
  const int d = c->system->nq;
  const double *H_q = sw_base_force(c, y);

  for (int i = 0; i < d; i++) {
    x[i] = y[d + i] - h * H_q[i];
  }
  const double *H_p = sw_base_velocity(c, x);
  for (int i = 0; i < d; i++) {
    z1[i] = y[i] + h * H_p[i];
  }
  sw_copy(z1 + d, x, (size_t)d);
}

static inline void sw_euler_a_residual(sw_base_context *c, double h, const double y[], double x[],
                                       double r[], double z1[])
{
  const int d = c->system->nq;
  const double *H_q = c->gradient;
  const double *H_p = c->gradient + d;

  if (c->system->model->structure.separable) {
    sw_euler_a_explicit(c, h, y, x, z1);
    return;
  }
  sw_base_gradient(c, y, x);
  for (int i = 0; i < d; i++) {
    r[i] = x[i] - y[d + i] + h * H_q[i];
    z1[i] = y[i] + h * H_p[i];
    z1[d + i] = x[i];
  }
}

static inline void sw_euler_a_tangent(sw_base_context *c, double h, const double y[],
                                      const double x[], int n, const double DY[], double DX[],
                                      double DR[], double DZ[])
{
  const size_t half = (size_t)c->system->nq * (size_t)n;
  const double *DQ = DY;
  const double *DP = DY + half;
  const double *DH_q = c->dgradient;
  const double *DH_p = c->dgradient + half;

  sw_base_hessian(c, y, x);
  if (c->system->model->structure.separable) {
    sw_base_dgradient(c, n, DQ, NULL);
    for (size_t i = 0; i < half; i++) {
      DX[i] = DP[i] - h * DH_q[i];
    }
  }
  sw_base_dgradient(c, n, DQ, DX);
  if (!c->system->model->structure.separable) {
    for (size_t i = 0; i < half; i++) {
      DR[i] = DX[i] - DP[i] + h * DH_q[i];
    }
  }
  for (size_t i = 0; i < half; i++) {
    DZ[i] = DQ[i] + h * DH_p[i];
    DZ[half + i] = DX[i];
  }
}

static inline void sw_euler_a_reach(sw_reach *c, const sw_pattern *const y[2],
                                    const sw_pattern *const x[], const sw_pattern *r[],
                                    const sw_pattern *z1[2])
{
  const int separable = c->system->model->structure.separable;
  const sw_pattern *kick = sw_reach_product(c, c->H_qq, y[0]);
  const sw_pattern *P = separable ? sw_reach_sum(c, y[1], kick) : x[0];
  const sw_pattern *drift = sw_reach_product(c, c->H_pp, P);

  if (!separable) {
    kick = sw_reach_sum(c, kick, sw_reach_product(c, c->H_qp, P));
    drift = sw_reach_sum(c, drift, sw_reach_product(c, c->H_pq, y[0]));
    r[0] = sw_reach_sum(c, P, sw_reach_sum(c, y[1], kick));
  }
  z1[0] = sw_reach_sum(c, y[0], drift);
  z1[1] = P;
}

static const sw_base sw_base_euler_a = {
    .name = "euler-a",
    .blocks = "p",
    .explicit_if_separable = 1,
    .order = 1,
    .symmetric = 0,
    .start = sw_euler_a_start,
    .residual = sw_euler_a_residual,
    .tangent = sw_euler_a_tangent,
    .reach = sw_euler_a_reach,
};

#endif
