/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * base/base.h -- what a base method phi_h is.
 *
 * A base method is a one-step method y -> z1 for zdot = X_H(z) = (H_p, -H_q), without constraints
 * (paper 000, Definition 1.3 calls it phi_h).  It is given through its stage values x, a few
 * blocks of d positions or d momenta:
 *
 *   residual   r(y,x) = 0 defines x, and z1 = z1(y,x) is the result;
 *   tangent    the exact linearisation of both in (y,x), applied to n directions at once.
 *
 * Where the method is explicit, x is computed and not solved for: residual writes x and leaves r
 * alone, tangent writes DX and leaves DR alone.  Everything else is the same, so that one assembly
 * of a Newton system serves every base method.
 *
 * All of it is inline text over the model's sizes and functions, without allocation.  A program
 * that includes these headers with a model known to the compiler gets them specialised.
 */
#ifndef SIDEWINDER_BASE_BASE_H
#define SIDEWINDER_BASE_BASE_H

#include <string.h>

#include "sparse.h"
#include "system/system.h"

/* The system, its parameters, and scratch memory.  d = system->nq; n is the largest number of
 * directions that tangent is asked for. */
typedef struct sw_base_context {
  const sw_system *system;
  const double *k;
  double *point;     /* 2d: where H's derivatives are taken */
  double *gradient;  /* 2d */
  double *middle;    /* 2d: the state between two halves of a step */
  double *hessian;   /* one value per entry of H's pattern */
  double *dpoint;    /* 2d x n */
  double *dgradient; /* 2d x n */
  double *dmiddle;   /* 2d x n */
} sw_base_context;

/* x: a first guess, from y alone. */
typedef void sw_base_start(const sw_base_context *c, double h, const double y[], double x[]);

/* r (as many values as x) and z1 (2d).  y, z1 and the scratch memory must not overlap. */
typedef void sw_base_residual(const sw_base_context *c, double h, const double y[], double x[],
                              double r[], double z1[]);

/* dr = r_y dy + r_x dx and dz1 = z1_y dy + z1_x dx at (y,x), where x is what residual was given, or
 * wrote.  DY, DZ: 2d x n.  DX, DR: as many rows as x has values, n columns. */
typedef void sw_base_tangent(const sw_base_context *c, double h, const double y[], const double x[],
                             int n, const double DY[], double DX[], double DR[], double DZ[]);

struct sw_reach;

/* The pattern of tangent (base/reach.h): what r and z1 can depend on, from the patterns of y and, where
 * they are solved for, the stage values.  Each has n columns.  y, z1: the d rows of the positions, then
 * those of the momenta; x, r: one pattern per block of stage values.  Results are NULL where memory has
 * run out; r is not written where the method is explicit, and x not read. */
typedef void sw_base_reach(struct sw_reach *reach, const sw_pattern *const y[2],
                           const sw_pattern *const x[], const sw_pattern *r[],
                           const sw_pattern *z1[2]);

typedef struct sw_base {
  const char *name;
  const char *blocks; /* a letter per block of d stage values: 'q' positions, 'p' momenta */
  /* 1 where H = T(p) + V(q) makes the method explicit; then q1 depends on p through q + h T_p only, so
   * that dq1/dp = h H_pp where H_pp is constant. */
  int explicit_if_separable;
  int order;
  int symmetric; /* 1 where phi_h o phi_{-h} = id */
  sw_base_start *start;
  sw_base_residual *residual;
  sw_base_tangent *tangent;
  sw_base_reach *reach;
} sw_base;

/* Number of stage values. */
static inline size_t sw_base_stage_count(const sw_base *base, const sw_system *system)
{
  return strlen(base->blocks) * (size_t)system->nq;
}

/* 1 where the stage values have to be solved for. */
static inline int sw_base_implicit(const sw_base *base, const sw_system *system)
{
  return !(base->explicit_if_separable && system->model->structure.separable);
}

/* gradient = grad H(q,p) for a point given by its halves. */
static inline void sw_base_gradient(const sw_base_context *c, const double q[], const double p[])
{
  const size_t d = (size_t)c->system->nq;

  sw_copy(c->point, q, d);
  sw_copy(c->point + d, p, d);
  c->system->hamiltonian_grad(c->system, c->point, c->k, c->gradient);
}

/* hessian = Hess H(q,p) likewise. */
static inline void sw_base_hessian(const sw_base_context *c, const double q[], const double p[])
{
  const size_t d = (size_t)c->system->nq;

  sw_copy(c->point, q, d);
  sw_copy(c->point + d, p, d);
  c->system->hamiltonian_hess(c->system, c->point, c->k, c->hessian);
}

/* dgradient = Hess H . (DQ,DP), with the Hessian that sw_base_hessian left.  A NULL half is zero. */
static inline void sw_base_dgradient(const sw_base_context *c, int n, const double DQ[],
                                     const double DP[])
{
  const size_t half = (size_t)c->system->nq * (size_t)n;

  if (DQ) {
    sw_copy(c->dpoint, DQ, half);
  } else {
    sw_zero(c->dpoint, half);
  }
  if (DP) {
    sw_copy(c->dpoint + half, DP, half);
  } else {
    sw_zero(c->dpoint + half, half);
  }
  sw_symmetric_multiply(&c->system->hamiltonian_hess_pattern, c->hessian, n, c->dpoint,
                        c->dgradient);
}

/* The base method of that name, or NULL. */
const sw_base *sw_base_find(const char *name);

#endif
