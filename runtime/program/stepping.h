/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/stepping.h -- simulations for the checks of `verify` that take steps.
 */
#ifndef SW_PROGRAM_STEPPING_H
#define SW_PROGRAM_STEPPING_H

#include "program/verifier.h"
#include "sidewinder/sim.h"

typedef struct sw_stepping {
  sw_sim *first;
  sw_sim *second;
} sw_stepping;

/* A base method that is NULL is the one that belongs to the method, or the splitting of H where verifier->base names that.
 *
 * 1 where a step of it has few enough unknowns; a check takes hundreds of steps. */
int sw_stepping_affordable(const sw_system *system, const sw_tableau *base);

/* Why the model takes no steps of a method over a base method; "" where it does. */
const char *sw_stepping_objection(const sw_verifier *verifier, const char *method,
                                  const sw_tableau *base);

/* Makes two simulations of the model with its default parameters.  Returns 1; or 0 with the finding
 * excluded, where they are not affordable or the model does not take the methods, or failed.  sw_stepping_clear is to
 * be called in every case. */
int sw_stepping_init(const sw_verifier *verifier, const char *method, const sw_tableau *base,
                     const char *second_method, const sw_tableau *second_base,
                     sw_stepping *stepping, sw_finding *finding);
/* Likewise for the model's generated step: the first simulation takes it, the second does not.  Both
 * have this composition of its method, one of sw_composition_names.  Returns 0 and leaves the
 * finding unchanged if the method has no such composition. */
int sw_stepping_init_straight(const sw_verifier *verifier, const char *composition,
                              sw_stepping *stepping, sw_finding *finding);
void sw_stepping_clear(sw_stepping *stepping);

/* The step to begin with: the model's own, else 0.01. */
double sw_stepping_first_step(const sw_system *system);

/* Takes steps of size h from a point, and takes what comes of it into the finding where they succeed. */
typedef sw_status sw_trial(sw_verifier *verifier, const sw_stepping *stepping, const sw_point *at,
                           double h, sw_finding *finding);

/* Carries out the trial at every point of M^H, with the parameters there and half the step as long as a step fails, or where it has
 * found another root of its equations; messages call it `what`. */
void sw_stepping_try(sw_verifier *verifier, sw_stepping *stepping, sw_trial *trial,
                     const char *what, sw_finding *finding);

/* Takes `steps` steps of size h from z and writes the last state into end, which may be z. */
sw_status sw_stepping_run(sw_sim *sim, const double z[], double h, long steps, double end[]);

#endif
