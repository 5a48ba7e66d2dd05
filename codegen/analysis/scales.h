/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scales.h -- how large are positions and momenta?
 *
 * Starting points are drawn and distances are measured in scales, one for each declared array of coordinates and of
 * momenta.  They come from the model itself, so that other units give the same verdicts:
 *   - the largest entry of the array in the initial states;
 *   - where all momenta of an array are zero there, the size at which H changes as much by them as by the positions;
 *   - where constraints read entries that still have no scale, the size of these at a point of M;
 *   - otherwise the largest scale of the other arrays of positions (of momenta), or 1.
 */
#ifndef SIDEWINDER_ANALYSIS_SCALES_H
#define SIDEWINDER_ANALYSIS_SCALES_H

#include "analysis/study.h"

/* Sets s->scale. */
void scales_find(study *s);

#endif
