/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/mass_of_position.h -- which positions of a cluster have the same mass, whatever the sizes and the parameters are.
 */
#ifndef SIDEWINDER_FUSED_MASS_OF_POSITION_H
#define SIDEWINDER_FUSED_MASS_OF_POSITION_H

#include "fused/position.h"

/* Whether the kinetic energy of the loops shows that two positions have one; 0 may mean that it does not show. */
int have_one_mass(const model *m, const ir_loops *loops, const position *a, const position *b);

#endif
