/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * geometry/projection.h -- the nearest point of M = {g = 0}, in the Euclidean norm of z:
 *
 *   argmin |z - z0|^2 with g(z) = 0, so that  z - z0 + Dg(z)^T nu = 0,  g(z) = 0.
 *
 * Unknowns u = (z, nu), 2d + m of them.  The equations are scaled as scale.h says; the Jacobian
 * before scaling is [ I + sum_i nu_i Hess g_i, Dg^T ; Dg, 0 ].
 *
 * Near M the first guess is (z0, 0), from which Newton's first step is the shortest one onto the
 * linearised constraints.  Far from M such steps come first,
 *
 *   z <- z - Dg^T (Dg Dg^T)^{-1} g,   then  nu = (Dg Dg^T)^{-1} Dg (z0 - z),
 *
 * because they find M from far away, where the multipliers of Newton's method lead astray.
 */
#ifndef SIDEWINDER_GEOMETRY_PROJECTION_H
#define SIDEWINDER_GEOMETRY_PROJECTION_H

#include "sidewinder/model.h"

typedef struct sw_projection {
  const sw_model *model;
  const double *k;
  const double *z0; /* 2d: the state to be projected */
  double size_q;
  double size_p;

  double *g;      /* m */
  double *scale;  /* m */
  double *sums;   /* m */
  double *jac;    /* values of Dg */
  double *hess;   /* values of Hess(nu . g) */
  double *change; /* 2d: z0 - z */
  double *gram;   /* m x m: Dg Dg^T */
  double *dense;  /* m x 2d: Dg */
  int *exchange;  /* m: of the factorisation of gram */
} sw_projection;

/* Starts a projection of z0 and writes the first guess, 2d + m values.  Returns 0 where a scale is
 * not finite. */
int sw_projection_begin(sw_projection *s, const double z0[], double u[]);

/* F(u), and its Jacobian column by column; both in the form that solver.h asks for. */
void sw_projection_residual(void *context, const double u[], double F[]);
void sw_projection_jacobian(void *context, const double u[], double J[]);

#endif
