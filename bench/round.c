/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * round.c -- one round of the table of bench/rivals/: every kind of RATTLE step of ours, the
 * hand-written step, and SUNDIALS IDA.
 *
 *   bench_round              prints a line "subject <tab> way <tab> ns <tab> residual" for each
 *   bench_round FOLDER       writes initial states, and states after some steps, of systems of
 *                            bonds
 *                            as FOLDER/NAME.start (starts.h), and compares the hand-written steps
 *                            of small models with ours
 *
 * ns: processor time of a step of one trajectory, without forces for chains and water.  residual:
 * max |g_i| at the end, in units of the squared length of the shortest bond for chains and water.
 * IDA chooses its own steps.  It gets the largest of the tolerances 1e-3, 1e-4, ... with which its
 * final positions are as accurate as those of RATTLE; its time is divided by the number of RATTLE
 * steps.  A round is short; the calling program takes medians of many.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_hand_parameters.h"
#include "by_hand_small.h"
#include "chain6.h"
#include "common/processor.h"
#include "hopf.h"
#include "measure.h"
#include "pendulum.h"
#include "rivals.h"
#include "sidewinder/batch.h"
#include "sim/sim_internal.h"
#include "starts.h"

enum { most_z = 24, most_lanes = 8, least_tolerance = 12 };

/* ---- small and large models ---- */

static void print(const char *subject, const char *way, double ns, double residual)
{
  printf("%s\t%s\t%.6g\t%.3g\n", subject, way, ns, residual);
}

/* max |g_i| / unit. */
static double residual(const sw_sim *sim, const double z[], double unit)
{
  const size_t m = (size_t)sw_sim_nc(sim);
  double *g = malloc((m + 1) * sizeof *g);
  double most = 0.0;

  must(g != NULL, sw_sim_model(sim)->name, "no memory");
  sim->system->constraint(sim->system, z, sim->k, g);
  for (size_t i = 0; i < m; i++) {
    most = isfinite(g[i]) ? fmax(most, fabs(g[i]) / unit) : INFINITY;
  }
  free(g);
  return most;
}

/* ---- small models ---- */

typedef struct small {
  const char *name;
  const sw_model *model;
  const sw_stepper *stepper;
  const sw_stepper *lanes[3]; /* 4 lanes, 8 lanes, NULL */
  by_hand_steps *one[2];      /* hand-written variants; the second may be NULL */
  by_hand_steps *eight[2];
  const char *note[2]; /* appended to "by hand" in the output */
  int nodes; /* nodes of a planar chain with masses 1, the first node fixed at the origin; or 0 */
  double h;
  long steps;
  long t_steps; /* number of steps to the end point of IDA */
  double same;  /* tolerance of the comparison with the hand-written steps */
} small;

static const small smalls[] = {
    {"pendulum",
     &sw_model_pendulum,
     &sw_stepper_pendulum,
     {&sw_stepper_pendulum_4, &sw_stepper_pendulum_8, NULL},
     {by_hand_pendulum_1, NULL},
     {by_hand_pendulum_8, NULL},
     {"", ""},
     2,
     0.1,
     40000,
     100,
     1e-15},
    {"hopf",
     &sw_model_hopf,
     &sw_stepper_hopf,
     {&sw_stepper_hopf_4, &sw_stepper_hopf_8, NULL},
     {by_hand_hopf_cayley_1, by_hand_hopf_1},
     {by_hand_hopf_cayley_8, by_hand_hopf_8},
     {"", ", sin and cos"},
     0,
     0.1,
     20000,
     100,
     2e-13},
    {"chain6",
     &sw_model_chain6,
     &sw_stepper_chain6,
     {&sw_stepper_chain6_4, &sw_stepper_chain6_8, NULL},
     {by_hand_chain6_1, NULL},
     {by_hand_chain6_8, NULL},
     {"", ""},
     6,
     0.01,
     10000,
     200,
     8e-14},
};

static sw_sim *start_small(const small *s, const char *solver, const sw_stepper *const lanes[])
{
  sw_sim *sim = NULL;
  sw_options options;

  sw_options_init(&options);
  options.base = s->stepper->base;
  options.solver = solver;
  options.stepper = s->stepper;
  options.lanes = lanes;
  must(sw_sim_create(s->model, &options, &sim) == SW_OK, s->name, "no simulation");
  must(sw_sim_run(sim, s->h, 7, NULL, NULL) == SW_OK, s->name, sw_sim_message(sim));
  return sim;
}

