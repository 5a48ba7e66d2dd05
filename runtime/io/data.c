/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data.c -- data for a model: from a file or from arrays (sidewinder/data.h).
 */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/data_list.h"
#include "model/validate.h"

/* Makes the system at these sizes.  If a size or an index is wrong, the message names the file. */
static sw_status data_measure(const sw_data *data, int n_given, const sw_data_item *const origins[],
                              sw_system **system)
{
  char text[SW_SYSTEM_MESSAGE] = "";
  sw_index_fault fault;
  const sw_data_list *list = &data->list;
  const sw_status status =
      sw_system_measure(list->model, data->n_sizes, data->sizes, system, &fault, text);
  if (status == SW_OK || text[0] == '\0') {
    return status;
  }
  if (status != SW_ERR_MEMORY && fault.entry >= 0 && origins[fault.array] != NULL) {
    sw_data_wrong_at(list, origins[fault.array], (size_t)fault.entry, "%s", text);
  } else if (status != SW_ERR_MEMORY && n_given == 0) {
    sw_data_wrong(list, "%s", text);
  } else {
    (void)snprintf(list->message, SW_TEXT_MESSAGE, "%s", text);
  }
  return status;
}

static sw_status take_list(sw_data *data, int n_given, const sw_size given[])
{
  const size_t arrays = (size_t)data->list.model->n_indices + 1;
  const sw_data_item **origins = calloc(arrays, sizeof *origins);
  sw_system *system = NULL;
  sw_status status = origins != NULL ? sw_data_sort(&data->list) : SW_ERR_MEMORY;
  if (status == SW_OK) {
    status = sw_data_take_sizes(data, n_given, given, origins);
  }
  if (status == SW_OK) {
    status = data_measure(data, n_given, origins, &system);
  }
  if (status == SW_OK) {
    data->nk = system->nk;
    data->k = calloc((size_t)system->nk + 1, sizeof *data->k);
    status =
        data->k == NULL ? SW_ERR_MEMORY : sw_data_take_parameters(&data->list, system, data->k);
  }
  sw_system_free(&system);
  free(origins);
  return status;
}

/* ---- sources ---- */

typedef sw_status reader(sw_data_list *list);

static sw_status find_reader(sw_data_list *list, reader **found)
{
  static const char *const endings[] = {".json", ".h5", ".hdf5"};
  static reader *const readers[] = {sw_data_read_json, sw_data_read_hdf5, sw_data_read_hdf5};
  const int format = sw_text_ending(list->path, endings, 3);
  struct stat about;
  if (stat(list->path, &about) == 0 && S_ISDIR(about.st_mode)) {
    *found = sw_data_read_csv;
    return SW_OK;
  }
  if (format >= 0) {
    *found = readers[format];
    return SW_OK;
  }
  return sw_data_wrong(list,
                       "data come from a file whose name ends in .json, .h5 or .hdf5, or from a "
                       "folder of .csv files");
}

static sw_data *data_begin(const sw_model *model, const char *path, char message[])
{
  sw_data *data = calloc(1, sizeof *data);
  if (data != NULL) {
    data->list = (sw_data_list){.model = model, .message = message, .path = path};
  }
  return data;
}

/* Frees everything after an error.  After success, frees the arrays and returns *data. */
static sw_status data_end(sw_status status, sw_data *made, sw_data **data)
{
  if (status != SW_OK) {
    if (status == SW_ERR_MEMORY) {
      made->list.message[0] = '\0';
    }
    sw_data_free(&made);
    return status;
  }
  sw_data_list files = {.file = made->list.file, .n_files = made->list.n_files};
  made->list.file = NULL;
  made->list.n_files = 0;
  sw_data_clear(&made->list);
  made->list = files;
  *data = made;
  return SW_OK;
}

sw_status sw_data_read(const sw_model *model, const char *path, int n_sizes, const sw_size sizes[],
                       sw_data **data, char message[SW_DATA_MESSAGE])
{
  reader *read = NULL;
  *data = NULL;
  message[0] = '\0';
  sw_status status = sw_model_validate(model);
  if (status != SW_OK) {
    return status;
  }
  /* Numbers have a decimal point, regardless of the caller's locale. */
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  sw_data *made = data_begin(model, path, message);
  if (made == NULL || plain == (locale_t)0) {
    free(made);
    return SW_ERR_MEMORY;
  }
  locale_t before = uselocale(plain);
  status = find_reader(&made->list, &read);
  if (status == SW_OK) {
    status = read(&made->list);
  }
  if (status == SW_OK) {
    made->list.path = path;
    status = take_list(made, n_sizes, sizes);
  }
  status = data_end(status, made, data);
  uselocale(before);
  freelocale(plain);
  return status;
}

sw_status sw_data_make(const sw_model *model, size_t n, const sw_data_array arrays[], int n_sizes,
                       const sw_size sizes[], sw_data **data, char message[SW_DATA_MESSAGE])
{
  *data = NULL;
  message[0] = '\0';
  sw_status status = sw_model_validate(model);
  if (status != SW_OK) {
    return status;
  }
  sw_data *made = data_begin(model, "data", message);
  if (made == NULL) {
    return SW_ERR_MEMORY;
  }
  made->list.item = calloc(n + 1, sizeof *made->list.item);
  status = made->list.item == NULL ? SW_ERR_MEMORY : SW_OK;
  for (size_t i = 0; i < n && status == SW_OK; i++) {
    made->list.item[made->list.count++] = (sw_data_item){.array = arrays[i], .path = "data"};
  }
  if (status == SW_OK) {
    status = take_list(made, n_sizes, sizes);
  }
  return data_end(status, made, data);
}

int sw_data_n_sizes(const sw_data *data)
{
  return data->n_sizes;
}

const sw_size *sw_data_sizes(const sw_data *data)
{
  return data->sizes;
}

const double *sw_data_parameters(const sw_data *data)
{
  return data->k;
}

int sw_data_nk(const sw_data *data)
{
  return data->nk;
}

size_t sw_data_n_files(const sw_data *data)
{
  return data->list.n_files;
}

const char *sw_data_file(const sw_data *data, size_t i)
{
  return data->list.file[i];
}

void sw_data_free(sw_data **data)
{
  if (data == NULL || *data == NULL) {
    return;
  }
  for (int i = 0; (*data)->indices != NULL && i < (*data)->n_indices; i++) {
    free((*data)->indices[i]);
  }
  free((*data)->indices);
  free((*data)->sizes);
  free((*data)->k);
  sw_data_clear(&(*data)->list);
  free(*data);
  *data = NULL;
}
