/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * independence.h -- constraints that follow from others, and constraints that cannot hold together.
 */
#ifndef SIDEWINDER_IR_INDEPENDENCE_H
#define SIDEWINDER_IR_INDEPENDENCE_H

#include "ir/certify.h"
#include "ir/equations.h"

/* From the last constraint to the first: g_i follows from the others that were not struck out where a
 * certificate says so, or where its gradient is a combination of theirs at every point of M. */
verdict_independence find_redundant(arena *a, certifier *k, const ir_program *p,
                                    const equations_points *on_M);

/* For an M without a point: leaves out one constraint after the other while still no point is found, so
 * that every proper part of what remains has one (as far as the starts go).  Exact where 1 is a
 * combination of the g_i. */
verdict_independence find_conflicting(arena *a, certifier *k, const ir_program *p);

#endif
