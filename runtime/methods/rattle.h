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
  double *jac_at;   /* 2d: where they are that, */
  int jac_known;    /* if 1 */
  double *flow;     /* values of dGamma/dlambda */
  double *sums;     /* m */

  sw_pattern pattern; /* m x m: of the Newton matrix */
  sw_product slope;   /* Drho dGamma/dlambda */
} sw_rattle;

/* Makes s->jac Drho at z, unless it is that. */
static inline void sw_rattle_jac_at(sw_rattle *s, const double z[])
{
  const size_t dim = 2 * (size_t)s->system->nq;

  if (s->jac_known && memcmp(s->jac_at, z, dim * sizeof *z) == 0) {
    return;
  }
  s->system->hidden_jac(s->system, z, s->k, s->jac);
  sw_copy(s->jac_at, z, dim);
  s->jac_known = 1;
}

/* Starts a slide from z that ends a step of size h; the scales are those of a state `from` and its
 * sizes.  Returns 0 where one is not finite. */
static inline int sw_rattle_begin(sw_rattle *s, sw_sizes size, const double from[],
                                  const double z[], double h)
{
  const sw_system *system = s->system;

  s->z = z;
  s->h = h;
  system->hidden_scale(system, from, s->k, s->scale);
  sw_rattle_jac_at(s, from);
  return sw_scales(&system->hidden_jac_pattern, s->jac, system->nq, size, s->scale, s->sums);
}

/* F(sigma), m values; leaves z1 and rho(z1) in s. */
static inline void sw_rattle_residual(sw_rattle *s, const double sigma[], double F[])
{
  const sw_system *system = s->system;

  for (int i = 0; i < system->nc; i++) {
    s->argument[i] = s->h * sigma[i];
  }
  if (sw_is_zero(system->nc, s->argument)) {
    sw_copy(s->z1, s->z, 2 * (size_t)system->nq);
  } else {
    system->fibre_flow(system, s->z, s->k, s->argument, s->z1);
  }
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
  s->jac_known = 0;
  sw_product_values(&s->slope, s->jac, s->flow, J);
  for (int e = 0; e < s->pattern.entries; e++) {
    J[e] *= s->h / s->scale[s->pattern.row[e]];
  }
}

#endif
