/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/acceptance.h -- the one test of whether a step may start or end at a state.
 *
 * The residuals g_i and, on M^H, rho_i must not exceed a floor times their scales (runtime/model/scale.h).  The general steps, the holonomic
 * ones and the generated ones (scalar, in lanes, per cluster) all compare by this macro.
 */
#ifndef SIDEWINDER_ACCEPTANCE_H
#define SIDEWINDER_ACCEPTANCE_H

#include <math.h>

/* Of doubles; sidewinder/lanes.h compares numbers in lanes. */
#ifndef SW_AT_MOST
#define SW_AT_MOST(a, b) ((a) <= (b))
#endif

/* Whether |f| <= floor scale.  False for a NaN. */
#define SW_ACCEPTS(f, scale, floor) SW_AT_MOST(fabs(f), (floor) * (scale))

#endif
