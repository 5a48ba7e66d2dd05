/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * base/midpoint.h -- the implicit midpoint rule.
 *
 *   z1 = y + h X_H((y + z1)/2),   X_H = (H_p, -H_q)       stage values x = z1
 */
#ifndef SIDEWINDER_BASE_MIDPOINT_H
#define SIDEWINDER_BASE_MIDPOINT_H

#include "base/base.h"
#include "base/reach.h"

static inline void sw_midpoint_start(sw_base_context *c, double h, const double y[], double x[])
{
  const int d = c->system->nq;

  sw_base_gradient(c, y, y + d);
  for (int i = 0; i < d; i++) {
    x[i] = y[i] + h * c->gradient[d + i];
    x[d + i] = y[d + i] - h * c->gradient[i];
  }
}

static inline void sw_midpoint_residual(sw_base_context *c, double h, const double y[], double x[],
                                        double r[], double z1[])
{
  const int d = c->system->nq;

  for (int i = 0; i < 2 * d; i++) {
    c->point[i] = 0.5 * (y[i] + x[i]);
  }
  c->system->hamiltonian_grad(c->system, c->point, c->k, c->gradient);
  for (int i = 0; i < d; i++) {
    r[i] = x[i] - y[i] - h * c->gradient[d + i];
    r[d + i] = x[d + i] - y[d + i] + h * c->gradient[i];
  }
  sw_copy(z1, x, 2 * (size_t)d);
}

static inline void sw_midpoint_tangent(sw_base_context *c, double h, const double y[],
                                       const double x[], int n, const double DY[], double DX[],
                                       double DR[], double DZ[])
{
  const int d = c->system->nq;
  const size_t half = (size_t)d * (size_t)n;

  for (int i = 0; i < 2 * d; i++) {
    c->point[i] = 0.5 * (y[i] + x[i]);
  }
  c->system->hamiltonian_hess(c->system, c->point, c->k, c->hessian);
  for (size_t i = 0; i < 2 * half; i++) {
    c->dpoint[i] = 0.5 * (DY[i] + DX[i]);
  }
  sw_symmetric_multiply(&c->system->hamiltonian_hess_pattern, c->hessian, n, c->dpoint,
                        c->dgradient);
  for (size_t i = 0; i < half; i++) {
    DR[i] = DX[i] - DY[i] - h * c->dgradient[half + i];
    DR[half + i] = DX[half + i] - DY[half + i] + h * c->dgradient[i];
  }
  sw_copy(DZ, DX, 2 * half);
}

static inline void sw_midpoint_reach(sw_reach *c, const sw_pattern *const y[2],
                                     const sw_pattern *const x[], const sw_pattern *r[],
                                     const sw_pattern *z1[2])
{
  const sw_pattern *Q = sw_reach_sum(c, y[0], x[0]);
  const sw_pattern *P = sw_reach_sum(c, y[1], x[1]);
  const sw_pattern *drift =
      sw_reach_sum(c, sw_reach_product(c, c->H_pq, Q), sw_reach_product(c, c->H_pp, P));
  const sw_pattern *kick =
      sw_reach_sum(c, sw_reach_product(c, c->H_qq, Q), sw_reach_product(c, c->H_qp, P));

  r[0] = sw_reach_sum(c, Q, drift);
  r[1] = sw_reach_sum(c, P, kick);
  z1[0] = x[0];
  z1[1] = x[1];
}

static const sw_base sw_base_midpoint = {
    .name = "midpoint",
    .blocks = "qp",
    .explicit_if_separable = 0,
    .order = 2,
    .symmetric = 1,
    .start = sw_midpoint_start,
    .residual = sw_midpoint_residual,
    .tangent = sw_midpoint_tangent,
    .reach = sw_midpoint_reach,
};

#endif
