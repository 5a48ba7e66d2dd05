/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/schedule.h -- which values a step computes where: each in the functions that need it, and not before it can be.
 */
#ifndef SIDEWINDER_FUSED_SCHEDULE_H
#define SIDEWINDER_FUSED_SCHEDULE_H

#include "fused/step.h"

/* The functions of a step; the last six are those of phase 0, and FUSED_BLOCKS_OF_PHASE further on those of the next. */
enum {
  FUSED_BLOCK_SETUP,
  FUSED_BLOCK_FLOWS, /* what of that depends on matrices of linear flows */
  /* Of the state: what reads entries that are final before the last phase, and the rest; where the step is cut, what the first half
   * needs, and what the second does, some of it in both. */
  FUSED_BLOCK_EARLY,
  FUSED_BLOCK_LATE,
  FUSED_BLOCK_FORCE, /* forces, before either half */
  FUSED_BLOCK_BEGIN,
  FUSED_BLOCK_RESIDUAL,
  FUSED_BLOCK_CORRECT,
  FUSED_BLOCK_AFTER,
  /* Residual and change where all unknowns are 0, of phases where Newton's method begins there; else nothing. */
  FUSED_BLOCK_START,
  FUSED_BLOCK_FIRST,
  FUSED_BLOCKS_OF_PHASE = 6
};
enum { FUSED_BLOCKS_MOST = FUSED_BLOCK_BEGIN + FUSED_BLOCKS_OF_PHASE * SW_PHASES_MOST };

typedef struct fused_schedule {
  int n;                            /* values */
  char *is_in[FUSED_BLOCKS_MOST];   /* n: 1 where the block computes the value, */
  char *is_read[FUSED_BLOCKS_MOST]; /* and where it needs the value from elsewhere */
  char *is_kept;                    /* n: 1 where one block computes what another reads */
  const ir_expr **formula
      [FUSED_BLOCKS_MOST]; /* n: what values are in this block; NULL: what they are elsewhere */
} fused_schedule;

/* The formula of a value that the block computes. */
const ir_expr *fused_formula_in(const fused_schedule *b, const fused_values *f, int block, int i);

/* Whether Newton's method for that phase begins where all unknowns are 0, and these are few: what elimination costs is the same there, and its code
 * is long. */
int fused_starts_at_zero(const fused_phase *p);

/* NULL where a value would be read after the state has been moved on. */
const fused_schedule *fused_schedule_create(arena *a, const fused_step *s);

#endif
