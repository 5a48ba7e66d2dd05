/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scale.h -- how large is a residual?
 *
 * A residual f_i(z) = 0 is judged relative to a scale: the magnitude of its own terms, as the
 * generated code reports it, or, where that is larger, what f_i changes by when the state changes
 * by its whole size,
 *
 *   scale_i = max( scale of the formula, sum_j |df_i/dz_j| size_j ).
 *
 * The second keeps a constraint such as q1 = 0 from being measured against its own round-off.
 * Positions and momenta have different units, so they have a size each:
 *
 *   size_q = |q|_inf + |h| |H_p|_inf,   size_p = |p|_inf + |h| |H_q|_inf.
 */
#ifndef SIDEWINDER_SCALE_H
#define SIDEWINDER_SCALE_H

#include <math.h>
#include <stddef.h>

#include "system/system.h"
#include "vectors.h"

typedef struct sw_sizes {
  double q;
  double p;
} sw_sizes;

/* max |q| and max |p| of z = (q,p). */
static inline sw_sizes sw_sizes_of(const sw_system *system, const double z[])
{
  const size_t d = (size_t)system->nq;

  return (sw_sizes){sw_max_abs(d, z), sw_max_abs(d, z + d)};
}

/* A scale that can be divided by: zero means that nothing is there to be compared with. */
static inline double sw_nonzero_scale(double scale)
{
  return scale > 0.0 ? scale : 1.0;
}

/* scale_i = max(scale_i, sums_i), 1 where both are zero.  Returns 0 where one is not finite. */
static inline int sw_larger_scales(int m, const double sums[], double scale[])
{
  int finite = 1;

  for (int i = 0; i < m; i++) {
    const double larger = sums[i] > scale[i] ? sums[i] : scale[i];
    finite &= isfinite(scale[i]) && isfinite(sums[i]);
    scale[i] = sw_nonzero_scale(larger);
  }
  return finite;
}

/* scale: on entry the m scales of the formulas, on return the m scales above.  jac: the values of
 * the Jacobian with that pattern.  sums: m values of scratch.  Returns 0 where a scale is not
 * finite. */
static inline int sw_scales(const sw_pattern *pattern, const double jac[], int d, sw_sizes size,
                            double scale[], double sums[])
{
  for (int i = 0; i < pattern->rows; i++) {
    sums[i] = 0.0;
  }
  for (int e = 0; e < pattern->entries;) {
    const int i = pattern->row[e];
    double sum = 0.0;
    do {
      sum += fabs(jac[e]) * (pattern->col[e] < d ? size.q : size.p);
    } while (++e < pattern->entries && pattern->row[e] == i);
    sums[i] = sum;
  }
  return sw_larger_scales(pattern->rows, sums, scale);
}

#endif
