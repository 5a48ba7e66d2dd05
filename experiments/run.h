/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h -- simulations as the experiments need them: started by names, advanced, and compared.
 *
 * What must not fail ends the program with the runtime's message.
 */
#ifndef EXPERIMENTS_RUN_H
#define EXPERIMENTS_RUN_H

#include "sidewinder/sim.h"

#include "../tests/reference/row.h"

/* What is NULL or 0 has the runtime's default. */
typedef struct run_setup {
  const sw_model *model;
  const char *init; /* NULL: the first initial state */
  const char *method;
  const char *base;
  const char *compose;
  double bias[2];         /* of variational */
  const char *base_minus; /* likewise */
  const char *adjoint;
  const char *redundant;
  double tolerance;
  int max_iterations;
  const char *parameter; /* a parameter that is to have another value */
  double value;
} run_setup;

sw_sim *run_start(const run_setup *setup);
void run_set_state(sw_sim *sim, const double z[]);
void run_advance(sw_sim *sim, double h, long steps);

/* The state named `init`, with the default parameters. */
void run_initial(const sw_model *model, const char *init, double z[]);

double run_energy(sw_sim *sim);

/* max_i |a_i - b_i| and sqrt(sum_i (a_i - b_i)^2) over n components. */
double run_distance(int n, const double a[], const double b[]);
double run_distance_2(int n, const double a[], const double b[]);

/* max_i |a_i|; infinite where one is not finite. */
double run_largest(int n, const double a[]);

/* The largest distance of the model's states from those of the rows of this method, in each of which the run begins
 * at `init`; an `init` of NULL takes all rows. */
double run_rows_distance(const run_setup *setup, int n, const reference_row rows[]);

#define RUN_ROWS(table) ((int)(sizeof(table) / sizeof((table)[0]))), (table)

#endif
