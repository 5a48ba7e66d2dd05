/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point.h -- points of a surface {f = 0} that are shown to exist, known to any number of digits.
 *
 * Near an approximate solution, as many entries of z as there are independent equations are taken for unknowns x, and
 * the others are fixed: f(x) = 0 is a square system.  With A an approximate inverse of its Jacobian, f has exactly one
 * zero in a box B around x0, and for every x in B the zero is within |A f(x)| / (1 - k) of x, if
 *   k = max |I - A f'(B)| < 1   and   |A f(x0)| <= (1 - k) radius of B
 * in the largest norm of scaled entries: the operator of Krawczyk maps B into itself (R. Krawczyk, Computing 4
 * (1969); A. Neumaier, Interval Methods for Systems of Equations, 1990, section 5.1).  The Jacobian on B is evaluated
 * in balls.
 *
 * Equations that depend on the others near the point are left out of the system; that they hold there, too, is then
 * seen to 2^-100 of their terms.  Where the Jacobian is singular at the solution itself, such as for (x - y)^2 = 0,
 * nothing is shown; Newton's method still converges, linearly, and the point is known to 200 bits.
 */
#ifndef SIDEWINDER_ANALYSIS_POINT_H
#define SIDEWINDER_ANALYSIS_POINT_H

#include "analysis/square.h"

typedef struct point {
  const setting *at; /* the parameters */
  double *z;         /* 2d: nearest doubles */
  arb_ptr exact;     /* 2d: the point is in these balls */
  slong precision;   /* bits that were asked for */
  int exists;        /* 1: proved; 0: known to 200 bits only */
  const surface *f;
  square square;      /* of f, near the point */
  double contraction; /* k */
  struct point *next;
} point;

/* The point near z; NULL where z leads to none. */
point *point_find(study *s, const surface *f, const setting *at, const double z[]);

/* Makes the balls of the point as small as values at this precision need. */
void point_refine(study *s, point *x, slong precision);

/* Starts a pass of evaluation in balls at the point, refined for this precision. */
void point_begin(study *s, point *x, slong precision);

/* Whether e is at most 2^-100 of its size in the middle of the point's balls: for points that are not shown to exist, where
 * e may be singular at the point itself, such as x^2/abs(x) at x = 0. */
int point_tends_to_zero(study *s, const point *x, const ir_expr *e);

/* What is known of e at the point: asks at rising precision. */
ball_answer point_decide(study *s, point *x, const ir_expr *e);

void points_free(study *s);

#endif
