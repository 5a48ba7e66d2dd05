/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/mass.h -- H_pp, the inverse of the mass matrix, if it is constant: the only part of Hess H
 * that the steps of step/holonomic.h need.
 */
#ifndef SIDEWINDER_MODEL_MASS_H
#define SIDEWINDER_MODEL_MASS_H

#include "model/system.h"

typedef struct sw_mass {
  int entries;        /* number of entries; d if H_pp is diagonal */
  sw_pattern pattern; /* d x d, both triangles; without arrays if H_pp is diagonal */
  /* 1 if H_pp is computed from the values that the model gives (sw_places), as for a lean system */
  int is_raw;
  int given; /* number of these values, or of the entries of Hess H */
  int terms; /* number of terms: value from[t] is added to entry to[t] */
  int *from;
  int *to;
} sw_mass;

/* Errors: SW_ERR_MEMORY; nothing has to be released then. */
sw_status sw_mass_create(const sw_system *system, sw_mass *mass);
void sw_mass_free(sw_mass *mass);

static inline int sw_mass_is_diagonal(const sw_mass *mass)
{
  return !mass->pattern.row;
}

/* values: H_pp at z. given: scratch, mass->given values. */
void sw_mass_values(const sw_mass *mass, const sw_system *system, const double z[],
                    const double k[], double given[], double values[]);

/* Returns 1 if each momentum has an entry in its row or column of H_pp, since otherwise no velocity
 * determines it.  One momentum without an entry is allowed if its position is a clock with a
 * nonzero rate.  Also returns 1 for a model with sizes, which is not examined. */
int sw_mass_has_velocities(const sw_model *model);

/* The first position with a constant velocity, such as the time t in K(q,t,p,p_t) = H(q,p,t) + p_t:
 * row and column of its momentum in Hess H are empty. -1 if there is none. */
int sw_mass_clock(const sw_system *system);

#endif
