/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods/shake.h -- SHAKE (paper 000, Definition 1.3):
 *
 *   z1 = phi_h(y),  y = Gamma_{h lambda}(z0),  g(z1) = 0.
 *
 * Unknowns u = (lambda, x): the m multipliers and the stage values of the base method that have to be solved
 * for.  Equations, scaled as scale.h says:
 *
 *   F = ( g(z1)/scale_g,  r(y,x)/scale_x ).
 *
 * The Newton matrix follows from the base method in the directions of u: a multiplier
 * moves y by h dGamma/dlambda, a stage value moves x.  Directions of columns that do not meet are taken
 * together (shake_plan.h).  Holonomic constraints and a quadratic T need no tangent (holonomic.h).
 */
#ifndef SIDEWINDER_METHODS_SHAKE_H
#define SIDEWINDER_METHODS_SHAKE_H

#include "methods/shake_plan.h"
#include "scale.h"
#include "sparse.h"
#include "step/stages.h"

typedef struct sw_shake {
  const sw_system *system;
  const double *k;
  sw_stages base; /* phi_h */
  const sw_shake_plan *plan;
  int m;            /* multipliers */
  int stages;       /* stage values that are solved for */
  int n;            /* unknowns: m + stages */
  double h;         /* the step */
  const double *z0; /* 2d: where it starts */
  sw_sizes extent;  /* of z0 */
  sw_sizes moved;   /* by the step without constraints */
  sw_sizes size;    /* extent + moved */

  double *argument; /* m: h lambda */
  double *y;        /* 2d */
  double *x;        /* stages; holonomic.h: d */
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

  int is_free;    /* 1 while x, r and z1 are those of zero multipliers and the first guess */
  double *jac_at; /* 2d: where jac is Dg, */
  int jac_known;  /* if 1 */

  double *point;    /* 2d: where derivatives of H are taken */
  double *gradient; /* 2d */
} sw_shake;

/* Forgets what is kept from step to step: the parameters have changed, or a step has failed, perhaps by
 * a value that is not finite and must not come back. */
static inline void sw_shake_forget(sw_shake *s)
{
  s->jac_known = 0;
  sw_stages_forget(&s->base);
}

/* Makes s->jac Dg at z.  The end of a step is the start of the next, so that it is often there already. */
static inline void sw_shake_jac_at(sw_shake *s, const double z[])
{
  const sw_system *system = s->system;
  const size_t dim = 2 * (size_t)system->nq;

  if (s->jac_known && memcmp(s->jac_at, z, dim * sizeof *z) == 0) {
    return;
  }
  system->constraint_jac(system, z, s->k, s->jac);
  sw_copy(s->jac_at, z, dim);
  s->jac_known = 1;
}

/* Keeps what a step of h begins with.  Returns 0 where a size is not finite. */
static inline int sw_shake_measure(sw_shake *s, const double z0[], double h, sw_sizes extent,
                                   sw_sizes moved)
{
  s->z0 = z0;
  s->h = h;
  s->extent = extent;
  s->moved = moved;
  s->size = sw_sizes_sum(extent, 1.0, moved);
  return isfinite(s->size.q) && isfinite(s->size.p);
}

/* Starts a step: keeps z0, whose sizes are `extent`, and h, makes the step without constraints, and computes
 * the scales.  Returns 0 where one is not finite. */
static inline int sw_shake_begin(sw_shake *s, sw_sizes extent, const double z0[], double h)
{
  const sw_system *system = s->system;
  const int d = system->nq;

  sw_copy(s->y, z0, 2 * (size_t)d);
  sw_stages_guess(&s->base, h, z0, s->x);
  sw_stages_values(&s->base, h, s->y, s->x, s->r, s->z1);
  s->is_free = 1;
  if (!sw_shake_measure(s, z0, h, extent, sw_stages_moved(&s->base, z0, s->r))) {
    return 0;
  }
  for (int i = 0; i < s->stages; i++) {
    const sw_stage_plan *plan = s->base.plan;
    const int half = plan->value[plan->block_value[i / d]].half;
    s->scale_x[i] = sw_nonzero_scale(half ? s->size.p : s->size.q);
  }
  if (s->m == 0) {
    return 1;
  }
  system->constraint_scale(system, z0, s->k, s->scale_g);
  sw_shake_jac_at(s, z0);
  return sw_scales(&system->constraint_jac_pattern, s->jac, d, s->size, s->scale_g, s->sums);
}

/* y = Gamma_{h lambda}(z0). */
static inline void sw_shake_slide(sw_shake *s, const double lambda[])
{
  const sw_system *system = s->system;

  for (int i = 0; i < s->m; i++) {
    s->argument[i] = s->h * lambda[i];
  }
  if (sw_is_zero(s->m, s->argument)) {
    sw_copy(s->y, s->z0, 2 * (size_t)system->nq);
  } else {
    system->fibre_flow(system, s->z0, s->k, s->argument, s->y);
  }
}

/* u: the first guess, zero multipliers and the stage values of sw_shake_begin. */
static inline void sw_shake_guess(const sw_shake *s, double u[])
{
  sw_zero(u, (size_t)s->m);
  sw_copy(u + s->m, s->x, (size_t)s->stages);
}

/* y, x, r and z1 for these unknowns. */
static inline void sw_shake_move(sw_shake *s, const double u[])
{
  const size_t stages = (size_t)s->stages;

  s->is_free = s->is_free && sw_is_zero(s->m, u) && memcmp(s->x, u + s->m, stages * sizeof *u) == 0;
  sw_shake_slide(s, u);
  if (s->is_free) {
    return;
  }
  sw_copy(s->x, u + s->m, stages);
  sw_stages_values(&s->base, s->h, s->y, s->x, s->r, s->z1);
}

/* F(u), n values; leaves y, x, z1 and g(z1) in s. */
static inline void sw_shake_residual(sw_shake *s, const double u[], double F[])
{
  const sw_system *system = s->system;

  sw_shake_move(s, u);
  if (s->m > 0) {
    system->constraint(system, s->z1, s->k, s->g);
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
  const sw_system *system = s->system;
  const sw_pattern *flow = &system->fibre_flow_lambda_pattern;
  const int colours = s->plan->colours;

  sw_zero(s->DY, 2 * (size_t)system->nq * (size_t)colours);
  if (s->m > 0) {
    system->fibre_flow_lambda(system, s->z0, s->k, s->argument, s->flow);
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
  const sw_system *system = s->system;
  const sw_pattern *jac = &system->constraint_jac_pattern;
  const sw_pattern *pattern = &s->plan->jacobian;
  const int colours = s->plan->colours;
  int e = 0;
  int out = 0;

  sw_shake_directions(s);
  sw_stages_directions(&s->base, s->h, colours, 1, s->DY, s->DX, s->DR, s->DZ);
  if (s->m > 0) {
    system->constraint_jac(system, s->z1, s->k, s->jac);
    s->jac_known = 0;
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
