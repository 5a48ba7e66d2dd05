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

static inline int rational_is_integer(mpq_srcptr number)
{
  return mpz_cmp_ui(mpq_denref(number), 1) == 0;
}

static inline int rational_is_one(mpq_srcptr number)
{
  return mpq_cmp_ui(number, 1, 1) == 0;
}

/* The nearest double; infinite if the number is out of range. */
double rational_double(mpq_srcptr number);

#ifdef __cplusplus
}
#endif

#endif
