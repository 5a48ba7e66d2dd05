/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes.c -- steps as straight-line code, of one trajectory and of eight at once, next to the same written by hand.
 *
 * All ways take turns in one process, and the smallest figure of each counts.  The eight trajectories start a few steps apart.  The
 * states at the end are compared: programs that do not do the same work must not be compared.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_hand_small.h"
#include "chain6.h"
#include "common/processor.h"
#include "hopf.h"
#include "measure.h"
#include "pendulum.h"
#include "sidewinder/batch.h"

enum { ROUNDS = 25, LANES = 8, MOST = 24 * LANES };

typedef struct way {
  const sw_model *model;
  const sw_stepper *stepper;
  const sw_stepper *lanes[2];
  by_hand_steps *one;
  by_hand_steps *eight;
  double h;
  long steps;
  const char *note;
} way;

static const way ways[] = {
    {&sw_model_pendulum,
     &sw_stepper_pendulum,
     {&sw_stepper_pendulum_8, NULL},
     by_hand_pendulum_1,
     by_hand_pendulum_8,
     0.1,
     20000,
     ""},
    {&sw_model_pendulum,
     &sw_stepper_pendulum,
     {&sw_stepper_pendulum_8, NULL},
     by_hand_pendulum_1,
     by_hand_pendulum_8,
     0.01,
     20000,
     ""},
    {&sw_model_hopf,
     &sw_stepper_hopf,
     {&sw_stepper_hopf_8, NULL},
     by_hand_hopf_1,
     by_hand_hopf_8,
     0.1,
     10000,
     " by sin, cos"},
    {&sw_model_hopf,
     &sw_stepper_hopf,
     {&sw_stepper_hopf_8, NULL},
     by_hand_hopf_cayley_1,
     by_hand_hopf_cayley_8,
     0.1,
     10000,
     " by Cayley"},
    {&sw_model_chain6,
     &sw_stepper_chain6,
     {&sw_stepper_chain6_8, NULL},
     by_hand_chain6_1,
     by_hand_chain6_8,
     0.01,
     1000,
     ""},
};

static sw_sim *start(const way *w)
{
  sw_sim *sim = NULL;
  sw_options options;
  sw_options_init(&options);
  options.base = w->stepper->base;
  options.stepper = w->stepper;
  options.lanes = w->lanes;
  if (sw_sim_create(w->model, &options, &sim) != SW_OK ||
      sw_sim_run(sim, w->h, 7, NULL, NULL) != SW_OK) {
    fprintf(stderr, "cannot create a simulation of %s\n", w->model->name);
    exit(3);
  }
  return sim;
}

static void must(sw_status status, const way *w)
{
  if (status != SW_OK) {
    fprintf(stderr, "%s: %s\n", w->model->name, sw_status_text(status));
    exit(3);
  }
}

/* Nanoseconds of a step of one trajectory: by hand, by straight-line code; z is what the first lane ends in. */
static void time_one(const way *w, double ns[2], double z[2][MOST])
{
  sw_sim *sim = start(w);
  const size_t bytes = 2 * (size_t)sw_sim_nq(sim) * sizeof(double);
  memcpy(z[0], sw_sim_state(sim), bytes);
  double t = seconds();
  w->one(z[0], w->h, w->steps);
  ns[0] = fmin(ns[0], 1e9 * (seconds() - t) / (double)w->steps);
  t = seconds();
  must(sw_sim_run(sim, w->h, w->steps, NULL, NULL), w);
  ns[1] = fmin(ns[1], 1e9 * (seconds() - t) / (double)w->steps);
  memcpy(z[1], sw_sim_state(sim), bytes);
  sw_sim_free(&sim);
}

/* The same of eight. */
static void time_eight(const way *w, double ns[2], double z[2][MOST])
{
  sw_sim *sim = start(w);
  sw_batch *batch = NULL;
  const size_t entries = 2 * (size_t)sw_sim_nq(sim);
  must(sw_batch_create(sim, LANES, &batch), w);
  for (int i = 0; i < LANES; i++) {
    sw_batch_put(batch, i, sim);
    must(sw_sim_step(sim, w->h), w);
  }
  must(sw_batch_run(batch, w->h, 1), w);
  memcpy(z[0], sw_batch_states(batch), LANES * entries * sizeof(double));
  double t = seconds();
  w->eight(z[0], w->h, w->steps);
  ns[0] = fmin(ns[0], 1e9 * (seconds() - t) / (double)(LANES * w->steps));
  t = seconds();
  must(sw_batch_run(batch, w->h, w->steps), w);
  ns[1] = fmin(ns[1], 1e9 * (seconds() - t) / (double)(LANES * w->steps));
  memcpy(z[1], sw_batch_states(batch), LANES * entries * sizeof(double));
  sw_batch_free(&batch);
  sw_sim_free(&sim);
}

static double apart(double z[2][MOST], int n)
{
  double most = 0.0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(z[0][i] - z[1][i]));
  }
  return most;
}

int main(void)
{
  printf("ns a step of one trajectory, with 1 and with 8 at once\n"
         "%-24s %6s %8s %8s %6s   %8s %8s %6s   %5s\n",
         "", "h", "by hand", "ours", "ratio", "by hand", "ours", "ratio", "gain");
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    const way *w = &ways[i];
    const int d2 = 2 * w->model->n_coordinates;
    double one[2] = {INFINITY, INFINITY};
    double eight[2] = {INFINITY, INFINITY};
    double z[2][MOST] = {{0.0}};
    double difference = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
      time_one(w, one, z);
      difference = fmax(difference, apart(z, d2));
      if (sw_processor_has(w->lanes[0]->processor)) {
        time_eight(w, eight, z);
        difference = fmax(difference, apart(z, LANES * d2));
      }
    }
    printf("%-10s%-14s %6g %8.1f %8.1f %6.2f   %8.1f %8.1f %6.2f   %5.1f   states %.0e apart\n",
           w->model->name, w->note, w->h, one[0], one[1], one[1] / one[0], eight[0], eight[1],
           eight[1] / eight[0], one[1] / eight[1], difference);
  }
  return 0;
}
