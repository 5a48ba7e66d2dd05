/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "io/data_list.h"
#include "io/hdf5_file.h"

static sw_status data_hdf5_take_texts(sw_data_list *list, sw_h5 *file, const char *name)
{
  size_t length = 0;
  size_t count = 0;
  char *texts = sw_h5_get_texts(file, name, &length, &count);
  if (texts == NULL) {
    return sw_data_wrong(list,
                         "'%.100s' is no data set of numbers, of at most 3 indices, and no list of "
                         "texts of fixed length",
                         name);
  }
  if (!sw_data_keep(list, texts)) {
    return SW_ERR_MEMORY;
  }
  sw_data_item *item = sw_data_add(list, name, 1, &count, 1);
  for (size_t i = 0; item != NULL && i < count; i++) {
    item->labels[i] = texts + i * length;
  }
  return item != NULL ? SW_OK : sw_data_not_made(list);
}

static sw_status data_hdf5_take_set(sw_data_list *list, sw_h5 *file, const char *name)
{
  const sw_data_kind kind = sw_data_find(list->model, name).kind;
  sw_h5_shape shape;
  if (kind == SW_DATA_UNKNOWN) {
    return strcmp(name, SW_H5_DIGESTS) == 0 ? SW_OK : sw_data_unknown(list, name);
  }
  if (kind == SW_DATA_COMMENT) {
    return SW_OK;
  }
  if (!sw_h5_get_shape(file, name, &shape) || !sw_h5_has_numbers(file, name)) {
    return data_hdf5_take_texts(list, file, name);
  }
  sw_data_item *item = sw_data_add(list, name, shape.rank, shape.size, 0);
  if (item == NULL) {
    return sw_data_not_made(list);
  }
  return sw_h5_get_reals(file, name, item->values)
             ? SW_OK
             : sw_data_wrong(list, "'%.100s' cannot be read", name);
}

static sw_status take_sets(sw_data_list *list, sw_h5 *file)
{
  sw_status status = SW_OK;
  for (size_t i = 0; status == SW_OK; i++) {
    char *name = sw_h5_get_name(file, i);
    if (name == NULL) {
      break;
    }
    status = sw_data_keep(list, name) ? data_hdf5_take_set(list, file, name) : SW_ERR_MEMORY;
  }
  return status;
}

sw_status sw_data_read_hdf5(sw_data_list *list)
{
  sw_source source = {.path = list->path, .message = list->message};
  sw_h5 *file = NULL;
  sw_status status = sw_data_reads(list, list->path);
  if (status == SW_OK) {
    status = sw_hdf5_find(list->message);
  }
  if (status == SW_OK) {
    status = sw_source_open(&source); /* opening a file that is not regular could block */
  }
  if (status != SW_OK) {
    return status;
  }
  fclose(source.stream);
  status = sw_h5_open(source.path, &file);
  if (status == SW_ERR_IO) {
    sw_data_wrong(list, "HDF5 cannot read it");
    return SW_ERR_ARGUMENT;
  }
  if (status == SW_OK && !sw_h5_is_whole(file)) {
    status = sw_data_wrong(
        list, "it is damaged: its data sets have other digests than its '" SW_H5_DIGESTS "' says");
  } else if (status == SW_OK) {
    status = take_sets(list, file);
  }
  sw_h5_close(&file);
  return status;
}
