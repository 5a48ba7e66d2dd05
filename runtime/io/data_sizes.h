/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/data_sizes.h -- the sizes and arrays of indices of a list of data.
 */
#ifndef SW_IO_DATA_SIZES_H
#define SW_IO_DATA_SIZES_H

#include "io/data_list.h"

struct sw_data {
  sw_data_list list; /* from the arrays on only its files */
  sw_size *sizes;
  int n_sizes;
  long **indices; /* n_indices: those of the model that are given, else NULL */
  int n_indices;
  double *k;
  int nk;
};

/* Fills in the sizes and arrays of indices of *data: those of its list, and then the ones that are given beside it.  origins: of each array of
 * indices of the model the item that it has come from, n_indices of them, which are NULL before.  Errors, with a message: SW_ERR_ARGUMENT;
 * SW_ERR_MEMORY. */
sw_status sw_data_take_sizes(sw_data *data, int n_given, const sw_size given[],
                             const sw_data_item *origins[]);

#endif
