/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/mass_of_position.h -- which positions of a cluster have equal masses for all sizes and
 * parameters.
 */
#ifndef SIDEWINDER_FUSED_MASS_OF_POSITION_H
#define SIDEWINDER_FUSED_MASS_OF_POSITION_H

#include "fused/position.h"

/* 1 if the kinetic energy of the loops proves that two positions have equal masses; 0 if it does
 * not prove it. */
int have_one_mass(const model *m, const ir_loops *loops, const position *a, const position *b);

#endif
