/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/layer.h -- an explicit Runge-Kutta method for q' = v, v' = A(q,v), S' = L(q,v) (lagrangian.h), the "standard layer" R_t of
 * paper 004, with first and second derivatives of R^q_t and R^S_t by w = (q,v).
 */
#ifndef SIDEWINDER_STEP_LAYER_H
#define SIDEWINDER_STEP_LAYER_H

#include "sidewinder/tableau.h"
#include "step/lagrangian.h"

typedef struct sw_layer {
  const sw_tableau *tableau; /* explicit: a_ij = 0 for j >= i */
  sw_lagrangian *lagrangian;
  double t; /* of the last values */

  sw_lagrangian_point point[SW_TABLEAU_STAGES];
  double *stage_w; /* stages x (2d x 2d): derivatives of (Q_i, V_i) by w */
  double *slope_w; /* stages x (d x 2d): of A_i */

  double *q;   /* d: R^q */
  double *v;   /* d: R^v */
  double *q_w; /* d x 2d */
  double *S_w; /* 2d: derivatives of R^S, which is read in no other way */

  double *slopes_q; /* stages x d each: derivatives of a sum by Q_i, V_i and A_i */
  double *slopes_v;
  double *slopes_A;
  double *second;  /* 2d x 2d: at one stage */
  double *product; /* 2d x 2d */
} sw_layer;

/* Points *s, of which the first two members are set, at its arrays. */
void sw_layer_carve(sw_carver *c, sw_layer *s);

/* R_t at (q,v), with q_w and S_w where they are asked for.  t = 0 gives (q, v). */
void sw_layer_values(sw_layer *s, double t, const double q[], const double v[],
                     int with_derivatives);

/* K += the second derivatives by w of a.R^q + b R^S, at the last values, which have derivatives; K: 2d x 2d. */
void sw_layer_second(sw_layer *s, const double a[], double b, double K[]);

#endif
