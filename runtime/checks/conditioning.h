/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/conditioning.h -- how far is a sparse square matrix from a singular one?
 */
#ifndef SIDEWINDER_CHECKS_CONDITIONING_H
#define SIDEWINDER_CHECKS_CONDITIONING_H

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* The largest matrix whose singular values are computed. */
#define SW_CONDITION_DENSE 200

/* rank and condition of the matrix whose columns, and then rows, are divided by their largest entries, so that the
 * units of the unknowns do not matter; those of the equations are to be one.  Up
 * to SW_CONDITION_DENSE rows from the singular values: the condition is their ratio.  Beyond, from a sparse
 * factorisation: an estimate in the 1-norm, and the rank is n, or -1 (not known) where there is none.  The
 * condition of a singular matrix is infinite.  values: finite; overwritten.
 * Errors: SW_ERR_MEMORY, SW_ERR_NOT_CONVERGED (the singular values, practically never). */
sw_status sw_condition(const sw_pattern *pattern, double values[], int *rank, double *condition);

/* KLU's estimate of the condition in the 1-norm of a matrix with at least one row: a lower bound that rarely is less than a
 * third of it, infinite where it has no factorisation.  Errors: SW_ERR_MEMORY. */
sw_status sw_condition_estimate(const sw_pattern *pattern, const double values[],
                                double *condition);

#endif
