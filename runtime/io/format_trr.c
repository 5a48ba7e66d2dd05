/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_trr.c -- positions and velocities of points as frames of .trr, the full-precision
 * trajectory format of GROMACS, which VMD, MDAnalysis and MDTraj also read.
 *
 * A frame consists, in XDR (RFC 4506: most significant byte first, integers of 4 bytes), of
 *   1993, 13, the string "GMX_trn_file" (its length 12, its bytes)
 *   the sizes in bytes of: input record, energies, box, virial, pressure, topology, symbols,
 *   positions, velocities, forces; all 0 except positions and velocities, 24 for each point
 *   number of points, number of the step (saturates at 2^31 - 1), 0, t, 0 (a coupling parameter)
 *   positions, then velocities dq/dt = H_p: x, y, z of each point
 *
 * Real numbers have 8 bytes, so that nothing is rounded (.xtc stores thousandths of a nm).  Values
 * are in the units of the model; GROMACS interprets them as nm and ps.
 */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "io/format.h"

static void format_trr_put_integer(FILE *file, long value)
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

static void put_trr_frame(FILE *file, const sw_format_frame *frame)
{
  const int n = frame->points->n;
  const long bytes = 24L * n;
  const long step = frame->step < INT_MAX ? frame->step : INT_MAX;
  const long before[] = {1993, 13, 12};
  const long sizes[] = {0, 0, 0, 0, 0, 0, 0, bytes, bytes, 0, n, step, 0};
  for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
    format_trr_put_integer(file, before[i]);
  }
  fputs("GMX_trn_file", file);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    format_trr_put_integer(file, sizes[i]);
  }
  put_real(file, frame->t);
  put_real(file, 0.0);
  put_vectors(file, frame->points, frame->q);
  put_vectors(file, frame->points, frame->velocities);
}

static long last_trr_frame(FILE *file, long bytes, long rows)
{
  (void)file;
  return bytes - bytes / rows; /* frames are of equal size */
}

const sw_format sw_format_trr = {
    .name = "trr",
    .endings = {".trr"},
    .has_points = 1,
    .has_velocities = 1,
    .most_points = INT_MAX / 24, /* the sizes in a frame are 4-byte integers */
    .put_row = put_trr_frame,
    .last_row = last_trr_frame,
};
