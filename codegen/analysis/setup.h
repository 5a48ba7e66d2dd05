/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup.h -- creates a study with everything that the examinations need: settings of the
 * parameters, and scales.
 */
#ifndef SIDEWINDER_ANALYSIS_SETUP_H
#define SIDEWINDER_ANALYSIS_SETUP_H

#include "analysis/study.h"

study *setup_study(arena *a, ir_context *c, const ir_program *p);

/* Also frees the points of the study. */
void setup_free(study *s);

/* Number of settings in which all arrays differ from the defaults.  Settings with one changed array
 * follow. */
#define SETTINGS_ALL 2

/* ---- scales.c ----
 *
 * Typical sizes of positions and momenta.
 *
 * Starting points and distances are measured in scales, one for each declared array of coordinates
 * and of momenta.  They come from the model itself, so that other units give the same verdicts:
 *   - the largest entry of the array in the initial states;
 *   - if that is 0, or there is no initial state, the size at which the terms of the constraints
 *     balance, then those of H, and at which the arguments of functions such as sin are about 1.
 *
 * Least squares for the logarithms of sizes find the balance (the scaling of A. R. Curtis and J. K.
 * Reid, J. Inst. Maths Applics 10 (1972)).  It is repeated with smaller weights for terms that are
 * small in their sums.  If several scales balance the terms, the model is the same in all of
 * them. */

/* Sets s->scale. */
void scales_find(study *s);

#endif
