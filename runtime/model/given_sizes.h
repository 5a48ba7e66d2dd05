/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/given_sizes.h -- converts given sizes and arrays of indices to the argument n[] of
 * sw_model's functions.
 *
 * A size without a default is the number of elements of a set that is data.  Its name is n_
 * followed by the name of the set.  If the size is not given, the length of a given array over the
 * set determines it.  Functions fail with SW_ERR_SIZE, or SW_ERR_ARGUMENT for a size without a
 * name, and a message of SW_SYSTEM_MESSAGE bytes.
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

/* Writes the sizes (n_sizes of the model) to n: the defaults, overridden by the given sizes.  If a
 * name is given twice, the last value counts. */
sw_status sw_given_sizes(const sw_given *given, long n[], char message[]);

/* The set whose elements size i counts; -1 if there is none. */
int sw_given_set(const sw_model *model, int i);

/* The number of values of all arrays of indices, if set s has count[s] elements. */
size_t sw_given_count(const sw_model *model, const int count[]);

/* Writes the values of all arrays of indices to `to`, one array after the other.  Each array must
 * have an entry for each element of its set, and each entry must be an element of the target.  Set
 * s has the elements first[s] .. first[s] + count[s] - 1.  *fault (or NULL) identifies an invalid
 * entry. */
sw_status sw_given_indices(const sw_given *given, const long first[], const int count[], long to[],
                           sw_index_fault *fault, char message[]);

#endif
