/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scales of g and rho, from both sides.  A solve and an initial state are accepted where a residual
 * is small relative to its scale, so a scale that is too large accepts anything, and one that is too
 * small nothing.
 *
 * From below, |f_i| <= scale_i: the scale sums the magnitudes of f_i's terms.  From above, the terms are
 * seen in what a relative change of z by at most delta makes of f_i: about delta times the largest term,
 * unless terms cancel.  Cancellation stays far below `generosity`, because the points are random.
 */
#include <math.h>

#include "common/vectors.h"
#include "program/verifier.h"

enum { CHANGES = 32 };

static const double delta = 1.0 / (1 << 20);
static const double generosity = 1e4;

/* change[i] = largest |f_i(z') - f_i(z)| over random z' with |z'_j - z_j| <= delta |z_j|, where at_z = f(z). */
static void largest_changes(sw_verifier *v, int f, const sw_point *at, const double at_z[],
                            double change[])
{
  const sw_point moved = {at->number, v->work[0], at->k, at->lambda};
  const int m = v->system->nc;
  sw_zero(change, (size_t)m);
  for (int trial = 0; trial < CHANGES; trial++) {
    for (int j = 0; j < v->n; j++) {
      moved.z[j] = at->z[j] * (1.0 + delta * sw_verifier_random(v));
    }
    const double *there = sw_verifier_value(v, f, &moved);
    for (int i = 0; i < m; i++) {
      change[i] = fmax(change[i], fabs(there[i] - at_z[i]));
    }
  }
}

static void check_scale(sw_verifier *v, int function, int scale_function, const char *name,
                        const sw_point *at, sw_finding *finding)
{
  const int m = v->system->nc;
  double *f = v->work[2];
  double *change = v->work[4];
  sw_copy(f, sw_verifier_value(v, function, at), (size_t)m);
  const double *scale = sw_verifier_value(v, scale_function, at);
  largest_changes(v, function, at, f, change);
  for (int i = 0; i < m; i++) {
    double highest = generosity * (change[i] / delta + fabs(f[i]));
    double below = sw_figure(f[i], scale[i]);
    double above = sw_figure(scale[i], highest);
    sw_finding_take(finding, isfinite(scale[i]) ? below : NAN,
                    "%s of %s: value %.17g, scale %.17g (point %d)", name, v->names[SW_C][i], f[i],
                    scale[i], at->number);
    sw_finding_take(finding, above, "%s of %s: scale %.3g, but its terms are below %.3g (point %d)",
                    name, v->names[SW_C][i], scale[i], highest, at->number);
  }
}

void sw_check_scales(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  check_scale(v, SW_WITNESS_CONSTRAINT, SW_OUTPUT_CONSTRAINT_SCALE, "g", at, finding);
  check_scale(v, SW_WITNESS_HIDDEN, SW_OUTPUT_HIDDEN_SCALE, "rho", at, finding);
}
