/* SPDX-License-Identifier: BSD-3-Clause */
#include "sidewinder/ensemble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "ensemble/ensemble_internal.h"
#include "sim/sim_internal.h"

void sw_ensemble_options_init(sw_ensemble_options *options)
{
  *options = (sw_ensemble_options){.count = 1, .threads = 1};
}

/* ---- memory ---- */

static int ensemble_allocate(sw_ensemble *e)
{
  const size_t n = (size_t)e->count;
  e->workers = calloc((size_t)e->threads, sizeof *e->workers);
  e->saved = calloc(n, e->stride * sizeof *e->saved);
  e->energy = calloc(n, sizeof *e->energy);
  e->status = calloc(n, sizeof *e->status);
  e->steps = calloc(n, sizeof *e->steps);
  e->message = calloc(n, sizeof *e->message);
  if (e->n_values > 0) {
    e->values = calloc(n, (size_t)e->n_values * sizeof *e->values);
  }
  return e->workers != NULL && e->saved != NULL && e->energy != NULL && e->status != NULL &&
         e->steps != NULL && e->message != NULL && (e->n_values == 0 || e->values != NULL);
}

/* Creates a simulation and a buffer for measured values for each thread. */
static sw_status make_workers(sw_ensemble *e, const sw_sim *like)
{
  sw_status status = SW_OK;
  for (int t = 0; t < e->threads && status == SW_OK; t++) {
    sw_ensemble_worker *w = &e->workers[t];
    w->row = calloc((size_t)e->n_values + 1, sizeof *w->row);
    status = w->row != NULL ? sw_batch_create(like, SW_BLOCK, &w->batch) : SW_ERR_MEMORY;
    status = status == SW_OK ? sw_batch_worker_create(w->batch, &w->worker) : status;
    if (status == SW_OK) {
      w->sim = w->worker->sim;
      status = sw_sim_set_parameters(w->sim, sw_sim_parameters(like));
    }
  }
  return status;
}

static sw_status ensemble_make(sw_ensemble *e, const sw_sim *like)
{
  if (!ensemble_allocate(e)) {
    return SW_ERR_MEMORY;
  }
  sw_status status = make_workers(e, like);
  for (long i = 0; i < e->count; i++) {
    double *saved = e->saved + (size_t)i * e->stride;
    sw_sim_save(like, saved);
    if (like->plan->has_noise) {
      saved[e->stride - SW_SEED_NUMBERS + SW_SEED_TRAJECTORY] += (double)i;
    }
  }
  return status == SW_OK ? sw_team_create(e->threads, &e->team) : status;
}

sw_status sw_ensemble_create(const sw_sim *like, const sw_ensemble_options *options,
                             sw_ensemble **ensemble)
{
  *ensemble = NULL;
  if (options->count < 1 || options->threads < 1 || options->threads > SW_THREADS_MOST ||
      options->n_values < 0 || (options->n_values > 0) != (options->measure != NULL)) {
    return SW_ERR_ARGUMENT;
  }
  sw_ensemble *e = calloc(1, sizeof *e);
  if (e == NULL) {
    return SW_ERR_MEMORY;
  }
  *e = (sw_ensemble){.count = options->count,
                     .threads = options->threads,
                     .n_values = options->n_values,
                     .measure = options->measure,
                     .user = options->user,
                     .stride = sw_sim_saved_count(like)};
  *ensemble = e;
  sw_status status = ensemble_make(e, like);
  if (status != SW_OK) {
    sw_ensemble_free(ensemble);
  }
  return status;
}

void sw_ensemble_free(sw_ensemble **ensemble)
{
  sw_ensemble *e = ensemble != NULL ? *ensemble : NULL;
  if (e == NULL) {
    return;
  }
  sw_team_free(&e->team);
  for (int t = 0; e->workers != NULL && t < e->threads; t++) {
    sw_batch_worker_free(&e->workers[t].worker);
    sw_batch_free(&e->workers[t].batch);
    free(e->workers[t].row);
  }
  for (long i = 0; e->message != NULL && i < e->count; i++) {
    free(e->message[i]);
  }
  free(e->workers);
  free(e->saved);
  free(e->k);
  free(e->energy);
  free(e->status);
  free(e->steps);
  free(e->message);
  free(e->values);
  free(e);
  *ensemble = NULL;
}

/* ---- trajectories ---- */

/* 1 if trajectory i exists. */
static int ensemble_has(const sw_ensemble *e, long i)
{
  return i >= 0 && i < e->count;
}

/* Loads the state and parameters of trajectory i into the simulation. */
static sw_status ensemble_enter(const sw_ensemble *e, sw_sim *sim, long i)
{
  sw_status status = SW_OK;
  if (e->k != NULL) {
    status = sw_sim_set_parameters(sim, sw_ensemble_parameters(e, i));
  }
  if (status == SW_OK) {
    status = sw_sim_restore(sim, e->saved + (size_t)i * e->stride);
  }
  sim->energy = e->energy[i];
  return status;
}

