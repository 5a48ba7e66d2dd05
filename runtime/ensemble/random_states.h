/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ensemble/random_states.h -- random initial states from a text such as
 *
 *   q[x] ~ normal(0, 0.1), p ~ uniform(-1, 1)
 *
 * A name denotes an entry of a coordinate or a momentum, as q[1,x] or q.1.x, or a whole array.  If
 * an entry is named twice, the last distribution counts.  The random values are added to an initial
 * state: normal(mean, standard deviation), uniform(lowest, highest).
 */
#ifndef SW_ENSEMBLE_RANDOM_STATES_H
#define SW_ENSEMBLE_RANDOM_STATES_H

#include <stdint.h>

#include "common/user_text.h"
#include "model/system.h"

typedef enum sw_distribution { SW_FIXED, SW_NORMAL, SW_UNIFORM } sw_distribution;

typedef struct sw_sample_entry {
  sw_distribution kind;
  double a;
  double b;
} sw_sample_entry;

/* Parses a text into entry[], which has 2d elements; elements that the text does not name are
 * unchanged.  Errors: SW_ERR_ARGUMENT, with a message that gives the location; SW_ERR_MEMORY,
 * with the message "". */
sw_status sw_sample_read(const sw_system *system, const char *text, sw_sample_entry entry[],
                         char message[SW_TEXT_MESSAGE]);

/* z, 2d values: z0 plus the random values of trajectory i. */
void sw_sample_draw(const sw_sample_entry entry[], int dim, uint64_t seed, uint64_t i,
                    const double z0[], double z[]);

#endif
