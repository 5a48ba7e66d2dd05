/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/columns.h -- the columns of a trajectory: their names, and their values at a state of a simulation.
 *
 * All of them are, in this order:
 *   step, t, the 2d entries of z under the model's names, the observables, the invariants, for a variational
 *   integrator the invariants where the curve of the state ends, with the momentum there, as "discrete.NAME" (sw_sim_legendre),
 *   residual_g = max |g_i| and residual_hidden = max |rho_i|
 * and, for those who name them, the multipliers of the constraints, as "multiplier.NAME".
 * No name stands twice: what is called like one of the four columns that every trajectory has is "state.NAME" (so the position t
 * of models whose formulas contain the time), "observe.NAME" or "invariant.NAME".
 *
 * Programs write their trajectories with these functions.
 */
#ifndef SIDEWINDER_COLUMNS_H
#define SIDEWINDER_COLUMNS_H

#include "sidewinder/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_columns sw_columns;

/* Room for the reason of a refusal. */
#define SW_COLUMNS_MESSAGE 512

/* Columns of simulations of the model, the sizes and the method of *sim, which has to live as long.  Memory of *sim is used in
 * sw_columns_values: both are for the same thread at a time.
 * h: the step of a variational integrator; 0 for other methods, or where "discrete" columns are not wanted.
 * All columns but the multipliers, or those in the comma-separated list `wanted`, in its order; the name of an array stands for all of its entries; NULL: all.
 * On failure *columns is NULL.  Errors: SW_ERR_ARGUMENT with a message, for a name that is
 * not known, empty, or given twice; SW_ERR_MEMORY, with message "". */
sw_status sw_columns_of(const sw_sim *sim, double h, const char *wanted, sw_columns **columns,
                        char message[SW_COLUMNS_MESSAGE]);

/* Releases all that *columns owns, and sets it to NULL.  A pointer to NULL is fine. */
void sw_columns_free(sw_columns **columns);

size_t sw_columns_count(const sw_columns *columns);

/* Writes the name of column i to buffer, and returns buffer. */
const char *sw_columns_name(const sw_columns *columns, size_t i, char buffer[SW_NAME_BYTES]);

/* The values at the current state of *sim; the result belongs to *columns and lasts until the next call.  The
 * multiplier is the one of the last step; at step 0 there is none, and it is NaN, so that exactly the
 * observables that use a multiplier are NaN. */
const double *sw_columns_values(sw_columns *columns, sw_sim *sim, long step);

#ifdef __cplusplus
}
#endif

#endif
