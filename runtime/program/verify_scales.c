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
#include <stddef.h>

#include "program/verifier.h"

enum { CHANGES = 32 };

static const double delta = 1.0 / (1 << 20);
static const double generosity = 1e4;

typedef struct scaled_function {
  const char *name;
  sw_system_function *value;
  sw_system_function *scale;
} scaled_function;

/* change[i] = largest |f_i(z') - f_i(z)| over random z' with |z'_j - z_j| <= delta |z_j|.  Uses the
 * verifier's first two work arrays. */
static void largest_changes(sw_verifier *v, sw_system_function *f, const double z[],
                            const double k[], const double at_z[], double change[])
{
  int m = v->system->nc;
  double *moved = v->work[0];
  double *there = v->work[1];
  for (int i = 0; i < m; i++) {
    change[i] = 0.0;
  }
  for (int trial = 0; trial < CHANGES; trial++) {
    for (int j = 0; j < v->n; j++) {
      moved[j] = z[j] * (1.0 + delta * sw_verifier_random(v));
    }
    sw_verifier_evaluate(v->system, f, moved, k, there, m);
    for (int i = 0; i < m; i++) {
      change[i] = fmax(change[i], fabs(there[i] - at_z[i]));
    }
  }
}

static void check_scale(sw_verifier *v, const scaled_function *of, int point, sw_finding *finding)
{
  sw_system *system = v->system;
  const double *z = v->near + (size_t)point * (size_t)v->n;
  const double *k = v->k + (size_t)point * (size_t)system->nk;
  double *f = v->work[2];
  double *scale = v->work[3];
  double *change = v->work[4];
  sw_verifier_evaluate(v->system, of->value, z, k, f, system->nc);
  sw_verifier_evaluate(v->system, of->scale, z, k, scale, system->nc);
  largest_changes(v, of->value, z, k, f, change);
  for (int i = 0; i < system->nc; i++) {
    double highest = generosity * (change[i] / delta + fabs(f[i]));
    double below = f[i] == 0.0 ? 0.0 : fabs(f[i]) / scale[i];
    double above = scale[i] == 0.0 ? 0.0 : scale[i] / highest;
    sw_finding_take(finding, isfinite(scale[i]) ? below : NAN,
                    "%s of %s: value %.17g, scale %.17g (point %d)", of->name, v->names[SW_C][i],
                    f[i], scale[i], point);
    sw_finding_take(finding, above, "%s of %s: scale %.3g, but its terms are below %.3g (point %d)",
                    of->name, v->names[SW_C][i], scale[i], highest, point);
  }
}

void sw_check_scales(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  const scaled_function g = {"g", system->constraint, system->constraint_scale};
  const scaled_function rho = {"rho", system->hidden, system->hidden_scale};
  (void)base;
  for (int point = 0; point < v->options.points; point++) {
    check_scale(v, &g, point, finding);
    check_scale(v, &rho, point, finding);
  }
}
