/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit/step_phase.h -- the functions of one solve of a step, which
 * runtime/include/sidewinder/fused_solve.h combines.
 */
#ifndef SIDEWINDER_EMIT_STEP_PHASE_H
#define SIDEWINDER_EMIT_STEP_PHASE_H

#include "emit/step_block.h"

void step_phase(step_source *s, int i);

#endif
