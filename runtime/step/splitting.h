/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/splitting.h -- the base method "splitting": exact flows of the parts of H, one after the other and back,
 *
 *   phi_h = f1_{h/2} o ... o f(n-1)_{h/2} o fn_h o f(n-1)_{h/2} o ... o f1_{h/2}
 *
 * (G. Strang, SIAM J. Numer. Anal. 5, 1968; Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., section II.5).
 * Symmetric, symplectic, of order 2, and the flow itself where H is one part.
 */
#ifndef SIDEWINDER_STEP_SPLITTING_H
#define SIDEWINDER_STEP_SPLITTING_H

#include "sidewinder/flows.h"
#include "sidewinder/methods.h"
#include "step/part_flow.h"

/* What a model is divided into. */
typedef enum sw_division {
  SW_DIVISION_NONE,   /* nothing: sw_model.undivided says why */
  SW_DIVISION_WHOLE,  /* H is of degree 2: one part */
  SW_DIVISION_VERLET, /* T(p) + V(q): the steps are those of Stormer-Verlet, and are made as these */
  SW_DIVISION_PARTS   /* the parts of the model */
} sw_division;

sw_division sw_division_of(const sw_model *model);

typedef struct sw_splitting {
  sw_flows flows; /* points into this */
  sw_map maps[SW_PARTS_MOST];
  sw_part_plan
      part[SW_PARTS_MOST]; /* of each map; their contexts are made by each simulation (flows.h) */
  int order[2 * SW_PARTS_MOST];
  double weight[2 * SW_PARTS_MOST];
} sw_splitting;

/* For a model that is one part or several.  Errors: SW_ERR_MEMORY; SW_ERR_SIZE where a part is too large.  Freed in
 * any case. */
sw_status sw_splitting_make(const sw_system *system, sw_splitting *splitting);
void sw_splitting_free(sw_splitting *splitting);

/* 1 where the base method is made of flows: the model is one part or several, and none is too large. */
int sw_splitting_has_flows(const sw_system *system);

/* 1 where it would be, but for a part that is too large. */
int sw_splitting_is_too_large(const sw_system *system);

#endif
