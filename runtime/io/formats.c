/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formats.c -- the list of all trajectory formats, and functions that several formats share.
 */
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"
#include "io/format.h"
#include "io/number.h"

extern const sw_format sw_format_npy;
extern const sw_format sw_format_hdf5;
extern const sw_format sw_format_xyz;
extern const sw_format sw_format_extxyz;
extern const sw_format sw_format_trr;

static const sw_format *const formats[] = {
    &sw_format_csv, &sw_format_npy,    &sw_format_hdf5,
    &sw_format_xyz, &sw_format_extxyz, &sw_format_trr,
};

const sw_format *sw_format_of(const char *path)
{
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    for (const char *const *ending = formats[i]->endings; *ending != NULL; ending++) {
      if (sw_text_ending(path, ending, 1) == 0) {
        return formats[i];
      }
    }
  }
  return &sw_format_csv;
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
