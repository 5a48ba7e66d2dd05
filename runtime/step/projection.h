/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/projection.h -- the nearest point of M = {g = 0}.
 *
 * Positions and momenta have different units, so that a distance needs scales: S has |q0|_inf for the positions
 * and |p0|_inf for the momenta of the state z0 that is projected (1 if that half is zero), and
 *
 *   argmin |S^{-1} (z - z0)|^2 with g(z) = 0, so that  S^{-1} (z - z0) + S Dg(z)^T nu = 0,  g(z) = 0.
 *
 * The time of a model is no unknown: S is 0 for a position whose velocity is constant and not 0, so
 * it keeps its value.
 *
 * Unknowns u = (z, nu), 2d + m of them.  The constraints are scaled as scale.h says; the Jacobian
 * before that is [ S^{-1} + S sum_i nu_i Hess g_i, S Dg^T ; Dg, 0 ].
 *
 * Near M the first guess is (z0, 0), from which Newton's first step is the shortest one onto the
 * linearised constraints.  Far from M such steps come first,
 *
 *   z <- z - S^2 Dg^T G^{-1} g,   then  nu = G^{-1} Dg (z0 - z),   G = Dg S^2 Dg^T,
 *
 * because they find M from far away, where the multipliers of Newton's method lead astray.  A state
 * is near M if the residual is small relative to its scale, which depends on the origin of the
 * positions, and if the shortest step turns no gradient by much, which does not.
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
  const double *z0; /* 2d: the state to be projected */
  sw_sizes extent;  /* |q0|_inf without times, |p0|_inf */
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
  sw_pattern gram;   /* m x m: of G */
  sw_product square; /* G */
  double *gram_values;
  void *block; /* all the arrays of doubles above */
  sw_deficient *gram_solver;

  sw_pattern jacobian; /* 2d + m unknowns: of the Newton matrix */
  int *place;          /* where its contributions stand: ones, both triangles of Hess, Dg, Dg^T */
} sw_projection;

/* Allocates everything that a projection needs, m >= 1.  Memory is linear in the entries of Dg, of
 * Hess(nu . g) and of G.  sw_projection_free is to be called in both cases.  Errors: SW_ERR_MEMORY. */
sw_status sw_projection_create(const sw_system *system, const double k[], sw_redundant redundant,
                               sw_projection *s);
void sw_projection_free(sw_projection *s);

/* Starts a projection of z0 and writes the first guess to s->u.  Returns 0 where a scale is not finite. */
int sw_projection_begin(sw_projection *s, const double z0[]);

/* How far the gradients turn from one state to another: max_i |S (Dg_i(to) - Dg_i(from))| relative
 * to the larger gradient.  It does not depend on the origin of the positions. */
double sw_projection_turn(sw_projection *s, const double from[], const double to[]);

/* The displacement of the positions relative to the distances in the constraints:
 * sw_projection_turn, and for a constraint whose gradient does not change, the largest displacement
 * of its positions relative to the longest distance in a constraint, or to |q0|_inf if there is
 * none. */
double sw_projection_part(sw_projection *s, const double from[], const double to[]);

/* F(u), and its Jacobian, one value per entry of s->jacobian; both in the form that solver.h asks for. */
void sw_projection_residual(void *context, const double u[], double F[]);
void sw_projection_jacobian(void *context, const double u[], double J[]);

#endif