static void time_one(const small *s, const char *way, const char *solver, long steps)
{
  sw_sim *sim = start_small(s, solver, NULL);
  const double t = seconds();
  must(sw_sim_run(sim, s->h, steps, NULL, NULL) == SW_OK, s->name, sw_sim_message(sim));
  const double ns = 1e9 * (seconds() - t) / (double)steps;
  print(s->name, way, ns, residual(sim, sw_sim_state(sim), 1.0));
  sw_sim_free(&sim);
}

/* The trajectories start a few steps apart, because identical lanes would take only as many
 * iterations as a single trajectory. */
static void time_lanes(const small *s, const sw_stepper *stepper)
{
  const sw_stepper *const only[] = {stepper, NULL};
  sw_sim *sim = start_small(s, "auto", only);
  sw_batch *batch = NULL;
  const long steps = s->steps / stepper->lanes;
  char way[32];

  must(sw_batch_create(sim, stepper->lanes, &batch) == SW_OK, s->name, "no batch");
  for (int i = 0; i < stepper->lanes; i++) {
    sw_batch_put(batch, i, sim);
    must(sw_sim_step(sim, s->h) == SW_OK, s->name, sw_sim_message(sim));
  }
  must(sw_batch_run(batch, s->h, 1) == SW_OK, s->name, "a lane has stopped");
  const double t = seconds();
  must(sw_batch_run(batch, s->h, steps) == SW_OK, s->name, "a lane has stopped");
  const double ns = 1e9 * (seconds() - t) / (double)(steps * stepper->lanes);
  snprintf(way, sizeof way, "straight line, W = %d", stepper->lanes);
  const sw_sim *first = sw_batch_get(batch, 0);
  print(s->name, way, ns, residual(first, sw_sim_state(first), 1.0));
  sw_batch_free(&batch);
  sw_sim_free(&sim);
}

/* Fills z with states a few steps apart, one per lane; sim ends at the last one. */
static void spread(const small *s, sw_sim *sim, int lanes, double z[])
{
  const int d2 = 2 * sw_sim_nq(sim);

  for (int lane = 0; lane < lanes; lane++) {
    for (int i = 0; i < d2; i++) {
      z[i * lanes + lane] = sw_sim_state(sim)[i];
    }
    must(sw_sim_step(sim, s->h) == SW_OK, s->name, sw_sim_message(sim));
  }
}

static void pick(int d2, int lanes, int lane, const double z[], double one[])
{
  for (int i = 0; i < d2; i++) {
    one[i] = z[i * lanes + lane];
  }
}

/* Times a hand-written variant.  The residual is that of the first lane. */
static void time_hand(const small *s, int variant, int lanes)
{
  sw_sim *sim = start_small(s, "auto", NULL);
  const long steps = s->steps / lanes;
  double z[most_z * most_lanes];
  double first[most_z];
  char way[64];

  spread(s, sim, lanes, z);
  const double t = seconds();
  (lanes == 1 ? s->one : s->eight)[variant](z, s->h, steps);
  const double ns = 1e9 * (seconds() - t) / (double)(steps * lanes);
  pick(2 * sw_sim_nq(sim), lanes, 0, z, first);
  snprintf(way, sizeof way, "by hand%s%s", lanes == 1 ? "" : ", 8 lanes", s->note[variant]);
  print(s->name, way, ns, residual(sim, first, 1.0));
  sw_sim_free(&sim);
}

/* The largest difference of n entries. */
static double apart(int n, const double a[], const double b[])
{
  double most = 0.0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
  }
  return most;
}

/* Exits if the hand-written steps differ from ours. */
static void check_hand(const small *s, int variant, int lanes)
{
  sw_sim *sim = start_small(s, "auto", NULL);
  const int d2 = 2 * sw_sim_nq(sim);
  double begin[most_z * most_lanes];
  double end[most_z * most_lanes];
  double one[most_z];

  spread(s, sim, lanes, begin);
  memcpy(end, begin, sizeof end);
  (lanes == 1 ? s->one : s->eight)[variant](end, s->h, s->t_steps);
  for (int lane = 0; lane < lanes; lane++) {
    pick(d2, lanes, lane, begin, one);
    must(sw_sim_set_state(sim, 0.0, one) == SW_OK &&
             sw_sim_run(sim, s->h, s->t_steps, NULL, NULL) == SW_OK,
         s->name, sw_sim_message(sim));
    pick(d2, lanes, lane, end, one);
    must(apart(d2, one, sw_sim_state(sim)) <= s->same, s->name, "the hand makes other steps");
  }
  sw_sim_free(&sim);
}

