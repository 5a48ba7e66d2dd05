/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * redundancy.h -- which constraints follow from others, at a point of M?
 */
#ifndef SIDEWINDER_IR_REDUNDANCY_H
#define SIDEWINDER_IR_REDUNDANCY_H

#include "ir/sampler.h"

/* "'c' follows from 'a', 'b'; 'd' follows from 'a'" for the constraints whose gradients depend on those of
 * others at the point with the Dg in s->gz, by QR with column exchanges of Dg^T (LAPACK dgeqp3), its columns
 * scaled so that later ones are shorter; "" where there are none, or it cannot be had. */
const char *redundancy_words(arena *a, sampler *s);

#endif
