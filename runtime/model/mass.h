/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/mass.h -- H_pp, the inverse of the mass matrix, where it is constant: of all that a model gives of Hess H the
 * part that steps of step/holonomic.h need.
 */
#ifndef SIDEWINDER_MODEL_MASS_H
#define SIDEWINDER_MODEL_MASS_H

#include "model/system.h"

typedef struct sw_mass {
  int entries;        /* d where H_pp is diagonal, */
  sw_pattern pattern; /* which has no arrays then; else both triangles, d x d */
  int is_raw; /* 1 where it is taken from values as the model gives them (sw_places), as of a lean system; */
  int given; /* how many those are, or the entries of Hess H; */
  int terms; /* of these, value from[t] is added to entry to[t] */
  int *from;
  int *to;
} sw_mass;

/* Errors: SW_ERR_MEMORY; then nothing has to be released. */
sw_status sw_mass_create(const sw_system *system, sw_mass *mass);
void sw_mass_free(sw_mass *mass);

static inline int sw_mass_is_diagonal(const sw_mass *mass)
{
  return !mass->pattern.row;
}

/* values: H_pp at z; given: scratch of that many values. */
void sw_mass_values(const sw_mass *mass, const sw_system *system, const double z[],
                    const double k[], double given[], double values[]);

/* Whether each momentum has an entry in its row or column of H_pp, without which no velocity tells it, but for that of one clock at
 * most, which must not stand still.  1 for a model with sizes, of which that is not known here. */
int sw_mass_has_velocities(const sw_model *model);

/* The position whose velocity is constant, as that of the time t in K(q,t,p,p_t) = H(q,p,t) + p_t: row and column of its momentum
 * in Hess H are empty.  -1 where there is none, and the first of several. */
int sw_mass_clock(const sw_system *system);

#endif
