/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/columns.h -- the columns of a trajectory: their names, and their values at a state.
 *
 * All of them are, in this order:
 *   step, t, the 2d entries of z under the model's names, the observables, the invariants, for a variational
 *   integrator the invariants where the curve of the state ends, with the momentum there, as "discrete.NAME" (sw_sim_legendre),
 *   residual_g = max |g_i| and residual_hidden = max |rho_i|
 * No name stands twice: what is called like one of the four columns that every trajectory has is "state.NAME" (so the position t
 * of models whose formulas contain the time), "observe.NAME" or "invariant.NAME".
 */
#ifndef SW_IO_COLUMNS_H
#define SW_IO_COLUMNS_H

#include "io/source.h"
#include "sidewinder/sim.h"

typedef struct sw_columns sw_columns;

/* h: the step of a variational integrator; 0 for other methods.  All columns, or those in the comma-separated list `wanted`, in its order; the name of an array stands for
 * all of its entries.  On failure *columns is NULL.  Errors: SW_ERR_ARGUMENT with a message, for a name that is
 * not known, empty, or given twice; SW_ERR_MEMORY, with message "". */
sw_status sw_columns_create(const sw_system *system, double h, const char *wanted,
                            sw_columns **columns, char message[SW_TEXT_MESSAGE]);
void sw_columns_free(sw_columns **columns);

size_t sw_columns_count(const sw_columns *columns);

/* Writes the name of column i to buffer, and returns buffer. */
const char *sw_columns_name(const sw_columns *columns, size_t i, char buffer[SW_NAME_BYTES]);

/* 1 where column i is an entry of z. */
int sw_columns_is_state(const sw_columns *columns, size_t i);

/* The values at the current state of *sim; the result belongs to *columns and lasts until the next call.  The
 * multiplier is the one of the last step; at step 0 there is none, and it is NaN, so that exactly the
 * observables that use a multiplier are NaN. */
const double *sw_columns_values(sw_columns *columns, sw_sim *sim, long step);

#endif
