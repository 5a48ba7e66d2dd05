/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rational.h -- exact rational numbers: kept in an arena, and as doubles.
 */
#ifndef SIDEWINDER_RATIONAL_H
#define SIDEWINDER_RATIONAL_H

#include <gmp.h>

#include "common/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A copy in the arena, which owns its digits: it is never cleared. */
mpq_srcptr rational_keep(arena *a, mpq_srcptr number);

/* The nearest double, infinite where the number is beyond all of them. */
double rational_double(mpq_srcptr number);

#ifdef __cplusplus
}
#endif

#endif
