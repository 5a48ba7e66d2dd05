/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compensated.c -- how the rounding errors of the energy grow, with compensated summation and without.
 *
 * The energy oscillates by far more than its rounding errors, so it is averaged over blocks of steps, with weights exp(-1/(s(1-s))) for s
 * from 0 to 1 along a block, which leave nothing of oscillations; what is printed is by how much the average of a block differs
 * from that of the first one, root mean square over runs from several initial states.
 *
 * Usage: compensated [STEPS]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hopf.h"
#include "measure.h"
#include "pendulum.h"
#include "sidewinder/sim.h"

enum { BLOCK = 20000, RUNS = 6, MARKS = 3, MOST = 8 };

static void fail(const sw_sim *sim, const char *what)
{
  fprintf(stderr, "%s: %s\n", what, sim ? sw_sim_message(sim) : "no simulation");
  exit(3);
}

/* From another initial state for each run: momenta of another size, moved onto M^H. */
static sw_sim *start(const sw_model *model, const char *base, int compensated, int run)
{
  sw_options options;
  sw_sim *sim = NULL;
  double z[MOST];

  sw_options_init(&options);
  options.base = base;
  options.compensated = compensated;
  if (sw_sim_create(model, &options, &sim) != SW_OK) {
    fail(NULL, model->name);
  }
  const int d = sw_sim_nq(sim);
  memcpy(z, sw_sim_state(sim), 2 * (size_t)d * sizeof *z);
  for (int i = d; i < 2 * d; i++) {
    z[i] *= 1.0 - 0.05 * run;
  }
  if (sw_sim_set_state(sim, 0.0, z) != SW_OK || sw_sim_project(sim) != SW_OK) {
    fail(sim, model->name);
  }
  return sim;
}

/* Of the energy less that at the start, which keeps the sum's own rounding errors out. */
typedef struct mean {
  double start;
  double sum;
  double weights;
} mean;

static int add_energy(const sw_sim *sim, long step, void *user)
{
  mean *m = user;
  double H = 0.0;
  const sw_model *model = sw_sim_model(sim);

  if (step > 0) {
    const double s = ((double)step - 0.5) / BLOCK;
    const double weight = exp(-1.0 / (s * (1.0 - s)));
    model->hamiltonian(NULL, sw_sim_state(sim), sw_sim_parameters(sim), &H);
    m->sum += weight * (H - m->start);
    m->weights += weight;
  }
  return 0;
}

static double block_average(sw_sim *sim, double h, double energy)
{
  mean m = {energy, 0.0, 0.0};

  if (sw_sim_run(sim, h, BLOCK, add_energy, &m) != SW_OK) {
    fail(sim, "a run");
  }
  return m.sum / m.weights;
}

/* Squares of the errors behind an eighth, a half, and all of the steps are added to error[]. */
static void measure_run(const sw_model *model, const char *base, int compensated, int run, double h,
                        long steps, double error[MARKS])
{
  static const double part[MARKS] = {0.125, 0.5, 1.0};
  sw_sim *sim = start(model, base, compensated, run);
  double energy = 0.0;

  sw_sim_hamiltonian(sim, &energy);
  const double first = block_average(sim, h, energy);
  long made = BLOCK;
  for (int i = 0; i < MARKS; i++) {
    const long left = (long)(part[i] * (double)steps) - BLOCK - made;
    if (left > 0 && sw_sim_run(sim, h, left, NULL, NULL) != SW_OK) {
      fail(sim, model->name);
    }
    made += left > 0 ? left + BLOCK : BLOCK;
    const double grown = block_average(sim, h, energy) - first;
    error[i] += grown * grown / RUNS;
  }
  sw_sim_free(&sim);
}

static void compare(const sw_model *model, const char *base, double h, long steps)
{
  double taken[2] = {0.0, 0.0};

  for (int compensated = 0; compensated < 2; compensated++) {
    double error[MARKS] = {0.0};
    const double before = seconds();
    for (int run = 0; run < RUNS; run++) {
      measure_run(model, base, compensated, run, h, steps, error);
    }
    taken[compensated] = seconds() - before;
    printf("  %-9s %-12s h = %-5g", model->name, compensated ? "compensated" : "without", h);
    for (int i = 0; i < MARKS; i++) {
      printf("  %8.1e", sqrt(error[i]));
    }
    printf("\n");
    fflush(stdout);
  }
  printf("  %-9s takes %.1f times the time with it\n", model->name, taken[1] / taken[0]);
}

int main(int argc, char **argv)
{
  const long steps = argc > 1 ? atol(argv[1]) : 1000000;

  if (steps < 10 * BLOCK) {
    fprintf(stderr, "compensated: at least %d steps\n", 10 * BLOCK);
    return 2;
  }
  printf("error of the energy after %ld, %ld and %ld steps\n", steps / 8, steps / 2, steps);
  compare(&sw_model_pendulum, "verlet", 0.05, steps);
  compare(&sw_model_hopf, "verlet", 0.02, steps);
  return 0;
}
