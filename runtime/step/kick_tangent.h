/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/kick_tangent.h -- directions of a kick (step/kick.h) at its solution.
 *
 * The derivatives of the equations along a direction (dq, dp0) of the start and (dp1, dsigma) of
 * the unknowns.  If the flow of p' = F is known, F_i = b_i(q) + r_i(q) p_i, and
 *
 *   d(p1 without sigma) = dp0 + h phi(r h) dF + h^2 phi'(r h) F dr.
 *
 * dr comes from the derivative of F at two momenta, in which it is linear.
 */
#ifndef SIDEWINDER_STEP_KICK_TANGENT_H
#define SIDEWINDER_STEP_KICK_TANGENT_H

#include "step/kick.h"

typedef struct sw_kick_tangent {
  sw_kick *kick;
  double *jac; /* values of the derivative of F, at z0 if the flow is known, else at the midpoint */
  double *of_one; /* the same at momenta of the size of the step; then dr, in columns of q */
  double *hess;   /* values of Hess(sigma . g) */
  double *end;    /* 2d x n: the directions of the end */
} sw_kick_tangent;

/* Sets the array pointers of *t, for `columns` directions at once. */
void sw_kick_tangent_carve(sw_carver *c, size_t columns, sw_kick_tangent *t);

/* Evaluates the derivatives at the last residual, or after sw_kick_begin if there is no solve. */
void sw_kick_along(sw_kick_tangent *t);

/* Directions of the residual, DF, for n directions V of the start (2d x n) and DU of the unknowns
 * (d + m rows).  Returns those of the end.  Without a solve, DU and DF are unused. */
const double *sw_kick_directions(sw_kick_tangent *t, int n, const double V[], const double DU[],
                                 double DF[]);

/* The transpose for one direction: of_z and of_u are the derivatives of of_end . end - of_F . F
 * along the start and the unknowns.  Without a solve, of_F and of_u are unused. */
void sw_kick_pull(sw_kick_tangent *t, const double of_end[], const double of_F[], double of_z[],
                  double of_u[]);

#endif
