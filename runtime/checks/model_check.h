/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/model_check.h -- sw_model_check for an existing system.
 */
#ifndef SIDEWINDER_CHECKS_MODEL_CHECK_H
#define SIDEWINDER_CHECKS_MODEL_CHECK_H

#include "linear/pattern.h"
#include "model/system.h"
#include "sidewinder/status.h"

/* ---- rank and condition number of a sparse square matrix ---- */

/* Largest matrix with computed singular values. */
#define SW_CONDITION_DENSE 200

/* KLU's estimate of the condition number in the 1-norm, for a matrix with at least one row. It is a
 * lower bound, rarely below a third of the condition number; infinite if there is no factorisation.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_condition_estimate(const sw_pattern *pattern, const double values[],
                                double *condition);

/* As sw_model_check, with the same errors. */
sw_status sw_system_check(const sw_system *system, const double k[], const double z[],
                          sw_check *result);

#endif
