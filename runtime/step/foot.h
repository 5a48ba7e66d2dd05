/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/foot.h -- the foot x of a position x^ on {g = 0}, for constraints on the positions,
 *
 *   x^ = x + Dg(x)^T theta,   g(x) = 0     (paper 004, (3.2)),
 *
 * with the derivatives of g that the derivatives of x and theta need. Matrices are dense,
 * row-major.
 */
#ifndef SIDEWINDER_STEP_FOOT_H
#define SIDEWINDER_STEP_FOOT_H

#include "common/carver.h"
#include "model/system.h"

/* g and its derivatives in the positions x; m may be 0. */
typedef struct sw_surface {
  const sw_system *system;
  const double *k;
  int clock;       /* index of the clock, a position that P does not change (legendre.h), or -1 */
  double *z;       /* 2d: (x, 0) */
  double *values;  /* scratch for the values of the largest pattern */
  double *weights; /* m + d */
  double *hess;    /* d x d */
} sw_surface;

void sw_surface_carve(sw_carver *c, sw_surface *s);

void sw_surface_values(sw_surface *s, const double x[], double g[]);  /* m */
void sw_surface_slopes(sw_surface *s, const double x[], double Dg[]); /* m x d */
void sw_surface_second(sw_surface *s, const double x[], const double a[],
                       double H[]); /* d x d: Hessian of a.g */
void sw_surface_along(sw_surface *s, const double x[], const double u[],
                      double Gu[]); /* m x d: row i is the Hessian of g_i times u */
/* H += b times the second derivatives of a.Dg(x) u; d x d. */
void sw_surface_add_third(sw_surface *s, const double x[], const double a[], const double u[],
                          double b, double H[]);

/* scale_i: the largest power of two not above the largest entry of row i of Dg. */
void sw_surface_scale(const sw_surface *s, const double Dg[], double scale[]);

typedef struct sw_foot {
  sw_surface *surface;
  double *x;     /* d */
  double *theta; /* m */
  double *Dg;    /* m x d: at x */
  double *scale; /* m: scales of the rows of Dg */
  double *hess;  /* d x d: Hessian of theta.g at x */
  double *
      matrix; /* (d + m)^2: factorisation of [1 + hess, Dg^T; Dg, 0] with scaled Dg, column-major */
  int *exchange; /* d + m */
  double *step;  /* d + m */
} sw_foot;

/* Sets the array pointers of *s, whose `surface` is set. */
void sw_foot_carve(sw_carver *c, sw_foot *s);

/* The foot of x^; NaN if Newton's method does not converge to round-off. */
void sw_foot_find(sw_foot *s, const double above[]);

/* Replaces n directions of x^ in DX (d x n) by those of x, and writes those of theta to DT (m x
 * n). */
void sw_foot_directions(sw_foot *s, int n, double DX[], double DT[]);

#endif
