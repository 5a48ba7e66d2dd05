/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/advise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/vectors.h"
#include "methods/compositions.h"
#include "program/start.h"
#include "sim/sim_internal.h"

enum { LEAST_STEPS = 2, MOST_STEPS = 8, TRIES = 6 };

/* Errors of pilots outside this range are not used: below it round-off dominates; above it the
 * state is wrong. */
static const double smallest_error = 1e-13;
static const double largest_error = 0.03;

/* The longer pilot covers this fraction of the run's time.  The advised step is shorter than the
 * predicted one, because errors are not exactly proportional to the time. */
static const double long_part = 0.05;
static const double safety = 0.8;

/* Processor time, so that other processes do not count. */
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- candidates ---- */

static sw_options advise_options_of(const sw_way *way)
{
  sw_options options;
  sw_options_init(&options);
  options.method = way->method;
  options.base = way->base;
  options.compose = way->compose;
  return options;
}

static void add_way(const sw_system *system, sw_advice *advice, const char *method,
                    const char *base, const char *compose)
{
  const sw_way way = {.method = method, .base = base, .compose = compose};
  const sw_options options = advise_options_of(&way);
  if (advice->n < SW_WAYS_MOST && sw_options_objection(system->model, &options)[0] == '\0') {
    advice->way[advice->n++] = way;
  }
}

/* Adds the candidates: methods on M^H of several orders.  Each of them is the best choice for
 * some problems. */
static void find_ways(const sw_system *system, sw_advice *advice)
{
  add_way(system, advice, "rattle", "verlet", "none");
  if (!system->model->structure.separable) {
    add_way(system, advice, "rattle", "midpoint", "none");
  }
  add_way(system, advice, "rattle", "verlet", "suzuki-4");
  add_way(system, advice, "rattle", "verlet", "kahan-li-6");
  add_way(system, advice, "rattle", "verlet", "kahan-li-8");
  add_way(system, advice, "lobatto", "lobatto-4", "none");
  add_way(system, advice, "lobatto", "lobatto-6", "none");
}

/* ---- pilots ---- */

/* Data of the pilots of one candidate. */
typedef struct pilot {
  sw_sim *sim;
  sw_advice *advice;
  sw_way *way;
  double *coarse; /* d: the positions after steps of size h */
  double error;   /* relative difference from steps of size h/2, at the end of the pilot */
  double per_step;
} pilot;

static sw_status advise_run(pilot *p, double h, long steps, double *seconds)
{
  const double start = now();
  sw_status status = sw_sim_set_state(p->sim, 0.0, p->advice->z);
  if (status == SW_OK) {
    status = sw_sim_run(p->sim, h, steps, NULL, NULL);
  }
  *seconds = now() - start;
  p->advice->seconds += *seconds;
  return status;
}

/* Takes steps of size h and of size h/2, over `part` of the time but at least LEAST_STEPS and at
 * most `most` steps.  Returns the error of h at t_end; NaN if a step fails. */
static double advise_measure(pilot *p, double h, double part, long most)
{
  const size_t d = (size_t)sw_sim_nq(p->sim);
  const double t_end = fabs(p->advice->t_end);
  const double wanted = ceil(part * t_end / h);
  const long steps = wanted < LEAST_STEPS    ? LEAST_STEPS
                     : wanted > (double)most ? most
                                             : (long)wanted;
  const double signed_h = copysign(h, p->advice->t_end);
  const double raised = ldexp(1.0, p->way->order);
  double seconds;
  if (advise_run(p, signed_h, steps, &seconds) != SW_OK) {
    return NAN;
  }
  sw_copy(p->coarse, sw_sim_state(p->sim), d);
  if (advise_run(p, 0.5 * signed_h, 2 * steps, &seconds) != SW_OK) {
    return NAN;
  }
  const double *fine = sw_sim_state(p->sim);
  const double size = sw_nonzero_scale(sw_max_abs(d, fine));
  p->per_step = seconds / (double)(2 * steps);
  p->error = sw_distance(d, p->coarse, fine) / size * raised / (raised - 1.0);
  return p->error * t_end / ((double)steps * h);
}

/* Sets the candidate's step and cost from a pilot with a step near the predicted one.  Leaves the
 * step 0 if no pilot succeeds. */
static void try_way(pilot *p, double h)
{
  const double t_end = fabs(p->advice->t_end);
  for (int i = 0; i < TRIES; i++) {
    const double longest = 0.5 * t_end / LEAST_STEPS;
    h = h < longest ? h : longest;
    const double error = advise_measure(p, h, 0.01, MOST_STEPS);
    if (!(p->error <= largest_error) || isnan(error)) {
      h /= 4.0;
      continue;
    }
    if (p->error < smallest_error && h < longest) {
      h *= 4.0;
      continue;
    }
    const double factor = pow(p->advice->error / fmax(error, 1e-300), 1.0 / p->way->order);
    p->way->step = h * fmin(factor, 4.0);
    p->way->seconds = p->per_step * t_end / p->way->step;
    if ((factor > 0.4 && factor < 2.5) || h * factor >= longest) {
      return;
    }
    h *= fmax(fmin(factor, 16.0), 1.0 / 64.0);
  }
}

/* The first step of a candidate.  Assumes E = (h/tau)^p T/tau with one tau for all candidates;
 * the first candidate gives tau.  The factor 0.4 parts accounts for the substeps of a
 * composition. */
static double advise_guess(const sw_advice *advice, const sw_way *way)
{
  const sw_way *first = &advice->way[0];
  const double t_end = fabs(advice->t_end);
  const double parts = sw_composition_find(way->compose)->n;
  if (way == first || first->step == 0.0) {
    return advice->first;
  }
  const double tau = cbrt(first->step * first->step * t_end / advice->error);
  return tau * fmax(1.0, 0.4 * parts) * pow(advice->error * tau / t_end, 1.0 / way->order);
}

