/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/hdf5.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/metadata.h"

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

static const char *name_column(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  return sw_columns_name(context, i, buffer);
}

char *sw_hdf5_column_texts(const sw_columns *columns, size_t *bytes)
{
  return sw_hdf5_texts(name_column, columns, sw_columns_count(columns), bytes);
}

/* What the model says about a column; texts are cut where names are. */
static const char *comment_column(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  const sw_hdf5_content *content = context;
  sw_columns_name(content->columns, i, buffer);
  snprintf(buffer, SW_NAME_BYTES, "%s", sw_metadata_comment(content->program, buffer));
  return buffer;
}

int sw_hdf5_put_names(sw_h5 *to, const char *name, sw_namer *namer, const void *context, size_t n)
{
  size_t bytes = 0;
  char *texts = sw_hdf5_texts(namer, context, n, &bytes);
  const int good = texts != NULL && sw_h5_put_texts(to, name, texts, bytes, n);
  free(texts);
  return good;
}

/* The next rows of the stream. */
static int take_rows(void *context, size_t first, size_t count, double values[])
{
  const sw_hdf5_content *content = context;
  const size_t n = count * sw_columns_count(content->columns);
  (void)first;
  return fread(values, sizeof *values, n, content->values) == n;
}

sw_status sw_hdf5_write(const char *path, const sw_hdf5_content *content)
{
  sw_hdf5_content rest = *content;
  sw_h5 *to = NULL;
  const size_t columns = sw_columns_count(content->columns);
  const sw_h5_shape shape = {2, {content->rows, columns}};
  sw_status status = sw_h5_create(path, &to);
  if (status != SW_OK) {
    return status;
  }
  errno = 0;
  int good = sw_h5_put_rows(to, "trajectory", &shape, take_rows, &rest) &&
             sw_hdf5_put_names(to, "columns", name_column, content->columns, columns) &&
             sw_hdf5_put_names(to, "comments", comment_column, content, columns) &&
             sw_h5_put_texts(to, "metadata", content->metadata, strlen(content->metadata) + 1, 0);
  return sw_h5_finish(&to, good);
}
