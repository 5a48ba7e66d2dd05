/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scaling.c -- the cost of large models: generation, compilation, creation, and steps.
 *
 *   bench_scaling [--largest M] FOLDER [GENERATOR [OPTION...]]
 *
 * Runs RATTLE on looped models of growing sizes with at most M constraints, next to a hand-written
 * step if there is one (by_hand.h).  Both are timed alternately, in processor time, round by round,
 * from the same state; the minimum of each counts.  The final states are compared, because a
 * comparison of times needs equal work.  Every size runs in a process of its own, so that the peak
 * memory is that of this size; it is read before the hand-written stepper begins.
 *
 * With GENERATOR, which is run as `GENERATOR generate MODEL OPTION... -o FOLDER` from the project's
 * root, generation and compilation of the models' C are timed as well.  Prints tables in Markdown,
 * and writes FOLDER/scaling.dat for examples/scaling.gp.  Exit code: 0, 2 for wrong usage, 3 if a
 * measurement failed.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "by_hand_parameters.h"
#include "common/processor.h"
#include "generating.h"
#include "measure.h"
#include "scaling_subjects.h"
#include "sidewinder/sim.h"
#include "water_box.h"

enum { ROUNDS = 5, PATH_BYTES = 4096 };

/* The general solver, and the generated steps of clusters, one at a time and in lanes. */
enum { GENERAL, CLUSTERS, IN_LANES, WAYS };

typedef struct one_case {
  const subject *subject;
  long size;
} one_case;

typedef struct measured {
  int constraints;
  double create;     /* seconds */
  double step[WAYS]; /* seconds per step of the runtime; NaN if not measured */
  double hand;       /* seconds per hand-written step; NaN if there is none */
  double hand_8;     /* the same, eight molecules at once */
  double iterations; /* Newton iterations per step */
  double hand_iterations;
  double memory;   /* bytes */
  double distance; /* of the two final states, relative to the largest position or momentum */
  char failure[512];
} measured;

/* The steppers of a case. */
typedef struct pair {
  sw_sim *sim[WAYS];
  by_hand_chain *chain;
  by_hand_water *water;
  by_hand_cost cost;
  size_t n;   /* 2d */
  double *z0; /* initial state of all rounds */
  double *z;  /* state of the hand-written stepper */
} pair;

static int has_hand(const pair *p)
{
  return p->chain != NULL || p->water != NULL;
}

static int run_hand(pair *p, double h, long steps)
{
  return p->chain != NULL ? by_hand_chain_run(p->chain, h, steps, p->z, &p->cost)
                          : by_hand_water_run(p->water, h, steps, p->z, &p->cost);
}

static void fail(measured *result, const char *what, const char *why)
{
  snprintf(result->failure, sizeof result->failure, "%s: %s", what, why);
}

/* The larger of max |difference of positions| / max |position| and the same for momenta. */
static double distance(const pair *p, const sw_sim *sim)
{
  const double *of_sim = sw_sim_state(sim);
  double far = 0.0;

  for (size_t half = 0; half < 2; half++) {
    double worst = 0.0;
    double largest = 0.0;
    for (size_t i = half * p->n / 2; i < (half + 1) * p->n / 2; i++) {
      worst = fmax(worst, fabs(p->z[i] - of_sim[i]));
      largest = fmax(largest, fabs(of_sim[i]));
    }
    far = fmax(far, worst / largest);
  }
  return far;
}

/* Times one kind of step.  The first step, in which the runtime checks the state, is not timed. */
static int time_way(pair *p, int way, double h, long steps, measured *result)
{
  sw_sim *sim = p->sim[way];

  if (sim == NULL) {
    return 0;
  }
  if (sw_sim_set_state(sim, 0.0, p->z0) != SW_OK || sw_sim_run(sim, h, 1, NULL, NULL) != SW_OK) {
    fail(result, "first step", sw_sim_message(sim));
    return 1;
  }
  const double t0 = seconds();
  if (sw_sim_run(sim, h, steps, NULL, NULL) != SW_OK) {
    fail(result, "run", sw_sim_message(sim));
    return 1;
  }
  const double step = (seconds() - t0) / (double)steps;
  if (way != GENERAL && sw_sim_stats(sim).fused_steps < steps) {
    fail(result, "run", "steps went the general way");
    return 1;
  }
  result->step[way] = fmin(isnan(result->step[way]) ? INFINITY : result->step[way], step);
  return 0;
}

