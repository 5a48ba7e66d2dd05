/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rivals.h -- alternatives for integrating a constrained system: SUNDIALS IDA on the stabilised
 * index-2 form of Gear, Leimkuhler and Gupta (J. Comput. Appl. Math. 12, 1985), with the
 * derivatives that sidewinder generates,
 *
 *   zdot = X_H + sum_i lambda_i X_{g_i} + Dg^T mu,   g = 0,   rho = 0,
 *
 * and CVODE (Adams) on the angle of the pendulum, its minimal coordinate.
 */
#ifndef BENCH_RIVALS_H
#define BENCH_RIVALS_H

#include "model/system.h"

/* Called after each step of the solver with the new state. */
typedef void rival_observer(void *user, const double z[]);

/* Integrates from z at t = 0, on M^H, to t_end, with relative and absolute tolerances of
 * `tolerance`; the result is in z.  observe may be NULL.  Returns 0, or the error code of the
 * solver. */
typedef int rival(const sw_system *system, const double k[], double t_end, double tolerance,
                  double z[], rival_observer *observe, void *user);

rival rival_ida;
rival rival_cvode_pendulum; /* for |q| = 1, H = |p|^2/2 + q_y */

#endif
