/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/trajectory.h -- a trajectory as comma-separated values.
 *
 * The file begins with lines of metadata that start with "# ", then a header, then one row per state:
 *   step, t, the 2d entries of z under the model's names, the observables, the invariants,
 *   residual_g = max |g_i| and residual_hidden = max |rho_i|
 * Numbers are written with %.17g, which a reader turns back into the same bits; what is not a number
 * is "nan".  The caller sees to it that the thread's locale writes a decimal point.
 */
#ifndef SW_IO_TRAJECTORY_H
#define SW_IO_TRAJECTORY_H

#include "sidewinder/sim.h"

typedef struct sw_trajectory sw_trajectory;

/* How the trajectory is made; goes into the metadata. */
typedef struct sw_trajectory_origin {
  const char *method;
  const char *base;
  const char *init; /* name of the initial state */
  double step;
  int projected; /* 1 where the initial state was moved to the constraint manifold */
} sw_trajectory_origin;

/* Opens path for writing, or standard output where path is "-", and writes metadata and header for
 * the model and the parameters of *sim.  Errors: SW_ERR_MEMORY, SW_ERR_IO (errno says why); then
 * *trajectory is NULL. */
sw_status sw_trajectory_open(const char *path, const sw_sim *sim,
                             const sw_trajectory_origin *origin, sw_trajectory **trajectory);

/* Writes the current state of *sim as one row.  The multiplier is the one of the last step; at step 0
 * there is none, and it is NaN, so that exactly the observables that use a multiplier are "nan".
 * Errors: SW_ERR_IO, as soon as the system reports one. */
sw_status sw_trajectory_write(sw_trajectory *trajectory, const sw_sim *sim, long step);

/* Flushes to the disk, closes the file (standard output stays open), frees, and sets *trajectory to
 * NULL, which is also fine as an argument.  SW_OK means that every row has reached the file.
 * Errors: SW_ERR_IO; *cause is errno of the first failure. */
sw_status sw_trajectory_close(sw_trajectory **trajectory, int *cause);

#endif
