/* SPDX-License-Identifier: BSD-3-Clause */
#include "growth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "sidewinder/batch.h"

enum { MOST = 8 };

static void fail(const char *what, const char *why)
{
  fprintf(stderr, "growth: %s: %s\n", what, why);
  exit(3);
}

/* A batch with a different initial state for each run: scaled momenta, projected onto M^H. */
static sw_batch *start(const growth_example *e, int compensated)
{
  sw_options options;
  sw_sim *sim = NULL;
  sw_batch *batch = NULL;
  double first[MOST];
  double z[MOST];

  sw_options_init(&options);
  options.stepper = e->stepper[compensated];
  options.lanes = e->lanes[compensated];
  options.base = options.stepper->base;
  options.solver = "fused";
  options.compensated = compensated;
  if (sw_sim_create(e->model, &options, &sim) != SW_OK ||
      sw_batch_create(sim, GROWTH_RUNS, &batch) != SW_OK) {
    fail(e->model->name, sim ? "no memory" : sw_options_objection(e->model, &options));
  }
  const int d = sw_sim_nq(sim);
  memcpy(first, sw_sim_state(sim), 2 * (size_t)d * sizeof *first);
  for (int run = 0; run < GROWTH_RUNS; run++) {
    for (int i = 0; i < 2 * d; i++) {
      z[i] = first[i] * (i < d ? 1.0 : 1.0 - 0.0047 * run);
    }
    if (sw_sim_set_state(sim, 0.0, z) != SW_OK || sw_sim_project(sim) != SW_OK) {
      fail(e->model->name, sw_sim_message(sim));
    }
    sw_batch_put(batch, run, sim);
  }
  sw_sim_free(&sim);
  return batch;
}

static void take_steps(sw_batch *batch, double h, long steps)
{
  if (steps > 0 && sw_batch_run(batch, h, steps) != SW_OK) {
    fail("a run", "a step failed");
  }
}

static double energy(const growth_example *e, sw_batch *batch, int run)
{
  const double *all = sw_batch_states(batch);
  const int lanes = sw_batch_lanes(batch);
  const int dim = 2 * e->model->n_coordinates;
  double z[MOST];
  double k[MOST];
  double H = 0.0;

  e->model->parameter_values(NULL, k);
  for (int i = 0; i < dim; i++) {
    z[i] = all[(run / lanes * dim + i) * lanes + run % lanes];
  }
  e->model->hamiltonian(NULL, z, k, &H);
  return H;
}

/* The average energy of each run over a block of steps, minus its energy at the start, so that
 * the sum itself has small rounding errors. */
static void average(const growth_example *e, sw_batch *batch, const double at_start[],
                    double average[])
{
  double weights = 0.0;

  memset(average, 0, GROWTH_RUNS * sizeof *average);
  for (int n = 0; n < GROWTH_BLOCK; n++) {
    const double s = ((double)n + 0.5) / GROWTH_BLOCK;
    const double weight = exp(-1.0 / (s * (1.0 - s)));
    take_steps(batch, e->h, 1);
    weights += weight;
    for (int run = 0; run < GROWTH_RUNS; run++) {
      average[run] += weight * (energy(e, batch, run) - at_start[run]);
    }
  }
  for (int run = 0; run < GROWTH_RUNS; run++) {
    average[run] /= weights;
  }
}

static growth_mark look(const growth_example *e, sw_batch *batch, const double at_start[],
                        const double first[], long steps)
{
  growth_mark m = {.steps = steps};
  double now[GROWTH_RUNS];

  average(e, batch, at_start, now);
  for (int run = 0; run < GROWTH_RUNS; run++) {
    m.error += (now[run] - first[run]) * (now[run] - first[run]) / GROWTH_RUNS;
    m.mean += (now[run] - first[run]) / GROWTH_RUNS;
    m.largest_g = fmax(m.largest_g, sw_batch_stats(batch, run).residual_g);
  }
  m.error = sqrt(m.error);
  return m;
}

int growth_measure(const growth_example *e, int compensated, long steps, growth_mark marks[],
                   double *taken)
{
  sw_batch *batch = start(e, compensated);
  double at_start[GROWTH_RUNS];
  double first[GROWTH_RUNS];
  int n = 0;
  long made = GROWTH_BLOCK;

  for (int run = 0; run < GROWTH_RUNS; run++) {
    at_start[run] = energy(e, batch, run);
  }
  average(e, batch, at_start, first);
  *taken = 0.0;
  for (double at = 1e5; at <= 1.001 * (double)steps && n < GROWTH_MARKS; at *= sqrt(10.0)) {
    const long left = (long)(at + 0.5) - GROWTH_BLOCK - made;
    const double before = seconds();
    take_steps(batch, e->h, left);
    *taken += seconds() - before;
    made += left + GROWTH_BLOCK;
    marks[n++] = look(e, batch, at_start, first, made);
  }
  *taken *= 1e9 / ((double)(made - (n + 1L) * GROWTH_BLOCK) * GROWTH_RUNS);
  sw_batch_free(&batch);
  return n;
}
