/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/motion_multipliers.h"
#include "common/vectors.h"
#include "program/start.h"

enum { EXTRA_LEVELS = 2 };

enum {
  ORDER_WIDTH = 12,
  ROUND_OFF_WIDTH = 9,
  ROUNDINGS = 16 /* rounding errors in a step */
};

static const char doc[] =
    "Halve the step and print errors and observed orders.\v"
    "An error is the largest difference of an entry of q, or of p, from the reference at t-end. "
    "The order is that of the larger of both errors; 'round-off' replaces the order of an error "
    "that is not larger than rounding errors. The reference is extrapolated from two further "
    "halvings of the same method, whose states are first projected along their fibres onto M^H if "
    "the method leaves M^H by O(h), such as shake. The impulses "
    "of the last step, divided by h, are compared with the multipliers of the exact motion at "
    "t-end and at the middle of that step, unless the method has staggered momenta or constraints "
    "are redundant.\n"
    "\n"
    "Examples:\n"
    "  converge --step 0.1 --t-end 1\n"
    "  converge --base euler-a --step 0.05 --levels 6 --t-end 2 --project\n"
    "  converge --init-file state.npy --step 0.05 --t-end 1\n"
    "  converge --method shake --project-output --step 0.1 --t-end 1\n"
    "\n"
    "docs/programs.md describes the files.";

/* The results of the runs with the step sizes h / 2^level.  The last EXTRA_LEVELS levels give the
 * reference. */
typedef struct course {
  const sw_invocation *call;
  const sw_settings *settings;
  sw_sim *sim;
  size_t n;       /* 2d */
  size_t m;       /* number of compared multipliers; 0: none */
  double *end;    /* n values for each level; the reference replaces those of the last level */
  double *lambda; /* m values for each level: impulses / h of its last step */
  /* for each level, the states of the extra levels at the middle of its last step */
  double *middle;
  double *at_end;   /* m values: multipliers of the exact motion at the end */
  double *start;    /* n */
  sw_motion *exact; /* NULL if m = 0 */
} course;

static double *end_of(const course *c, long level)
{
  return c->end + c->n * (size_t)level;
}

static const double *converge_reference(const course *c)
{
  return end_of(c, c->settings->step_sizes + 1);
}

static double *middle_of(const course *c, long level, long extra)
{
  return c->middle + c->n * (size_t)(EXTRA_LEVELS * level + extra);
}

/* 1 if multipliers are compared.  They are not compared if they are not unique (redundant
 * constraints), or if the method's momenta belong to another time than its positions. */
static int has_multipliers(const sw_sim *sim)
{
  return sim->system->nc > 0 && !sim->plan->method->staggered &&
         (sim->plan->redundant == SW_REDUNDANT_ERROR || sim->system->whole != NULL);
}

static int open_course(const sw_invocation *call, const sw_settings *settings, sw_sim *sim,
                       course *c)
{
  const size_t levels = (size_t)settings->step_sizes + EXTRA_LEVELS;
  const size_t n = 2 * (size_t)settings->system->nq;
  const size_t m = has_multipliers(sim) ? (size_t)sim->system->nc : 0;
  const size_t middles = m > 0 ? n * EXTRA_LEVELS * (size_t)settings->step_sizes : 0;
  *c = (course){.call = call, .settings = settings, .sim = sim, .n = n, .m = m};
  c->end = calloc(n * (levels + 1) + m * (levels + 1) + middles, sizeof *c->end);
  if (c->end == NULL) {
    return sw_out_of_memory(call);
  }
  c->start = c->end + n * levels;
  c->lambda = c->start + n;
  c->at_end = c->lambda + m * levels;
  c->middle = c->at_end + m;
  memcpy(c->start, sw_sim_state(sim), n * sizeof *c->start);
  return m == 0 || sw_motion_create(sim->system, SW_REDUNDANT_ERROR, 0, &c->exact) == SW_OK
             ? SW_EXIT_GOOD
             : sw_out_of_memory(call);
}

