/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/sweep.h -- a one-step method R_t as in layer.h, with derivatives of weighted sums of its
 * results by backward sweeps. Memory is linear in d.
 *
 * The adjoint solves E_{-t}(w1) = w, and the equation for the corresponding weights, by fixed-point
 * iterations that start with force-free motion.
 */
#ifndef SIDEWINDER_STEP_SWEEP_H
#define SIDEWINDER_STEP_SWEEP_H

#include "step/constrained_field.h"
#include "step/layer.h"

typedef struct sw_sweep {
  const sw_layer_method *method;
  sw_field *field;
  double t; /* time of the last values */
  sw_field_point point[SW_TABLEAU_STAGES];
  double *at; /* 2d: w */
  double *w1; /* 2d: R_t(w) */

  double *made;     /* 2d: E */
  double *start;    /* 2d: argument of E */
  double *slopes_q; /* stages x d each: derivatives of a weighted sum in Q_i and V_i */
  double *slopes_v;
  double *by_A; /* d */
  double *a;    /* 2d: weights of E */
  double *left; /* 2d: residuals of these weights */
} sw_sweep;

/* Creates the parts of *s that are not arrays; method and field are set.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_sweep_open(sw_sweep *s);
void sw_sweep_close(sw_sweep *s);
void sw_sweep_carve(sw_carver *c, sw_sweep *s);

/* Computes R_t at w into s->w1; NaN on failure. */
void sw_sweep_values(sw_sweep *s, double t, const double w[]);

/* slope = the derivative in w of a.R_t + b S_t at the last values; a, slope: 2d. */
void sw_sweep_back(sw_sweep *s, const double a[], double b, double slope[]);

#endif
