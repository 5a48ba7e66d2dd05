/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * states.h -- the initial states: are they on M and M^H, and is N regular there, in double precision?
 */
#ifndef SIDEWINDER_ANALYSIS_STATES_H
#define SIDEWINDER_ANALYSIS_STATES_H

#include "analysis/record.h"
#include "analysis/study.h"

/* Residuals are judged as a run judges them (runtime/model/scale.h): |f_i| against the larger of the magnitude of its terms
 * and sum_j |df_i/dz_j| size_j, with size_j the largest position, or momentum. */
void examine_states(study *s, record *r);

#endif
