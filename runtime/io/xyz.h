/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/xyz.h -- positions of points as frames of extended XYZ, which OVITO, VMD, ASE and MDAnalysis read.
 *
 * Points are what the names of the positions say: q.3.O.x, q.3.O.y and q.3.O.z, one behind the other, are one, of the species O; without z
 * it is 0.  A species is the last label before the axis without its digits (H of H1), or, where that is a number or missing, the array.
 * A frame is the number of points, a line of NAME=VALUE, and a line for each point: species x y z.  Numbers are as in CSV,
 * in the units of the model.
 */
#ifndef SW_IO_XYZ_H
#define SW_IO_XYZ_H

#include "io/columns.h"

typedef struct sw_xyz sw_xyz;

/* Finds the points of a system.  On failure *xyz is NULL.  Errors: SW_ERR_ARGUMENT with a message where it has none, SW_ERR_MEMORY with
 * message "". */
sw_status sw_xyz_create(const sw_system *system, sw_xyz **xyz, char message[SW_TEXT_MESSAGE]);
void sw_xyz_free(sw_xyz **xyz);

/* Writes a frame: the positions q (d values), and those columns of the row that are not of the state.  Whether it arrived is for the
 * caller to find out. */
void sw_xyz_write(FILE *file, const sw_xyz *xyz, const sw_columns *columns, const double row[],
                  const double q[]);

#endif
