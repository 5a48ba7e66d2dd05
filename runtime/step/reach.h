/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/reach.h -- which entries of a step can depend on which unknowns?
 *
 * The directions of a base method (stages.h) are sums of products with Hess H.  Done with patterns instead of
 * numbers, the same sums and products give the pattern of the Newton matrix.  All patterns made on the way
 * belong to a pool and are released with it.
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
  sw_pattern **pool; /* count patterns, room for the next */
  int failed;        /* 1 where memory has run out; every result is then NULL */
} sw_reach;

/* Begins with the blocks of Hess H. */
void sw_reach_begin(sw_reach *reach, const sw_system *system);
void sw_reach_end(sw_reach *reach);

/* A + B, entries of either.  NULL where an argument is. */
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

/* What a step of a base method depends on. */
typedef struct sw_stage_reach {
  const sw_pattern *r[SW_VALUES_MOST];      /* one per block of unknown stage values */
  const sw_pattern *z1[2];                  /* positions and momenta of the end */
  const sw_pattern *forced[SW_SLOPES_MOST]; /* positions where a constraint acts in a stage */
} sw_stage_reach;

/* That, from the patterns of y, of the unknown stage values x, one per block, and of the multipliers in stages, one per
 * force; lambda: NULL where there are none.  Each has n columns; y: the d rows of the positions, then those of the momenta. */
void sw_reach_stages(sw_reach *reach, const sw_stage_plan *plan, const sw_pattern *const y[2],
                     const sw_pattern *const x[], const sw_pattern *const lambda[],
                     sw_stage_reach *found);

#endif
