/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/trr.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

static void put_integer(FILE *file, long value)
{
  const uint32_t bits = (uint32_t)value;
  for (int shift = 24; shift >= 0; shift -= 8) {
    fputc((int)(bits >> shift & 0xff), file);
  }
}

static void put_real(FILE *file, double value)
{
  unsigned char bytes[8];
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  for (int i = 0; i < 8; i++) {
    bytes[i] = (unsigned char)(bits >> (56 - 8 * i) & 0xff);
  }
  fwrite(bytes, 1, sizeof bytes, file);
}

static void put_vectors(FILE *file, const sw_points *points, const double values[])
{
  for (int i = 0; i < points->n; i++) {
    for (int axis = 0; axis < 3; axis++) {
      put_real(file, sw_point_entry(&points->at[i], axis, values));
    }
  }
}

void sw_trr_write(FILE *file, const sw_points *points, long step, double t, const double q[],
                  const double velocities[])
{
  const long bytes = 24L * points->n;
  const long before[] = {1993, 13, 12};
  const long sizes[] = {
      0, 0, 0, 0, 0, 0, 0, bytes, bytes, 0, points->n, step < INT_MAX ? step : INT_MAX, 0};
  for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
    put_integer(file, before[i]);
  }
  fputs("GMX_trn_file", file);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    put_integer(file, sizes[i]);
  }
  put_real(file, t);
  put_real(file, 0.0);
  put_vectors(file, points, q);
  put_vectors(file, points, velocities);
}
