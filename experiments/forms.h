/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forms.h -- what a step makes of the symplectic form on M and on M^H, by its exact derivative.
 */
#ifndef EXPERIMENTS_FORMS_H
#define EXPERIMENTS_FORMS_H

#include "run.h"

/* The largest change of dq ^ dp by a step of size h from z, on vectors tangent to M, or to M^H where `hidden` is 1. */
double forms_defect(const run_setup *setup, const double z[], double h, int hidden);

#endif
