/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis.h -- the verdicts: what was proved, what holds at points of M, what fails; and the words for them.
 */
#ifndef SIDEWINDER_ANALYSIS_ANALYSIS_H
#define SIDEWINDER_ANALYSIS_ANALYSIS_H

#include "analysis/record.h"
#include "expr/ir_program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Finds out what is known of the model: exact means first, then points of M and M^H in balls.  Starting points are drawn by
 * a generator with a fixed seed, and work is counted in operations, so that the same model always gives the same answer.
 * Bounded to some seconds; what was not decided by then is FACT_UNDECIDED. */
const record *analyse(arena *a, ir_context *c, const ir_program *program);

#ifdef __cplusplus
}
#endif

#endif
