/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/motion_multipliers.h -- the multipliers of the constrained motion.
 *
 * Along zdot = X_H + sum_j lambda_j X_{g_j} on M^H, rho stays 0:  0 = drho/dt = {rho,H} + N lambda.
 */
#ifndef SIDEWINDER_CHECKS_MOTION_MULTIPLIERS_H
#define SIDEWINDER_CHECKS_MOTION_MULTIPLIERS_H

#include "linear/deficient.h"
#include "model/system.h"

/* Computes lambda (m values) at z, a state of M^H. With SW_REDUNDANT_MIN_NORM, lambda is the
 * shortest solution, because dependent constraints may make N singular. Allocates memory.
 * Errors: SW_ERR_MEMORY, SW_ERR_SINGULAR. */
sw_status sw_motion_multipliers(const sw_system *system, const double k[], sw_redundant redundant,
                                const double z[], double lambda[]);

#endif
