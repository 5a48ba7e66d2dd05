/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/hdf5.h"

#include <stdlib.h>
#include <string.h>

char *sw_hdf5_texts(sw_namer *name, const void *context, size_t n, size_t *bytes)
{
  char buffer[SW_NAME_BYTES];
  *bytes = 1;
  for (size_t i = 0; i < n; i++) {
    const size_t length = strlen(name(context, i, buffer)) + 1;
    *bytes = length > *bytes ? length : *bytes;
  }
  char *texts = calloc(n + 1, *bytes);
  for (size_t i = 0; texts != NULL && i < n; i++) {
    snprintf(texts + i * *bytes, *bytes, "%s", name(context, i, buffer));
  }
  return texts;
}

const char *sw_hdf5_name_column(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  return sw_columns_name(context, i, buffer);
}

char *sw_hdf5_column_texts(const sw_columns *columns, size_t *bytes)
{
  return sw_hdf5_texts(sw_hdf5_name_column, columns, sw_columns_count(columns), bytes);
}

int sw_hdf5_put_names(sw_h5 *to, const char *name, sw_namer *namer, const void *context, size_t n)
{
  size_t bytes = 0;
  char *texts = sw_hdf5_texts(namer, context, n, &bytes);
  const int good = texts != NULL && sw_h5_put_texts(to, name, texts, bytes, n);
  free(texts);
  return good;
}
