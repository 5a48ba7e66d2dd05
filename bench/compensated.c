/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compensated.c -- how the rounding errors of the energy grow over long runs, with compensated summation and without.
 *
 * 64 trajectories of a model, with momenta of different sizes, are run side by side by the model's straight-line code.  The energy oscillates by far
 * more than its rounding errors, so it is averaged over blocks of steps, with weights exp(-1/(s(1-s))) for s from 0 to 1 along a
 * block, which leave nothing of oscillations.  What is shown is by how much the average of a block differs from that of the first
 * one, root mean square over the trajectories, and the largest |g| so far.  Brouwer's law is a slope of 1/2.
 *
 * Usage: compensated [STEPS [FOLDER]]: so many of the pendulum, and a tenth of hopf, whose steps take longer; into FOLDER/compensated.dat,
 * too, for examples/long_runs.gp
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compensated_steppers.h"
#include "hopf.h"
#include "measure.h"
#include "pendulum.h"
#include "sidewinder/batch.h"

enum { BLOCK = 20000, RUNS = 64, MOST = 8, MARKS = 32 };

typedef struct example {
  const sw_model *model;
  const sw_stepper *stepper[2]; /* plain, compensated */
  const sw_stepper *lanes[2][3];
  double h;
  long part; /* of the steps that are asked for, one in so many is taken */
} example;

/* What has been found after so many steps. */
typedef struct mark {
  long steps;
  double error;
  double mean;
  double largest_g;
} mark;

static void fail(const char *what, const char *why)
{
  fprintf(stderr, "compensated: %s: %s\n", what, why);
  exit(3);
}

