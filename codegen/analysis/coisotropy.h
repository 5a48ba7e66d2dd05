/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coisotropy.h -- do the brackets {g_i,g_j} vanish on M?
 */
#ifndef SIDEWINDER_ANALYSIS_COISOTROPY_H
#define SIDEWINDER_ANALYSIS_COISOTROPY_H

#include "analysis/sample.h"

/* Every pair: by an exact certificate modulo g, for all parameters or for the default ones; otherwise by the points of
 * M.  Parameters for which a bracket does not vanish are sought where it does with the default ones. */
void examine_coisotropy(study *s, record *r, const points *M);

#endif
