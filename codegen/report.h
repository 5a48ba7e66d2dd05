/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h -- the page that `sidewinder check` prints.
 */
#ifndef SIDEWINDER_REPORT_H
#define SIDEWINDER_REPORT_H

#include <stdio.h>

#include "pipeline.h"

/* Prints the formulas as written, the families and what they read, the verdicts with their evidence, the
 * initial states, and, where the model is refused, why. */
void report_print(const compilation *c, FILE *out);

#endif
