/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format.c -- functions that several formats of trajectories share.
 */
#include "io/format.h"

#include <stdlib.h>

#include "common/user_text.h"
#include "io/number.h"

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

long sw_format_last_of_equal(long head_bytes, long bytes, long rows)
{
  return bytes - (bytes - head_bytes) / rows;
}

long sw_format_last_text_frame(FILE *file, long bytes, long rows)
{
  char first[SW_TEXT_NUMBER] = "";
  (void)rows;
  const long points = fgets(first, sizeof first, file) != NULL ? strtol(first, NULL, 10) : 0;
  return points > 0 ? sw_format_last_lines(file, bytes, points + 2) : -1;
}

void sw_format_put_others(FILE *file, const sw_format_frame *frame)
{
  char name[SW_NAME_BYTES];
  for (size_t i = 0; i < sw_columns_count(frame->columns); i++) {
    if (!sw_columns_is_state(frame->columns, i)) {
      fprintf(file, " %s=", sw_columns_name(frame->columns, i, name));
      sw_number_write(file, frame->row[i]);
    }
  }
}
