/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/schedule.h -- which values a step computes where: each in the functions that need it, and not before it can be.
 */
#ifndef SIDEWINDER_FUSED_SCHEDULE_H
#define SIDEWINDER_FUSED_SCHEDULE_H

#include "fused/step.h"

/* The functions of a step; the last four are those of phase 0, and FUSED_BLOCKS_OF_PHASE further on those of the next. */
enum {
  FUSED_BLOCK_SETUP,
  FUSED_BLOCK_FLOWS, /* what of that depends on matrices of linear flows */
  /* Of the state: what reads entries that are final before the last phase, and the rest; where the step is cut, what the first half
   * needs, and what the second does, some of it in both. */
  FUSED_BLOCK_EARLY,
  FUSED_BLOCK_LATE,
  FUSED_BLOCK_BEGIN,
  FUSED_BLOCK_RESIDUAL,
  FUSED_BLOCK_CORRECT,
  FUSED_BLOCK_AFTER,
  FUSED_BLOCKS_OF_PHASE = 4
};
enum { FUSED_BLOCKS_MOST = FUSED_BLOCK_BEGIN + FUSED_BLOCKS_OF_PHASE * SW_PHASES_MOST };

typedef struct fused_schedule {
  int n;                            /* values */
  char *is_in[FUSED_BLOCKS_MOST];   /* n: 1 where the block computes the value, */
  char *is_read[FUSED_BLOCKS_MOST]; /* and where it needs the value from elsewhere */
  char *is_kept;                    /* n: 1 where one block computes what another reads */
} fused_schedule;

/* NULL where a value would be read after the state has been moved on. */
const fused_schedule *fused_schedule_create(arena *a, const fused_step *s);

#endif
