/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/conditioning.h -- rank and condition number of a sparse square matrix.
 */
#ifndef SIDEWINDER_CHECKS_CONDITIONING_H
#define SIDEWINDER_CHECKS_CONDITIONING_H

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* Largest matrix with computed singular values. */
#define SW_CONDITION_DENSE 200

/* Rank and condition number of the matrix after its columns, and then its rows, are divided by
 * their largest entries. The scaling removes the units of the unknowns; the equations must have one
 * unit. For at most SW_CONDITION_DENSE rows, the condition is the ratio of the extreme singular
 * values. For larger matrices it is a 1-norm estimate from a sparse factorisation, and the rank is
 * n, or -1 (unknown) if there is no factorisation. The condition of a singular matrix is infinite.
 * values: must be finite; overwritten.
 * Errors: SW_ERR_MEMORY, SW_ERR_NOT_CONVERGED (the singular values; practically never). */
sw_status sw_condition(const sw_pattern *pattern, double values[], int *rank, double *condition);

/* KLU's estimate of the condition number in the 1-norm, for a matrix with at least one row. It is a
 * lower bound, rarely below a third of the condition number; infinite if there is no factorisation.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_condition_estimate(const sw_pattern *pattern, const double values[],
                                double *condition);

#endif
