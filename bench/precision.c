/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precision.c -- work-precision data of the methods: errors of the final positions and of H along
 * the run, against processor time.  Covers all methods that a model supports, and the alternatives
 * in rivals.h.
 *
 *   bench_precision FOLDER
 *
 * writes FOLDER/MODEL.dat, a block of lines "time error energy" for each method, and prints a table
 * of the cheapest methods.  All are timed in one run and the minimum of several times counts, so
 * ratios are fair on a noisy machine.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain6.h"
#include "double_pendulum.h"
#include "hopf.h"
#include "index1.h"
#include "lj7.h"
#include "measure.h"
#include "pendulum.h"
#include "program/advise.h"
#include "rivals.h"
#include "sim/sim_internal.h"
#include "spherical.h"
#include "two_constraints.h"

enum { most_z = 64, most_ways = 40, levels = 11, times = 3, best = 3 };

/* Time limit of a run in seconds; longer runs give no useful data. */
static const double longest = 0.3;

typedef struct subject {
  const sw_model *model;
  int init;
  double t_end;
  double step; /* the largest step size, t_end / n for an integer n; tolerances begin at 1e-2 */
} subject;

static const subject subjects[] = {{&sw_model_pendulum, 0, 20.0, 0.5},
                                   {&sw_model_hopf, 2, 20.0, 0.5},
                                   {&sw_model_chain6, 0, 4.0, 0.1},
                                   {&sw_model_lj7, 0, 20.0, 0.4}};

typedef struct way {
  char name[64];
  const char *method; /* NULL for a rival */
  const char *base;
  const char *compose;
  rival *rival;
  int n;
  double time[levels];
  double error[levels];
  double energy[levels];
} way;

/* ---- methods and rivals ---- */

static void add(const subject *s, way ways[], int *n, const char *method, const char *base,
                const char *compose)
{
  sw_options options;
  way *w = &ways[*n];

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.compose = compose;
  if (*n == most_ways || sw_options_objection(s->model, &options)[0] != '\0') {
    return;
  }
  *w = (way){.method = method, .base = base, .compose = compose};
  const char *of = strcmp(compose, "none") != 0 ? compose : base;
  const int told = of && strncmp(of, method, strlen(method)) == 0; /* as for lobatto-4 */
  snprintf(w->name, sizeof w->name, "%s%s%s", told ? "" : method, of && !told ? " " : "",
           of ? of : "");
  (*n)++;
}

static int find_ways(const subject *s, way ways[])
{
  int n = 0;

  for (const char *const *method = sw_method_names(); *method; method++) {
    if (strcmp(*method, "rattle") == 0) {
      add(s, ways, &n, *method, "verlet", "none");
      add(s, ways, &n, *method, "midpoint", "none");
      for (const char *const *compose = sw_composition_names() + 1; *compose; compose++) {
        add(s, ways, &n, *method, "verlet", *compose);
      }
    } else if (strcmp(*method, "lobatto") == 0) {
      add(s, ways, &n, *method, "lobatto-4", "none");
      add(s, ways, &n, *method, "lobatto-6", "none");
    } else {
      add(s, ways, &n, *method, NULL, "none");
    }
  }
  ways[n++] = (way){.name = "IDA", .rival = rival_ida};
  if (s->model == &sw_model_pendulum) {
    ways[n++] = (way){.name = "CVODE, angle", .rival = rival_cvode_pendulum};
  }
  return n;
}

/* ---- one run ---- */

typedef struct watcher {
  sw_sim *sim; /* evaluates H */
  double H0;
  double largest;
} watcher;

static void watch(void *user, const double z[])
{
  watcher *w = user;
  const sw_system *system = w->sim->system;
  double H = NAN;

  system->hamiltonian(system, z, w->sim->k, &H);
  w->largest = fmax(w->largest, fabs(H - w->H0) / fabs(w->H0));
}

static int watch_step(const sw_sim *sim, long step, void *user)
{
  (void)step;
  watch(user, sw_sim_state(sim));
  return 0;
}

static sw_sim *open_sim(const subject *s, const way *w, double z[])
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.solver = "kinsol"; /* the same solver for all methods */
  options.method = w->method ? w->method : "rattle";
  options.base = w->base;
  options.compose = w->compose ? w->compose : "none";
  if (sw_sim_create(s->model, &options, &sim) != SW_OK) {
    fprintf(stderr, "%s, %s: no simulation\n", s->model->name, w->name);
    exit(1);
  }
  s->model->init[s->init].state(NULL, sw_sim_parameters(sim), z);
  (void)sw_sim_set_state(sim, 0.0, z);
  return sim;
}

/* Integrates z to t_end; the result is in z.  Level 0 has the largest step size or tolerance.
 * Returns 1 on success. */
