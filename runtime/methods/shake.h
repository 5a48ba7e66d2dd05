/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods/shake.h -- SHAKE (paper 000, Definition 1.3):
 *
 *   z1 = phi_h(y),  y = Gamma_{h lambda}(z0),  g(z1) = 0.
 *
 * Unknowns u = (lambda, x): the m multipliers and, where the base method is implicit, its stage
 * values.  Equations, scaled as scale.h says:
 *
 *   F = ( g(z1)/scale_g,  r(y,x)/scale_x ).
 *
 * The Newton matrix follows from the tangent of the base method in the n directions of u: a
 * multiplier moves y by h dGamma/dlambda, a stage value moves x.
 */
#ifndef SIDEWINDER_METHODS_SHAKE_H
#define SIDEWINDER_METHODS_SHAKE_H

#include "base/base.h"
#include "scale.h"
#include "sparse.h"

typedef struct sw_shake {
  sw_base_context c;
  const sw_base *base;
  int m;            /* multipliers */
  int stages;       /* stage values */
  int n;            /* unknowns: m, and the stage values where they are solved for */
  double h;         /* the step */
  const double *z0; /* 2d: where it starts */
  sw_sizes size;    /* of that step */

  double *argument; /* m: h lambda */
  double *y;        /* 2d */
  double *x;        /* stages */
  double *r;        /* stages */
  double *z1;       /* 2d */
  double *g;        /* m: g(z1) */
  double *scale_g;  /* m */
  double *scale_x;  /* stages */

  double *jac;       /* values of Dg */
  double *flow;      /* values of dGamma/dlambda */
  double *direction; /* n: one row of F's derivative */
  double *DY;        /* 2d x n */
  double *DX;        /* stages x n */
  double *DR;        /* stages x n */
  double *DZ;        /* 2d x n */
} sw_shake;

/* Starts a step: keeps z0 and h, and computes the scales.  Returns 0 where one is not finite. */
static inline int sw_shake_begin(sw_shake *s, const double z0[], double h)
{
  const sw_model *model = s->c.model;
  const int d = model->nq;
  const sw_sizes size = sw_sizes_at(model, s->c.k, z0, h, s->c.gradient);

  s->z0 = z0;
  s->h = h;
  s->size = size;
  for (int i = 0; i < s->stages; i++) {
    s->scale_x[i] = sw_nonzero_scale(s->base->blocks[i / d] == 'q' ? size.q : size.p);
  }
  if (!isfinite(size.q) || !isfinite(size.p)) {
    return 0;
  }
  if (s->m == 0) {
    return 1;
  }
  model->constraint_scale(z0, s->c.k, s->scale_g);
  model->constraint_jac(z0, s->c.k, s->jac);
  return sw_scales(&model->constraint_jac_pattern, s->jac, d, size, s->scale_g, s->direction);
}

/* y = Gamma_{h lambda}(z0). */
static inline void sw_shake_slide(sw_shake *s, const double lambda[])
{
  const sw_model *model = s->c.model;

  if (s->m == 0) {
    sw_copy(s->y, s->z0, 2 * (size_t)model->nq);
    return;
  }
  for (int i = 0; i < s->m; i++) {
    s->argument[i] = s->h * lambda[i];
  }
  model->fibre_flow(s->z0, s->c.k, s->argument, s->y);
}

/* u: the first guess, zero multipliers and the stage values that belong to them. */
static inline void sw_shake_guess(const sw_shake *s, double u[])
{
  sw_zero(u, (size_t)s->m);
  if (s->n > s->m) {
    s->base->start(&s->c, s->h, s->z0, u + s->m);
  }
}

/* F(u), n values; leaves y, x, z1 and g(z1) in s. */
static inline void sw_shake_residual(sw_shake *s, const double u[], double F[])
{
  const sw_model *model = s->c.model;

  sw_shake_slide(s, u);
  if (s->n > s->m) {
    sw_copy(s->x, u + s->m, (size_t)s->stages);
  }
  s->base->residual(&s->c, s->h, s->y, s->x, s->r, s->z1);
  if (s->m > 0) {
    model->constraint(s->z1, s->c.k, s->g);
  }
  for (int i = 0; i < s->m; i++) {
    F[i] = s->g[i] / s->scale_g[i];
  }
  for (int i = s->m; i < s->n; i++) {
    F[i] = s->r[i - s->m] / s->scale_x[i - s->m];
  }
}

/* The n directions of u: DY and DX. */
static inline void sw_shake_directions(sw_shake *s)
{
  const sw_model *model = s->c.model;
  const sw_pattern *flow = &model->fibre_flow_lambda_pattern;

  sw_zero(s->DY, 2 * (size_t)model->nq * (size_t)s->n);
  if (s->m > 0) {
    model->fibre_flow_lambda(s->z0, s->c.k, s->argument, s->flow);
    for (int e = 0; e < flow->entries; e++) {
      sw_row(s->DY, s->n, flow->row[e])[flow->col[e]] += s->h * s->flow[e];
    }
  }
  sw_zero(s->DX, (size_t)s->stages * (size_t)s->n);
  for (int i = s->m; i < s->n; i++) {
    sw_row(s->DX, s->n, i - s->m)[i] = 1.0;
  }
}

/* J = dF/du at the u of the last sw_shake_residual, n x n, column by column. */
static inline void sw_shake_jacobian(sw_shake *s, double J[])
{
  const sw_model *model = s->c.model;
  const sw_pattern *jac = &model->constraint_jac_pattern;
  const int n = s->n;

  sw_shake_directions(s);
  s->base->tangent(&s->c, s->h, s->y, s->x, n, s->DY, s->DX, s->DR, s->DZ);
  for (size_t i = 0; i < (size_t)n * (size_t)n; i++) {
    J[i] = 0.0;
  }
  if (s->m > 0) {
    model->constraint_jac(s->z1, s->c.k, s->jac);
    for (int e = 0; e < jac->entries; e++) {
      const double factor = s->jac[e] / s->scale_g[jac->row[e]];
      const double *dz = sw_const_row(s->DZ, n, jac->col[e]);
      for (int j = 0; j < n; j++) {
        sw_row(J, n, j)[jac->row[e]] += factor * dz[j];
      }
    }
  }
  for (int i = s->m; i < n; i++) {
    const double *dr = sw_const_row(s->DR, n, i - s->m);
    for (int j = 0; j < n; j++) {
      sw_row(J, n, j)[i] = dr[j] / s->scale_x[i - s->m];
    }
  }
}

#endif
