/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/kick.h -- a kick: the change of the momenta by the forces over a time h, at fixed positions.
 *
 * The forces F of a model come from no Hamiltonian.  A step of size h is
 *
 *   K_{h/2} o Phi_h o K_{h/2}
 *
 * with the step Phi of the method.  K_h solves, for the momenta p1 and the multipliers sigma,
 *
 *   p1 = p0 + h F(q, (p0 + p1)/2) - Dg(q)^T sigma,   rho(q, p1) = 0.
 *
 * If F does not depend on the momenta, or is a damping F = b(q) - gamma p with one gamma for all
 * momenta, or F_i = b_i(q) - gamma_i(q) p_i without constraints, the flow of p' = F is known:
 *
 *   p1_i = p0_i + h phi(-gamma_i h) F_i(q,p0) - (Dg(q)^T sigma)_i,   phi(x) = (e^x - 1)/x.
 *
 * K is symmetric, K_{-h} o K_h = id on M^H, because sigma is an unknown of the same equations.  A
 * midpoint rule followed by a separate slide onto M^H is not: from the end of that slide, the
 * midpoint of the way back is another one.  Such kicks would leave the step with order 1.  (The
 * flow of a damping may be followed by the slide, because e^{-gamma h} maps each fibre to a fibre.)
 *
 * Constraints must not depend on momenta.  Without constraints, and for methods that leave M^H,
 * there is no sigma.
 */
#ifndef SIDEWINDER_STEP_KICK_H
#define SIDEWINDER_STEP_KICK_H

#include "common/carver.h"
#include "linear/pattern.h"
#include "model/scale.h"
#include "model/system.h"
#include "solve/solver.h"
#include "step/requirement.h"

typedef struct sw_kick {
  const sw_system *system;
  const double *k;
  sw_requirement *rho; /* NULL without sigma */
  int m;               /* number of multipliers; 0 without sigma */
  int is_exact;        /* 1 if the flow of p' = F is known */
  sw_pattern jacobian; /* of the equations, d + m unknowns; empty if they are explicit */
  int *place;          /* entries of `jacobian`, in the order of sw_kick_jacobian */
  int *decay;          /* d: the entry of F's derivative with -gamma_i, or -1 */

  double h;
  sw_step step;  /* the kick's start and its sizes */
  double *u;     /* d + m: p1, sigma */
  double *flow;  /* d: p1 without sigma, if is_exact; else scratch */
  double *z1;    /* 2d: (q, p1), the end */
  double *mid;   /* 2d: (q, (p0 + p1)/2) */
  double *F;     /* d */
  double *p0;    /* d: for the owner */
  double *slope; /* values of the derivative of F */
  double *jac;   /* values of Dg(q) */
  void *block;   /* memory of the arrays from u on */
} sw_kick;

/* Creates kicks with these parameters, which must outlive them like the system.  rho: NULL without
 * sigma.  On failure *kick is NULL.  Errors: SW_ERR_MEMORY. */
sw_status sw_kick_create(const sw_system *system, const double k[], sw_requirement *rho,
                         sw_kick **kick);
void sw_kick_free(sw_kick **kick);

/* Begins a kick of size h from z0: the scales and the initial guess (p0 + h F(q,p0), 0), which is
 * the solution if the equations are explicit.  extent: of z0.  z0 must keep its values until the
 * end of the solve.  Returns 0 if a value is not finite. */
int sw_kick_begin(sw_kick *kick, double h, const double z0[], sw_sizes extent);

/* phi(x) = (e^x - 1)/x */
double sw_kick_phi(double x);

/* 1 if the equations need a solve. */
static inline int sw_kick_needs_solve(const sw_kick *kick)
{
  return kick->m > 0 || !kick->is_exact;
}

/* The equations and their derivative, for a kick as context (sw_problem).  The residual leaves the
 * end in kick->z1. */
void sw_kick_residual(void *context, const double u[], double F[]);
void sw_kick_jacobian(void *context, const double u[], double J[]);

#endif
