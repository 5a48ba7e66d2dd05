/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_sums.h -- sums within defaults and initial states, and the loops of these around them.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_SUMS_H
#define SIDEWINDER_EMIT_LOOPS_SUMS_H

#include "emit/loops_kernel.h"

/* The loops of an assignment, opened; returns how many blocks they are.  Where a sum grows by a few terms from one
 * iteration of a loop to the next, that loop is the innermost, and k->sums has the names of such sums, which are then
 * up to date in every iteration. */
int loops_sums_open(loops_frame *f, const ir_assignment *as, loops_kernel *k);

#endif
