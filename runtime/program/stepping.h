/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/stepping.h -- simulations for the checks of `verify` that take steps.
 *
 * In all functions a NULL base method means the default of the method, or the splitting of H if
 * verifier->base names it.
 */
#ifndef SW_PROGRAM_STEPPING_H
#define SW_PROGRAM_STEPPING_H

#include "program/verifier.h"
#include "sidewinder/sim.h"

typedef struct sw_stepping {
  sw_sim *first;
  sw_sim *second;
} sw_stepping;

/* 1 if a step has few enough unknowns for a check, which takes hundreds of steps. */
int sw_stepping_affordable(const sw_system *system, const sw_tableau *base);

/* Returns why the model cannot be integrated with this method and base method; "" if it can. */
const char *sw_stepping_objection(const sw_verifier *verifier, const char *method,
                                  const sw_tableau *base);

/* Creates two simulations of the model with its default parameters.  Returns 1; or 0 with a
 * finding that is "not applicable" if the steps cost too much or the model does not allow the
 * methods, and failed otherwise.  Call sw_stepping_clear in every case. */
int sw_stepping_init(const sw_verifier *verifier, const char *method, const sw_tableau *base,
                     const char *second_method, const sw_tableau *second_base,
                     sw_stepping *stepping, sw_finding *finding);
/* The same for the model's generated step: the first simulation uses it, the second does not.
 * Both use this composition, a name of sw_composition_names.  Returns 0 and leaves the finding
 * unchanged if the method has no such composition. */
int sw_stepping_init_straight(const sw_verifier *verifier, const char *composition,
                              sw_stepping *stepping, sw_finding *finding);
void sw_stepping_clear(sw_stepping *stepping);

/* The first step size of a check: the model's own step, else 0.01. */
double sw_stepping_first_step(const sw_system *system);

/* Takes steps of size h from a point.  If they succeed, updates the finding with the result. */
typedef sw_status sw_trial(sw_verifier *verifier, const sw_stepping *stepping, const sw_point *at,
                           double h, sw_finding *finding);

/* Runs the trial at every point of M^H, with the parameters of the point.  Halves h while a step
 * fails or converges to another root of its equations.  Messages call the trial `what`. */
void sw_stepping_try(sw_verifier *verifier, sw_stepping *stepping, sw_trial *trial,
                     const char *what, sw_finding *finding);

/* Takes `steps` steps of size h from z and writes the last state to end, which may be z. */
sw_status sw_stepping_run(sw_sim *sim, const double z[], double h, long steps, double end[]);

#endif
