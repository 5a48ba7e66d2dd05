/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_parameters.h -- the hand-written stepper with the parameters of a simulation.
 */
#ifndef BENCH_BY_HAND_PARAMETERS_H
#define BENCH_BY_HAND_PARAMETERS_H

#include "by_hand.h"
#include "sidewinder/sim.h"

/* Entry of k with this name, or -1.  Looks from the last on, as scalars stand behind large arrays. */
int parameter_index(const sw_sim *sim, const char *name);

/* Of a simulation of models/chain.sw or models/water_box.sw, which must outlive the stepper; forces: the size
 * of that name.  NULL where there is no memory, or a parameter is not there. */
by_hand_chain *by_hand_chain_of(const sw_sim *sim);
by_hand_water *by_hand_water_of(const sw_sim *sim, int forces);

#endif
