/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * invariants.h -- is a function constant along the constrained motion?
 *
 * Along zdot = X_H + sum_i lambda_i X_{g_i}, dI/dt = {I,H} + sum_i lambda_i {I,g_i}, and {rho,H} + N lambda = 0 gives the
 * multipliers.  So I is an invariant where
 *   det N {I,H} - {I,g} . adj N {rho,H} = 0   on M^H.
 * That {I,H} and all {I,g_i} vanish is enough, but not necessary.
 */
#ifndef SIDEWINDER_ANALYSIS_INVARIANTS_H
#define SIDEWINDER_ANALYSIS_INVARIANTS_H

#include "analysis/sample.h"

/* All invariants of the model, by identities and certificates modulo g and rho (for at most 3 constraints), then at the
 * points of M^H (of phase space where there are no constraints). */
void examine_invariants(study *s, record *r, const points *MH);

#endif