/* Copies the state to z.  With --project-output, z is the point of M^H on the fibre of the state.
 * So are the states of the extra levels if the method starts anywhere on M: as a map of fibres it
 * has the order that the extrapolation assumes, while its states are O(h) away from M^H. */
static sw_status converge_save_state(const course *c, long extra, double z[])
{
  const sw_method *method = c->sim->plan->method;
  if (c->settings->project_output ||
      (extra >= 0 && !method->on_hidden && !method->begins_on_hidden)) {
    return sw_sim_hidden_point(c->sim, z);
  }
  memcpy(z, sw_sim_state(c->sim), c->n * sizeof(double));
  return SW_OK;
}

/* Runs with one step size.  An extra level also records the state at the middle of each other
 * level's last step. */
static sw_status run_level(const course *c, long level)
{
  const sw_settings *settings = c->settings;
  const double h = ldexp(settings->step, -(int)level);
  const long steps = settings->steps << level;
  const long extra = level - c->settings->step_sizes;
  long done = 0;
  sw_status status = sw_sim_set_state(c->sim, 0.0, c->start);
  for (long of = 0; of < c->settings->step_sizes && extra >= 0 && c->m > 0 && status == SW_OK;
       of++) {
    const long stop = steps - (1L << (level - of - 1));
    status = sw_sim_run(c->sim, h, stop - done, NULL, NULL);
    done = stop;
    status = status == SW_OK ? converge_save_state(c, extra, middle_of(c, of, extra)) : status;
  }
  if (status == SW_OK) {
    status = sw_sim_run(c->sim, h, steps - done, NULL, NULL);
  }
  sw_copy(c->lambda + c->m * (size_t)level, c->sim->state.lambda, c->m);
  return status == SW_OK ? converge_save_state(c, extra, end_of(c, level)) : status;
}

/* fine += (fine - coarse) / (2^order - 1).  Staggered momenta belong to another time, by h/2: they
 * have order 1. */
static void extrapolate(const course *c, const double coarse[], double fine[])
{
  const int order = sw_sim_order(c->sim);
  for (size_t i = 0; i < c->n; i++) {
    const int is_early = c->sim->plan->method->staggered && i >= c->n / 2;
    fine[i] += (fine[i] - coarse[i]) / (ldexp(1.0, is_early ? 1 : order) - 1.0);
  }
}

/* The multipliers of the exact motion at the state z.  First moves z along its fibre to M^H. */
static sw_status exact_multipliers(const course *c, double z[], double lambda[])
{
  sw_status status = sw_sim_set_state(c->sim, 0.0, z);
  if (status == SW_OK) {
    status = sw_sim_hidden_point(c->sim, z);
  }
  return status == SW_OK ? sw_motion_multipliers(c->exact, sw_sim_parameters(c->sim), z, lambda)
                         : status;
}

/* Replaces the states of the last level by the reference, and computes the reference multipliers
 * at the end.  in_middle (levels x m) receives the reference multipliers at the middle of each
 * level's last step. */
static sw_status converge_find_reference(const course *c, double in_middle[])
{
  const long levels = c->settings->step_sizes;
  sw_status status = SW_OK;
  extrapolate(c, end_of(c, levels), end_of(c, levels + 1));
  if (c->m == 0) {
    return status;
  }
  memcpy(c->start, converge_reference(c), c->n * sizeof *c->start);
  status = exact_multipliers(c, c->start, c->at_end);
  for (long level = 0; level < levels && status == SW_OK; level++) {
    double *middle = middle_of(c, level, 1);
    extrapolate(c, middle_of(c, level, 0), middle);
    status = exact_multipliers(c, middle, in_middle + c->m * (size_t)level);
  }
  return status;
}

/* Prints the order of an error.  rounding: the size of rounding errors. */
static void print_order(int width, double before, double error, double rounding)
{
  if (error <= rounding) {
    printf(" %*s", width, "round-off");
  } else if (before > 0.0) {
    printf(" %*.3f", width, log2(before / error));
  } else {
    printf(" %*s", width, "-");
  }
}

