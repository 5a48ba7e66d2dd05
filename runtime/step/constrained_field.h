/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/constrained_field.h -- the equation of motion in positions and velocities, as in lagrangian.h, with what is needed to go backwards along
 * it: derivatives of weighted sums.  All matrices are sparse, and memory is linear in d and their entries.
 *
 *   A = (H_p)_z . (H_p, -H_q - Dg^T lambda),   rho' = rho_z . (H_p, -H_q - Dg^T lambda) = 0,   L = p.v - H
 *
 * are made of first and second derivatives.  Derivatives of A and rho' are generated (sw_model.acceleration), or made of those of H
 * and g along directions: with X = (H_p, -H_q - Dg^T lambda), U = (0, a + Dg^T b) and Y = Hess H U, those of a.A + b.rho' by z are
 *
 *   D^3 H[U, X] + Hess H (-Y_p, Y_q + 2 D^2(b.g) v) + (D^2(b.g) A - D^2(lambda.g) Y_p + D^3(b.g)[v, v], 0).
 *
 * Where H = T(p) + V(q) with a constant H_pp and the constraints are at most quadratic, the third derivatives in this are 0.
 */
#ifndef SIDEWINDER_STEP_CONSTRAINED_FIELD_H
#define SIDEWINDER_STEP_CONSTRAINED_FIELD_H

#include "common/carver.h"
#include "linear/scaled.h"
#include "model/system.h"

/* What points have in common. */
typedef struct sw_field {
  const sw_system *system;
  const double *k;
  sw_pattern H_pp; /* both triangles */
  int *
      H_pp_source; /* where its entries are in Hess H; -1: it is 1, of the momentum of the clock, which is 0 then (lagrangian.h) */

  double *hess_H; /* values of sparse matrices: */
  double *jac;    /* Dg, */
  double *jac_rho;
  double *second;  /* D^2(a.g), */
  double *third;   /* derivatives of Hess H and D^2(a.g) along a direction, */
  double *rates;   /* sw_model.acceleration_jac, */
  double *values;  /* and of H_pp, N */
  double *grad;    /* 2d: of H */
  double *along;   /* 2d: z' */
  double *x;       /* 2d */
  double *y;       /* 2d */
  double *u;       /* 2d: a direction */
  double *weights; /* d + m: and one with multipliers */
  double *rate;    /* m: rho' */
  double *of_rho;  /* m */
} sw_field;

typedef struct sw_field_point {
  double *z;      /* 2d: q, p */
  double *v;      /* d */
  double *A;      /* d */
  double *lambda; /* m */
  sw_scaled mass; /* factors of H_pp */
  sw_scaled N;    /* and of N, if m > 0 */
} sw_field_point;

/* Whether the derivatives can be had of a model. */
int sw_field_is_there(const sw_model *model);

/* Makes what is not an array: of *s, of which system and k are set, and of a point.  Errors: SW_ERR_MEMORY. */
sw_status sw_field_open(sw_field *s);
void sw_field_close(sw_field *s);
sw_status sw_field_point_open(const sw_field *s, sw_field_point *point);
void sw_field_point_close(sw_field_point *point);

void sw_field_carve(sw_carver *c, sw_field *s);
void sw_field_point_carve(sw_carver *c, const sw_field *s, sw_field_point *point);

/* The point of (q,v).  Returns 0 where H_pp or N is singular; then A is NaN. */
int sw_field_at(sw_field *s, const double q[], const double v[], sw_field_point *point);

/* by_q, by_v += the derivatives by q and v of a.A + b L at a point. */
void sw_field_back(sw_field *s, const sw_field_point *point, const double a[], double b,
                   double by_q[], double by_v[]);

#endif