static void ensemble_leave(sw_ensemble *e, const sw_sim *sim, long i)
{
  sw_sim_save(sim, e->saved + (size_t)i * e->stride);
  e->energy[i] = sim->energy;
}

static void ensemble_fail(sw_ensemble *e, long i, sw_status status, const char *message)
{
  e->status[i] = status;
  e->message[i] = strdup(message);
}

sw_status sw_ensemble_set_state(sw_ensemble *e, long i, double t, const double z[])
{
  sw_sim *sim = e->workers[0].sim;
  if (ensemble_has(e, i) && sim->plan->has_noise) {
    (void)ensemble_enter(e, sim, i); /* the state keeps its seed */
  }
  sw_status status = ensemble_has(e, i) ? sw_sim_set_state(sim, t, z) : SW_ERR_ARGUMENT;
  if (status == SW_OK) {
    ensemble_leave(e, sim, i);
    e->status[i] = SW_OK;
    e->steps[i] = 0;
    free(e->message[i]);
    e->message[i] = NULL;
  }
  return status;
}

sw_status sw_ensemble_set_parameters(sw_ensemble *e, long i, const double k[])
{
  sw_sim *sim = e->workers[0].sim;
  const size_t nk = (size_t)sw_ensemble_nk(e);
  if (!ensemble_has(e, i)) {
    return SW_ERR_ARGUMENT;
  }
  if (e->k == NULL) {
    e->k = calloc((size_t)e->count, (nk + 1) * sizeof *e->k);
    for (long j = 0; e->k != NULL && j < e->count; j++) {
      sw_copy(e->k + (size_t)j * nk, sw_sim_parameters(sim), nk);
    }
  }
  sw_status status = e->k == NULL ? SW_ERR_MEMORY : sw_sim_set_parameters(sim, k);
  if (status == SW_OK) {
    sw_copy(e->k + (size_t)i * nk, k, nk);
    e->energy[i] = sim->energy;
  }
  return status;
}

/* ---- work ---- */

/* The arguments of the work on each block. */
typedef struct task {
  sw_ensemble *ensemble;
  double h;
  long steps;
  int measures;
  double most; /* the largest relative displacement that a projection may cause */
} task;

/* The end of the block that begins with trajectory `first`. */
static long block_end(const sw_ensemble *e, long first)
{
  return e->count - first < SW_BLOCK ? e->count : first + SW_BLOCK;
}

static void project_block(void *context, long piece, int worker)
{
  const task *of = context;
  sw_ensemble *e = of->ensemble;
  sw_sim *sim = e->workers[worker].sim;
  for (long i = piece * SW_BLOCK; i < block_end(e, piece * SW_BLOCK); i++) {
    if (e->status[i] != SW_OK) {
      continue;
    }
    sw_status status = ensemble_enter(e, sim, i);
    status = status == SW_OK ? sw_sim_project_within(sim, of->most) : status;
    if (status == SW_OK) {
      ensemble_leave(e, sim, i);
    } else {
      ensemble_fail(e, i, status, sw_sim_message(sim));
      e->steps[i] = -1;
    }
  }
}

/* Takes up to `steps` steps of size h with every trajectory of the block that has not failed, and
 * adds their cost to that of the worker.  If a step fails, the trajectory keeps the state before
 * the step, and gets the status and message of the step. */
static void step_block(sw_ensemble *e, long first, sw_ensemble_worker *w, double h, long steps)
{
  long place[SW_BLOCK]; /* trajectory in each slot of the batch */
  const int lanes = sw_batch_lanes(w->batch);
  int count = 0;
  for (long i = first; i < block_end(e, first); i++) {
    if (e->status[i] != SW_OK) {
      continue;
    }
    const sw_status status = ensemble_enter(e, w->sim, i);
    if (status != SW_OK) {
      ensemble_fail(e, i, status, sw_sim_message(w->sim));
      continue;
    }
    (void)sw_batch_put(w->batch, count, w->sim);
    place[count++] = i;
  }
  /* Unused lanes of the last group step the states of an earlier block; these results are
   * ignored. */
  for (int b = 0; b * lanes < count; b++) {
    sw_batch_run_block(w->batch, b, w->worker, h, steps);
  }
  for (int slot = 0; slot < count; slot++) {
    const sw_stats cost = sw_batch_stats(w->batch, slot);
    const sw_status status = sw_batch_status(w->batch, slot);
    sw_sim *sim = sw_batch_get(w->batch, slot);
    char message[SW_MESSAGE_BYTES] = "";
    sw_stats_add(&w->cost, &cost);
    e->steps[place[slot]] += cost.steps;
    ensemble_leave(e, sim, place[slot]);
    if (status != SW_OK) {
      /* Repeats the step to obtain its message.  It fails again, because a step is a map of the
       * state. */
      (void)sw_sim_step(sim, h);
      if (e->words != NULL) {
        e->words(sim, message);
      }
      ensemble_fail(e, place[slot], status, e->words != NULL ? message : sw_sim_message(sim));
    }
  }
}

