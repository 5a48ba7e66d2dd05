/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quantities.h -- the functions of a model at a point, by their definitions (sidewinder/model.h), from jets of
 * H and of the constraints.
 */
#ifndef SIDEWINDER_WITNESS_QUANTITIES_H
#define SIDEWINDER_WITNESS_QUANTITIES_H

#include "witness/digits.h"
#include "witness/tree.h"

/* What is wanted at a point. */
typedef enum quantities_wanted {
  QUANTITIES_ALL,      /* but the defaults of the parameters, and accelerations */
  QUANTITIES_RATES,    /* with accelerations, */
  QUANTITIES_ALONG,    /*   or with what models with loops have in their place */
  QUANTITIES_TERMS,    /* H, g and rho alone, whose sizes are looked at */
  QUANTITIES_DEFAULTS, /* of the parameters, alone */
  QUANTITIES_INITS     /* the initial states alone */
} quantities_wanted;

/* Room for every function of a model with that many initial states. */
#define QUANTITIES_ROOM(n_inits) (SW_WITNESSED + (n_inits))

/* The point as exact doubles, and the functions there, `values`, of which there is room for QUANTITIES_ROOM.
 * Returns how many; raises the precision until all are certain.  The work done is added to *work. */
int quantities_at(arena *a, const model *m, const sw_witness_point *point, quantities_wanted wanted,
                  long budget, long *work, sw_witness_values values[]);

/* Whether H and g exist at a point with their second derivatives; the speed at which X_{g_i} moves entry v of
 * z, |dg_i/dz_u| at the variable u that is conjugate to v, into speed[i] relative to length[v], the largest
 * of all v. */
int quantities_exist(arena *a, const model *m, const double z[], const double k[],
                     const double length[], long budget, double speed[]);

#endif
