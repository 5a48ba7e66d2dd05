/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scale.h -- the scales of residuals.
 *
 * A residual f_i(z) = 0 is judged relative to a scale.  The scale is the magnitude of the terms of
 * f_i, which the generated code computes, or, if that is larger, the change of f_i when the state
 * changes by its whole size:
 *
 *   scale_i = max( scale of the formula, sum_j |df_i/dz_j| size_j ).
 *
 * The second term keeps a constraint such as q1 = 0 from being measured against its own round-off.
 * Positions and momenta have different units, so each has its own size, |q|_inf and |p|_inf.  A
 * step also has moved = |phi_h(z) - z|, its change without constraints, for each half: a pendulum
 * at rest has no momentum, but constraint forces that balance h times its weight.  A solve is
 * judged by
 *
 *   size = extent + moved,
 *
 * since it cannot be more accurate than the round-off of that size.  The question whether a state
 * is on M is judged by
 *
 *   size = extent + share moved,   share = min(1, max(|q|_inf/moved_q, |p|_inf/moved_p)),
 *
 * because a step that moves both halves by many times their extent says nothing about the size of
 * the state to which it returns.
 *
 * A step at rest moves no position by more than its round-off.  All of its momenta may be round-off
 * and are then useless as a size.  Positions are known to eps |q|_inf, so velocities are known to
 * eps |q|_inf/h, and momenta to that times the masses.  Both sizes of the momenta are therefore at
 * least this floor, which is positive even if all momenta, multipliers and displacements vanish:
 *
 *   floor_p = eps |q|_inf / (|h| H_pp),
 *
 * with the smallest entry H_pp,jj, but at least SW_SIZES_LIGHTEST times the largest one.
 */
#ifndef SIDEWINDER_MODEL_SCALE_H
#define SIDEWINDER_MODEL_SCALE_H

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "common/shared_vectors.h"
#include "model/system.h"

typedef struct sw_sizes {
  double q;
  double p;
} sw_sizes;

/* max |q| and max |p| of z = (q,p). */
static inline sw_sizes sw_sizes_of(const sw_system *system, const double z[])
{
  const size_t d = (size_t)system->nq;

  return (sw_sizes){sw_share_max_abs(system->team, d, z), sw_share_max_abs(system->team, d, z + d)};
}

static inline sw_sizes sw_sizes_sum(sw_sizes extent, double share, sw_sizes moved)
{
  return (sw_sizes){extent.q + share * moved.q, extent.p + share * moved.p};
}

/* The ratio of the extent of a state to the distance that a step moves it without constraints, at
 * most 1; 1 if both are zero. */
static inline double sw_sizes_proportion(sw_sizes extent, sw_sizes moved)
{
  /* fmax ignores 0/0, the ratio of an empty half. */
  const double ratio = fmax(extent.q / moved.q, extent.p / moved.p);

  return ratio < 1.0 && (extent.q > 0.0 || extent.p > 0.0) ? ratio : 1.0;
}

/* A state with a proportion below this is zero up to the round-off of the step. */
#define SW_SIZES_NOTHING (64.0 * DBL_EPSILON)

/* Returns 1 if a step from a state of this extent is a step at rest. */
static inline int sw_sizes_at_rest(sw_sizes extent, sw_sizes moved)
{
  return moved.q <= SW_SIZES_NOTHING * extent.q;
}

#define SW_SIZES_LIGHTEST 1e-6

/* The floor of the momenta in a step of size h at rest. smallest and largest: of the nonzero
 * |H_pp,jj|; 0 if there are none. */
static inline double sw_sizes_floor(sw_sizes extent, double h, double smallest, double largest)
{
  const double rate = fmax(smallest, SW_SIZES_LIGHTEST * largest);

  return rate > 0.0 ? DBL_EPSILON * extent.q / (fabs(h) * rate) : 0.0;
}

/* The maximum in each half. */
static inline sw_sizes sw_larger_sizes(sw_sizes a, sw_sizes b)
{
  return (sw_sizes){fmax(a.q, b.q), fmax(a.p, b.p)};
}

/* The distance of two states in each half; NaN if a difference is NaN. */
static inline sw_sizes sw_sizes_between(size_t d, const double a[], const double b[])
{
  return (sw_sizes){sw_distance(d, a, b), sw_distance(d, a + d, b + d)};
}

/* A scale that can be a divisor: 1 if the scale is 0, that is, if there is nothing to compare
 * with. */
static inline double sw_nonzero_scale(double scale)
{
  return scale > 0.0 ? scale : 1.0;
}

/* The larger ratio of the two halves; NaN if one is NaN. */
static inline double sw_sizes_relative(sw_sizes moved, sw_sizes size)
{
  return sw_larger_or_nan(moved.q / sw_nonzero_scale(size.q), moved.p / sw_nonzero_scale(size.p));
}

/* *scale = max(own, sum), or 1 if both are zero.  Returns 0 if one is not finite. */
static inline int sw_larger_scale(double sum, double own, double *scale)
{
  *scale = sw_nonzero_scale(sum > own ? sum : own);
  return isfinite(own + sum);
}

/* The same for m scales; scale contains `own` on entry. */
static inline int sw_larger_scales(int m, const double sums[], double scale[])
{
  int finite = 1;

  for (int i = 0; i < m; i++) {
    finite &= sw_larger_scale(sums[i], scale[i], &scale[i]);
  }
  return finite;
}

/* scale: on entry the m scales of the formulas, on return the m scales above. jac: the values of
 * the Jacobian with this pattern. sums: scratch, m values.  Returns 0 if a scale is not finite. */
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
