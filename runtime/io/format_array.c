/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_array.c -- trajectories as arrays, rows x columns: NumPy (io/npy.h) and HDF5
 * (io/hdf5_file.h).
 *
 * An HDF5 file has four data sets: `trajectory`, rows x columns, 64-bit floating point; `columns`,
 * the names, as fixed-length texts; `comments`, the model file's comment on the declaration of each
 * column; and `metadata`, the text of FILE.json (io/metadata.h).  An unfinished file is an .npy
 * file, because HDF5 loses rows if the writing process is killed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/format.h"
#include "io/metadata.h"
#include "io/npy.h"

static void put_npy_head(FILE *file, const sw_format_head *head)
{
  sw_npy_write_header(file, head->rows, sw_columns_count(head->columns));
}

static void put_npy_row(FILE *file, const sw_format_frame *frame)
{
  sw_npy_write_values(file, frame->row, sw_columns_count(frame->columns));
}

static long last_npy_row(FILE *file, long bytes, long rows)
{
  (void)file;
  return bytes - (bytes - SW_NPY_HEADER) / rows;
}

const sw_format sw_format_npy = {
    .name = "npy",
    .endings = {".npy"},
    .has_columns = 1,
    .counts_rows = 1,
    .head_bytes = SW_NPY_HEADER,
    .put_head = put_npy_head,
    .put_row = put_npy_row,
    .last_row = last_npy_row,
};

/* ---- HDF5 ---- */

/* The model's comment on a column, truncated to the length of a name. */
static const char *comment_column(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  const sw_format_head *head = context;
  sw_columns_name(head->columns, i, buffer);
  snprintf(buffer, SW_NAME_BYTES, "%s", sw_metadata_comment(head->program, buffer));
  return buffer;
}

/* A stream of rows. */
typedef struct row_stream {
  FILE *file;
  size_t columns;
} row_stream;

/* Reads the next rows of the stream. */
static int take_rows(void *context, size_t first, size_t count, double values[])
{
  const row_stream *from = context;
  const size_t n = count * from->columns;
  (void)first;
  return fread(values, sizeof *values, n, from->file) == n;
}

static sw_status make_hdf5(const char *path, FILE *rows, const sw_format_head *head)
{
  const size_t columns = sw_columns_count(head->columns);
  const sw_h5_shape shape = {2, {head->rows, columns}};
  row_stream from = {rows, columns};
  sw_h5 *to = NULL;
  if (fseek(rows, SW_NPY_HEADER, SEEK_SET) != 0) {
    return SW_ERR_IO;
  }
  sw_status status = sw_h5_create(path, &to);
  if (status != SW_OK) {
    return status;
  }
  errno = 0;
  int good = sw_h5_put_rows(to, "trajectory", &shape, take_rows, &from) &&
             sw_hdf5_put_names(to, "columns", sw_hdf5_name_column, head->columns, columns) &&
             sw_hdf5_put_names(to, "comments", comment_column, head, columns) &&
             sw_h5_put_texts(to, "metadata", head->metadata, strlen(head->metadata) + 1, 0);
  return sw_h5_finish(&to, good);
}

static int restore_npy(const char *path, long rows, FILE *to)
{
  sw_h5 *file = NULL;
  sw_h5_shape shape = {.rank = 0};
  double *row = NULL;
  int good = sw_h5_open(path, &file) == SW_OK && sw_h5_is_whole(file) &&
             sw_h5_get_shape(file, "trajectory", &shape) && shape.rank == 2 &&
             shape.size[0] == (size_t)rows;
  if (good) {
    row = calloc(shape.size[1] + 1, sizeof *row);
    good = row != NULL;
    sw_npy_write_header(to, shape.size[0], shape.size[1]);
  }
  for (size_t i = 0; good && i < shape.size[0]; i++) {
    good = sw_h5_get_rows(file, "trajectory", i, 1, row);
    sw_npy_write_values(to, row, shape.size[1]);
  }
  free(row);
  sw_h5_close(&file);
  return good;
}

const sw_format sw_format_hdf5 = {
    .name = "hdf5",
    .endings = {".h5", ".hdf5"},
    .has_columns = 1,
    .counts_rows = 1,
    .head_bytes = SW_NPY_HEADER,
    .find = sw_hdf5_find,
    .put_head = put_npy_head,
    .put_row = put_npy_row,
    .last_row = last_npy_row,
    .convert = make_hdf5,
    .restore = restore_npy,
};
