/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/layer.h -- a one-step method R_t for q' = v, v' = A(q,v), S' = L(q,v) (lagrangian.h), the
 * "standard layer" of paper 004, with first and second derivatives of R^q_t and R^S_t in w = (q,v).
 *
 * R_t is an explicit method E_t (Runge-Kutta, or user-computed) or the adjoint of E_t (layer.c),
 *
 *   R_t = E_{-t}^{-1},   R^S_t(w) = -E^S_{-t}(R_t(w)).
 */
#ifndef SIDEWINDER_STEP_LAYER_H
#define SIDEWINDER_STEP_LAYER_H

#include "sidewinder/one_step.h"
#include "sidewinder/tableau.h"
#include "step/lagrangian.h"

/* The choice of the method: either `tableau` or `map`. */
typedef struct sw_layer_method {
  const sw_tableau *tableau; /* explicit: a_ij = 0 for j >= i; or NULL */
  const sw_one_step *map;    /* user-computed method; or NULL */
  int adjoint;               /* 1: use the adjoint */
} sw_layer_method;

/* E_t at w, implemented in explicit_layer.c. */
typedef struct sw_explicit {
  const sw_layer_method *method;
  sw_lagrangian *lagrangian;
  double t; /* time of the last values */
  sw_lagrangian_point point[SW_TABLEAU_STAGES];
  double *stage_w;  /* stages x (2d x 2d): derivatives of (Q_i, V_i) in w */
  double *slope_w;  /* stages x (d x 2d): derivatives of A_i in w */
  double *at;       /* 2d: w */
  double *w1;       /* 2d: E^q, E^v */
  double *w1_w;     /* 2d x 2d */
  double *S_w;      /* 2d: derivative of E^S; the value of E^S itself is not needed */
  double *slopes_q; /* stages x d each: derivatives of a weighted sum in Q_i, V_i and A_i */
  double *slopes_v;
  double *slopes_A;
  double *second;  /* 2d x 2d: at one stage */
  double *product; /* 2d x 2d */
} sw_explicit;

typedef struct sw_layer {
  const sw_layer_method *method;
  sw_explicit of; /* E */
  double *q;      /* d: R^q */
  double *v;      /* d: R^v */
  double *q_w;    /* d x 2d */
  double *S_w;    /* 2d */
  double *a;      /* 2d: weights of E^q, E^v */

  /* For the adjoint. */
  double *w1;     /* 2d: R_t(w) */
  double *w1_w;   /* 2d x 2d: derivative of R_t, the inverse of that of E */
  double *matrix; /* 2d x 2d: factorisation of the derivative of E */
  double *step;   /* 2d */
  int *exchange;  /* 2d */
} sw_layer;

/* Sets the array pointers of *s, whose `method` is set. */
void sw_layer_carve(sw_carver *c, sw_lagrangian *lagrangian, sw_layer *s);

/* R_t at (q,v), with q_w and S_w if with_derivatives is 1; NaN if there is no value. t = 0 gives
 * (q, v). */
void sw_layer_values(sw_layer *s, double t, const double q[], const double v[],
                     int with_derivatives);

/* K += the second derivatives in w of a.R^q + b R^S at the last values, which must include
 * derivatives; a: d, K: 2d x 2d. */
void sw_layer_second(sw_layer *s, const double a[], double b, double K[]);

/* ---- explicit_layer.c ---- */

void sw_explicit_carve(sw_carver *c, sw_explicit *s);

/* E_t at w, as sw_layer_values; and K += the second derivatives of a.(E^q, E^v) + b E^S, with a:
 * 2d. */
void sw_explicit_values(sw_explicit *s, double t, const double w[], int with_derivatives);
void sw_explicit_second(sw_explicit *s, const double a[], double b, double K[]);

#endif
