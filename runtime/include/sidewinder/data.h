/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/data.h -- data for a model: elements of its sets, arrays of indices, sizes and parameters, from a file or from memory.
 *
 * docs/data.md says what a file holds.  What comes of it goes to sw_options.sizes and to sw_sim_set_parameters:
 *
 *   sw_data_read(&sw_model_net, "net.json", 0, NULL, &data, message);
 *   options.n_sizes = sw_data_n_sizes(data);
 *   options.sizes = sw_data_sizes(data);
 *   sw_sim_create(&sw_model_net, &options, &sim);
 *   sw_sim_set_parameters(sim, sw_data_parameters(data));
 *   sw_sim_init_state(sim, 0, z);
 *   sw_sim_set_state(sim, 0.0, z);
 */
#ifndef SIDEWINDER_DATA_H
#define SIDEWINDER_DATA_H

#include <stddef.h>

#include "sidewinder/model.h"
#include "sidewinder/sim.h"
#include "sidewinder/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_data sw_data;

/* Bytes of a message, and how many indices an array may have. */
enum { SW_DATA_MESSAGE = 512, SW_DATA_DIMS = 8 };

/* An array of data under the name that it has in the model: size[0] size[1] ... entries, the first index slowest; of n_dims = 0 one. */
typedef struct sw_data_array {
  const char *name;
  int n_dims;
  size_t size[SW_DATA_DIMS];
  const double *values; /* an entry each; not read where there is a label */
  const char *const *
      labels; /* an entry each: the label of an element, NULL where it is a number; NULL: numbers alone */
} sw_data_array;

/* Reads the file, whose format the end of its name tells: .json, .h5 or .hdf5; or a folder of .csv files.  What it says is checked against the model, at
 * the sizes that follow from it, or are given by sizes[] (n_sizes, may be NULL), which count more.  On failure *data is NULL, and
 * the message names the file, what is wrong and where.  What sizes[] points to must outlive *data.  Errors: SW_ERR_ARGUMENT, SW_ERR_PARAMETER and SW_ERR_SIZE where the contents
 * are wrong, SW_ERR_OPTION where there is no HDF5, SW_ERR_IO; SW_ERR_ABI and SW_ERR_MEMORY, with message "". */
sw_status sw_data_read(const sw_model *model, const char *path, int n_sizes, const sw_size sizes[],
                       sw_data **data, char message[SW_DATA_MESSAGE]);

/* The same of n arrays in memory, which are copied; messages call them "data". */
sw_status sw_data_make(const sw_model *model, size_t n, const sw_data_array arrays[], int n_sizes,
                       const sw_size sizes[], sw_data **data, char message[SW_DATA_MESSAGE]);

/* All sizes and arrays of indices, sw_data_n_sizes(data) of them, which data owns. */
int sw_data_n_sizes(const sw_data *data);
const sw_size *sw_data_sizes(const sw_data *data);

/* k, nk values at these sizes, which data owns: the model's defaults where the data say nothing, and NaN where the model has none either. */
const double *sw_data_parameters(const sw_data *data);
int sw_data_nk(const sw_data *data);

/* Releases *data and sets it to NULL; NULL, or a pointer to NULL, is fine. */
void sw_data_free(sw_data **data);

#ifdef __cplusplus
}
#endif

#endif
