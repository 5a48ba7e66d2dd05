/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_extxyz.c -- positions and velocities of points as frames of extended XYZ with a box.
 *
 * A frame is as in .xyz (format_xyz.c), with these additions:
 *   Lattice="x 0 0 0 y 0 0 0 z", if the model has a parameter `box`: three edges, or one for a cube
 *   pbc="T T T" with a box, else pbc="F F F"
 *   after each position the velocity dq/dt = H_p, in the same unit of length
 */
#include "io/format.h"
#include "io/number.h"

static void put_vector(FILE *file, const sw_format_frame *frame, const sw_point *p,
                       const double values[])
{
  for (int axis = 0; axis < 3; axis++) {
    fputc(' ', file);
    sw_number_write(file, frame->scale * sw_point_entry(p, axis, values));
  }
}

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

static void put_extxyz_frame(FILE *file, const sw_format_frame *frame)
{
  fprintf(file, "%d\nProperties=species:S:1:pos:R:3:velo:R:3", frame->points->n);
  put_box(file, frame);
  sw_format_put_others(file, frame);
  fputc('\n', file);
  for (int i = 0; i < frame->points->n; i++) {
    const sw_point *p = &frame->points->at[i];
    fputs(p->species, file);
    put_vector(file, frame, p, frame->q);
    put_vector(file, frame, p, frame->velocities);
    fputc('\n', file);
  }
}

const sw_format sw_format_extxyz = {
    .name = "extxyz",
    .endings = {".extxyz"},
    .has_columns = 1,
    .has_points = 1,
    .has_velocities = 1,
    .put_row = put_extxyz_frame,
    .last_row = sw_format_last_text_frame,
};
