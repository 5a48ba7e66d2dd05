/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/given_sizes.h -- what a caller gives: sizes, and arrays of indices, as the n[] of sw_model's functions has them.
 *
 * A size without a default is the number of elements of a set that is data, and is called n_ and the name of the set: where it is not
 * given itself, an array over the set tells it.  Functions fail with SW_ERR_SIZE, or SW_ERR_ARGUMENT where something has no name, and
 * a message, of SW_SYSTEM_MESSAGE bytes.
 */
#ifndef SIDEWINDER_MODEL_GIVEN_SIZES_H
#define SIDEWINDER_MODEL_GIVEN_SIZES_H

#include "model/system.h"

#define SW_LARGEST_SIZE 1000000000L

typedef struct sw_given {
  const sw_model *model;
  int n_sizes;
  const sw_size *sizes;
} sw_given;

/* Writes the sizes, n_sizes of the model, to n: defaults, then what is given, the last of a name counting. */
sw_status sw_given_sizes(const sw_given *given, long n[], char message[]);

/* The number of the set whose elements size i counts, -1 where it has a default or there is none. */
int sw_given_set(const sw_model *model, int i);

/* How many values all arrays of indices have, where set s has count[s] elements. */
size_t sw_given_count(const sw_model *model, const int count[]);

/* Writes these values to `to`, one array after the other, once each has been found to have an entry for each element of its set,
 * and every entry to be an element of its target: set s has the elements first[s] .. first[s] + count[s] - 1.  *fault, or NULL,
 * tells which entry is none. */
sw_status sw_given_indices(const sw_given *given, const long first[], const int count[], long to[],
                           sw_index_fault *fault, char message[]);

#endif
