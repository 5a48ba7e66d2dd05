/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/schedule.h -- assignment of the values of a step to blocks (functions): each value is
 * computed in the blocks that need it, and as early as it can be.
 */
#ifndef SIDEWINDER_FUSED_SCHEDULE_H
#define SIDEWINDER_FUSED_SCHEDULE_H

#include "fused/step.h"

/* The blocks of a step. The last six belong to phase 0. Those of phase i follow at an offset of i *
 * FUSED_BLOCKS_OF_PHASE. */
enum {
  FUSED_BLOCK_SETUP,
  FUSED_BLOCK_FLOWS, /* values of the setup that depend on matrices of linear flows */
  /* Values of the state. Usually EARLY has those that depend only on entries that are final before
   * the last phase, and LATE has the rest. If the step is cut, EARLY has those of the first half,
   * LATE those of the second half; a value may be in both. */
  FUSED_BLOCK_EARLY,
  FUSED_BLOCK_LATE,
  FUSED_BLOCK_FORCE, /* forces, before either half */
  FUSED_BLOCK_BEGIN,
  FUSED_BLOCK_RESIDUAL,
  FUSED_BLOCK_CORRECT,
  FUSED_BLOCK_AFTER,
  /* Residual and change at zero unknowns, if Newton's method starts there; otherwise empty. */
  FUSED_BLOCK_START,
  FUSED_BLOCK_FIRST,
  FUSED_BLOCKS_OF_PHASE = 6
};
enum { FUSED_BLOCKS_MOST = FUSED_BLOCK_BEGIN + FUSED_BLOCKS_OF_PHASE * SW_PHASES_MOST };

typedef struct fused_schedule {
  int n;                            /* number of values */
  char *is_in[FUSED_BLOCKS_MOST];   /* n: 1 if the block computes the value */
  char *is_read[FUSED_BLOCKS_MOST]; /* n: 1 if the block reads the value from another block */
  char *is_kept;                    /* n: 1 if one block computes the value and another reads it */
  /* n: formulas of this block's values; NULL: the common formulas of fused_values */
  const ir_expr **formula[FUSED_BLOCKS_MOST];
} fused_schedule;

/* The formula of a value that the block computes. */
const ir_expr *fused_formula_in(const fused_schedule *b, const fused_values *f, int block, int i);

/* 1 if Newton's method of this phase starts at zero unknowns, and there are few of them. With many
 * unknowns the elimination costs the same at zero, and its code is long. */
int fused_starts_at_zero(const fused_phase *p);

/* Returns NULL if a value would be read after the state has been overwritten. */
const fused_schedule *fused_schedule_create(arena *a, const fused_step *s);

#endif
