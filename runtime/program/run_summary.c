/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/run_summary.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "io/json_writer.h"
#include "model/scale.h"
#include "sidewinder/version.h"
#include "sim/sim_internal.h"

enum { LONGEST_LIST = 20 };

int sw_summary_init(sw_system *system, sw_summary *summary)
{
  size_t count = (size_t)system->n_invariant + 1;
  *summary = (sw_summary){.system = system};
  summary->invariant = calloc(count, sizeof *summary->invariant);
  summary->values = calloc(count, sizeof *summary->values);
  summary->crossings = calloc((size_t)system->n_event + 1, sizeof *summary->crossings);
  if (summary->invariant != NULL && summary->values != NULL && summary->crossings != NULL) {
    return 1;
  }
  sw_summary_clear(summary);
  return 0;
}

void sw_summary_clear(sw_summary *summary)
{
  free(summary->invariant);
  free(summary->values);
  free(summary->crossings);
  summary->invariant = NULL;
  summary->values = NULL;
  summary->crossings = NULL;
}

static void follow(sw_course *course, double value, int first)
{
  if (first) {
    *course = (sw_course){value, value, value, value, 0};
  }
  course->last = value;
  course->undefined = course->undefined || !isfinite(value);
  course->lowest = fmin(course->lowest, value);
  course->highest = fmax(course->highest, value);
}

void sw_summary_observe(sw_summary *summary, const sw_sim *sim)
{
  sw_system *system = summary->system;
  const double *z = sw_sim_state(sim);
  const double *k = sw_sim_parameters(sim);
  int first = summary->states == 0;
  double energy = sim->H;
  if (!sim->H_known) {
    system->hamiltonian(system, z, k, &energy);
  }
  energy -= sw_sim_work(sim);
  follow(&summary->energy, energy, first);
  if (system->n_invariant > 0) {
    system->invariant(system, z, k, summary->values);
  }
  for (int i = 0; i < system->n_invariant; i++) {
    follow(&summary->invariant[i], summary->values[i], first);
  }
  summary->states++;
}

/* ---- statistics, including those from before the run was resumed ---- */

enum { COURSE = 5 };

sw_stats sw_summary_stats(const sw_summary *summary, const sw_sim *sim)
{
  const sw_stats since = sw_sim_stats(sim);
  sw_stats all = summary->earlier;
  sw_stats_add(&all, &since);
  return all;
}

/* The number of flags of dropped constraints. */
static int count_dropped(const sw_sim *sim)
{
  return sim->work.dropped != NULL ? sim->system->nc : 0;
}

size_t sw_summary_size(const sw_summary *summary, const sw_sim *sim)
{
  return (size_t)count_dropped(sim) + SW_STATS_NUMBERS + 2 + SW_COURSE_NUMBERS +
         COURSE * ((size_t)summary->system->n_invariant + 1) + (size_t)summary->system->n_event;
}

static double *save_course(const sw_course *course, double *to)
{
  const double numbers[COURSE] = {course->first, course->last, course->lowest, course->highest,
                                  course->undefined};
  memcpy(to, numbers, sizeof numbers);
  return to + COURSE;
}

static const double *restore_course(sw_course *course, const double *from)
{
  *course = (sw_course){from[0], from[1], from[2], from[3], from[4] != 0.0};
  return from + COURSE;
}

void sw_summary_save(const sw_summary *summary, const sw_sim *sim, double seconds, double numbers[])
{
  const sw_stats stats = sw_summary_stats(summary, sim);
  sw_stats_save(&stats, numbers);
  numbers += SW_STATS_NUMBERS;
  *numbers++ = summary->seconds + seconds;
  *numbers++ = (double)summary->states;
  sw_energy_course_save(&sim->energy, numbers);
  numbers += SW_COURSE_NUMBERS;
  numbers = save_course(&summary->energy, numbers);
  for (int i = 0; i < summary->system->n_invariant; i++) {
    numbers = save_course(&summary->invariant[i], numbers);
  }
  sw_copy(numbers, summary->crossings, (size_t)summary->system->n_event);
  numbers += summary->system->n_event;
  for (int i = 0; i < count_dropped(sim); i++) {
    numbers[i] = sim->work.dropped[i];
  }
}

void sw_summary_restore(sw_summary *summary, sw_sim *sim, const double numbers[])
{
  summary->earlier = sw_stats_restore(numbers);
  numbers += SW_STATS_NUMBERS;
  summary->seconds = *numbers++;
  summary->states = (long)*numbers++;
  sim->energy = sw_energy_course_restore(numbers);
  numbers += SW_COURSE_NUMBERS;
  numbers = restore_course(&summary->energy, numbers);
  for (int i = 0; i < summary->system->n_invariant; i++) {
    numbers = restore_course(&summary->invariant[i], numbers);
  }
  sw_copy(summary->crossings, numbers, (size_t)summary->system->n_event);
  numbers += summary->system->n_event;
  for (int i = 0; i < count_dropped(sim); i++) {
    sim->work.dropped[i] = numbers[i] != 0.0;
  }
}