/* ---- initial states for other programs ---- */

static void write_nodes(FILE *file, const small *s, const sw_sim *sim)
{
  const int d = sw_sim_nq(sim);
  const double *q = sw_sim_state(sim);
  const double *p = q + d;

  for (int i = d / 2; i < s->nodes; i++) {
    fputs("1 0 0 0 0 0 0\n", file);
  }
  for (int i = 0; i < d; i += 2) {
    fprintf(file, "1 %.17g %.17g 0 %.17g %.17g 0\n", q[i], q[i + 1], p[i], p[i + 1]);
  }
}

static void write_small(const char *folder, const small *s)
{
  sw_sim *sim = start_small(s, "auto", NULL);
  FILE *file = create_start(folder, s->name);

  fprintf(file, "%d %d %.17g %d\n", s->nodes, s->nodes - 1, s->h, check_steps);
  write_nodes(file, s, sim);
  must(sw_sim_run(sim, s->h, check_steps, NULL, NULL) == SW_OK, s->name, sw_sim_message(sim));
  write_nodes(file, s, sim);
  for (int i = 1; i < s->nodes; i++) {
    fprintf(file, "%d %d\n", i - 1, i);
  }
  close_start(file, s->name);
  sw_sim_free(&sim);
}

/* ---- IDA ---- */

/* Takes `steps` steps to t from the model's initial state; the result is in z. */
static void go(const small *s, const char *compose, double t, long steps, double z[])
{
  sw_sim *sim = NULL;
  sw_options options;

  sw_options_init(&options);
  options.base = s->stepper->base;
  options.compose = compose;
  must(sw_sim_create(s->model, &options, &sim) == SW_OK, s->name, "no simulation");
  must(sw_sim_run(sim, t / (double)steps, steps, NULL, NULL) == SW_OK, s->name,
       sw_sim_message(sim));
  memcpy(z, sw_sim_state(sim), 2 * (size_t)sw_sim_nq(sim) * sizeof *z);
  sw_sim_free(&sim);
}

static void time_ida(const small *s)
{
  const double t_end = s->h * (double)s->t_steps;
  sw_sim *sim = NULL;
  double reference[most_z];
  double end[most_z];
  double z[most_z];
  char way[64];

  go(s, "kahan-li-8", t_end, 2 * s->t_steps, reference);
  go(s, "none", t_end, s->t_steps, end);
  must(sw_sim_create(s->model, NULL, &sim) == SW_OK, s->name, "no simulation");
  const int d = sw_sim_nq(sim);
  const double allowed = apart(d, end, reference);
  for (int digits = 3; digits <= least_tolerance; digits++) {
    memcpy(z, sw_sim_state(sim), 2 * (size_t)d * sizeof *z);
    const double t = seconds();
    const int flag = rival_ida(sim->system, sim->k, t_end, pow(10.0, -digits), z, NULL, NULL);
    const double ns = 1e9 * (seconds() - t) / (double)s->t_steps;
    if (flag == 0 && apart(d, z, reference) <= allowed) {
      snprintf(way, sizeof way, "SUNDIALS IDA, %.0e", pow(10.0, -digits));
      print(s->name, way, ns, residual(sim, z, 1.0));
      sw_sim_free(&sim);
      return;
    }
  }
  must(0, s->name, "IDA did not reach the error of RATTLE");
}

/* Calls `what` for each variant, with one lane and with eight. */
static void by_hand(const small *s, void (*what)(const small *s, int variant, int lanes))
{
  for (int variant = 0; variant < 2 && s->one[variant] != NULL; variant++) {
    what(s, variant, 1);
    if (sw_processor_has(s->lanes[1]->processor)) {
      what(s, variant, most_lanes);
    }
  }
}

static void time_small(const small *s)
{
  by_hand(s, time_hand);
  time_one(s, "straight line", "fused", s->steps);
  for (int i = 0; s->lanes[i] != NULL; i++) {
    if (sw_processor_has(s->lanes[i]->processor)) {
      time_lanes(s, s->lanes[i]);
    }
  }
  time_one(s, "general way", "kinsol", s->steps / 10);
  time_ida(s);
}

