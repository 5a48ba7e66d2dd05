/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope_elimination.h -- the state of a part of an envelope during its factorisation, row
 * by row.
 */
#ifndef SIDEWINDER_LINEAR_ENVELOPE_ELIMINATION_H
#define SIDEWINDER_LINEAR_ENVELOPE_ELIMINATION_H

#include <math.h>

#include "linear/envelope_layout.h"

/* The largest acceptable multiplier: a pivot must be at least a thousandth of the entries below
 * it. */
#define SW_LARGEST_MULTIPLIER 1e3

/* The smallest acceptable pivot, relative to its column; a smaller one has lost too many digits.
 * With multipliers up to 1e3, entries before elimination can be about 1e4 times larger than those
 * after it.  The limit thus covers every column that sw_lu_factor rejects, and an accepted matrix
 * is clear in the sense of sw_linear_clear. */
#define SW_SMALLEST_PIVOT 1e-10

typedef struct sw_elimination {
  const sw_envelope *envelope;
  int row;        /* the next row */
  int end;        /* end of the rows in the store */
  double *next;   /* the values of the next row */
  double inverse; /* of the last pivot */
  double pivot;
  int negative;
  double last; /* component of L^{-1} b of the last row, for lines (envelope_lines.h) */
} sw_elimination;

/* max(size, |x|). */
static inline double sw_larger_size(double size, double x)
{
  return fabs(x) > size ? fabs(x) : size;
}

/* Returns 0 for NaN, too. */
static inline int sw_pivot_is_good(double pivot, double largest, double multiplier)
{
  return fabs(pivot) > SW_SMALLEST_PIVOT * largest && multiplier <= SW_LARGEST_MULTIPLIER;
}

/* Eliminates a row with pivot d, one entry l beside it, and u above it.  Returns 0 if the pivot is
 * bad. */
static inline int sw_eliminate_one(sw_elimination *s, double l, double u, double d)
{
  double *next = s->next;
  const double multiplier = l * s->inverse;

  s->pivot = d - multiplier * u;
  next[0] = multiplier;
  next[1] = u * s->inverse;
  s->inverse = 1.0 / s->pivot;
  s->negative ^= s->pivot < 0.0;
  next[2] = s->inverse;
  s->next = next + 3;
  s->row++;
  return sw_pivot_is_good(s->pivot, sw_larger_size(fabs(d), u), fabs(multiplier));
}

#endif
