/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis.h -- finds the facts of a model: proofs, evidence at points of M, and counterexamples.
 */
#ifndef SIDEWINDER_ANALYSIS_ANALYSIS_H
#define SIDEWINDER_ANALYSIS_ANALYSIS_H

#include "analysis/record.h"
#include "expr/ir_program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills the record of facts: by exact methods first, then at points of M and M^H in balls.  A
 * generator with a fixed seed draws the starting points, and work is counted in operations, so a
 * model always gets the same answer.  The work is limited to some seconds; facts that are still
 * open are FACT_UNDECIDED. */
const record *analyse(arena *a, ir_context *c, const ir_program *program);

#ifdef __cplusplus
}
#endif

#endif