/* ---- chains and water ---- */

/* Times our steps.  The first step, which also checks the initial state, is not timed. */
static void time_ours(const large *l, const char *way, const sw_stepper *stepper)
{
  sw_sim *sim = start_large(l, stepper);
  must(sw_sim_run(sim, l->h, 1, NULL, NULL) == SW_OK, l->name, sw_sim_message(sim));
  const double t = seconds();
  must(sw_sim_run(sim, l->h, l->steps, NULL, NULL) == SW_OK, l->name, sw_sim_message(sim));
  const double ns = 1e9 * (seconds() - t) / (double)l->steps;
  must(stepper == NULL || sw_sim_stats(sim).fused_steps == l->steps + 1, l->name,
       "steps went the general way");
  print(l->name, way, ns, residual(sim, sw_sim_state(sim), shortest_bond2(l)));
  sw_sim_free(&sim);
}

static void time_chain(const large *l, const sw_sim *sim, double z[])
{
  by_hand_chain *chain = by_hand_chain_of(sim);
  by_hand_cost cost = {0};

  must(chain != NULL, l->name, "no memory");
  const double t = seconds();
  const int bad = by_hand_chain_run(chain, l->h, l->steps, z, &cost);
  const double ns = 1e9 * (seconds() - t) / (double)l->steps;
  must(!bad, l->name, "by hand: not converged");
  print(l->name, "by hand", ns, residual(sim, z, shortest_bond2(l)));
  by_hand_chain_free(chain);
}

/* Times one molecule at a time, then eight at once from the same start. */
static void time_water(const large *l, const sw_sim *sim, double z[])
{
  by_hand_water *water = by_hand_water_of(sim, 0);
  by_hand_cost cost = {0};

  must(water != NULL, l->name, "no memory");
  double t = seconds();
  int bad = by_hand_water_run(water, l->h, l->steps, z, &cost);
  double ns = 1e9 * (seconds() - t) / (double)l->steps;
  print(l->name, "by hand", ns, residual(sim, z, shortest_bond2(l)));
  if (sw_processor_has(SW_NEEDS_AVX512)) {
    memcpy(z, sw_sim_state(sim), 2 * (size_t)sw_sim_nq(sim) * sizeof *z);
    t = seconds();
    bad |= by_hand_water_run_8(by_hand_water_model_of(water), l->h, l->steps, z);
    ns = 1e9 * (seconds() - t) / (double)l->steps;
    print(l->name, "by hand, 8 lanes", ns, residual(sim, z, shortest_bond2(l)));
  }
  must(!bad, l->name, "by hand: not converged");
  by_hand_water_free(water);
}

static void time_large(const large *l)
{
  sw_sim *sim = start_large(l, NULL);
  const size_t n = 2 * (size_t)sw_sim_nq(sim);
  double *z = malloc(n * sizeof *z);

  must(z != NULL, l->name, "no memory");
  memcpy(z, sw_sim_state(sim), n * sizeof *z);
  (strcmp(l->size_name, "W") == 0 ? time_water : time_chain)(l, sim, z);
  free(z);
  sw_sim_free(&sim);
  if (l->stepper != NULL) {
    time_ours(l, "straight line", l->stepper);
  }
  for (int i = 0; i < 2 && l->stepper != NULL; i++) {
    if (sw_processor_has(l->lanes[i]->processor)) {
      time_ours(l, i == 0 ? "straight line, W = 4" : "straight line, W = 8", l->lanes[i]);
    }
  }
  time_ours(l, "general way", NULL);
}

int main(int argc, char **argv)
{
  if (argc > 2) {
    fprintf(stderr, "usage: %s [FOLDER]\n", argv[0]);
    return 2;
  }
  /* Short measurements come first, so the processor has left its idle state before the long
   * ones. */
  for (size_t i = 0; i < sizeof smalls / sizeof *smalls; i++) {
    if (argc == 2) {
      by_hand(&smalls[i], check_hand);
      if (smalls[i].nodes > 0) {
        write_small(argv[1], &smalls[i]);
      }
    } else {
      time_small(&smalls[i]);
    }
  }
  for (const large *l = larges; l->name != NULL; l++) {
    if (argc == 2) {
      write_start(argv[1], l);
    } else {
      time_large(l);
    }
  }
  return 0;
}
