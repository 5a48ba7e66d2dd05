/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reference.h -- what the tests against reference numbers share: the models, starting a simulation
 * by the names of its initial state and methods, and comparing states with a table.
 *
 * Every comparison returns the worst error that it met, so that a test can also ask it about a
 * wrong number and see it answer with an error that is too large.  Errors are absolute, over all
 * components; all states here are of order one.  A value that is not finite counts as infinitely
 * wrong.  A step or set-up that fails ends the test with the runtime's message.
 */
#ifndef TESTS_UNIT_REFERENCE_H
#define TESTS_UNIT_REFERENCE_H

#include "sidewinder/sim.h"

#include "../reference/row.h"

/* The generator writes one header per model; the names are all that is needed of them. */
extern const sw_model sw_model_pendulum;
extern const sw_model sw_model_pendulum_norm;
extern const sw_model sw_model_spherical;
extern const sw_model sw_model_hopf;
extern const sw_model sw_model_hopf_free;
extern const sw_model sw_model_index1;
extern const sw_model sw_model_two_constraints;
extern const sw_model sw_model_chain6;
extern const sw_model sw_model_lj7;
extern const sw_model sw_model_double_pendulum;
extern const sw_model sw_model_four_particles;
extern const sw_model sw_model_spherical_discrete;
extern const sw_model sw_model_discrete_forms;

/* A model with, where `parameter` is not NULL, one of its parameters set to `value`. */
typedef struct reference_problem {
  const sw_model *model;
  const char *parameter;
  double value;
} reference_problem;

/* Rows of a table with their number, as two arguments of a call. */
#define REFERENCE_ROWS(table) ((int)(sizeof(table) / sizeof((table)[0]))), (table)

/* A simulation of the problem at t = 0 in the named initial state.  The caller frees it with
 * sw_sim_free. */
sw_sim *reference_start(const reference_problem *problem, const char *init, const char *method,
                        const char *base);

/* `steps` steps of size `step`. */
void reference_advance(sw_sim *sim, double step, long steps);

/* max_i |a_i - b_i| over n components; infinite where a difference is not finite. */
double reference_distance(int n, const double a[], const double b[]);

/* Worst distance between the states of n rows and those of a simulation run as each row says. */
double reference_rows_error(const reference_problem *problem, int n, const reference_row rows[]);

/* Worst distance between the energy bounds of n ranges and those of a simulation run as each range
 * says, over its steps 1, 2, ..., `steps`. */
double reference_ranges_error(const reference_problem *problem, int n,
                              const reference_range ranges[]);

/* Prints what was compared with its worst error, and ends the test unless that is at most
 * `tolerance`. */
void reference_accept(const char *what, double error, double tolerance);

/* Ends the test unless `error`, measured on a number that is wrong on purpose, exceeds
 * `tolerance`. */
void reference_refuse(const char *what, double error, double tolerance);

#endif
