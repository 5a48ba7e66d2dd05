/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/reach.h -- the patterns of a step: which of its entries can depend on which unknowns.
 *
 * The directions of a base method (stages.h) are sums of products with Hess H. The same sums and
 * products of patterns give the pattern of the Newton matrix. A pool owns all intermediate patterns
 * and frees them together.
 */
#ifndef SIDEWINDER_STEP_REACH_H
#define SIDEWINDER_STEP_REACH_H

#include "model/system.h"
#include "step/stage_plan.h"

typedef struct sw_reach {
  const sw_system *system;
  const sw_pattern *H_qq; /* blocks of Hess H, d x d */
  const sw_pattern *H_qp;
  const sw_pattern *H_pq;
  const sw_pattern *H_pp;
  int count;
  sw_pattern **pool; /* count patterns */
  int failed;        /* 1 if memory has run out; every result is then NULL */
} sw_reach;

/* Starts a pool with the blocks of Hess H. */
void sw_reach_begin(sw_reach *reach, const sw_system *system);
void sw_reach_end(sw_reach *reach);

/* A + B. NULL if an argument is NULL. */
const sw_pattern *sw_reach_sum(sw_reach *reach, const sw_pattern *A, const sw_pattern *B);

/* A B. */
const sw_pattern *sw_reach_product(sw_reach *reach, const sw_pattern *A, const sw_pattern *B);

/* Rows first .. first+rows-1 and all columns of A. */
const sw_pattern *sw_reach_rows(sw_reach *reach, const sw_pattern *A, int first, int rows);

/* rows x cols with ones at (i, first + i), i < rows. */
const sw_pattern *sw_reach_unit(sw_reach *reach, int rows, int cols, int first);

/* rows x cols, with all entries. */
const sw_pattern *sw_reach_full(sw_reach *reach, int rows, int cols);

/* A above B. */
const sw_pattern *sw_reach_stack(sw_reach *reach, const sw_pattern *A, const sw_pattern *B);

/* Columns first .. first+cols-1 and all rows of A. */
const sw_pattern *sw_reach_columns(sw_reach *reach, const sw_pattern *A, int first, int cols);

/* Dependencies of a step of a base method. */
typedef struct sw_stage_reach {
  const sw_pattern *r[SW_VALUES_MOST]; /* one pattern per block of implicit stage values */
  const sw_pattern *z1[2];             /* positions and momenta of the end */
  /* positions at which constraint forces act in the stages */
  const sw_pattern *forced[SW_SLOPES_MOST];
} sw_stage_reach;

/* Computes these patterns from those of y (the d rows of the positions, then of the momenta), of
 * the implicit stage values x (one per block) and of the stage multipliers (one per force; lambda
 * is NULL if there are none). All patterns have n columns. */
void sw_reach_stages(sw_reach *reach, const sw_stage_plan *plan, const sw_pattern *const y[2],
                     const sw_pattern *const x[], const sw_pattern *const lambda[],
                     sw_stage_reach *found);

#endif
