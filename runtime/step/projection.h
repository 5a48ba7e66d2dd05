/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/projection.h -- the nearest point of M = {g = 0}.
 *
 * Positions and momenta have different units, so a distance needs scales: S has |q0|_inf for the
 * positions and |p0|_inf for the momenta of the given state z0 (1 if that half is zero), and
 *
 *   argmin |S^{-1} (z - z0)|^2 with g(z) = 0,
 *   so that  S^{-1} (z - z0) + S Dg(z)^T nu = 0,  g(z) = 0.
 *
 * The time of a model is not an unknown: S is 0 for a position with constant nonzero velocity, so
 * the position keeps its value.
 *
 * The unknowns are u = (z, nu), 2d + m values. The constraints are scaled as in scale.h; the
 * unscaled Jacobian is [ S^{-1} + S sum_i nu_i Hess g_i, S Dg^T ; Dg, 0 ].
 *
 * Near M the initial guess is (z0, 0), and Newton's first step is the shortest step onto the
 * linearised constraints. Far from M, such shortest steps come first,
 *
 *   z <- z - S^2 Dg^T G^{-1} g,   then  nu = G^{-1} Dg (z0 - z),   G = Dg S^2 Dg^T,
 *
 * because they find M from far away, where the multipliers of Newton's method lead to wrong points.
 * A state is near M if two conditions hold: its residual is small relative to its scale, which
 * depends on the origin of the positions; and the shortest step turns no gradient by much, which
 * does not depend on the origin.
 */
#ifndef SIDEWINDER_STEP_PROJECTION_H
#define SIDEWINDER_STEP_PROJECTION_H

#include "linear/deficient.h"
#include "linear/sparse_product.h"
#include "model/scale.h"
#include "model/system.h"

typedef struct sw_projection {
  const sw_system *system;
  const double *k;
  const double *z0; /* 2d: the state to project */
  sw_sizes extent;  /* |q0|_inf without the time, |p0|_inf */
  double *size;     /* 2d: S */

  double *u;          /* 2d + m: the unknowns */
  double *g;          /* m */
  double *scale;      /* m */
  double *sums;       /* m */
  double *jac;        /* values of Dg */
  double *hess;       /* values of Hess(nu . g) */
  double *change;     /* 2d: z0 - z */
  double *trial;      /* 2d: the end of a shortest step */
  double *jac_before; /* values of Dg at another state */

  double *jac_t;     /* values of Dg S^2 */
  sw_pattern gram;   /* m x m: pattern of G */
  sw_product square; /* G */
  double *gram_values;
  void *block; /* memory of all arrays of doubles above */
  sw_deficient *gram_solver;

  sw_pattern jacobian; /* 2d + m unknowns: pattern of the Newton matrix */
  int *place;          /* offsets of its contributions: ones, both triangles of Hess, Dg, Dg^T */
} sw_projection;

/* Allocates all memory for projections, m >= 1. Memory is linear in the entries of Dg, of Hess(nu .
 * g) and of G. Call sw_projection_free in any case.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_projection_create(const sw_system *system, const double k[], sw_redundant redundant,
                               sw_projection *s);
void sw_projection_free(sw_projection *s);

/* Starts a projection of z0 and writes the initial guess to s->u. Returns 0 if a scale is not
 * finite. */
int sw_projection_begin(sw_projection *s, const double z0[]);

/* Displacement of the positions relative to the distances in the constraints. For constraints with
 * a varying gradient this is their largest turn. For a constraint with a constant gradient it is
 * the largest displacement of its positions, relative to the longest distance in a constraint, or
 * to |q0|_inf if there is none. */
double sw_projection_part(sw_projection *s, const double from[], const double to[]);

/* F(u), and its Jacobian, one value per entry of s->jacobian; callbacks for solver.h. */
void sw_projection_residual(void *context, const double u[], double F[]);
void sw_projection_jacobian(void *context, const double u[], double J[]);

#endif
