/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/constrained_field.h -- the equation of motion in positions and velocities (lagrangian.h),
 * with derivatives of weighted sums for backward sweeps. All matrices are sparse; memory is linear
 * in d and in their entries.
 *
 *   A = (H_p)_z . (H_p, -H_q - Dg^T lambda),
 *   rho' = rho_z . (H_p, -H_q - Dg^T lambda) = 0,   L = p.v - H
 *
 * need first and second derivatives of H and g. Derivatives of A and rho' are generated
 * (sw_model.acceleration), or computed from derivatives of H and g along directions. With X = (H_p,
 * -H_q - Dg^T lambda), U = (0, a + Dg^T b) and Y = Hess H U, the derivative of a.A + b.rho' in z is
 *
 *   D^3 H[U, X] + Hess H (-Y_p, Y_q + 2 D^2(b.g) v)
 *     + (D^2(b.g) A - D^2(lambda.g) Y_p + D^3(b.g)[v, v], 0).
 *
 * The third derivatives are 0 if H = T(p) + V(q) with a constant H_pp and the constraints are at
 * most quadratic.
 */
#ifndef SIDEWINDER_STEP_CONSTRAINED_FIELD_H
#define SIDEWINDER_STEP_CONSTRAINED_FIELD_H

#include "common/carver.h"
#include "linear/scaled.h"
#include "model/system.h"

/* Data shared by all points. */
typedef struct sw_field {
  const sw_system *system;
  const double *k;
  sw_pattern H_pp; /* both triangles */
  /* for each entry of H_pp its index in Hess H; -1 for the clock's momentum (lagrangian.h), whose
   * entry is set to 1 */
  int *H_pp_source;

  double *hess_H; /* values of the sparse matrix Hess H */
  double *jac;    /* values of Dg */
  double *jac_rho;
  double *second;  /* values of D^2(a.g) */
  double *third;   /* values of Hess H and D^2(a.g) differentiated along a direction */
  double *rates;   /* values of sw_model.acceleration_jac */
  double *values;  /* values of H_pp or N */
  double *grad;    /* 2d: gradient of H */
  double *along;   /* 2d: z' */
  double *x;       /* 2d */
  double *y;       /* 2d */
  double *u;       /* 2d: a direction */
  double *weights; /* d + m: a direction with multipliers */
  double *rate;    /* m: rho' */
  double *of_rho;  /* m */
} sw_field;

typedef struct sw_field_point {
  double *z;      /* 2d: q, p */
  double *v;      /* d */
  double *A;      /* d */
  double *lambda; /* m */
  sw_scaled mass; /* factorisation of H_pp */
  sw_scaled N;    /* factorisation of N, if m > 0 */
} sw_field_point;

/* 1 if the model provides the derivatives needed here. */
int sw_field_is_there(const sw_model *model);

/* Creates the parts that are not arrays: of *s, whose system and k are set, and of a point.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_field_open(sw_field *s);
void sw_field_close(sw_field *s);
sw_status sw_field_point_open(const sw_field *s, sw_field_point *point);
void sw_field_point_close(sw_field_point *point);

void sw_field_carve(sw_carver *c, sw_field *s);
void sw_field_point_carve(sw_carver *c, const sw_field *s, sw_field_point *point);

/* Evaluates the point (q,v). Returns 0 if H_pp or N is singular; then A is NaN. */
int sw_field_at(sw_field *s, const double q[], const double v[], sw_field_point *point);

/* Adds the derivatives of a.A + b L in q and v at a point to by_q and by_v. */
void sw_field_back(sw_field *s, const sw_field_point *point, const double a[], double b,
                   double by_q[], double by_v[]);

#endif
