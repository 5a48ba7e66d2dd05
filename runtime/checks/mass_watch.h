/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/mass_watch.h -- detects a mass matrix that becomes singular along a step.
 *
 * H is quadratic in the momenta, so H_pp is a function of the positions alone. No motion passes a
 * zero or a pole of H_pp; a step that does is too large. A step from z0 to z1 is refused if, in a
 * connected block of H_pp,
 *
 * - the numbers of positive and negative eigenvalues at z0 and z1 differ, or
 * - at a point of the segment from z0 to z1 the product of the nonzero eigenvalues is more than
 *   10^6 times larger than at both ends (a pole), or 10^6 times smaller than at both ends (a zero
 *   without a sign change).
 *
 * The segment is searched only if the product changes by more than a factor of 2 between its ends
 * and its middle. The block is scaled by powers of 2 so that its rows have sizes near 1 at z0; an
 * eigenvalue is 0 if it is below 10^-13 of the largest one. No verdict depends on units. An
 * indefinite H_pp with constant signs is accepted.
 *
 * Blocks of more than SW_MASS_BLOCK momenta are not examined.
 */
#ifndef SIDEWINDER_CHECKS_MASS_WATCH_H
#define SIDEWINDER_CHECKS_MASS_WATCH_H

#include "checks/failure.h"
#include "model/system.h"

enum { SW_MASS_BLOCK = 200 };

typedef struct sw_mass_watch sw_mass_watch;

/* Sets *watch to NULL if the model does not need one (sw_structure.mass_watch), or has no block to
 * examine.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_mass_watch_create(const sw_system *system, sw_mass_watch **watch);
void sw_mass_watch_free(sw_mass_watch **watch);

/* Checks a step from z0 to z1. watch may be NULL.
 * Errors: SW_ERR_MASS. */
sw_status sw_mass_watch_step(sw_mass_watch *watch, const double z0[], const double z1[],
                             const double k[], sw_failure *failure);

#endif