/* ---- output as text ---- */

/* Values of at most this part of their scale are 0 up to round-off. */
static const double about_nothing = 1e-12;

/* *scale = max(*scale, |change|) if the change is finite. */
static void include_change(double change, double *scale)
{
  if (isfinite(change)) {
    *scale = fmax(*scale, fabs(change));
  }
}

/* Estimates the scales of H and of the invariants: sum_j |df/dz_j| size_j with the sizes max |q|
 * and max |p| (model/scale.h).  The estimate is the change of f at the last state when each entry
 * of z changes by a small part of its size, with random signs.  The caller frees the scales.  NULL
 * if memory is short. */
static double *find_scales(const sw_summary *summary, const sw_sim *sim)
{
  enum { TRIALS = 4 };
  static const double change = 0x1p-20;
  sw_system *system = summary->system;
  const size_t d = (size_t)system->nq;
  const double *at = sw_sim_state(sim);
  const double *k = sw_sim_parameters(sim);
  const sw_sizes size = sw_sizes_of(system, at);
  uint64_t seed = 1;
  double energy = NAN;
  double *scale = calloc(2 * d + (size_t)system->n_invariant + 1, sizeof *scale);
  for (int trial = 0; trial < TRIALS && scale != NULL; trial++) {
    double *z = scale + system->n_invariant + 1;
    for (size_t j = 0; j < 2 * d; j++) {
      z[j] = at[j] + copysign(change * (j < d ? size.q : size.p), sw_random(&seed));
    }
    system->hamiltonian(system, z, k, &energy);
    include_change((energy - sw_sim_work(sim) - summary->energy.last) / change, &scale[0]);
    if (system->n_invariant > 0) {
      system->invariant(system, z, k, summary->values);
    }
    for (int i = 0; i < system->n_invariant; i++) {
      include_change((summary->values[i] - summary->invariant[i].last) / change, &scale[i + 1]);
    }
  }
  return scale;
}

/* Prints the range of the change since the start; also relative to the start unless that is zero,
 * up to round-off for a quantity of this scale. */
static void print_course(FILE *stream, const char *name, const sw_course *course, double scale,
                         long steps)
{
  double below = course->lowest - course->first;
  double above = course->highest - course->first;
  if (steps == 0) {
    fprintf(stream, "%s  %.15g at the start\n", name, course->first);
    return;
  }
  fprintf(stream, "%s  %.15g at the start, %.15g at the end\n", name, course->first, course->last);
  if (course->undefined) {
    fputs("               not finite everywhere\n", stream);
    return;
  }
  fprintf(stream, "               change within [%.3g, %.3g]", below, above);
  if (course->first != 0.0 && fabs(course->first) <= about_nothing * scale) {
    fputs(" from about 0", stream);
  } else if (course->first != 0.0) {
    fprintf(stream, ", relative %.3g", fmax(fabs(below), above) / fabs(course->first));
  }
  fputc('\n', stream);
}

/* 1 if both have the same numbers, bit for bit: an invariant that the model declares to be H. */
static int is_same_course(const sw_course *a, const sw_course *b)
{
  return a->undefined == b->undefined && memcmp(&a->first, &b->first, sizeof a->first) == 0 &&
         memcmp(&a->last, &b->last, sizeof a->last) == 0 &&
         memcmp(&a->lowest, &b->lowest, sizeof a->lowest) == 0 &&
         memcmp(&a->highest, &b->highest, sizeof a->highest) == 0;
}

static double per(long count, long of)
{
  return of > 0 ? (double)count / (double)of : 0.0;
}

void sw_summary_print_stats(const sw_stats *stats, FILE *stream)
{
  if (stats->steps > 0) {
    fprintf(stream, "Newton         %.3g iterations per step, %.3g per solve\n",
            per(stats->newton_iterations, stats->steps),
            per(stats->newton_iterations, stats->solves));
    fprintf(stream,
            "residuals      |g| <= %.3g, |{g,H}| <= %.3g, scaled residual of a solve <= %.3g\n",
            stats->residual_g, stats->residual_hidden, stats->residual_solve);
  }
  if (stats->fused_steps > 0) {
    fprintf(stream,
            "straight line  %.4g %% of the steps by the model's own code, the rest by KINSOL\n",
            100.0 * per(stats->fused_steps, stats->steps));
  }
  if (stats->fibre_flows > 0) {
    fprintf(stream,
            "fibre flow     numerical: %.3g flows per step, %.3g evaluations of Dg or Hess g per "
            "flow, estimated error <= %.2g\n",
            per(stats->fibre_flows, stats->steps),
            per(stats->fibre_evaluations, stats->fibre_flows), stats->fibre_error);
  }
}