static sw_status open_way(sw_system *system, pilot *p)
{
  sw_options options = advise_options_of(p->way);
  options.redundant = p->advice->redundant;
  sw_status status = sw_sim_create_on(system, &options, &p->sim);
  if (status == SW_OK) {
    p->way->order = sw_sim_order(p->sim);
    status = sw_sim_set_parameters(p->sim, p->advice->k);
  }
  return status;
}

/* Runs the longer pilot of the best candidate and sets its final step. */
static void advise_settle(pilot *p)
{
  sw_way *way = p->way;
  const double error = advise_measure(p, way->step, long_part, 100000);
  if (!isnan(error) && p->error >= smallest_error) {
    const double factor = pow(p->advice->error / error, 1.0 / way->order);
    way->step *= safety * fmin(factor, 1.5);
    way->seconds = p->per_step * fabs(p->advice->t_end) / way->step;
  } else {
    way->step *= 0.5;
    way->seconds *= 2.0;
  }
}

static sw_status with_way(sw_system *system, sw_advice *advice, int i, int settles, double coarse[])
{
  pilot p = {.advice = advice, .way = &advice->way[i], .coarse = coarse};
  sw_status status = open_way(system, &p);
  if (status == SW_OK && settles) {
    advise_settle(&p);
  } else if (status == SW_OK) {
    try_way(&p, advise_guess(advice, p.way));
  }
  sw_sim_free(&p.sim);
  return status;
}

/* The index of the candidate with the least cost; -1 if none has a step. */
static int find_best(const sw_advice *advice)
{
  int best = -1;
  for (int i = 0; i < advice->n; i++) {
    const sw_way *way = &advice->way[i];
    if (way->step > 0.0 && (best < 0 || way->seconds < advice->way[best].seconds)) {
      best = i;
    }
  }
  return best;
}

sw_status sw_advise(sw_system *system, sw_advice *advice)
{
  double *coarse = calloc((size_t)system->nq + 1, sizeof *coarse);
  int settled[SW_WAYS_MOST] = {0};
  sw_status status = coarse != NULL ? SW_OK : SW_ERR_MEMORY;
  advice->n = 0;
  advice->seconds = 0.0;
  find_ways(system, advice);
  for (int i = 0; i < advice->n && status == SW_OK; i++) {
    status = with_way(system, advice, i, 0, coarse);
  }
  advice->best = find_best(advice);
  while (status == SW_OK && advice->best >= 0 && !settled[advice->best]) {
    settled[advice->best] = 1;
    status = with_way(system, advice, advice->best, 1, coarse);
    advice->best = find_best(advice);
  }
  free(coarse);
  return status;
}

/* ---- the command ---- */

static const char doc[] =
    "Propose method, composition and step for an error.\v"
    "Ways of all orders are tried in short runs from the initial state, and the one is proposed "
    "that reaches the error in the least time. It is assumed that errors grow like t, which they "
    "do not where neighbouring motions separate exponentially: see 'lyapunov' and 'converge'.\n"
    "\n"
    "Examples:\n"
    "  advise --error 1e-6 --t-end 100\n"
    "  advise --error 1e-9 --t-end 20 --init zc --set gravity=1.62 --project";

static void print_words(const sw_way *way)
{
  printf("--method %s --base %s", way->method, way->base);
  if (strcmp(way->compose, "none") != 0) {
    printf(" --compose %s", way->compose);
  }
}

/* The largest step that divides t_end and is at most `step`. */
static double dividing(double t_end, double step)
{
  return t_end / ceil(fabs(t_end) / step);
}

static int print_advice(const sw_invocation *call, const sw_advice *advice)
{
  if (advice->best < 0) {
    return sw_complain(call, SW_EXIT_FAILED,
                       "no way of taking steps has succeeded from the initial state; see what "
                       "'run --step %g' says",
                       advice->first);
  }
  const sw_way *best = &advice->way[advice->best];
  for (int i = 0; i < advice->n; i++) {
    const sw_way *way = &advice->way[i];
    printf("tried      ");
    print_words(way);
    if (way->step > 0.0) {
      printf(": step %.3g, %.3g s\n", way->step, way->seconds);
    } else {
      printf(": no step has succeeded\n");
    }
  }
  printf("pilots     %.3g s\n", advice->seconds);
  printf("because    of %d ways it takes the least time for an error of %g at t = %g\n", advice->n,
         advice->error, advice->t_end);
  printf("advice     ");
  print_words(best);
  printf(" --step %.17g --t-end %.17g\n", dividing(advice->t_end, best->step), advice->t_end);
  return SW_EXIT_GOOD;
}

static int advise_with(const sw_invocation *call, sw_settings *settings)
{
  sw_sim *sim = NULL;
  sw_moved moved;
  int code = sw_start(call, settings, &sim, &moved);
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  sw_advice advice = {.k = settings->k,
                      .z = sw_sim_state(sim),
                      .redundant = settings->options.redundant,
                      .t_end = settings->step * (double)settings->steps,
                      .error = settings->error,
                      .first = fabs(settings->step)};
  const sw_status status = sw_advise(settings->system, &advice);
  sw_moved_print(settings, &moved, stdout);
  code = status == SW_OK ? print_advice(call, &advice)
                         : sw_complain(call, SW_EXIT_FAILED, "%s", sw_status_text(status));
  sw_sim_free(&sim);
  return code;
}

const sw_command sw_command_advise = {
    .command = SW_FOR_ADVISE, .name = "advise", .doc = doc, .run = advise_with};
