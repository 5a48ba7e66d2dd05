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
#include "sparse/product.h"

typedef struct sw_rattle {
  const sw_system *system;
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

  sw_pattern pattern; /* m x m: of the Newton matrix */
  sw_product slope;   /* Drho dGamma/dlambda */
} sw_rattle;

/* Starts a slide from z that ends a step of size h; the scales are those of a state `from` and its
 * sizes.  Returns 0 where one is not finite. */
static inline int sw_rattle_begin(sw_rattle *s, sw_sizes size, const double from[],
                                  const double z[], double h)
{
  const sw_system *system = s->system;

  s->z = z;
  s->h = h;
  system->hidden_scale(system, from, s->k, s->scale);
  system->hidden_jac(system, from, s->k, s->jac);
  return sw_scales(&system->hidden_jac_pattern, s->jac, system->nq, size, s->scale, s->sums);
}

/* F(sigma), m values; leaves z1 and rho(z1) in s. */
static inline void sw_rattle_residual(sw_rattle *s, const double sigma[], double F[])
{
  const sw_system *system = s->system;

  for (int i = 0; i < system->nc; i++) {
    s->argument[i] = s->h * sigma[i];
  }
  system->fibre_flow(system, s->z, s->k, s->argument, s->z1);
  system->hidden(system, s->z1, s->k, s->rho);
  for (int i = 0; i < system->nc; i++) {
    F[i] = s->rho[i] / s->scale[i];
  }
}

/* J = Drho(z1) h dGamma/dlambda / scale at the sigma of the last sw_rattle_residual, one value per entry
 * of the pattern. */
static inline void sw_rattle_jacobian(sw_rattle *s, double J[])
{
  const sw_system *system = s->system;

  system->fibre_flow_lambda(system, s->z, s->k, s->argument, s->flow);
  system->hidden_jac(system, s->z1, s->k, s->jac);
  sw_product_values(&s->slope, s->jac, s->flow, J);
  for (int e = 0; e < s->pattern.entries; e++) {
    J[e] *= s->h / s->scale[s->pattern.row[e]];
  }
}

#endif