/* From another initial state for each run: momenta of another size, moved onto M^H. */
static sw_batch *start(const example *e, int compensated)
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
      sw_batch_create(sim, RUNS, &batch) != SW_OK) {
    fail(e->model->name, sim ? "no memory" : sw_options_objection(e->model, &options));
  }
  const int d = sw_sim_nq(sim);
  memcpy(first, sw_sim_state(sim), 2 * (size_t)d * sizeof *first);
  for (int run = 0; run < RUNS; run++) {
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

static double energy(const example *e, sw_batch *batch, int run)
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

/* The average of each run over a block of steps, less its energy at the start, which keeps the sum's own rounding errors out. */
static void average(const example *e, sw_batch *batch, const double at_start[], double average[])
{
  double weights = 0.0;

  memset(average, 0, RUNS * sizeof *average);
  for (int n = 0; n < BLOCK; n++) {
    const double s = ((double)n + 0.5) / BLOCK;
    const double weight = exp(-1.0 / (s * (1.0 - s)));
    take_steps(batch, e->h, 1);
    weights += weight;
    for (int run = 0; run < RUNS; run++) {
      average[run] += weight * (energy(e, batch, run) - at_start[run]);
    }
  }
  for (int run = 0; run < RUNS; run++) {
    average[run] /= weights;
  }
}

static mark look(const example *e, sw_batch *batch, const double at_start[], const double first[],
                 long steps)
{
  mark m = {.steps = steps};
  double now[RUNS];

  average(e, batch, at_start, now);
  for (int run = 0; run < RUNS; run++) {
    m.error += (now[run] - first[run]) * (now[run] - first[run]) / RUNS;
    m.mean += (now[run] - first[run]) / RUNS;
    m.largest_g = fmax(m.largest_g, sw_batch_stats(batch, run).residual_g);
  }
  m.error = sqrt(m.error);
  return m;
}

/* Marks at 10^5 steps, and so on, half a power of ten apart; returns how many.  *taken: ns for a step of one trajectory. */
static int measure_runs(const example *e, int compensated, long steps, mark marks[], double *taken)
{
  sw_batch *batch = start(e, compensated);
  double at_start[RUNS];
  double first[RUNS];
  int n = 0;
  long made = BLOCK;

  for (int run = 0; run < RUNS; run++) {
    at_start[run] = energy(e, batch, run);
  }
  average(e, batch, at_start, first);
  *taken = 0.0;
  for (double at = 1e5; at <= 1.001 * (double)steps && n < MARKS; at *= sqrt(10.0)) {
    const long left = (long)(at + 0.5) - BLOCK - made;
    const double before = seconds();
    take_steps(batch, e->h, left);
    *taken += seconds() - before;
    made += left + BLOCK;
    marks[n++] = look(e, batch, at_start, first, made);
  }
  *taken *= 1e9 / ((double)(made - (n + 1L) * BLOCK) * RUNS);
  sw_batch_free(&batch);
  return n;
}

/* Of log error over log steps, by least squares. */
static double slope(int n, const mark marks[])
{
  double x = 0.0;
  double y = 0.0;
  double xx = 0.0;
  double xy = 0.0;

  for (int i = 0; i < n; i++) {
    const double u = log((double)marks[i].steps);
    const double v = log(marks[i].error);
    x += u / n;
    y += v / n;
    xx += u * u / n;
    xy += u * v / n;
  }
  return (xy - x * y) / (xx - x * x);
}

static void compare(const example *e, long steps, FILE *file)
{
  mark marks[2][MARKS];
  double taken[2];
  int n = 0;

  for (int compensated = 0; compensated < 2; compensated++) {
    n = measure_runs(e, compensated, steps, marks[compensated], &taken[compensated]);
  }
  printf("%s over %s, h = %g, error of the energy and largest |g|\n", e->model->name,
         e->stepper[0]->base, e->h);
  printf("  %10s  %8s %8s %8s    %8s %8s %8s\n", "steps", "plain", "mean", "|g|", "compens.",
         "mean", "|g|");
  for (int i = 0; i < n; i++) {
    const mark *a = &marks[0][i];
    const mark *b = &marks[1][i];
    printf("  %10ld  %8.1e %8.0e %8.1e    %8.1e %8.0e %8.1e\n", a->steps, a->error, a->mean,
           a->largest_g, b->error, b->mean, b->largest_g);
    if (file) {
      fprintf(file, "%ld %.3e %.3e %.3e %.3e\n", a->steps, a->error, a->largest_g, b->error,
              b->largest_g);
    }
  }
  printf("  slopes %.2f and %.2f; compensated steps take %.2f times the time\n", slope(n, marks[0]),
         slope(n, marks[1]), taken[1] / taken[0]);
  fflush(stdout);
  if (file) {
    fprintf(file, "\n\n");
  }
}

static FILE *open_data(const char *folder)
{
  char path[4096];

  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    fail(folder, strerror(errno));
  }
  if (snprintf(path, sizeof path, "%s/compensated.dat", folder) >= (int)sizeof path) {
    fail(folder, "the name is too long");
  }
  FILE *file = fopen(path, "w");
  if (!file) {
    fail(path, strerror(errno));
  }
  fprintf(file, "# steps, error of the energy, |g|, and both with compensated summation\n");
  return file;
}

#define EXAMPLE(model, h, part)                                                                    \
  {                                                                                                \
    &sw_model_##model, {&sw_stepper_##model, &sw_stepper_##model##_compensated},                   \
        {{&sw_stepper_##model##_4, &sw_stepper_##model##_8, NULL},                                 \
         {&sw_stepper_##model##_compensated_4, &sw_stepper_##model##_compensated_8, NULL}},        \
        h, part                                                                                    \
  }

int main(int argc, char **argv)
{
  const long steps = argc > 1 ? atol(argv[1]) : 1000000;
  static const example examples[] = {EXAMPLE(pendulum, 0.05, 1), EXAMPLE(hopf, 0.02, 10)};

  if (steps < 50 * BLOCK) {
    fprintf(stderr, "compensated: at least %d steps\n", 50 * BLOCK);
    return 2;
  }
  FILE *file = argc > 2 ? open_data(argv[2]) : NULL;
  for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
    compare(&examples[i], steps / examples[i].part, file);
  }
  if (file && fclose(file) != 0) {
    fail(argv[2], strerror(errno));
  }
  return 0;
}
