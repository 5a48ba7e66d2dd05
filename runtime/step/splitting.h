/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/splitting.h -- the base method "splitting": a symmetric composition of exact flows of the
 * parts of H,
 *
 *   phi_h = f1_{h/2} o ... o f(n-1)_{h/2} o fn_h o f(n-1)_{h/2} o ... o f1_{h/2}
 *
 * (G. Strang, SIAM J. Numer. Anal. 5, 1968; Hairer, Lubich, Wanner, Geometric Numerical
 * Integration, 2nd ed., section II.5). It is symmetric, symplectic and of order 2, and equals the
 * exact flow if H is one part.
 */
#ifndef SIDEWINDER_STEP_SPLITTING_H
#define SIDEWINDER_STEP_SPLITTING_H

#include "sidewinder/flows.h"
#include "sidewinder/methods.h"
#include "step/part_flow.h"

/* The kind of splitting of a model. */
typedef enum sw_division {
  SW_DIVISION_NONE,   /* none: sw_model.undivided gives the reason */
  SW_DIVISION_WHOLE,  /* H is of degree 2: one part */
  SW_DIVISION_VERLET, /* T(p) + V(q): the splitting is Stormer-Verlet, whose code is used */
  SW_DIVISION_PARTS   /* the parts of the model */
} sw_division;

sw_division sw_division_of(const sw_model *model);

typedef struct sw_splitting {
  sw_flows flows; /* its pointers refer to this struct */
  sw_map maps[SW_PARTS_MOST];
  sw_part_plan
      part[SW_PARTS_MOST]; /* one per map; each simulation creates its own contexts (flows.h) */
  int order[2 * SW_PARTS_MOST];
  double weight[2 * SW_PARTS_MOST];
} sw_splitting;

/* For a model of one or several parts. Call sw_splitting_free in any case.
 * Errors: SW_ERR_MEMORY; SW_ERR_SIZE if a part is too large. */
sw_status sw_splitting_make(const sw_system *system, sw_splitting *splitting);
void sw_splitting_free(sw_splitting *splitting);

/* 1 if the base method consists of flows: the model has one or several parts, and none is too
 * large. */
int sw_splitting_has_flows(const sw_system *system);

/* 1 if the base method would consist of flows, but a part is too large. */
int sw_splitting_is_too_large(const sw_system *system);

#endif
