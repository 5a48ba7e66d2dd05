/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_xyz.c -- positions of points as frames of extended XYZ, which OVITO, VMD, ASE and
 * MDAnalysis read.
 *
 * A frame consists of the number of points, a line of NAME=VALUE with the columns that are not
 * entries of the state, and a line for each point: species x y z.  Numbers are written as in CSV,
 * in the units of the model.  If the model has the parameter `angstroms`, positions are in
 * angstrom.
 *
 * .extxyz has these additions:
 *   Lattice="x 0 0 0 y 0 0 0 z", if the model has a parameter `box`: three edges, or one for a cube
 *   pbc="T T T" with a box, else pbc="F F F"
 *   after each position the velocity dq/dt = H_p, in the same unit of length
 */
#include <stdlib.h>

#include "common/user_text.h"
#include "io/format.h"
#include "io/number.h"

/* The last row of text frames: a line with the number of points, a comment line, and a line per
 * point. */
static long last_text_frame(FILE *file, long bytes, long rows)
{
  char first[SW_TEXT_NUMBER] = "";
  (void)rows;
  const long points = fgets(first, sizeof first, file) != NULL ? strtol(first, NULL, 10) : 0;
  return points > 0 ? sw_format_last_lines(file, bytes, points + 2) : -1;
}

/* Writes each column of a frame that is not an entry of the state as " NAME=VALUE". */
static void put_others(FILE *file, const sw_format_frame *frame)
{
  char name[SW_NAME_BYTES];
  for (size_t i = 0; i < sw_columns_count(frame->columns); i++) {
    if (!sw_columns_is_state(frame->columns, i)) {
      fprintf(file, " %s=", sw_columns_name(frame->columns, i, name));
      sw_number_write(file, frame->row[i]);
    }
  }
}

static void put_vector(FILE *file, const sw_format_frame *frame, const sw_point *p,
                       const double values[])
{
  for (int axis = 0; axis < 3; axis++) {
    fputc(' ', file);
    sw_number_write(file, frame->scale * sw_point_entry(p, axis, values));
  }
}

/* The box of a periodic frame: the rows of a diagonal matrix. */
static void put_box(FILE *file, const sw_format_frame *frame)
{
  if (frame->box == NULL) {
    fputs(" pbc=\"F F F\"", file);
    return;
  }
  fputs(" Lattice=\"", file);
  for (int i = 0; i < 9; i++) {
    if (i > 0) {
      fputc(' ', file);
    }
    sw_number_write(file, i % 4 == 0 ? frame->scale * frame->box[i / 4] : 0.0);
  }
  fputs("\" pbc=\"T T T\"", file);
}

/* Writes a frame: the number of points, a comment line, and a line for each point. */
static void put_frame(FILE *file, const sw_format_frame *frame, int is_extended)
{
  fprintf(file, "%d\nProperties=species:S:1:pos:R:3%s", frame->points->n,
          is_extended ? ":velo:R:3" : "");
  if (is_extended) {
    put_box(file, frame);
  }
  put_others(file, frame);
  fputc('\n', file);
  for (int i = 0; i < frame->points->n; i++) {
    const sw_point *p = &frame->points->at[i];
    fputs(p->species, file);
    put_vector(file, frame, p, frame->q);
    if (is_extended) {
      put_vector(file, frame, p, frame->velocities);
    }
    fputc('\n', file);
  }
}

static void put_xyz_frame(FILE *file, const sw_format_frame *frame)
{
  put_frame(file, frame, 0);
}

static void put_extxyz_frame(FILE *file, const sw_format_frame *frame)
{
  put_frame(file, frame, 1);
}

const sw_format sw_format_xyz = {
    .name = "xyz",
    .endings = {".xyz"},
    .has_columns = 1,
    .has_points = 1,
    .put_row = put_xyz_frame,
    .last_row = last_text_frame,
};

const sw_format sw_format_extxyz = {
    .name = "extxyz",
    .endings = {".extxyz"},
    .has_columns = 1,
    .has_points = 1,
    .has_velocities = 1,
    .put_row = put_extxyz_frame,
    .last_row = last_text_frame,
};