static void advance_block(void *context, long piece, int worker)
{
  const task *of = context;
  sw_ensemble *e = of->ensemble;
  sw_ensemble_worker *w = &e->workers[worker];
  const long first = piece * SW_BLOCK;
  if (of->steps > 0) {
    step_block(e, first, w, of->h, of->steps);
  }
  for (long i = first; of->measures && e->measure != NULL && i < block_end(e, first); i++) {
    const int known = e->status[i] == SW_OK && ensemble_enter(e, w->sim, i) == SW_OK;
    if (known) {
      e->measure(w->sim, e->step, worker, w->row, e->user);
    }
    for (long v = 0; v < e->n_values; v++) {
      e->values[v * e->count + i] = known ? w->row[v] : NAN;
    }
  }
}

static void ensemble_share_out(sw_ensemble *e, sw_team_job *job, task *of)
{
  of->ensemble = e;
  sw_team_run(e->team, job, of, (e->count + SW_BLOCK - 1) / SW_BLOCK);
}

sw_status sw_ensemble_project(sw_ensemble *e, double most)
{
  task of = {.most = most};
  ensemble_share_out(e, project_block, &of);
  for (long i = 0; i < e->count; i++) {
    if (e->status[i] == SW_ERR_MEMORY) {
      return SW_ERR_MEMORY;
    }
  }
  return SW_OK;
}

sw_status sw_ensemble_move(sw_ensemble *e, double h, long steps, int measures)
{
  task of = {.h = h, .steps = steps, .measures = measures};
  if (steps < 0 || !sw_is_step_size(h)) {
    return SW_ERR_ARGUMENT;
  }
  e->step += steps;
  ensemble_share_out(e, advance_block, &of);
  return SW_OK;
}

sw_status sw_ensemble_advance(sw_ensemble *e, double h, long steps)
{
  return sw_ensemble_move(e, h, steps, 1);
}

sw_status sw_ensemble_run(sw_ensemble *e, double h, long steps, long every,
                          sw_ensemble_observer *observe, void *user)
{
  if (steps < 0 || every < 1) {
    return SW_ERR_ARGUMENT;
  }
  sw_status status = sw_ensemble_advance(e, h, 0);
  for (long n = 0; status == SW_OK; n += every) {
    if (observe != NULL && observe(e, e->step, user) != 0) {
      return SW_ERR_STOPPED;
    }
    if (n >= steps) {
      break;
    }
    status = sw_ensemble_advance(e, h, steps - n < every ? steps - n : every);
  }
  return status;
}

/* ---- results ---- */

long sw_ensemble_count(const sw_ensemble *e)
{
  return e->count;
}

long sw_ensemble_step(const sw_ensemble *e)
{
  return e->step;
}

long sw_ensemble_failed(const sw_ensemble *e)
{
  long failed = 0;
  for (long i = 0; i < e->count; i++) {
    failed += e->status[i] != SW_OK;
  }
  return failed;
}

sw_status sw_ensemble_status(const sw_ensemble *e, long i)
{
  return ensemble_has(e, i) ? e->status[i] : SW_ERR_ARGUMENT;
}

const char *sw_ensemble_message(const sw_ensemble *e, long i)
{
  if (!ensemble_has(e, i)) {
    return sw_status_text(SW_ERR_ARGUMENT);
  }
  const char *text = e->message[i];
  return e->status[i] == SW_OK             ? ""
         : text == NULL || text[0] == '\0' ? sw_status_text(e->status[i])
                                           : text;
}

long sw_ensemble_steps(const sw_ensemble *e, long i)
{
  return ensemble_has(e, i) ? e->steps[i] : -1;
}

const double *sw_ensemble_state(const sw_ensemble *e, long i)
{
  return ensemble_has(e, i) ? e->saved + (size_t)i * e->stride + SW_SAVED_Z : NULL;
}

const double *sw_ensemble_parameters(const sw_ensemble *e, long i)
{
  if (!ensemble_has(e, i)) {
    return NULL;
  }
  return e->k != NULL ? e->k + (size_t)i * (size_t)sw_ensemble_nk(e)
                      : sw_sim_parameters(e->workers[0].sim);
}

const double *sw_ensemble_values(const sw_ensemble *e)
{
  return e->values;
}

sw_stats sw_ensemble_stats(const sw_ensemble *e)
{
  sw_stats all = e->earlier;
  for (int t = 0; t < e->threads; t++) {
    sw_stats_add(&all, &e->workers[t].cost);
  }
  return all;
}
