/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quantities.h -- the functions of a model at a point, by their definitions (sidewinder/model.h),
 * from jets of H and of the constraints.
 */
#ifndef SIDEWINDER_WITNESS_QUANTITIES_H
#define SIDEWINDER_WITNESS_QUANTITIES_H

#include "common/arena.h"
#include "model/model.h"
#include "sidewinder/witness.h"

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