/* 1 if the model has a bath with friction. */
static int has_friction(const sw_system *system, const double k[])
{
  double *bath = system->model->bath != NULL ? calloc(2 * (size_t)system->nq, sizeof *bath) : NULL;
  double largest = 0.0;
  if (bath != NULL) {
    sw_system_bath(system, k, bath);
    largest = sw_max_abs((size_t)system->nq, bath + system->nq);
  }
  free(bath);
  return largest > 0.0;
}

void sw_summary_print_bath(sw_sim *sim, const sw_stats *stats, FILE *stream)
{
  if (sim->plan->has_noise) {
    fprintf(stream, "heat bath      seed %.0f; mean kinetic temperature %.6g\n",
            sw_heat_seed(sim)[SW_SEED_KEY], sw_heat_temperature(sim, stats));
  } else if (has_friction(sim->system, sim->k)) {
    fprintf(stream, "heat bath      left out by %s; baoab includes it\n", sim->plan->method->name);
  }
}

/* Prints the number and the first names of the constraints that are dropped at the end. */
static void print_dropped(const sw_sim *sim, FILE *stream)
{
  enum { MOST_NAMES = 5 };
  const sw_system *system = sw_system_whole(sim->system);
  char name[SW_NAME_BYTES];
  int first[MOST_NAMES];
  int count = 0;
  for (int i = 0; i < system->nc; i++) {
    if (sw_sim_drops(sim, i) && count++ < MOST_NAMES) {
      first[count - 1] = i;
    }
  }
  if (count == 0) {
    return;
  }
  fputs("dropped        ", stream);
  if (count > 1) {
    fprintf(stream, "%d of %d constraints, ", count, system->nc);
  }
  for (int i = 0; i < count && i < MOST_NAMES; i++) {
    fprintf(stream, "%s%s", i > 0 ? ", " : "", sw_system_name(system, SW_C, first[i], name));
  }
  fprintf(stream, "%s: %s at the end\n", count > MOST_NAMES ? ", ..." : "",
          count > 1 ? "their impulses are 0" : "its impulse is 0");
}

/* Prints the numbers of crossings. */
static void print_events(const sw_summary *summary, const sw_sim *sim, FILE *stream)
{
  const sw_system *system = summary->system;
  char name[SW_NAME_BYTES];
  int listed = 0;
  fputs("events        ", stream);
  for (int i = 0; i < system->n_event; i++) {
    if (summary->crossings[i] > 0.0 && listed++ < LONGEST_LIST) {
      fprintf(stream, "%s %s %.0f", listed > 1 ? "," : "",
              sw_system_name(system, SW_EVENT, i, name), summary->crossings[i]);
    }
  }
  fputs(listed == 0 ? " no crossing\n" : listed > LONGEST_LIST ? ", ...\n" : "\n", stream);
  if (summary->stopped) {
    fprintf(stream, "               %s has ended the run at t = %.15g\n",
            sw_system_name(system, SW_EVENT, summary->stopped - 1, name), sw_sim_time(sim));
  }
}

void sw_summary_print(const sw_summary *summary, sw_sim *sim, double seconds, FILE *stream)
{
  sw_system *system = summary->system;
  sw_stats stats = sw_summary_stats(summary, sim);
  char name[SW_NAME_BYTES];
  fprintf(stream, "steps          %ld, to t = %.15g, in %.3g s\n", stats.steps, sw_sim_time(sim),
          summary->seconds + seconds);
  sw_summary_print_stats(&stats, stream);
  print_dropped(sim, stream);
  if (summary->has_events) {
    print_events(summary, sim, stream);
  }
  sw_summary_print_bath(sim, &stats, stream);
  double *scale = stats.steps > 0 ? find_scales(summary, sim) : NULL;
  if (sim->plan->is_forced) {
    fprintf(stream, "work           %.15g done by the forces, subtracted from the energy below\n",
            sw_sim_work(sim));
  }
  print_course(stream, "energy       ", &summary->energy, scale != NULL ? scale[0] : 0.0,
               stats.steps);
  for (int i = 0; i < system->n_invariant && i < LONGEST_LIST; i++) {
    const sw_course *course = &summary->invariant[i];
    fprintf(stream, "invariant      %s", sw_system_name(system, SW_INVARIANT, i, name));
    if (is_same_course(course, &summary->energy)) {
      fputs(": the same values as the energy\n", stream);
    } else {
      fputc('\n', stream);
      print_course(stream, "             ", course, scale != NULL ? scale[i + 1] : 0.0,
                   stats.steps);
    }
  }
  free(scale);
  if (system->n_invariant > LONGEST_LIST) {
    fprintf(stream, "               and %d invariants more\n", system->n_invariant - LONGEST_LIST);
  }
}

