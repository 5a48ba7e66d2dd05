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

/* ---- settings.c ----
 *
 * Values of the parameters for the examinations: the defaults, and others within their bounds. */

/* Number of settings in which all arrays differ from the defaults.  Settings with one changed array
 * follow. */
#define SETTINGS_ALL 2
/* Limits on arrays and entries for settings with one changed array. */
#define SETTINGS_ARRAYS  24
#define SETTINGS_ENTRIES 2000

/* Creates the settings of s->p.  The entries of an array are shifted by up to 0.6 of their
 * defaults, within their bounds.  For a default of 0, the unit is the largest default of the array,
 * or a bound, or 1. */
void settings_create(study *s);
void settings_free(study *s);

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
