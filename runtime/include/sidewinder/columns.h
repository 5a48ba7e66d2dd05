/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/columns.h -- the columns of a trajectory: their names, and their values at a state of
 * a simulation.
 *
 * The columns are, in this order:
 * - step and t
 * - the 2d entries of z under the model's names
 * - the observables, then the invariants
 * - for a variational integrator, the invariants at the end of the state's curve, with the momentum
 *   there, as "discrete.NAME" (sw_sim_legendre)
 * - residual_g = max |g_i| and residual_hidden = max |rho_i|
 * - for a model with forces, the work of the forces since the start, as "work" (sw_sim_work)
 * - on request, the multipliers of the constraints at the state, as "multiplier.NAME"
 *   (sw_sim_multipliers), the impulses of the last step, as "impulse.NAME" (sw_sim_impulses), and
 *   for 1 to 200 constraints det_N, the determinant of N_ij = {{g_i,H},g_j} at the state, or at the
 *   point of M^H on its fibre. It is 0 if N is singular, as for redundant constraints; a product of
 *   many small or large pivots may also be 0 by underflow or infinite, and N itself regular. Then
 *   smallest_pivot, the smallest |pivot| of N there in Gaussian elimination with row exchanges, and
 *   log_det_N, the sum of the logarithms of all |pivots|, which neither under- nor overflows
 * - on request, for steps of RATTLE (paper 000, section 4), "z+.NAME" and "z-.NAME": the states
 *   z+ = Gamma_{h lambda}(z0) and z- = phi_h(z+) between which the base method has led in the last
 *   step; and "sigma.NAME": the multipliers of its slide, z1 = Gamma_{h sigma}(z-)
 * - on request, for a model with forces, H minus the work, as "H_minus_work"
 *
 * Names are unique. If a name of the model equals one of the fixed names step, t, residual_g,
 * residual_hidden, det_N, smallest_pivot and log_det_N, or with forces work and H_minus_work, or
 * begins with "impulse." or "sigma.", its column is "state.NAME", "observe.NAME" or
 * "invariant.NAME"; an example is the position t of a time-dependent model.
 *
 * Generated programs write their trajectories with these functions.
 */
#ifndef SIDEWINDER_COLUMNS_H
#define SIDEWINDER_COLUMNS_H

#include "sidewinder/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_columns sw_columns;

/* Bytes of an error message. */
#define SW_COLUMNS_MESSAGE 512

/* Creates the columns for simulations with the model, sizes and method of *sim, which must outlive
 * *columns. sw_columns_values uses scratch memory of *sim, so one thread at a time may use both
 * objects.
 * h: the step size of a variational integrator; 0 for other methods, or to omit the "discrete"
 * columns.
 * wanted: NULL selects all columns except those on request. Otherwise a comma-separated list gives
 * the columns and their order; the name of an array selects all of its entries.
 * On failure *columns is NULL.
 * Errors: SW_ERR_ARGUMENT with a message if a name is unknown, empty or repeated, or if steps of
 * *sim have no z+, z- and sigma; SW_ERR_MEMORY with an empty message. */
sw_status sw_columns_of(const sw_sim *sim, double h, const char *wanted, sw_columns **columns,
                        char message[SW_COLUMNS_MESSAGE]);

/* Returns 1 if a column is "z+", "z-" or "sigma". Such columns belong to the last step of *sim
 * itself: the simulations that an ensemble measures have none. */
int sw_columns_of_steps(const sw_columns *columns);
#define SW_COLUMNS_NOT_OF_ENSEMBLES                                                                \
  "the columns z+, z- and sigma belong to the steps of one run; an ensemble has none"

/* Prepares *sim for these columns: call it before the steps. If a column is "z+", "z-" or "sigma",
 * *sim takes no generated steps from now on. Otherwise it does nothing. Errors: SW_ERR_MEMORY. */
sw_status sw_columns_follow(const sw_columns *columns, sw_sim *sim);

/* Frees *columns and sets it to NULL. Does nothing if *columns is NULL. */
void sw_columns_free(sw_columns **columns);

size_t sw_columns_count(const sw_columns *columns);

/* Writes the name of column i to buffer, and returns buffer. */
const char *sw_columns_name(const sw_columns *columns, size_t i, char buffer[SW_NAME_BYTES]);

/* Returns the values at the current state of *sim. *columns owns the array; the next call
 * overwrites it. A multiplier that is not determined is NaN, and so are impulses at step 0, and
 * z+, z- and sigma at a state that is not the end of a step. */
const double *sw_columns_values(sw_columns *columns, sw_sim *sim, long step);

#ifdef __cplusplus
}
#endif

#endif
