/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup.h -- a study with all that questions need: settings of the parameters, and scales, which are sought with them.
 */
#ifndef SIDEWINDER_ANALYSIS_SETUP_H
#define SIDEWINDER_ANALYSIS_SETUP_H

#include "analysis/study.h"

study *setup_study(arena *a, ir_context *c, const ir_program *p);

/* Its points, too. */
void setup_free(study *s);

/* ---- settings.c ----
 *
 * Values of the parameters at which is asked: the defaults, and others within their bounds. */

/* Settings in which all arrays differ; behind them come those in which one does. */
#define SETTINGS_ALL 2
/* Arrays and entries up to which there is a setting for each array. */
#define SETTINGS_ARRAYS  24
#define SETTINGS_ENTRIES 2000

/* Makes the settings of s->p: the entries of an array are moved by up to 0.6 of their defaults (a default of 0: of
 * the largest one of its array, of a bound, or of 1), and stay inside their bounds. */
void settings_create(study *s);
void settings_free(study *s);

/* ---- scales.c ----
 *
 * How large are positions and momenta?
 *
 * Starting points are drawn and distances are measured in scales, one for each declared array of coordinates and of
 * momenta.  They come from the model itself, so that other units give the same verdicts:
 *   - the largest entry of the array in the initial states;
 *   - if that is 0, or there is no initial state, the size at which the terms of the constraints balance, then those of H,
 *     and at which the arguments of functions such as sin are about 1: least squares for the logarithms of sizes (the
 *     scaling of A. R. Curtis and J. K. Reid, J. Inst. Maths Applics 10 (1972)), repeated with smaller weights for terms
 *     that are small in their sums.  If several scales balance the terms, the model is the same in all of them.
 */

/* Sets s->scale. */
void scales_find(study *s);

#endif
