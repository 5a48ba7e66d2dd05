/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/trr.h -- positions and velocities of points as frames of .trr, the full-precision trajectories of GROMACS, which VMD, MDAnalysis and MDTraj
 * read, too.
 *
 * A frame is, in XDR (RFC 4506: most significant byte first, integers of 4 bytes):
 *   1993, 13, the string "GMX_trn_file" (its length 12, its bytes)
 *   bytes of: input record, energies, box, virial, pressure, topology, symbols, positions, velocities, forces; all 0 but
 *   those of positions and velocities, 24 for each point
 *   number of points, number of the step (at most 2^31 - 1: later steps have that number), 0, t, 0 (a coupling parameter)
 *   positions, then velocities dq/dt = H_p: x, y, z of each point
 * with real numbers of 8 bytes, so that nothing is rounded (.xtc has thousandths of a nm).  Numbers are in the units of the model; GROMACS takes
 * them for nm and ps.
 */
#ifndef SW_IO_TRR_H
#define SW_IO_TRR_H

#include <stdio.h>

#include "io/axis_points.h"

/* Most points of a frame, whose sizes are integers of 4 bytes. */
#define SW_TRR_MOST (2147483647 / 24)

/* Writes a frame of positions q and velocities (d values each).  Whether it arrived is for the caller to find out. */
void sw_trr_write(FILE *file, const sw_points *points, long step, double t, const double q[],
                  const double velocities[]);

#endif
