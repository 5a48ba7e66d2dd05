/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/data_sizes.h -- the sizes and arrays of indices in a list of data.
 */
#ifndef SW_IO_DATA_SIZES_H
#define SW_IO_DATA_SIZES_H

#include "io/data_list.h"

struct sw_data {
  sw_data_list list; /* after reading, only its file names remain */
  sw_size *sizes;
  int n_sizes;
  long **indices; /* n_indices: NULL for arrays that are not given */
  int n_indices;
  double *k;
  int nk;
};

/* Fills in the sizes and arrays of indices of *data: first those in its list, then the `given`
 * ones. origins (n_indices, all NULL on entry) receives the item of each array of indices.  Errors,
 * with a message: SW_ERR_ARGUMENT; SW_ERR_MEMORY. */
sw_status sw_data_take_sizes(sw_data *data, int n_given, const sw_size given[],
                             const sw_data_item *origins[]);

#endif
