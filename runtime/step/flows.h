/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/flows.h -- a step of a base method composed of maps (sidewinder/flows.h): values and
 * directions. The maps are user-computed, or flows of parts of H.
 */
#ifndef SIDEWINDER_STEP_FLOWS_H
#define SIDEWINDER_STEP_FLOWS_H

#include "common/carver.h"
#include "model/scale.h"
#include "model/system.h"
#include "sidewinder/flows.h"
#include "step/part_flow.h"

typedef struct sw_flow_step {
  const sw_flows *flows;
  const sw_part_plan *parts; /* plans of the parts if the maps are flows of parts of H; else NULL */
  const sw_system *system;
  const double *k;
  double h;           /* step size of the last values */
  sw_part_flow *part; /* n_maps contexts if `parts` is set */
  double *state;      /* (n + 1) x 2d: the states before and after each map */
  double *V;          /* columns x 2d */
  double *DV;         /* columns x 2d */
} sw_flow_step;

/* Validates the description. Returns SW_OK or SW_ERR_OPTION. */
sw_status sw_flows_examine(const sw_flows *flows);

/* 1 if all maps are symmetric, so that the reversed composition is the adjoint and a step back with
 * it undoes a step. */
int sw_flows_have_adjoint(const sw_flows *flows);

/* 1 if, in addition, the adjoint is the method itself. */
int sw_flows_are_symmetric(const sw_flows *flows);

/* Sets the array pointers of *s, whose first members are set, for at most n directions at once. */
void sw_flow_step_carve(sw_carver *c, size_t n, sw_flow_step *s);

/* z1 = phi_h(y); NaN if a map fails. */
void sw_flow_step_values(sw_flow_step *s, double h, const double y[], double z1[]);

/* Adds z1 - y at the last values, with errors relative to the step. For flows of parts only.
 * change: 2d values of scratch. */
void sw_flow_step_increment(sw_flow_step *s, double change[], sw_two_sums to);

/* DZ = phi_h'(y) DY at the last values; DY, DZ: 2d x n. */
void sw_flow_step_directions(sw_flow_step *s, int n, const double DY[], double DZ[]);

/* Largest distance of the last states from z0, for positions and momenta separately. */
sw_sizes sw_flow_step_moved(const sw_flow_step *s, const double z0[]);

#endif