static int go(const subject *s, const way *w, sw_sim *sim, int level, double z[], watcher *watched)
{
  const size_t dim = 2 * (size_t)sw_sim_nq(sim);

  if (w->rival) {
    return w->rival(sim->system, sim->k, s->t_end, pow(10.0, -2 - level), z, watched ? watch : NULL,
                    watched) == 0;
  }
  const double h = ldexp(s->step, -level);
  (void)sw_sim_set_state(sim, 0.0, z);
  const sw_status status =
      sw_sim_run(sim, h, lround(s->t_end / h), watched ? watch_step : NULL, watched);
  memcpy(z, sw_sim_state(sim), dim * sizeof *z);
  return status == SW_OK;
}

/* ---- measurements ---- */

static double distance(int d, const double a[], const double b[])
{
  double largest = 0.0;
  double size = 0.0;

  for (int i = 0; i < d; i++) {
    largest = fmax(largest, fabs(a[i] - b[i]));
    size = fmax(size, fabs(b[i]));
  }
  return largest / size;
}

static void measure(const subject *s, way *w, const double reference[])
{
  double start[most_z];
  double z[most_z];
  sw_sim *sim = open_sim(s, w, start);
  const size_t bytes = 2 * (size_t)sw_sim_nq(sim) * sizeof *z;
  watcher watched = {.sim = sim};
  int late = 0;

  sw_sim_hamiltonian(sim, &watched.H0);
  for (int level = 0; level < levels && !late; level++) {
    double shortest = INFINITY;
    int good = 1;
    for (int i = 0; i < times && good && !late; i++) {
      memcpy(z, start, bytes);
      const double t0 = seconds();
      good = go(s, w, sim, level, z, NULL);
      shortest = fmin(shortest, seconds() - t0);
      late = shortest > longest;
    }
    if (good) {
      w->time[w->n] = shortest;
      w->error[w->n] = distance(sw_sim_nq(sim), z, reference);
      watched.largest = 0.0;
      memcpy(z, start, bytes);
      (void)go(s, w, sim, level, z, &watched);
      w->energy[w->n++] = watched.largest;
    }
  }
  sw_sim_free(&sim);
}

/* Computes the end point by a composition of order 8.  Returns its distance from the result with
 * twice the step size. */
static double find_reference(const subject *s, double reference[])
{
  const way fine = {
      .name = "reference", .method = "rattle", .base = "verlet", .compose = "kahan-li-8"};
  double coarse[most_z];
  sw_sim *sim = open_sim(s, &fine, coarse);
  const int d = sw_sim_nq(sim);

  memcpy(reference, coarse, 2 * (size_t)d * sizeof *coarse);
  if (!go(s, &fine, sim, 5, coarse, NULL) || !go(s, &fine, sim, 6, reference, NULL)) {
    fprintf(stderr, "%s: no reference: %s\n", s->model->name, sw_sim_message(sim));
    exit(1);
  }
  sw_sim_free(&sim);
  return distance(d, coarse, reference);
}

/* The time for a given error, interpolated between two measurements by a power law; infinite if
 * the error was not reached. */
static double cost(const way *w, double error)
{
  for (int i = 0; i < w->n; i++) {
    if (w->error[i] <= error && (i == 0 || w->error[i - 1] <= error)) {
      return w->time[i];
    }
    if (w->error[i] <= error) {
      const double part = log(error / w->error[i - 1]) / log(w->error[i] / w->error[i - 1]);
      return w->time[i - 1] * pow(w->time[i] / w->time[i - 1], part);
    }
  }
  return INFINITY;
}

/* ---- advice ---- */

/* Prints the proposal of `advise` for an error, the resulting error, and the time of its pilot
 * runs and the run, relative to the cheapest method for this error. */
static void print_advised(const subject *s, const way ways[], int n, double error,
                          const double reference[])
{
  double z[most_z];
  const way any = {.name = "advice"};
  sw_sim *sim = open_sim(s, &any, z);
  sw_advice advice = {.k = sim->k,
                      .z = sim->state.z,
                      .redundant = "error",
                      .t_end = s->t_end,
                      .error = error,
                      .first = s->step / 4.0};
  double least = INFINITY;

  if (sw_advise(sim->system, &advice) != SW_OK || advice.best < 0) {
    printf("| `%s` | %.0e | none | | |\n", s->model->name, error);
    sw_sim_free(&sim);
    return;
  }
  const sw_way *chosen = &advice.way[advice.best];
  const way taken = {
      .name = "advice", .method = chosen->method, .base = chosen->base, .compose = chosen->compose};
  sw_sim *run = open_sim(s, &taken, z);
  const long steps = (long)ceil(s->t_end / chosen->step);
  const double start = seconds();
  const sw_status status = sw_sim_run(run, s->t_end / (double)steps, steps, NULL, NULL);
  const double time = seconds() - start;
  const double found = distance(sw_sim_nq(sim), sw_sim_state(run), reference);
  for (int i = 0; i < n; i++) {
    least = fmin(least, cost(&ways[i], error));
  }
  printf("| `%s` | %.0e | %s %s, h = %.2g | %.1e | %.2f + %.2f |\n", s->model->name, error,
         chosen->method, strcmp(chosen->compose, "none") != 0 ? chosen->compose : chosen->base,
         s->t_end / (double)steps, status == SW_OK ? found : INFINITY, advice.seconds / least,
         time / least);
  sw_sim_free(&run);
  sw_sim_free(&sim);
}

