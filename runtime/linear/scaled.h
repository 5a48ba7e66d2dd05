/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/scaled.h -- A x = b for a sparse symmetric A with a full diagonal, whose rows may have
 * different units.  The sparse counterpart of sw_dense_factor (dense.h).
 */
#ifndef SIDEWINDER_LINEAR_SCALED_H
#define SIDEWINDER_LINEAR_SCALED_H

#include <math.h>

#include "common/vectors.h"
#include "linear/linear_solver.h"

typedef struct sw_scaled {
  sw_linear *linear;
  /* n: scale_i^2 is about |A_ii/A_00|; the ratio makes it independent of the unit of A, even if
   * that is an odd power of two */
  double *scale;
} sw_scaled;

/* Scales the values (both triangles) in place and factorises the matrix.  Returns 0 if it is
 * singular. */
static inline int sw_scaled_factor(sw_scaled *s, const sw_pattern *A, double values[])
{
  double first = 0.0;

  for (int i = 0; i < A->rows; i++) {
    s->scale[i] = 1.0;
  }
  for (int e = 0; e < A->entries; e++) {
    if (A->row[e] == A->col[e] && values[e] != 0.0) {
      first = first != 0.0 ? first : values[e];
      s->scale[A->row[e]] = sw_power_below(sqrt(fabs(values[e] / first)));
    }
  }
  for (int e = 0; e < A->entries; e++) {
    values[e] = values[e] / s->scale[A->row[e]] / s->scale[A->col[e]];
  }
  return sw_linear_factor(s->linear, values) == SW_OK;
}

/* x <- A^{-1} x, n values. */
static inline void sw_scaled_solve(const sw_scaled *s, int n, double x[])
{
  for (int i = 0; i < n; i++) {
    x[i] /= s->scale[i];
  }
  sw_linear_solve(s->linear, x);
  for (int i = 0; i < n; i++) {
    x[i] /= s->scale[i];
  }
}

#endif
