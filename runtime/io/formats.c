/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formats.c -- the list of all formats of trajectories.
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
