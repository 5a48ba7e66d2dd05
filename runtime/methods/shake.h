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
 * The Newton matrix follows from the tangent of the base method in the directions of u: a multiplier
 * moves y by h dGamma/dlambda, a stage value moves x.  Directions of columns that do not meet are taken
 * together (shake_plan.h).  Holonomic constraints and a quadratic T need no tangent (holonomic.h).
 */
#ifndef SIDEWINDER_METHODS_SHAKE_H
#define SIDEWINDER_METHODS_SHAKE_H

#include "base/base.h"
#include "methods/shake_plan.h"
#include "scale.h"
#include "sparse.h"

typedef struct sw_shake {
  sw_base_context c;
  const sw_base *base;
  const sw_shake_plan *plan;
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
  double *sums;      /* m */
  double *direction; /* one value per colour: one row of F's derivative */
  double *DY;        /* 2d x colours */
  double *DX;        /* stages x colours */
  double *DR;        /* stages x colours */
  double *DZ;        /* 2d x colours */

  int have_hessian; /* holonomic.h: 1 while c.hessian holds the constant H_pp of the present parameters */
} sw_shake;

/* Forgets what is kept from step to step: the parameters have changed, or a step has failed, perhaps by
 * a value that is not finite and must not come back. */
static inline void sw_shake_forget(sw_shake *s)
{
  s->have_hessian = 0;
  sw_base_forget(&s->c);
}

/* The sizes of a step of h from z0, whose own are `extent`. */
static inline sw_sizes sw_shake_sizes(sw_shake *s, sw_sizes extent, const double z0[], double h)
{
  const size_t d = (size_t)s->c.system->nq;
  const double *H_q = s->c.gradient;
  const double *H_p = s->c.gradient + d;

  if (s->c.system->model->structure.separable) {
    H_q = sw_base_force(&s->c, z0);
    H_p = sw_base_velocity(&s->c, z0 + d);
  } else {
    sw_base_gradient(&s->c, z0, z0 + d);
  }
  return (sw_sizes){extent.q + fabs(h) * sw_max_abs(d, H_p),
                    extent.p + fabs(h) * sw_max_abs(d, H_q)};
}

/* Starts a step: keeps z0, whose sizes are `extent`, and h, and computes the scales.  Returns 0 where one
 * is not finite. */
static inline int sw_shake_begin(sw_shake *s, sw_sizes extent, const double z0[], double h)
{
  const sw_system *system = s->c.system;
  const int d = system->nq;
  const sw_sizes size = sw_shake_sizes(s, extent, z0, h);

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
  system->constraint_scale(system, z0, s->c.k, s->scale_g);
  system->constraint_jac(system, z0, s->c.k, s->jac);
  return sw_scales(&system->constraint_jac_pattern, s->jac, d, size, s->scale_g, s->sums);
}

/* y = Gamma_{h lambda}(z0). */
static inline void sw_shake_slide(sw_shake *s, const double lambda[])
{
  const sw_system *system = s->c.system;

  if (s->m == 0) {
    sw_copy(s->y, s->z0, 2 * (size_t)system->nq);
    return;
  }
  for (int i = 0; i < s->m; i++) {
    s->argument[i] = s->h * lambda[i];
  }
  system->fibre_flow(system, s->z0, s->c.k, s->argument, s->y);
}

/* u: the first guess, zero multipliers and the stage values that belong to them. */
static inline void sw_shake_guess(sw_shake *s, double u[])
{
  sw_zero(u, (size_t)s->m);
  if (s->n > s->m) {
    s->base->start(&s->c, s->h, s->z0, u + s->m);
  }
}

/* F(u), n values; leaves y, x, z1 and g(z1) in s. */
static inline void sw_shake_residual(sw_shake *s, const double u[], double F[])
{
  const sw_system *system = s->c.system;

  sw_shake_slide(s, u);
  if (s->n > s->m) {
    sw_copy(s->x, u + s->m, (size_t)s->stages);
  }
  s->base->residual(&s->c, s->h, s->y, s->x, s->r, s->z1);
  if (s->m > 0) {
    system->constraint(system, s->z1, s->c.k, s->g);
  }
  for (int i = 0; i < s->m; i++) {
    F[i] = s->g[i] / s->scale_g[i];
  }
  for (int i = s->m; i < s->n; i++) {
    F[i] = s->r[i - s->m] / s->scale_x[i - s->m];
  }
}

/* The directions of u, those of one colour together: DY and DX. */
static inline void sw_shake_directions(sw_shake *s)
{
  const sw_system *system = s->c.system;
  const sw_pattern *flow = &system->fibre_flow_lambda_pattern;
  const int colours = s->plan->colours;

  sw_zero(s->DY, 2 * (size_t)system->nq * (size_t)colours);
  if (s->m > 0) {
    system->fibre_flow_lambda(system, s->z0, s->c.k, s->argument, s->flow);
    for (int e = 0; e < flow->entries; e++) {
      sw_row(s->DY, colours, flow->row[e])[s->plan->colour[flow->col[e]]] += s->h * s->flow[e];
    }
  }
  sw_zero(s->DX, (size_t)s->stages * (size_t)colours);
  for (int i = s->m; i < s->n; i++) {
    sw_row(s->DX, colours, i - s->m)[s->plan->colour[i]] = 1.0;
  }
}

/* J = dF/du at the u of the last sw_shake_residual, one value per entry of the plan's pattern. */
static inline void sw_shake_jacobian(sw_shake *s, double J[])
{
  const sw_system *system = s->c.system;
  const sw_pattern *jac = &system->constraint_jac_pattern;
  const sw_pattern *pattern = &s->plan->jacobian;
  const int colours = s->plan->colours;
  int e = 0;
  int out = 0;

  sw_shake_directions(s);
  s->base->tangent(&s->c, s->h, s->y, s->x, colours, s->DY, s->DX, s->DR, s->DZ);
  if (s->m > 0) {
    system->constraint_jac(system, s->z1, s->c.k, s->jac);
  }
  for (int i = 0; i < s->m; i++) {
    sw_zero(s->direction, (size_t)colours);
    for (; e < jac->entries && jac->row[e] == i; e++) {
      sw_add_scaled(colours, s->jac[e], sw_const_row(s->DZ, colours, jac->col[e]), s->direction);
    }
    for (; out < pattern->entries && pattern->row[out] == i; out++) {
      J[out] = s->direction[s->plan->colour[pattern->col[out]]] / s->scale_g[i];
    }
  }
  for (int i = s->m; i < s->n; i++) {
    const double *dr = sw_const_row(s->DR, colours, i - s->m);
    for (; out < pattern->entries && pattern->row[out] == i; out++) {
      J[out] = dr[s->plan->colour[pattern->col[out]]] / s->scale_x[i - s->m];
    }
  }
}

#endif
