/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point.h -- points of a surface {f = 0} that are proved to exist, at arbitrary precision.
 *
 * Near an approximate solution, as many entries of z as there are independent equations become
 * unknowns x; the others are fixed.  f(x) = 0 is then a square system.  Let A be an approximate
 * inverse of its Jacobian.  f has exactly one zero in a box B around x0, and for every x in B the
 * zero is within |A f(x)| / (1 - k) of x, if
 *   k = max |I - A f'(B)| < 1   and   |A f(x0)| <= (1 - k) radius of B
 * in the maximum norm of scaled entries, because Krawczyk's operator maps B into itself (R.
 * Krawczyk, Computing 4 (1969); A. Neumaier, Interval Methods for Systems of Equations, 1990,
 * section 5.1).  The Jacobian on B is evaluated in balls.
 *
 * Equations that depend on others near the point are omitted from the system; they are then checked
 * to 2^-100 of their terms.  If the Jacobian is singular at the solution, as for (x - y)^2 = 0,
 * there is no proof.  Newton's method still converges, linearly, and the point is known to 200
 * bits.
 */
#ifndef SIDEWINDER_ANALYSIS_POINT_H
#define SIDEWINDER_ANALYSIS_POINT_H

#include "analysis/study.h"

/*
 * Equations on phase space with their derivatives, ready for a solver.
 */

typedef struct surface {
  int rows;
  const ir_expr **value; /* equations: value = 0 */
  const ir_expr **size;  /* magnitudes of their terms (expr/magnitude.h) */
  int n;           /* number of entries of the Jacobian that are not identically zero, by row */
  ir_entry *slope; /* entries (row, column of z, derivative) */
} surface;

/* Differentiates n expressions; equations that are identically zero are dropped. */
surface *surface_create(study *s, int n, const ir_expr *const values[]);

/* M = {g = 0}, in which s->instead may replace constraints by their square-free parts.
 * M^H = {g = 0, rho = 0}, without the hidden constraints with left_out[i] = 1 (NULL drops none). */
surface *surface_M(study *s);
surface *surface_MH(study *s, const char left_out[]);

/* Equations of a surface and entries of z that form a square system near a point. */
typedef struct square {
  int rank;       /* number of independent equations */
  int *rows;      /* all equations; the first `rank` form the system */
  int *columns;   /* all entries of z; the first `rank` are the unknowns */
  int *place_row; /* inverse permutations of rows and columns */
  int *place_column;
  int *row_unit;    /* rank exponents: equations are divided by 2^row_unit */
  int *column_unit; /* rank exponents: unknowns are divided by 2^column_unit */
  double *inverse;  /* inverse of the scaled Jacobian, rank x rank, row major */
} square;

typedef struct point {
  const setting *at; /* parameters */
  double *z;         /* nearest doubles, 2d entries */
  arb_ptr exact;     /* balls that contain the point, 2d entries */
  slong precision;   /* precision in bits */
  int exists;        /* 1 if proved; 0 if known to 200 bits only */
  const surface *f;
  square square;      /* square system of f near the point */
  double contraction; /* the contraction k */
} point;

/* The point near z; NULL if the iteration does not converge. */
point *point_find(study *s, const surface *f, const setting *at, const double z[]);

/* Refines the balls of the point for evaluations at this precision. */
void point_refine(study *s, point *x, slong precision);

/* Starts an evaluation pass in balls at the point, refined for this precision. */
void point_begin(study *s, point *x, slong precision);

/* 1 if e is at most 2^-100 of its size at the midpoints of the balls.  For points without a proof:
 * e may be singular at the point itself, such as x^2/abs(x) at x = 0. */
int point_tends_to_zero(study *s, const point *x, const ir_expr *e);

/* Decides whether e is zero at the point, at increasing precision. */
ball_answer point_decide(study *s, point *x, const ir_expr *e);

#endif
