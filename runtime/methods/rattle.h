/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods/rattle.h -- what RATTLE adds to SHAKE (paper 000, Definition 1.4): the end point slides
 * along its fibre onto the hidden constraints,
 *
 *   z1 = Gamma_{h sigma}(z),  rho(z1) = 0,  rho_i = {g_i,H}.
 *
 * Unknowns: the m multipliers sigma.  Equations: F = rho(z1)/scale.  At sigma = 0 the unscaled
 * Jacobian is h N on the constraint manifold, with N_ij = {{g_i,H},g_j}.
 */
#ifndef SIDEWINDER_METHODS_RATTLE_H
#define SIDEWINDER_METHODS_RATTLE_H

#include "scale.h"
#include "sparse.h"

typedef struct sw_rattle {
  const sw_model *model;
  const double *k;
  double h;
  const double *z; /* 2d: where the slide starts */

  double *argument; /* m: h sigma */
  double *z1;       /* 2d */
  double *rho;      /* m: rho(z1) */
  double *scale;    /* m */
  double *jac;      /* values of Drho */
  double *flow;     /* values of dGamma/dlambda */
  double *sums;     /* m */
  double *DZ;       /* 2d x m */
  double *product;  /* m x m */
} sw_rattle;

/* Starts a slide from z that ends a step of size h; the scales are those of a state `from` and its
 * sizes.  Returns 0 where one is not finite. */
static inline int sw_rattle_begin(sw_rattle *s, sw_sizes size, const double from[],
                                  const double z[], double h)
{
  const sw_model *model = s->model;

  s->z = z;
  s->h = h;
  model->hidden_scale(from, s->k, s->scale);
  model->hidden_jac(from, s->k, s->jac);
  return sw_scales(&model->hidden_jac_pattern, s->jac, model->nq, size, s->scale, s->sums);
}

/* F(sigma), m values; leaves z1 and rho(z1) in s. */
static inline void sw_rattle_residual(sw_rattle *s, const double sigma[], double F[])
{
  const sw_model *model = s->model;

  for (int i = 0; i < model->nc; i++) {
    s->argument[i] = s->h * sigma[i];
  }
  model->fibre_flow(s->z, s->k, s->argument, s->z1);
  model->hidden(s->z1, s->k, s->rho);
  for (int i = 0; i < model->nc; i++) {
    F[i] = s->rho[i] / s->scale[i];
  }
}

/* J = Drho(z1) h dGamma/dlambda / scale at the sigma of the last sw_rattle_residual, m x m, column
 * by column. */
static inline void sw_rattle_jacobian(sw_rattle *s, double J[])
{
  const sw_model *model = s->model;
  const sw_pattern *flow = &model->fibre_flow_lambda_pattern;
  const int m = model->nc;

  sw_zero(s->DZ, 2 * (size_t)model->nq * (size_t)m);
  model->fibre_flow_lambda(s->z, s->k, s->argument, s->flow);
  for (int e = 0; e < flow->entries; e++) {
    sw_row(s->DZ, m, flow->row[e])[flow->col[e]] += s->h * s->flow[e];
  }
  model->hidden_jac(s->z1, s->k, s->jac);
  sw_multiply(&model->hidden_jac_pattern, s->jac, m, s->DZ, s->product);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      sw_row(J, m, j)[i] = sw_const_row(s->product, m, i)[j] / s->scale[i];
    }
  }
}

#endif