static int time_hand_8(pair *p, double h, long steps, measured *result)
{
  const by_hand_water_model *model = p->water ? by_hand_water_model_of(p->water) : NULL;

  if (model == NULL || model->forces || !sw_processor_has(sw_stepper_water_box_8.processor)) {
    return 0;
  }
  memcpy(p->z, p->z0, p->n * sizeof(double));
  int bad = by_hand_water_run_8(model, h, 1, p->z);
  const double t0 = seconds();
  bad |= by_hand_water_run_8(model, h, steps, p->z);
  result->hand_8 =
      fmin(isnan(result->hand_8) ? INFINITY : result->hand_8, (seconds() - t0) / (double)steps);
  result->distance = fmax(result->distance, distance(p, p->sim[GENERAL]));
  return bad;
}

/* One round of all kinds of steps. */
static int run_round(pair *p, double h, long steps, measured *result)
{
  for (int way = 0; way < WAYS; way++) {
    if (time_way(p, way, h, steps, result)) {
      return 1;
    }
  }
  if (!has_hand(p)) {
    return 0;
  }
  memcpy(p->z, p->z0, p->n * sizeof(double));
  int bad = run_hand(p, h, 1);
  const double t1 = seconds();
  bad |= run_hand(p, h, steps);
  result->hand =
      fmin(isnan(result->hand) ? INFINITY : result->hand, (seconds() - t1) / (double)steps);
  for (int way = 0; way < WAYS && !bad; way++) {
    const double far = p->sim[way] ? distance(p, p->sim[way]) : 0.0;
    result->distance = fmax(isnan(result->distance) ? 0.0 : result->distance, far);
  }
  if (bad || time_hand_8(p, h, steps, result)) {
    fail(result, "by hand", "Newton's method did not converge");
    return 1;
  }
  return 0;
}

/* Creates the simulations with generated steps of clusters. */
static int create_others(const subject *s, const sw_options *like, pair *p)
{
  sw_options options = *like;
  sw_status status = SW_OK;

  options.stepper = s->stepper;
  for (int way = CLUSTERS; way < WAYS && s->stepper != NULL && status == SW_OK; way++) {
    options.lanes = way == IN_LANES ? s->lanes : NULL;
    status = sw_sim_create(s->model, &options, &p->sim[way]);
  }
  return status != SW_OK;
}

/* Creates all steppers; the runtime's memory is read after its first step. */
static int set_up(const one_case *c, double h, pair *p, measured *result)
{
  const sw_size sizes[] = {{.name = c->subject->size_name, .value = c->size},
                           {.name = c->subject->zero, .value = 0}};
  sw_options options;

  sw_options_init(&options);
  options.base = c->subject->base;
  options.n_sizes = c->subject->zero != NULL ? 2 : 1;
  options.sizes = sizes;
  const double start = seconds();
  const sw_status status = sw_sim_create(c->subject->model, &options, &p->sim[GENERAL]);
  sw_sim *sim = p->sim[GENERAL];
  result->create = seconds() - start;
  if (status != SW_OK) {
    fail(result, "create", sw_status_name(status));
    return 1;
  }
  result->constraints = sw_sim_nc(sim);
  p->n = 2 * (size_t)sw_sim_nq(sim);
  p->z0 = malloc(p->n * sizeof(double));
  p->z = malloc(p->n * sizeof(double));
  if (p->z0 == NULL || p->z == NULL) {
    fail(result, "set-up", "no memory");
    return 1;
  }
  memcpy(p->z0, sw_sim_state(sim), p->n * sizeof(double));
  if (sw_sim_run(sim, h, 1, NULL, NULL) != SW_OK) {
    fail(result, "first step", sw_sim_message(sim));
    return 1;
  }
  result->memory = peak_memory();
  if (create_others(c->subject, &options, p)) {
    fail(result, "create", "clusters");
    return 1;
  }
  p->chain = c->subject->by_hand == CHAIN_BY_HAND ? by_hand_chain_of(sim) : NULL;
  p->water =
      c->subject->by_hand == WATER_BY_HAND ? by_hand_water_of(sim, c->subject->zero == NULL) : NULL;
  if (c->subject->by_hand != NOTHING_BY_HAND && !has_hand(p)) {
    fail(result, "by hand", "no memory, or a parameter is missing");
    return 1;
  }
  return 0;
}

/* A task of in_own_process: one_case -> measured. */
static void measure(const void *argument, void *answer)
{
  const one_case *c = argument;
  measured *result = answer;
  const double h = c->subject->h_falls ? c->subject->h / (double)c->size : c->subject->h;
  pair p = {0};
  int bad = set_up(c, h, &p, result);

  if (!bad) {
    const long steps = (long)fmax(5.0, fmin(400.0, c->subject->work / result->constraints));
    for (int round = 0; round < ROUNDS && !bad; round++) {
      bad = run_round(&p, h, steps, result);
    }
    const sw_stats stats = sw_sim_stats(p.sim[GENERAL]);
    result->iterations = (double)stats.newton_iterations / (double)stats.steps;
    result->hand_iterations = (double)p.cost.iterations / (double)p.cost.steps;
  }
  by_hand_chain_free(p.chain);
  by_hand_water_free(p.water);
  free(p.z0);
  free(p.z);
  for (int way = 0; way < WAYS; way++) {
    sw_sim_free(&p.sim[way]);
  }
}

