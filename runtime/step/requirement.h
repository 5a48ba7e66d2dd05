/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/requirement.h -- the requirement g = 0 or rho = 0 of a solve: values, scales (scale.h) and
 * Jacobian.
 */
#ifndef SIDEWINDER_STEP_REQUIREMENT_H
#define SIDEWINDER_STEP_REQUIREMENT_H

#include "common/carver.h"
#include "linear/sparse.h"
#include "model/scale.h"
#include "model/system.h"

typedef struct sw_requirement {
  const sw_system *system;
  const double *k;
  sw_system_function *function; /* f: m values */
  sw_system_function *function_scale;
  sw_system_function *function_jac;
  const sw_pattern *pattern; /* m x 2d */

  double *value;  /* m: f at the last argument */
  double *scale;  /* m */
  double *jac;    /* values of Df */
  double *jac_at; /* 2d: argument of `jac` */
  int jac_known;  /* 1 if jac belongs to jac_at */
  double *sums;   /* m */
} sw_requirement;

/* The current step: its start, and its sizes (scale.h). */
typedef struct sw_step {
  const double *z0; /* 2d */
  double h;
  double force;    /* factor on the forces, if the method has one */
  sw_sizes extent; /* of z0 */
  sw_sizes moved;  /* displacement by the step without constraints */
  sw_sizes size;   /* extent + moved */
  int is_measured; /* 1 once `moved` and `size` are set */
  int is_at_rest;  /* 1 for a step at rest (scale.h) */
  double floor_p;  /* floor of the momenta of a step at rest, else 0 */
  double *hess;    /* scratch for the values of Hess H; NULL if the owner computes the floor */
} sw_step;

/* Stores the displacement of the step. Returns 0 if a size is not finite. */
static inline int sw_step_measure(sw_step *step, sw_sizes moved)
{
  step->is_measured = 1;
  step->moved = moved;
  step->size = sw_sizes_sum(step->extent, 1.0, moved);
  step->is_at_rest = sw_sizes_at_rest(step->extent, moved);
  return isfinite(step->size.q) && isfinite(step->size.p);
}

/* Raises the size of the momenta of a step at rest to its floor (scale.h).  H_pp,jj are the
 * diagonal entries of a matrix with these values from row `first` on, or all entries if the pattern
 * has no arrays.  Returns 0 if the size is not finite. */
int sw_step_raise(sw_step *step, int entries, const sw_pattern *pattern, int first,
                  const double values[]);

/* As sw_step_measure, with the floor for a step at rest. */
int sw_step_measure_at(sw_step *step, const sw_system *system, const double k[], sw_sizes moved);

/* Selects rho if `hidden` is 1, else g. */
static inline void sw_requirement_open(sw_requirement *r, const sw_system *system, const double k[],
                                       int hidden)
{
  r->system = system;
  r->k = k;
  r->function = hidden ? system->hidden : system->constraint;
  r->function_scale = hidden ? system->hidden_scale : system->constraint_scale;
  r->function_jac = hidden ? system->hidden_jac : system->constraint_jac;
  r->pattern = hidden ? &system->hidden_jac_pattern : &system->constraint_jac_pattern;
}

static inline void sw_requirement_carve(sw_carver *c, sw_requirement *r)
{
  const size_t m = (size_t)r->system->nc;

  SW_CARVE(c, m, 1, &r->value, &r->scale, &r->sums);
}

/* Additional arrays, unused by steps of holonomic.h. */
static inline void sw_requirement_carve_jac(sw_carver *c, sw_requirement *r)
{
  r->jac = sw_carve(c, (size_t)r->pattern->entries, 1);
  r->jac_at = sw_carve(c, 2 * (size_t)r->system->nq, 1);
}

/* Computes r->jac at z unless it is already known: the end of a step is the start of the next. */
static inline void sw_requirement_jac_at(sw_requirement *r, const double z[])
{
  const size_t dim = 2 * (size_t)r->system->nq;

  if (r->jac_known && memcmp(r->jac_at, z, dim * sizeof *z) == 0) {
    return;
  }
  r->function_jac(r->system, z, r->k, r->jac);
  sw_copy(r->jac_at, z, dim);
  r->jac_known = 1;
}

/* Computes r->jac at an iterate. */
static inline void sw_requirement_jac(sw_requirement *r, const double z[])
{
  r->function_jac(r->system, z, r->k, r->jac);
  r->jac_known = 0;
}

/* Computes the scales at the start of a step. Returns 0 if one is not finite. */
static inline int sw_requirement_scales(sw_requirement *r, const sw_step *step)
{
  r->function_scale(r->system, step->z0, r->k, r->scale);
  sw_requirement_jac_at(r, step->z0);
  return sw_scales(r->pattern, r->jac, r->system->nq, step->size, r->scale, r->sums);
}

#endif