static void converge_print_row(const course *c, long level, const double in_middle[],
                               double before[3])
{
  const sw_settings *settings = c->settings;
  const size_t d = c->n / 2;
  const double *end = end_of(c, level);
  const double *reference = converge_reference(c);
  const double *lambda = c->lambda + c->m * (size_t)level;
  const double in_q = sw_distance(d, end, reference);
  const double in_p = sw_distance(d, end + d, reference + d);
  const double error[3] = {fmax(in_q, in_p), sw_distance(c->m, lambda, c->at_end),
                           c->m > 0 ? sw_distance(c->m, lambda, in_middle + c->m * (size_t)level)
                                    : 0.0};
  /* Rounding errors of states grow like the square root of the number of steps.  Multipliers are
   * impulses divided by h, so their rounding errors grow like the number of steps. */
  const double n = (double)(settings->steps << level);
  const double rounding = ROUNDINGS * DBL_EPSILON;
  const double size = sw_max_abs(d, in_q > in_p ? reference : reference + d);
  printf("%-24.17g %10.0f %12.4e %12.4e", ldexp(settings->step, -(int)level), n, in_q, in_p);
  print_order(ORDER_WIDTH, before[0], error[0], rounding * sqrt(n) * size);
  for (int i = 1; i < 3 && c->m > 0; i++) {
    printf(" %12.4e", error[i]);
    print_order(ROUND_OFF_WIDTH, before[i], error[i], rounding * n * sw_max_abs(c->m, c->at_end));
  }
  printf("\n");
  memcpy(before, error, sizeof error);
}

static int converge_print_table(course *c)
{
  double *in_middle = calloc(c->m * (size_t)c->settings->step_sizes + 1, sizeof *in_middle);
  double before[3] = {0.0, 0.0, 0.0};
  if (in_middle == NULL) {
    return sw_out_of_memory(c->call);
  }
  if (converge_find_reference(c, in_middle) != SW_OK) {
    /* N is singular, or the slide to M^H does not converge: multipliers are not compared */
    c->m = 0;
  }
  printf("%-24s %10s %12s %12s %*s", "h", "steps", "error in q", "error in p", ORDER_WIDTH,
         "order of max");
  if (c->m > 0) {
    printf(" %12s %*s %12s %*s", "in lambda", ROUND_OFF_WIDTH, "order", "in mid-step",
           ROUND_OFF_WIDTH, "order");
  }
  printf("\n");
  for (long level = 0; level < c->settings->step_sizes; level++) {
    converge_print_row(c, level, in_middle, before);
  }
  free(in_middle);
  return SW_EXIT_GOOD;
}

static int converge_with(const sw_invocation *call, sw_settings *settings)
{
  long levels = settings->step_sizes + EXTRA_LEVELS;
  sw_sim *sim = NULL;
  sw_moved moved;
  course c;
  if (settings->steps < 1 || settings->steps > LONG_MAX >> levels) {
    return sw_complain(call, SW_EXIT_USAGE, "%ld steps cannot be halved %ld times", settings->steps,
                       levels - 1);
  }
  int code = sw_start(call, settings, &sim, &moved);
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  sw_settings_print_base(settings, stdout);
  sw_moved_print(settings, &moved, stdout);
  code = open_course(call, settings, sim, &c);
  for (long level = 0; level < levels && code == SW_EXIT_GOOD; level++) {
    const sw_status status = run_level(&c, level);
    code = status == SW_OK ? SW_EXIT_GOOD : sw_program_refuse(call, sim, status);
  }
  if (code == SW_EXIT_GOOD) {
    code = converge_print_table(&c);
  }
  sw_motion_free(&c.exact);
  free(c.end);
  sw_sim_free(&sim);
  return code;
}

const sw_command sw_command_converge = {
    .command = SW_FOR_CONVERGE, .name = "converge", .doc = doc, .run = converge_with};
