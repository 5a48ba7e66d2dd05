/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks the scales of g and rho, from both sides.  Solves and initial states are accepted if
 * their residual is small relative to its scale.  So a scale that is too large accepts any state,
 * and a scale that is too small rejects every state.
 *
 * From below: |f_i| <= scale_i, because the scale sums the magnitudes of f_i's terms.
 *
 * From above: the terms are estimated from the change of f_i under a relative change of z by at
 * most delta.  The change is about delta times the largest term, unless terms cancel.
 * Cancellation at a single point stays far below `generosity`, because the points are random.
 * However, the terms of rho = Dg X_H cancel at all points if H, or a part of it, is constant on
 * the fibres.  No change of z reveals these terms, so the terms of sum_j |Dg_ij X_H,j| are used,
 * too.
 */
#include <float.h>
#include <math.h>

#include "common/vectors.h"
#include "program/verifier.h"

enum { CHANGES = 32 };

static const double delta = 1.0 / (1 << 20);
static const double generosity = 1e4;

/* At a point, writes f (m values) to v->work[F].  Writes the sum of the magnitudes of its terms
 * to v->work[SIZE] if these may cancel at all points; else 0. */
typedef void terms_function(sw_verifier *v, const sw_point *at);

enum { MOVED, FIELD, F, SIZE, CHANGE, FIRST_F, FIRST_SIZE, USED };

_Static_assert((int)USED <= (int)SW_WORK, "there is room for all of them");

static void terms_of_g(sw_verifier *v, const sw_point *at)
{
  const size_t m = (size_t)v->system->nc;
  sw_copy(v->work[F], sw_verifier_value(v, SW_WITNESS_CONSTRAINT, at), m);
  sw_zero(v->work[SIZE], m);
}

static void terms_of_rho(sw_verifier *v, const sw_point *at)
{
  sw_verifier_contract_hidden(v, at, v->work[FIELD], v->work[F], v->work[SIZE]);
  sw_copy(v->work[F], sw_verifier_value(v, SW_WITNESS_HIDDEN, at), (size_t)v->system->nc);
}

/* Sets CHANGE to the largest of |f_i(z') - f_i(z)| and |size_i(z') - size_i(z)| over random z'
 * with |z'_j - z_j| <= delta |z_j|. */
static void largest_changes(sw_verifier *v, terms_function *terms, const sw_point *at)
{
  const sw_point moved = {at->number, v->work[MOVED], at->k, at->lambda};
  const size_t m = (size_t)v->system->nc;
  double *const *work = v->work;
  terms(v, at);
  sw_copy(work[FIRST_F], work[F], m);
  sw_copy(work[FIRST_SIZE], work[SIZE], m);
  sw_zero(work[CHANGE], m);
  for (int trial = 0; trial < CHANGES; trial++) {
    for (int j = 0; j < v->n; j++) {
      moved.z[j] = at->z[j] * (1.0 + delta * sw_verifier_random(v));
    }
    terms(v, &moved);
    for (size_t i = 0; i < m; i++) {
      work[CHANGE][i] = fmax(work[CHANGE][i], fmax(fabs(work[F][i] - work[FIRST_F][i]),
                                                   fabs(work[SIZE][i] - work[FIRST_SIZE][i])));
    }
  }
}

static void verify_scales_check_scale(sw_verifier *v, terms_function *terms, int scale_function,
                                      const char *name, const sw_point *at, sw_finding *finding)
{
  /* rounding of another order of up to 2d terms */
  const double other_order = 1.0 + 2.0 * v->n * DBL_EPSILON;
  const double *f = v->work[FIRST_F];
  const double *scale = sw_verifier_value(v, scale_function, at);
  largest_changes(v, terms, at);
  for (int i = 0; i < v->system->nc; i++) {
    double highest = generosity * (v->work[CHANGE][i] / delta + fabs(f[i])) +
                     other_order * v->work[FIRST_SIZE][i];
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
  verify_scales_check_scale(v, terms_of_g, SW_OUTPUT_CONSTRAINT_SCALE, "g", at, finding);
  verify_scales_check_scale(v, terms_of_rho, SW_OUTPUT_HIDDEN_SCALE, "rho", at, finding);
}
