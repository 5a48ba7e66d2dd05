/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.c -- steps of one large system by several threads (sw_options.threads), against steps by
 * one thread.
 *
 * Usage: bench_threads [THREADS [SHARE]]
 *
 * RATTLE over Stormer-Verlet for the models of `bench_scaling` at SHARE times their largest sizes.
 * Each number of threads, 1, 2, 4 ... up to THREADS (2), has its own simulation.  The simulations
 * take turns for ROUNDS rounds; the results are medians of wall-clock times, so they are
 * meaningless on a busy machine.  After each turn all states must be equal bit for bit.
 *
 * In the same rounds, "apart" runs one simulation per thread, each smaller by the number of
 * threads.  These threads do not synchronise, so their speed-up is the limit of the machine.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "chain.h"
#include "sidewinder/sim.h"
#include "water_box.h"

enum { ROUNDS = 9, MOST = 8 };

typedef struct subject {
  const char *title;
  const sw_model *model;
  const char *size_name;
  long size;
  int has_forces; /* 1: the model has the size "forces", which is set to 0 */
  double h;       /* step size for `size` */
  int h_falls;    /* 1: h is divided by the size */
  int steps;
  const sw_stepper *stepper; /* for clusters, also with 4 and 8 lanes; NULL: general solver */
} subject;

static const sw_stepper *const lanes[] = {&sw_stepper_water_box_4, &sw_stepper_water_box_8, NULL};

static const subject subjects[] = {
    {"water_box, no forces, clusters in lanes", &sw_model_water_box, "W", 100000, 1, 1e-3, 0, 4,
     &sw_stepper_water_box},
    {"water_box, no forces", &sw_model_water_box, "W", 100000, 1, 1e-3, 0, 4, NULL},
    {"chain", &sw_model_chain, "N", 1000000, 0, 0.064, 1, 2, NULL}};

static double now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a;
  const double y = *(const double *)b;

  return (x > y) - (x < y);
}

static double median(const double times[ROUNDS])
{
  double sorted[ROUNDS];

  memcpy(sorted, times, sizeof sorted);
  qsort(sorted, ROUNDS, sizeof *sorted, by_size);
  return sorted[ROUNDS / 2];
}

static sw_sim *make(const subject *s, long size, int threads)
{
  const sw_size sizes[] = {{.name = s->size_name, .value = size}, {.name = "forces", .value = 0}};
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.n_sizes = s->has_forces ? 2 : 1;
  options.sizes = sizes;
  options.threads = threads;
  options.stepper = s->stepper;
  options.lanes = s->stepper ? lanes : NULL;
  if (sw_sim_create(s->model, &options, &sim) != SW_OK) {
    return NULL;
  }
  return sim;
}

/* Independent simulations, each with its own thread. */
typedef struct apart {
  int n;
  sw_sim *sim[MOST];
  double h[MOST];
  int steps;
  double times[ROUNDS];
} apart;

typedef struct one {
  const apart *of;
  int i;
} one;

static void *run_one(void *context)
{
  const one *o = context;

  return sw_sim_run(o->of->sim[o->i], o->of->h[o->i], o->of->steps, NULL, NULL) == SW_OK ? NULL
                                                                                         : context;
}

/* Takes the steps of all simulations in parallel.  Returns 0 if a step fails. */
static int run_apart(const apart *all)
{
  pthread_t thread[MOST];
  one each[MOST];
  int started = 0;
  int good = 1;

  for (int i = 0; i < all->n; i++) {
    each[i] = (one){all, i};
  }
  while (started + 1 < all->n && good) {
    good = pthread_create(&thread[started], NULL, run_one, &each[started + 1]) == 0;
    started += good;
  }
  good &= run_one(&each[0]) == NULL;
  for (int i = 0; i < started; i++) {
    void *bad = NULL;
    good &= pthread_join(thread[i], &bad) == 0 && bad == NULL;
  }
  return good;
}

