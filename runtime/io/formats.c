/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formats.c -- the list of all formats of trajectories, and what several of them share.
 */
#include "common/user_text.h"
#include "io/format.h"

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
