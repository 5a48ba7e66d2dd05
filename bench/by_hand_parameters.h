/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_parameters.h -- creates hand-written steppers with the parameters of a simulation.
 */
#ifndef BENCH_BY_HAND_PARAMETERS_H
#define BENCH_BY_HAND_PARAMETERS_H

#include "by_hand.h"
#include "sidewinder/sim.h"

/* Index of the entry of k with this name, or -1.  Searches backwards, because scalars follow
 * large arrays. */
int parameter_index(const sw_sim *sim, const char *name);

/* A stepper for a simulation of models/chain.sw or models/water_box.sw, which must outlive the
 * stepper.  `forces`: the model's size of this name.  Returns NULL if there is no memory, or a
 * parameter is missing. */
by_hand_chain *by_hand_chain_of(const sw_sim *sim);
by_hand_water *by_hand_water_of(const sw_sim *sim, int forces);

#endif
