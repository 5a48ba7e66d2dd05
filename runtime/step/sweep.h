/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/sweep.h -- a one-step method R_t as in layer.h, with derivatives of weighted sums of what it makes, found backwards; memory is
 * linear in d.
 *
 * The adjoint, E_{-t}(w1) = w, and the weights that belong to it are solved for by fixed-point iterations of their own, which start
 * with the motion without forces.
 */
#ifndef SIDEWINDER_STEP_SWEEP_H
#define SIDEWINDER_STEP_SWEEP_H

#include "step/constrained_field.h"
#include "step/layer.h"

typedef struct sw_sweep {
  const sw_layer_method *method;
  sw_field *field;
  double t; /* of the last values */
  sw_field_point point[SW_TABLEAU_STAGES];
  double *at; /* 2d: w */
  double *w1; /* 2d: R_t(w) */

  double *made;     /* 2d: E */
  double *start;    /* 2d: where it begins */
  double *slopes_q; /* stages x d each: derivatives of a sum by Q_i and V_i */
  double *slopes_v;
  double *by_A; /* d */
  double *a;    /* 2d: weights of E, */
  double *left; /* 2d: and what they miss */
} sw_sweep;

/* Makes what is not an array of *s, of which method and field are set.  Errors: SW_ERR_MEMORY. */
sw_status sw_sweep_open(sw_sweep *s);
void sw_sweep_close(sw_sweep *s);
void sw_sweep_carve(sw_carver *c, sw_sweep *s);

/* R_t at w, left in s->w1; NaN where there is none. */
void sw_sweep_values(sw_sweep *s, double t, const double w[]);

/* slope = the derivative by w of a.R_t + b S_t at the last values; a, slope: 2d. */
void sw_sweep_back(sw_sweep *s, const double a[], double b, double slope[]);

#endif
