/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rational.h -- exact rational numbers: copies in an arena, and conversion to double.
 */
#ifndef SIDEWINDER_RATIONAL_H
#define SIDEWINDER_RATIONAL_H

#include <gmp.h>

#include "common/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A copy in the arena, which owns the limbs: never clear it. */
mpq_srcptr rational_keep(arena *a, mpq_srcptr number);

/* The nearest double; infinite if the number is out of range. */
double rational_double(mpq_srcptr number);

#ifdef __cplusplus
}
#endif

#endif
