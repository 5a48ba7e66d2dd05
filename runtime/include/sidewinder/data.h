/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/data.h -- data for a model, from a file or from memory: elements of sets, arrays of
 * indices, sizes and parameters.
 *
 * docs/data.md describes the file formats. The results go to sw_options.sizes and to
 * sw_sim_set_parameters:
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

/* Bytes of a message, and the largest number of indices of an array. */
enum { SW_DATA_MESSAGE = 512, SW_DATA_DIMS = 8 };

/* An array under its name in the model: size[0] size[1] ... entries, the first index slowest. A
 * scalar has n_dims = 0 and one entry. */
typedef struct sw_data_array {
  const char *name;
  int n_dims;
  size_t size[SW_DATA_DIMS];
  const double *values; /* one per entry; ignored if the entry has a label */
  /* NULL if all entries are numbers; else one per entry: the label of a set element, or NULL for a
   * number */
  const char *const *labels;
} sw_data_array;

/* Reads a .json, .h5 or .hdf5 file, or a folder of .csv files, and checks its contents against the
 * model. The sizes follow from the data; sizes[] (n_sizes entries; may be NULL) overrides them, and
 * its arrays must outlive *data. On failure *data is NULL, and the message gives the file, the
 * fault and its location.
 * Errors: SW_ERR_ARGUMENT, SW_ERR_PARAMETER and SW_ERR_SIZE if the contents are invalid,
 * SW_ERR_OPTION if the HDF5 library is unavailable, SW_ERR_IO; SW_ERR_ABI and SW_ERR_MEMORY with an
 * empty message. */
sw_status sw_data_read(const sw_model *model, const char *path, int n_sizes, const sw_size sizes[],
                       sw_data **data, char message[SW_DATA_MESSAGE]);

/* As sw_data_read, from n arrays in memory. The arrays are copied; messages call them "data". */
sw_status sw_data_make(const sw_model *model, size_t n, const sw_data_array arrays[], int n_sizes,
                       const sw_size sizes[], sw_data **data, char message[SW_DATA_MESSAGE]);

/* All sizes and arrays of indices, sw_data_n_sizes(data) entries. `data` owns them. */
int sw_data_n_sizes(const sw_data *data);
const sw_size *sw_data_sizes(const sw_data *data);

/* The parameters k, nk values at these sizes; `data` owns them. An entry absent from the data has
 * the model's default, or NaN if the model has none. */
const double *sw_data_parameters(const sw_data *data);
int sw_data_nk(const sw_data *data);

/* Frees *data and sets it to NULL. Does nothing if `data` or *data is NULL. */
void sw_data_free(sw_data **data);

#ifdef __cplusplus
}
#endif

#endif