/* ---- results ---- */

static void write_data(const char *folder, const subject *s, const way ways[], int n,
                       double round_off)
{
  char path[512];

  snprintf(path, sizeof path, "%s/%s.dat", folder, s->model->name);
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  for (int i = 0; i < n; i++) {
    fprintf(file, "\"%s\"\n", ways[i].name);
    for (int j = 0; j < ways[i].n; j++) {
      fprintf(file, "%.3e %.3e %.3e\n", ways[i].time[j], fmax(ways[i].error[j], round_off),
              fmax(ways[i].energy[j], 1e-16));
    }
    fprintf(file, "\n\n");
  }
  fclose(file);
}

static void print_ratio(const way ways[], int n, const char *name, double error, double least)
{
  for (int i = 0; i < n; i++) {
    if (strcmp(ways[i].name, name) == 0 && isfinite(cost(&ways[i], error))) {
      printf(" %.1f |", cost(&ways[i], error) / least);
      return;
    }
  }
  printf(" - |");
}

/* Prints the cheapest methods, with their cost relative to the minimum. */
static void print_row(const subject *s, const way ways[], int n, double error)
{
  int used[most_ways] = {0};
  double least = 0.0;

  printf("| `%s` | %.0e |", s->model->name, error);
  for (int place = 0; place < best; place++) {
    int found = -1;
    for (int i = 0; i < n; i++) {
      if (!used[i] && (found < 0 || cost(&ways[i], error) < cost(&ways[found], error))) {
        found = i;
      }
    }
    const double time = cost(&ways[found], error);
    used[found] = 1;
    if (place == 0) {
      least = time;
      printf(" %s, %.2g ms |", ways[found].name, 1e3 * time);
    } else if (isfinite(time)) {
      printf(" %s %.1f%s", ways[found].name, time / least, place + 1 < best ? "," : " |");
    } else {
      printf(place + 1 < best ? " -," : " |");
    }
  }
  print_ratio(ways, n, "rattle verlet", error, least);
  print_ratio(ways, n, "IDA", error, least);
  printf("\n");
}

/* Tests models that were not used to tune `advise`. */
static void check_advice(way ways[])
{
  static const subject unseen[] = {{&sw_model_spherical, 0, 100.0, 0.5},
                                   {&sw_model_two_constraints, 0, 100.0, 0.5},
                                   {&sw_model_double_pendulum, 0, 8.0, 0.25},
                                   {&sw_model_index1, 0, 100.0, 0.5}};
  static const double errors[] = {1e-3, 1e-5, 1e-7, 1e-9};

  printf("\n| model | error asked for | advice | error found | cost of pilots + run |\n"
         "| --- | --- | --- | --- | ---: |\n");
  for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
    double reference[most_z];
    (void)find_reference(&unseen[i], reference);
    const int n = find_ways(&unseen[i], ways);
    for (int w = 0; w < n; w++) {
      measure(&unseen[i], &ways[w], reference);
    }
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
      print_advised(&unseen[i], ways, n, errors[e], reference);
    }
  }
}

int main(int argc, char **argv)
{
  static const double errors[] = {1e-3, 1e-6, 1e-9};
  static way ways[most_ways + 2];

  if (argc != 2) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  printf("| model | error of q | least | next | `rattle` over `verlet` | IDA |\n"
         "| --- | --- | --- | --- | ---: | ---: |\n");
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
    const subject *s = &subjects[i];
    double reference[most_z];
    const double round_off = find_reference(s, reference);
    const int n = find_ways(s, ways);
    for (int w = 0; w < n; w++) {
      measure(s, &ways[w], reference);
    }
    write_data(argv[1], s, ways, n, round_off);
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
      print_row(s, ways, n, errors[e]);
    }
    fprintf(stderr, "%s: the reference is known to %.1e\n", s->model->name, round_off);
  }
  check_advice(ways);
  return 0;
}
