/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/flows.h -- a step of a base method made of maps (sidewinder/flows.h), which a caller computes or which are flows of
 * parts of H: values and directions.
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
  const sw_part_plan *parts; /* of its maps, where they are flows of parts of H; else NULL */
  const sw_system *system;
  const double *k;
  double h;           /* of the last values */
  sw_part_flow *part; /* n_maps: their contexts, where there are parts */
  double *state;      /* (n + 1) x 2d: before and after each map */
  double *V;          /* columns x 2d */
  double *DV;         /* columns x 2d */
} sw_flow_step;

/* Whether a step can be made of them.  Returns SW_OK or SW_ERR_OPTION. */
sw_status sw_flows_examine(const sw_flows *flows);

/* 1 where the step back undoes a step over the adjoint: all maps are symmetric. */
int sw_flows_have_adjoint(const sw_flows *flows);

/* 1 where, besides, the adjoint is the method itself. */
int sw_flows_are_symmetric(const sw_flows *flows);

/* Points *s, of which the first members are set, at its arrays, for directions of n columns at most. */
void sw_flow_step_carve(sw_carver *c, size_t n, sw_flow_step *s);

/* z1 = phi_h(y); NaN where a map has no value. */
void sw_flow_step_values(sw_flow_step *s, double h, const double y[], double z1[]);

/* Adds z1 - y at the last values, with errors relative to the step; for flows of parts.  change: 2d values of scratch. */
void sw_flow_step_increment(sw_flow_step *s, double change[], sw_two_sums to);

/* DZ = phi_h'(y) DY at the last values; DY, DZ: 2d x n. */
void sw_flow_step_directions(sw_flow_step *s, int n, const double DY[], double DZ[]);

/* How far the states of the last values are from z0, the largest in each half. */
sw_sizes sw_flow_step_moved(const sw_flow_step *s, const double z0[]);

#endif
