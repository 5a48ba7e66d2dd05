/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings.h -- values of the parameters at which is asked: the defaults, and others within their bounds.
 */
#ifndef SIDEWINDER_ANALYSIS_SETTINGS_H
#define SIDEWINDER_ANALYSIS_SETTINGS_H

#include "analysis/study.h"

/* Settings in which all arrays differ; behind them come those in which one does. */
#define SETTINGS_ALL 2
/* Arrays and entries up to which there is a setting for each array. */
#define SETTINGS_ARRAYS  24
#define SETTINGS_ENTRIES 2000

/* Makes the settings of s->p: the entries of an array are moved by up to 0.6 of their defaults (a default of 0: of
 * the largest one of its array, of a bound, or of 1), and stay inside their bounds. */
void settings_create(study *s);
void settings_free(study *s);

#endif
