/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope_elimination.h -- a part of an envelope while it is factorised, row by row.
 */
#ifndef SIDEWINDER_LINEAR_ENVELOPE_ELIMINATION_H
#define SIDEWINDER_LINEAR_ENVELOPE_ELIMINATION_H

#include <math.h>

#include "linear/envelope_layout.h"

/* No multiplier may be larger: a pivot has to be at least a thousandth of what stands below it. */
#define SW_LARGEST_MULTIPLIER 1e3

/* A pivot that is smaller than this part of its column has lost too many digits to judge it here.  With multipliers up to 1e3 the entries
 * before the elimination can be some 1e4 times those after it, so every column that sw_lu_factor would refuse is caught, and what is left
 * is clear (linear_solver.h). */
#define SW_SMALLEST_PIVOT 1e-10

typedef struct sw_elimination {
  const sw_envelope *envelope;
  int row;        /* the next one */
  int end;        /* of those that are in the store */
  double *next;   /* where its numbers stand */
  double inverse; /* of the last pivot */
  double pivot;
  int negative;
  const double *right_side; /* x where a line makes L^{-1} x on the way, else NULL, */
  double last;              /*   of which this is the component before */
} sw_elimination;

/* The larger of size and |x|. */
static inline double sw_larger_size(double size, double x)
{
  return fabs(x) > size ? fabs(x) : size;
}

/* What is not a number fails, too. */
static inline int sw_pivot_is_good(double pivot, double largest, double multiplier)
{
  return fabs(pivot) > SW_SMALLEST_PIVOT * largest && multiplier <= SW_LARGEST_MULTIPLIER;
}

/* A row with the pivot d and one entry l beside it, below u.  Returns 0 where the pivot is bad. */
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
