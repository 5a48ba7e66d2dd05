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

#endif
