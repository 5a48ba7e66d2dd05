/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_xyz.c -- positions of points as frames of extended XYZ, which OVITO, VMD, ASE and
 * MDAnalysis read.
 *
 * A frame consists of the number of points, a line of NAME=VALUE with the columns that are not
 * entries of the state, and a line for each point: species x y z.  Numbers are written as in CSV,
 * in the units of the model.  If the model has the parameter `angstroms`, positions are in
 * angstrom.
 */
#include "io/format.h"
#include "io/number.h"

static void put_xyz_frame(FILE *file, const sw_format_frame *frame)
{
  fprintf(file, "%d\nProperties=species:S:1:pos:R:3", frame->points->n);
  sw_format_put_others(file, frame);
  fputc('\n', file);
  for (int i = 0; i < frame->points->n; i++) {
    const sw_point *p = &frame->points->at[i];
    fputs(p->species, file);
    for (int axis = 0; axis < 3; axis++) {
      fputc(' ', file);
      sw_number_write(file, frame->scale * sw_point_entry(p, axis, frame->q));
    }
    fputc('\n', file);
  }
}

const sw_format sw_format_xyz = {
    .name = "xyz",
    .endings = {".xyz"},
    .has_columns = 1,
    .has_points = 1,
    .put_row = put_xyz_frame,
    .last_row = sw_format_last_text_frame,
};
