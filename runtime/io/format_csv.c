/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_csv.c -- trajectories as comma-separated values: a header, then a line for each row
 * (io/number.h).
 */
#include "io/format.h"
#include "io/number.h"

static void put_csv_header(FILE *file, const sw_format_head *head)
{
  const size_t count = sw_columns_count(head->columns);
  char name[SW_NAME_BYTES];
  for (size_t i = 0; i < count; i++) {
    fprintf(file, "%s%s%s", i == 0 ? "" : ",", sw_columns_name(head->columns, i, name),
            i + 1 < count ? "" : "\n");
  }
}

static void put_csv_row(FILE *file, const sw_format_frame *frame)
{
  const size_t count = sw_columns_count(frame->columns);
  for (size_t i = 0; i < count; i++) {
    if (i > 0) {
      fputc(',', file);
    }
    if (i == 0 && frame->event != NULL) {
      fputs(frame->event, file);
    } else {
      sw_number_write(file, frame->row[i]);
    }
  }
  fputc('\n', file);
}

long sw_format_last_lines(FILE *file, long bytes, long lines)
{
  long at = bytes - 1; /* position of the last line break */
  while (at > 0) {
    at--;
    if (fseek(file, at, SEEK_SET) != 0) {
      return -1;
    }
    if (getc(file) == '\n' && --lines == 0) {
      return at + 1;
    }
  }
  return lines == 1 ? 0 : -1;
}

static long last_csv_row(FILE *file, long bytes, long rows)
{
  (void)rows;
  return sw_format_last_lines(file, bytes, 1);
}

const sw_format sw_format_csv = {
    .name = "csv",
    .endings = {".csv"},
    .has_columns = 1,
    .put_head = put_csv_header,
    .put_row = put_csv_row,
    .last_row = last_csv_row,
};
