/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/xyz.h -- positions of points as frames of extended XYZ, which OVITO, VMD, ASE and MDAnalysis read.
 *
 * A frame is the number of points, a line of NAME=VALUE, and a line for each point: species x y z.  Numbers are as in CSV,
 * in the units of the model; those of points in angstrom if the model has the parameter `angstroms`.
 */
#ifndef SW_IO_XYZ_H
#define SW_IO_XYZ_H

#include "io/axis_points.h"
#include "io/columns.h"

/* Writes a frame: the positions q (d values) times `scale`, and those columns of the row that are not of the state.  Whether it arrived is for the
 * caller to find out. */
void sw_xyz_write(FILE *file, const sw_points *points, const sw_columns *columns,
                  const double row[], const double q[], double scale);

#endif
