/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/acceptance.h -- the one test that decides whether a step may start or end at a state.
 *
 * Every residual g_i and, for methods that keep M^H, every rho_i must be at most `floor` times its
 * scale (runtime/model/scale.h). The general, the holonomic and the generated steps (scalar, in
 * lanes, per cluster) all use this macro.
 */
#ifndef SIDEWINDER_ACCEPTANCE_H
#define SIDEWINDER_ACCEPTANCE_H

#include <math.h>

/* Comparison of doubles. sidewinder/lanes.h defines SW_AT_MOST for vectors of doubles. */
#ifndef SW_AT_MOST
#define SW_AT_MOST(a, b) ((a) <= (b))
#endif

/* True if |f| <= floor scale. False if a value is NaN. */
#define SW_ACCEPTS(f, scale, floor) SW_AT_MOST(fabs(f), (floor) * (scale))

#endif
