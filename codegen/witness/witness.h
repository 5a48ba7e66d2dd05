/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * witness.h -- the table of reference values with which a program's `verify` compares the generated
 * C.
 *
 *   jet.c, elementary.c             Taylor arithmetic in balls
 *   tree.c, tree_indices.c          formulas of the checked model, evaluated on its syntax tree
 *   tree_lagrangian.c               H of a model that is given by a Lagrangian
 *   quantities.c                    H, g and rho at a point; all functions, by their definitions,
 *                                   to 30 certain digits
 *   sizes.c                         the choice of sizes; whether the model exists at given sizes
 *   witness.c                       the choice of points; the table
 *
 * This folder uses neither GiNaC nor codegen/expr, nor any other code that evaluates a model. The
 * table and the generated C share only the parser and the checker.
 */
#ifndef SIDEWINDER_WITNESS_WITNESS_H
#define SIDEWINDER_WITNESS_WITNESS_H

#include "common/arena.h"
#include "model/model.h"
#include "sidewinder/witness.h"

/* Computes the table of a model. If the sizes are run-time values, the table covers two choices of
 * small sizes at which as many families as possible have instances; otherwise it covers the model's
 * own sizes. with_rates: also tabulate accelerations, or the corresponding functions of a model
 * with loops. The C then has them. The work is bounded: large models have fewer points. A function
 * that would take too much work is left out, with this reason in `missing`. */
const sw_witness *witness_create(arena *a, const model *m, int is_looped, int with_rates,
                                 const char *digest);

/* ---- sizes.c ---- */

/* Number of cases of a looped model. */
enum { WITNESS_CASES = 2 };

/* Chooses up to WITNESS_CASES models at small sizes; returns their number. */
int witness_small_models(arena *a, const model *m, const model *chosen[WITNESS_CASES]);

/* Adds trials: whether the model exists if all its sizes have the same small value. */
void witness_try_sizes(arena *a, const model *m, sw_witness *w);

/* Returns the sizes followed by the sample's values in the arrays of indices at these sizes:
 * *n_given numbers. */
const long *witness_given(arena *a, const model *m, const long sizes[], int *n_given);

/* ---- quantities.c ----
 *
 * The functions of a model at a point, by their definitions (sidewinder/model.h), from jets of H
 * and of the constraints. */

/* Which functions to evaluate at a point. */
typedef enum quantities_wanted {
  QUANTITIES_ALL,   /* all except the defaults of the parameters and the accelerations */
  QUANTITIES_RATES, /* all, and the accelerations */
  /* all, and the functions that models with loops have instead of accelerations */
  QUANTITIES_ALONG,
  QUANTITIES_TERMS,    /* only H, g and rho, for the sizes of their terms */
  QUANTITIES_DEFAULTS, /* only the defaults of the parameters */
  QUANTITIES_INITS     /* only the initial states */
} quantities_wanted;

/* Length of an array that holds every function of a model with this number of initial states. */
#define QUANTITIES_ROOM(n_inits) (SW_WITNESSED + (n_inits))

/* Evaluates the functions at a point, whose coordinates count as exact doubles. values[] has
 * QUANTITIES_ROOM(n_inits) elements. Raises the precision until all digits are certain, and adds
 * the work to *work. Returns the number of functions. */
int quantities_at(arena *a, const model *m, const sw_witness_point *point, quantities_wanted wanted,
                  long budget, long *work, sw_witness_values values[]);

/* 1 if H and g exist at a point with their second derivatives. Then speed[i] is the largest speed
 * at which X_{g_i} moves an entry v of z, relative to length[v]. The speed of entry v is
 * |dg_i/dz_u|, where u is conjugate to v. */
int quantities_exist(arena *a, const model *m, const double z[], const double k[],
                     const double length[], long budget, double speed[]);

#endif
