/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_sums.h -- sums in defaults and initial states, and the loops of the assignments around
 * them.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_SUMS_H
#define SIDEWINDER_EMIT_LOOPS_SUMS_H

#include "emit/loops_kernel.h"

/* Opens the loops of an assignment and returns the number of blocks. If a sum gains a few terms
 * from one iteration of a loop to the next, this loop becomes the innermost one. Then k->sums has
 * the names of these sums, which are updated in every iteration. */
int loops_sums_open(loops_frame *f, const ir_assignment *as, loops_kernel *k);

#endif