/* Runs the turns of all simulations.  Returns 0 if a step fails or the states differ. */
static int take_turns(sw_sim *const sim[], int count, double h, int steps, double times[][ROUNDS],
                      apart *others)
{
  for (int round = -1; round < ROUNDS; round++) { /* the first round is a warm-up */
    const double start = now();
    if (others->n > 1 && !run_apart(others)) {
      return 0;
    }
    if (round >= 0) {
      others->times[round] = (now() - start) / others->steps;
    }
    for (int i = 0; i < count; i++) {
      const double before = now();
      const sw_status status = sw_sim_run(sim[i], h, steps, NULL, NULL);
      const double after = now();
      const size_t bytes = (size_t)sw_sim_n_state(sim[i]) * sizeof(double);
      if (status != SW_OK) {
        fprintf(stderr, "%s\n", sw_sim_message(sim[i]));
        return 0;
      }
      if (memcmp(sw_sim_state(sim[i]), sw_sim_state(sim[0]), bytes) != 0) {
        fprintf(stderr, "the states differ\n");
        return 0;
      }
      if (round >= 0) {
        times[i][round] = (after - before) / steps;
      }
    }
  }
  return 1;
}

static double step_of(const subject *s, long size)
{
  return s->h_falls ? s->h / (double)size : s->h;
}

/* Creates the simulations.  Returns 0 if there is no memory. */
static int make_apart(const subject *s, long size, int n, apart *all)
{
  *all = (apart){.n = n, .steps = s->steps};
  for (int i = 0; i < n && n > 1; i++) {
    all->sim[i] = make(s, size / n, 1);
    all->h[i] = step_of(s, size / n);
    if (all->sim[i] == NULL) {
      return 0;
    }
  }
  return 1;
}

static int measure(const subject *s, int most, double share)
{
  const long size = (long)(share * (double)s->size);
  const double h = step_of(s, size);
  apart others = {.n = 0};
  sw_sim *sim[MOST] = {NULL};
  double times[MOST][ROUNDS];
  int count = 0;
  int good = 1;

  for (int threads = 1; threads <= most && count < MOST && good; threads *= 2) {
    sim[count] = make(s, size, threads);
    good = sim[count++] != NULL;
  }
  const int last = 1 << (count - 1);
  good = good && make_apart(s, size, last < MOST ? last : MOST, &others) &&
         take_turns(sim, count, h, s->steps, times, &others);
  for (int i = 0; i < count && good; i++) {
    const double per = median(times[i]) / sw_sim_nc(sim[i]);
    printf("| %s | %ld | %d | %.1f | %.2f |\n", s->title, size, 1 << i, 1e9 * per,
           median(times[0]) / median(times[i]));
  }
  if (good && others.n > 1) {
    const double at_once = median(others.times);
    const int m = sw_sim_nc(others.sim[0]) * others.n;
    printf("| %s, apart | %d times %ld | %d | %.1f | %.2f |\n", s->title, others.n, size / others.n,
           others.n, 1e9 * at_once / m, median(times[0]) / sw_sim_nc(sim[0]) * m / at_once);
  }
  fflush(stdout);
  for (int i = 0; i < count; i++) {
    sw_sim_free(&sim[i]);
  }
  for (int i = 0; i < others.n; i++) {
    sw_sim_free(&others.sim[i]);
  }
  return good;
}

int main(int argc, char **argv)
{
  const int most = argc > 1 ? atoi(argv[1]) : 2;
  const double share = argc > 2 ? strtod(argv[2], NULL) : 1.0;
  int good = most >= 1 && share > 0.0 && share <= 1.0;

  printf("| model | size | threads | ns per constraint and step | ratio |\n"
         "| --- | ---: | ---: | ---: | ---: |\n");
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects && good; i++) {
    good = measure(&subjects[i], most, share);
  }
  return good ? 0 : 1;
}