/* ---- output as JSON ---- */

static void put_course(sw_json *json, const char *key, const sw_course *course)
{
  sw_json_open(json, key, '{');
  sw_json_number(json, "first", course->first);
  sw_json_number(json, "last", course->last);
  sw_json_number(json, "lowest", course->lowest);
  sw_json_number(json, "highest", course->highest);
  sw_json_flag(json, "finite", !course->undefined);
  sw_json_close(json, '}');
}

static void put_stats(sw_json *json, const sw_stats *stats)
{
  sw_json_integer(json, "fused_steps", stats->fused_steps);
  sw_json_integer(json, "solves", stats->solves);
  sw_json_integer(json, "newton_iterations", stats->newton_iterations);
  sw_json_number(json, "residual_g", stats->residual_g);
  sw_json_number(json, "residual_hidden", stats->residual_hidden);
  sw_json_number(json, "residual_solve", stats->residual_solve);
  sw_json_integer(json, "fibre_flows", stats->fibre_flows);
  sw_json_integer(json, "fibre_evaluations", stats->fibre_evaluations);
  sw_json_number(json, "fibre_error", stats->fibre_error);
}

static void summary_json_put_projection(sw_json *json, const sw_run_outcome *outcome)
{
  if (outcome->moved[0] == '\0') {
    sw_json_null(json, "projection");
    return;
  }
  sw_json_open(json, "projection", '{');
  sw_json_number(json, "positions", outcome->moved_q);
  sw_json_number(json, "momenta", outcome->moved_p);
  sw_json_close(json, '}');
}

static void put_events(sw_json *json, const sw_summary *summary)
{
  const sw_system *system = summary->system;
  char name[SW_NAME_BYTES];
  sw_json_open(json, "events", '{');
  for (int i = 0; i < system->n_event; i++) {
    if (summary->crossings[i] > 0.0) {
      sw_json_integer(json, sw_system_name(system, SW_EVENT, i, name), (long)summary->crossings[i]);
    }
  }
  sw_json_close(json, '}');
  sw_json_text(json, "stopped_by",
               summary->stopped ? sw_system_name(system, SW_EVENT, summary->stopped - 1, name)
                                : NULL);
}

void sw_summary_print_json(const sw_summary *summary, sw_sim *sim, const sw_run_outcome *outcome,
                           FILE *stream)
{
  const sw_model *model = summary->system->model;
  const sw_stats stats = sw_summary_stats(summary, sim);
  char name[SW_NAME_BYTES];
  sw_json json = {.file = stream};
  sw_json_open(&json, NULL, '{');
  sw_json_text(&json, "sidewinder", SW_VERSION);
  sw_json_text(&json, "kind", "run");
  sw_json_text(&json, "model", model->name);
  sw_json_text(&json, "digest", model->digest);
  sw_json_text(&json, "method", outcome->origin->options->method);
  sw_json_text(&json, "base", outcome->origin->options->base);
  sw_metadata_put_curve(&json, sim, outcome->origin);
  sw_json_text(&json, "compose", outcome->origin->options->compose);
  sw_json_number(&json, "step", outcome->origin->step);
  sw_json_text(&json, "init", outcome->origin->init);
  summary_json_put_projection(&json, outcome);
  sw_json_text(&json, "end", outcome->end);
  sw_json_text(&json, "message", outcome->message[0] == '\0' ? NULL : outcome->message);
  sw_json_integer(&json, "steps", stats.steps);
  sw_json_number(&json, "t", sw_sim_time(sim));
  sw_json_number(&json, "seconds", summary->seconds + outcome->seconds);
  put_stats(&json, &stats);
  sw_metadata_put_dropped(&json, sim);
  if (sim->plan->is_forced) {
    sw_json_number(&json, "work", sw_sim_work(sim));
  }
  if (summary->has_events) {
    put_events(&json, summary);
  }
  if (sim->plan->has_noise) {
    sw_json_integer(&json, "seed", (long)sw_heat_seed(sim)[SW_SEED_KEY]);
    sw_json_number(&json, "temperature", sw_heat_temperature(sim, &stats));
  }
  put_course(&json, "energy", &summary->energy);
  sw_json_open(&json, "invariants", '{');
  for (int i = 0; i < summary->system->n_invariant; i++) {
    put_course(&json, sw_system_name(summary->system, SW_INVARIANT, i, name),
               &summary->invariant[i]);
  }
  sw_json_close(&json, '}');
  sw_json_text(&json, "out", outcome->out);
  sw_json_text(&json, "state", outcome->state);
  sw_json_close(&json, '}');
}
