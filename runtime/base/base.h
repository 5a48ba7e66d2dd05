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

/* The last values of one half of grad H for a separable H(q,p) = T(p) + V(q), and where they belong: H_q
 * depends on q alone, H_p on p alone, and a step asks for them at the same points again and again.  So one
 * force is evaluated a step, where the slide leaves the positions as they are. */
enum { SW_MEMORY_SLOTS = 2 };
typedef struct sw_half_memory {
  double *at[SW_MEMORY_SLOTS];    /* d */
  double *value[SW_MEMORY_SLOTS]; /* d, and d zeros: a direction of phase space where it is H_p */
  int known[SW_MEMORY_SLOTS];     /* 1 once value is that at `at`, with the present parameters */
  int oldest;
} sw_half_memory;

/* The system, its parameters, and scratch memory.  d = system->nq; n is the largest number of
 * directions that tangent is asked for. */
typedef struct sw_base_context {
  const sw_system *system;
  const double *k;
  double *point;           /* 2d: where H's derivatives are taken */
  double *gradient;        /* 2d */
  double *middle;          /* 2d: the state between two halves of a step */
  double *hessian;         /* one value per entry of H's pattern */
  double *dpoint;          /* 2d x n */
  double *dgradient;       /* 2d x n */
  double *dmiddle;         /* 2d x n */
  sw_half_memory force;    /* H_q; used where H is separable */
  sw_half_memory velocity; /* H_p */
} sw_base_context;

/* x: a first guess, from y alone. */
typedef void sw_base_start(sw_base_context *c, double h, const double y[], double x[]);

/* r (as many values as x) and z1 (2d).  y, z1 and the scratch memory must not overlap. */
typedef void sw_base_residual(sw_base_context *c, double h, const double y[], double x[],
                              double r[], double z1[]);

/* dr = r_y dy + r_x dx and dz1 = z1_y dy + z1_x dx at (y,x), where x is what residual was given, or
 * wrote.  DY, DZ: 2d x n.  DX, DR: as many rows as x has values, n columns. */
typedef void sw_base_tangent(sw_base_context *c, double h, const double y[], const double x[],
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
  /* 1 where H = T(p) + V(q) makes the method explicit. */
  int explicit_if_separable;
  /* Then it is a kick, a drift and a kick: p <- p - kick h H_q(q), q <- q + h H_p(p), and
   * p <- p - (1-kick) h H_q(q). */
  double kick;
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
static inline void sw_base_gradient(sw_base_context *c, const double q[], const double p[])
{
  const size_t d = (size_t)c->system->nq;

  sw_copy(c->point, q, d);
  sw_copy(c->point + d, p, d);
  c->system->hamiltonian_grad(c->system, c->point, c->k, c->gradient);
}

/* Forgets the last values. */
static inline void sw_base_forget(sw_base_context *c)
{
  for (int i = 0; i < SW_MEMORY_SLOTS; i++) {
    c->force.known[i] = c->velocity.known[i] = 0;
  }
}

/* Half `half` (0: H_q, 1: H_p) of grad H at x, d positions or momenta, for a separable H. */
static inline const double *sw_base_half(sw_base_context *c, sw_half_memory *memory, int half,
                                         const double x[])
{
  const sw_system *system = c->system;
  const size_t d = (size_t)system->nq;
  sw_system_function *own = half ? system->hamiltonian_grad_p : system->hamiltonian_grad_q;

  for (int i = 0; i < SW_MEMORY_SLOTS; i++) {
    if (memory->known[i] && memcmp(memory->at[i], x, d * sizeof *x) == 0) {
      memory->oldest = (i + 1) % SW_MEMORY_SLOTS;
      return memory->value[i];
    }
  }
  const int slot = memory->oldest;
  sw_copy(memory->at[slot], x, d);
  sw_copy(c->point + (size_t)half * d, x, d);
  if (own) {
    own(system, c->point, c->k, memory->value[slot]);
  } else {
    system->hamiltonian_grad(system, c->point, c->k, c->gradient);
    sw_copy(memory->value[slot], c->gradient + (size_t)half * d, d);
  }
  memory->known[slot] = 1;
  memory->oldest = (slot + 1) % SW_MEMORY_SLOTS;
  return memory->value[slot];
}

/* H_q at the positions q, and H_p at the momenta p; d values that stay good until the second next call. */
static inline const double *sw_base_force(sw_base_context *c, const double q[])
{
  return sw_base_half(c, &c->force, 0, q);
}

static inline const double *sw_base_velocity(sw_base_context *c, const double p[])
{
  return sw_base_half(c, &c->velocity, 1, p);
}

/* hessian = Hess H(q,p) likewise. */
static inline void sw_base_hessian(sw_base_context *c, const double q[], const double p[])
{
  const size_t d = (size_t)c->system->nq;

  sw_copy(c->point, q, d);
  sw_copy(c->point + d, p, d);
  c->system->hamiltonian_hess(c->system, c->point, c->k, c->hessian);
}

/* dgradient = Hess H . (DQ,DP), with the Hessian that sw_base_hessian left.  A NULL half is zero. */
static inline void sw_base_dgradient(sw_base_context *c, int n, const double DQ[],
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
