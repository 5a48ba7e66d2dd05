/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * base/verlet.h -- Stormer-Verlet, euler-b o euler-a with h/2 each (paper 000, section 5.1.3).
 *
 *   p_half = p - h/2 H_q(q,p_half)
 *   q1     = q + h/2 (H_p(q,p_half) + H_p(q1,p_half))
 *   p1     = p_half - h/2 H_q(q1,p_half)                  stage values x = (p_half, q1)
 *
 * The state between the halves is (q + h/2 H_p(q,p_half), p_half).
 */
#ifndef SIDEWINDER_BASE_VERLET_H
#define SIDEWINDER_BASE_VERLET_H

#include "base/base.h"
#include "base/euler_a.h"
#include "base/euler_b.h"
#include "base/reach.h"

static inline void sw_verlet_start(sw_base_context *c, double h, const double y[], double x[])
{
  const int d = c->system->nq;

  sw_euler_a_start(c, 0.5 * h, y, x);
  sw_base_gradient(c, y, x);
  for (int i = 0; i < d; i++) {
    x[d + i] = y[i] + h * c->gradient[d + i];
  }
}

static inline void sw_verlet_residual(sw_base_context *c, double h, const double y[], double x[],
                                      double r[], double z1[])
{
  const int d = c->system->nq;

  sw_euler_a_residual(c, 0.5 * h, y, x, r, c->middle);
  sw_euler_b_residual(c, 0.5 * h, c->middle, x + d, r + d, z1);
}

static inline void sw_verlet_tangent(sw_base_context *c, double h, const double y[],
                                     const double x[], int n, const double DY[], double DX[],
                                     double DR[], double DZ[])
{
  const int d = c->system->nq;
  const size_t half = (size_t)d * (size_t)n;

  sw_euler_a_tangent(c, 0.5 * h, y, x, n, DY, DX, DR, c->dmiddle);
  /* Of the state between the halves euler-b's tangent needs the momenta only, and these are the
   * first stage values. */
  sw_copy(c->middle + d, x, (size_t)d);
  sw_euler_b_tangent(c, 0.5 * h, c->middle, x + d, n, c->dmiddle, DX + half, DR + half, DZ);
}

static inline void sw_verlet_reach(sw_reach *c, const sw_pattern *const y[2],
                                   const sw_pattern *const x[], const sw_pattern *r[],
                                   const sw_pattern *z1[2])
{
  const sw_pattern *middle[2];

  sw_euler_a_reach(c, y, x, r, middle);
  sw_euler_b_reach(c, middle, x ? x + 1 : NULL, r ? r + 1 : NULL, z1);
}

static const sw_base sw_base_verlet = {
    .name = "verlet",
    .blocks = "pq",
    .explicit_if_separable = 1,
    .order = 2,
    .symmetric = 1,
    .start = sw_verlet_start,
    .residual = sw_verlet_residual,
    .tangent = sw_verlet_tangent,
    .reach = sw_verlet_reach,
};

#endif
