/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/motion_multipliers.h -- the multipliers of the constrained motion as functions of the
 * state, for any system.
 */
#ifndef SIDEWINDER_CHECKS_MOTION_MULTIPLIERS_H
#define SIDEWINDER_CHECKS_MOTION_MULTIPLIERS_H

#include "linear/deficient.h"
#include "model/system.h"

typedef struct sw_motion sw_motion;

/* Allocates all memory, except what KLU needs (linear/linear_solver.h). The system, complete and
 * with at least one constraint, must outlive *motion. Errors: SW_ERR_MEMORY; *motion is then
 * NULL. adds_forces: 1 for the multipliers of the motion with forces, 0 without. */
sw_status sw_motion_create(const sw_system *system, sw_redundant redundant, int adds_forces,
                           sw_motion **motion);
void sw_motion_free(sw_motion **motion);

/* 1 if rho = 0 at z, a state of M, up to round-off of its terms. */
int sw_motion_is_on_hidden(sw_motion *motion, const double k[], const double z[]);

/* Scratch for a state, 2d values. */
double *sw_motion_point(sw_motion *motion);

/* Computes lambda (m values) at z, a state of M^H. With SW_REDUNDANT_MIN_NORM, lambda is the
 * shortest solution (sw_component_multipliers), because dependent constraints may make N singular.
 * Errors: SW_ERR_SINGULAR, SW_ERR_NOT_FINITE, SW_ERR_MEMORY. */
sw_status sw_motion_multipliers(sw_motion *motion, const double k[], const double z[],
                                double lambda[]);

#endif
