/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rivals.h -- what a user would otherwise integrate a constrained system with: SUNDIALS IDA on the stabilised index-2 form of Gear,
 * Leimkuhler and Gupta (J. Comput. Appl. Math. 12, 1985), with the derivatives that sidewinder generates,
 *
 *   zdot = X_H + sum_i lambda_i X_{g_i} + Dg^T mu,   g = 0,   rho = 0,
 *
 * and CVODE (Adams) on the angle of the pendulum, its minimal coordinate.
 */
#ifndef BENCH_RIVALS_H
#define BENCH_RIVALS_H

#include "model/system.h"

/* Called with the state where the solver has stepped to. */
typedef void rival_observer(void *user, const double z[]);

/* From z at t = 0, on M^H, to t_end, with relative and absolute tolerances of `tolerance`; z becomes the end.  observe may be NULL.
 * Returns 0, or what the solver has returned. */
typedef int rival(const sw_system *system, const double k[], double t_end, double tolerance,
                  double z[], rival_observer *observe, void *user);

rival rival_ida;
rival rival_cvode_pendulum; /* for |q| = 1, H = |p|^2/2 + q_y */

#endif