/* Prints a number, or a dash if it is NaN. */
static void cell(const char *format, double value)
{
  if (isnan(value)) {
    printf(" - |");
  } else {
    printf(format, value);
  }
}

static void print_row(const one_case *c, const measured *r, FILE *data)
{
  const double per = 1e9 / r->constraints;

  printf("| %s | %ld | %d |", c->subject->title, c->size, r->constraints);
  cell(" %.3g |", r->create);
  cell(" %.0f |", r->step[GENERAL] * per);
  cell(" %.0f |", r->hand * per);
  cell(" %.1f |", r->step[GENERAL] / r->hand);
  cell(" %.0f |", r->step[CLUSTERS] * per);
  cell(" %.2f |", r->step[CLUSTERS] / r->hand);
  cell(" %.0f |", r->step[IN_LANES] * per);
  cell(" %.0f |", r->hand_8 * per);
  cell(" %.2f |", r->step[IN_LANES] / r->hand_8);
  cell(" %.2f |", r->iterations);
  cell(" %.2f |", r->hand_iterations);
  cell(" %.3g |", r->memory / 1e6);
  cell(" %.0f |", r->memory / r->constraints);
  cell(" %.1e |", r->distance);
  printf("\n");
  fflush(stdout);
  fprintf(data, "%ld %d %.6g %.6g %.6g %.6g %.6g %.6g\n", c->size, r->constraints, r->create,
          r->step[GENERAL] * per, r->hand * per, r->iterations, r->memory, r->distance);
}

/* Prints the table of a subject.  Returns the number of cases that failed. */
static int measure_subject(const subject *s, double largest, FILE *data)
{
  int failures = 0;

  fprintf(data,
          "# %s\n# size constraints create/s ns_runtime ns_by_hand iterations bytes distance\n",
          s->title);
  for (int i = 0; i < MAX_CASES && s->sizes[i] > 0; i++) {
    const double n = (double)s->sizes[i];
    const one_case c = {s, s->sizes[i]};
    measured result = {.step = {NAN, NAN, NAN},
                       .hand = NAN,
                       .hand_8 = NAN,
                       .hand_iterations = NAN,
                       .distance = NAN};
    if ((s->square ? n * n : n) * s->constraints > largest) {
      continue;
    }
    if (in_own_process(measure, &c, &result, sizeof result) != 0) {
      fail(&result, "process", "did not come to its end");
    }
    if (result.failure[0] != '\0') {
      fprintf(stderr, "%s, %s = %ld: %s\n", s->title, s->size_name, c.size, result.failure);
      failures++;
      continue;
    }
    print_row(&c, &result, data);
  }
  fprintf(data, "\n\n");
  return failures;
}

static int measure_steps(const char *folder, double largest)
{
  char path[PATH_BYTES];
  int failures = 0;

  snprintf(path, sizeof path, "%s/scaling.dat", folder);
  FILE *data = fopen(path, "w");
  if (data == NULL) {
    fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
    return 1;
  }
  printf(
      "| model | size | constraints | create, s | ns | by hand, ns | ratio | clusters, ns | ratio "
      "| in lanes, ns | by hand, ns | ratio | iterations | by hand | peak, MB | bytes | distance "
      "|\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | "
      "---: | ---: | ---: | ---: | ---: |\n");
  for (const subject *s = subjects; s->title != NULL; s++) {
    failures += measure_subject(s, largest, data);
  }
  if (ferror(data) || fclose(data) != 0) {
    fprintf(stderr, "cannot write %s\n", path);
    failures++;
  }
  printf("\nSeconds and ns are processor time; ns: per constraint and step.  iterations: of "
         "Newton's method, per step.  bytes: per "
         "constraint.\n");
  return failures;
}

int main(int argc, char **argv)
{
  double largest = INFINITY;
  int failures = 0;
  int next = 1;

  if (argc > 2 && strcmp(argv[1], "--largest") == 0) {
    char *end = NULL;
    largest = strtod(argv[2], &end);
    next = *end == '\0' && largest > 0.0 ? 3 : argc;
  }
  if (next >= argc || argv[next][0] == '-' || argc - next > MAX_GENERATOR_OPTIONS) {
    fprintf(stderr, "usage: bench_scaling [--largest M] FOLDER [GENERATOR [OPTION...]]\n");
    return 2;
  }
  const char *folder = argv[next];
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    fprintf(stderr, "cannot make %s: %s\n", folder, strerror(errno));
    return 3;
  }
  if (next + 1 < argc) {
    failures += measure_generators(folder, argv + next + 1);
  }
  failures += measure_steps(folder, largest);
  return failures > 0 ? 3 : 0;
}
