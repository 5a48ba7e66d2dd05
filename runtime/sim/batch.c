/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * batch.c -- trajectories in lanes (sidewinder/batch.h), in blocks with as many trajectories as
 * the stepper has lanes.
 *
 * All lanes of a block take the same steps.  If one lane rejects a step, no lane takes it.  Then
 * the simulation takes the step for this lane, and the stepper repeats it for the others.  So
 * each trajectory is the same as if it ran alone.
 */
#include "sim/batch_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/carver.h"
#include "model/reduced.h"

typedef struct sw_trajectory {
  sw_clock clock;
  sw_status status;
  double failed_h; /* size of the failed step, if status is not SW_OK */
  int is_fit;      /* 1 if the stepper took its last step and can continue from there */
  sw_stats stats;
  sw_energy_course energy; /* until the last check */
} sw_trajectory;

/* The state of a lane's counters at its last energy check. */
typedef struct sw_lane_start {
  sw_clock clock;
  sw_stats stats;
  long asked; /* steps requested since then */
} sw_lane_start;

struct sw_batch {
  sw_batch_worker *own;
  const sw_stepper *stepper; /* NULL: the simulation takes all steps */
  int watches;               /* 1 if the energy of lanes is watched */
  int count;
  int lanes;
  size_t dim; /* 2d */
  size_t nk;
  size_t m;
  size_t kept; /* values that the stepper keeps between calls, in each lane */
  size_t more; /* values of a state besides z: the last part of a saved state */

  sw_trajectory *trajectory; /* `count` trajectories */
  double *z;                 /* blocks of dim x lanes */
  double *beside;            /* blocks of more x lanes */
  double *k;                 /* blocks of nk x lanes */
  double *lambda;            /* blocks of m x lanes */
};

/* ---- create and free ---- */

static void carve_worker(sw_carver *c, const sw_batch *b, sw_batch_worker *w)
{
  w->sum = sw_carve(c, (size_t)b->lanes, b->m);
  w->kept = sw_carve(c, (size_t)b->lanes, b->dim);
  w->of_stepper = sw_carve(c, (size_t)b->lanes, b->kept);
  w->kept_more = sw_carve(c, (size_t)b->lanes, b->more);
  w->saved = sw_carve(c, SW_SAVED_Z + b->dim + b->m + b->more, 1);
  w->k = sw_carve(c, b->nk, 1);
  const size_t watched = b->watches ? (size_t)b->lanes : 0;
  w->start = sw_carve_bytes(c, watched * sizeof *w->start);
  w->start_saved = sw_carve(c, watched, b->dim + b->m + b->more);
}

/* The worker and its arrays are one block of memory. */
static sw_status create_worker(const sw_batch *b, const sw_sim *like, sw_batch_worker **worker)
{
  sw_batch_worker unused = {0};
  sw_carver c = {NULL, 0, 0};

  *worker = NULL;
  (void)sw_carve_bytes(&c, sizeof unused);
  carve_worker(&c, b, &unused);
  c = sw_carver_open(c);
  sw_batch_worker *w = sw_carve_bytes(&c, sizeof *w);
  if (!w) {
    return SW_ERR_MEMORY;
  }
  carve_worker(&c, b, w);
  const sw_status status = sw_sim_create_like(like, &w->sim);
  if (status != SW_OK) {
    free(w);
    return status;
  }
  *worker = w;
  return SW_OK;
}

sw_status sw_batch_worker_create(const sw_batch *batch, sw_batch_worker **worker)
{
  return create_worker(batch, batch->own->sim, worker);
}

void sw_batch_worker_free(sw_batch_worker **worker)
{
  if (*worker) {
    sw_sim_free(&(*worker)->sim);
    free(*worker);
    *worker = NULL;
  }
}

static void carve(sw_carver *c, sw_batch *b)
{
  const size_t lanes = (size_t)b->lanes;
  const size_t blocks = ((size_t)b->count + lanes - 1) / lanes;

  b->trajectory = sw_carve_bytes(c, (size_t)b->count * sizeof *b->trajectory);
  b->z = sw_carve(c, blocks * lanes, b->dim);
  b->beside = sw_carve(c, blocks * lanes, b->more);
  b->k = sw_carve(c, blocks * lanes, b->nk);
  b->lambda = sw_carve(c, blocks * lanes, b->m);
}

sw_status sw_batch_create(const sw_sim *like, int count, sw_batch **batch)
{
  sw_carver c = {NULL, 0, 0};

  *batch = NULL;
  if (count < 1) {
    return SW_ERR_ARGUMENT;
  }
  sw_batch *b = calloc(1, sizeof *b);
  if (!b) {
    return SW_ERR_MEMORY;
  }
  /* The simulation must watch each step, or surround it with kicks. */
  b->stepper = like->work.mass_watch || like->plan->is_forced ? NULL : like->plan->widest;
  b->watches = b->stepper != NULL && like->plan->conserves;
  b->count = count;
  b->lanes = b->stepper && b->stepper->lanes > 1 ? b->stepper->lanes : 1;
  b->dim = 2 * (size_t)like->system->nq;
  b->nk = (size_t)like->system->nk;
  b->m = (size_t)sw_sim_nc(like);
  b->more = like->plan->n_more;
  b->kept = sw_kept_by(like, b->stepper);
  carve(&c, b);
  c = sw_carver_open(c);
  if (!c.block) {
    free(b);
    return SW_ERR_MEMORY;
  }
  carve(&c, b);
  const sw_status status = create_worker(b, like, &b->own);
  if (status != SW_OK) {
    sw_batch_free(&b);
    return status;
  }
  for (int i = 0; i < count; i++) {
    (void)sw_batch_put(b, i, like);
  }
  *batch = b;
  return SW_OK;
}

void sw_batch_free(sw_batch **batch)
{
  if (batch && *batch) {
    sw_batch_worker_free(&(*batch)->own);
    free((*batch)->trajectory); /* the start of the block of all arrays */
    free(*batch);
    *batch = NULL;
  }
}

/* ---- read and write trajectories ---- */

/* Address of entry e of trajectory i, in an array with n entries for each. */
static double *entry(const sw_batch *b, double all[], size_t n, int i, size_t e)
{
  const size_t lanes = (size_t)b->lanes;

  return &all[((size_t)i / lanes * n + e) * lanes + (size_t)i % lanes];
}

static void batch_scatter(const sw_batch *b, const double from[], size_t n, int i, double all[])
{
  for (size_t e = 0; e < n; e++) {
    *entry(b, all, n, i, e) = from[e];
  }
}

static void batch_gather(const sw_batch *b, double all[], size_t n, int i, double to[])
{
  for (size_t e = 0; e < n; e++) {
    to[e] = *entry(b, all, n, i, e);
  }
}

static void batch_put_state(sw_batch *b, int i, const sw_sim *sim)
{
  b->trajectory[i].clock = sim->state.clock;
  batch_scatter(b, sim->state.z, b->dim, i, b->z);
  batch_scatter(b, sim->state.more, b->more, i, b->beside);
  batch_scatter(b, sw_sim_mean_lambda(sim), b->m, i, b->lambda);
}

/* 1 if there is a trajectory with this index. */
static int batch_has(const sw_batch *b, int i)
{
  return i >= 0 && i < b->count;
}

sw_status sw_batch_put(sw_batch *batch, int i, const sw_sim *sim)
{
  if (!batch_has(batch, i)) {
    return SW_ERR_ARGUMENT;
  }
  sw_trajectory *t = &batch->trajectory[i];
  batch_put_state(batch, i, sim);
  batch_scatter(batch, sim->k, batch->nk, i, batch->k);
  t->status = SW_OK;
  t->is_fit = 0;
  t->stats = (sw_stats){0};
  t->energy = sim->energy;
  return SW_OK;
}

/* Copies trajectory i to the worker's simulation. */
static void get(const sw_batch *b, int i, sw_batch_worker *w)
{
  const sw_clock *clock = &b->trajectory[i].clock;
  double *z = w->saved + SW_SAVED_Z;

  batch_gather(b, b->k, b->nk, i, w->k);
  if (b->nk > 0 && memcmp(w->k, w->sim->k, b->nk * sizeof(double)) != 0) {
    /* cannot fail: the parameters come from a simulation */
    (void)sw_sim_set_parameters(w->sim, w->k);
  }
  w->saved[SW_SAVED_T0] = clock->t0;
  w->saved[SW_SAVED_N] = (double)clock->n;
  w->saved[SW_SAVED_H] = clock->h;
  batch_gather(b, b->z, b->dim, i, z);
  batch_gather(b, b->lambda, b->m, i, z + b->dim);
  batch_gather(b, b->beside, b->more, i, z + b->dim + b->m);
  (void)sw_sim_restore(w->sim, w->saved); /* cannot fail: the state comes from a simulation */
  w->sim->energy = b->trajectory[i].energy;
}

sw_sim *sw_batch_get(sw_batch *batch, int i)
{
  if (!batch_has(batch, i)) {
    return NULL;
  }
  get(batch, i, batch->own);
  return batch->own->sim;
}

/* ---- steps by the simulation ---- */

/* Copies the result of a simulation's steps of size h to trajectory i. */
static void batch_take_over(sw_batch *b, int i, const sw_sim *sim, double h, sw_status status)
{
  batch_put_state(b, i, sim);
  sw_stats_add(&b->trajectory[i].stats, &sim->stats);
  b->trajectory[i].status = status;
  b->trajectory[i].failed_h = h;
}

/* Takes all steps of a trajectory with the simulation, for a model without stepper. */
static void run_alone(sw_batch *b, int i, sw_batch_worker *w, double h, long steps)
{
  if (b->trajectory[i].status == SW_OK) {
    get(b, i, w);
    const sw_status status = sw_sim_run(w->sim, h, steps, NULL, NULL);
    batch_take_over(b, i, w->sim, h, status);
    b->trajectory[i].energy = w->sim->energy;
  }
}

/* Takes one step that the stepper has rejected.  Sets is_fit if the stepper can take the next n
 * steps. */
static void step_alone(sw_batch *b, int i, sw_batch_worker *w, double h, long n)
{
  get(b, i, w);
  const sw_status status = sw_step_to(w->sim, sw_clock_next(&w->sim->state.clock, h));
  sw_step_settle(w->sim);
  batch_take_over(b, i, w->sim, h, status);
  w->sim->state.is_fused = 0;
  b->trajectory[i].is_fit = status == SW_OK && sw_fused_may_start(w->sim, h, n);
}

/* ---- steps in lanes ---- */

/* Restores the n entries of each lane that does not move. */
static void batch_put_back(const sw_batch *b, unsigned live, size_t n, const double kept[],
                           double all[])
{
  const size_t lanes = (size_t)b->lanes;

  for (size_t lane = 0; lane < lanes; lane++) {
    for (size_t e = 0; e < n && !(live >> lane & 1u); e++) {
      all[e * lanes + lane] = kept[e * lanes + lane];
    }
  }
}

/* Copies the results of `taken` steps to the trajectory of a lane. */
static void take_over_lane(sw_batch *b, int i, const sw_fused *f, int lane, long taken)
{
  const double over_h = 1.0 / f->h;
  sw_trajectory *t = &b->trajectory[i];
  const sw_system *system = b->own->sim->system;

  for (int j = 0; j < (int)b->m; j++) {
    const int at = system->whole ? sw_reduced_place(system, j) : j;
    *entry(b, b->lambda, b->m, i, (size_t)j) =
        at < 0 ? 0.0 : over_h * f->sum[(size_t)at * (size_t)b->lanes + (size_t)lane];
  }
  sw_fused_count(f, lane, taken, &t->stats);
  t->clock = sw_clock_next(&t->clock, f->h);
  t->clock.n += taken - 1;
}

/* Takes at most n steps of the lanes in `live` and returns their number.  *failed: the lanes
 * whose next step needs the simulation. */
static long step_lanes(sw_batch *b, int block, unsigned live, const sw_batch_worker *w, double h,
                       long n, unsigned *failed)
{
  const size_t at = (size_t)block * (size_t)b->lanes;
  sw_fused f = sw_fused_begin(w->sim, h);

  f.k = b->k + at * b->nk;
  f.z = b->z + at * b->dim;
  f.more = b->beside + at * b->more;
  f.kept = w->of_stepper;
  f.sum = w->sum;
  f.live = live;
  sw_copy(w->kept, f.z, b->dim * (size_t)b->lanes);
  sw_copy(w->kept_more, f.more, b->more * (size_t)b->lanes);
  const long taken = b->stepper->steps(&f, n);
  batch_put_back(b, live, b->dim, w->kept, f.z);
  batch_put_back(b, live, b->more, w->kept_more, f.more);
  *failed = f.failed;
  for (int lane = 0; lane < b->lanes && taken > 0; lane++) {
    if (live >> lane & 1u) {
      take_over_lane(b, block * b->lanes + lane, &f, lane, taken);
    }
  }
  return taken;
}

/* Returns the running lanes of a block; *fit: those that the stepper can move. */
static unsigned running(const sw_batch *b, int block, unsigned *fit)
{
  unsigned live = 0;

  *fit = 0;
  for (int lane = 0; lane < b->lanes && block * b->lanes + lane < b->count; lane++) {
    const sw_trajectory *t = &b->trajectory[block * b->lanes + lane];
    live |= (unsigned)(t->status == SW_OK) << lane;
    *fit |= (unsigned)(t->status == SW_OK && t->is_fit) << lane;
  }
  return live;
}

/* Checks trajectories that the stepper has not moved yet, and those whose time after n steps is
 * not finite. */
static void look_at_starts(sw_batch *b, int block, sw_batch_worker *w, double h, long n)
{
  for (int i = block * b->lanes; i < (block + 1) * b->lanes && i < b->count; i++) {
    sw_trajectory *t = &b->trajectory[i];
    const int goes_on = t->is_fit && sw_fused_keeps_pace(w->sim, &t->clock, h) &&
                        isfinite(sw_clock_time(&t->clock) + (double)n * h);
    if (t->status == SW_OK && !goes_on) {
      get(b, i, w);
      t->is_fit = sw_fused_may_start(w->sim, h, n);
    }
  }
}

static void run_lanes(sw_batch *b, int block, sw_batch_worker *w, double h, long steps)
{
  unsigned fit = 0;
  unsigned live = 0;

  look_at_starts(b, block, w, h, steps);
  while (steps > 0 && (live = running(b, block, &fit)) != 0) {
    unsigned failed = 0;
    const long n = fit == live ? steps : 1;
    const long taken = fit ? step_lanes(b, block, fit, w, h, n, &failed) : 1;
    for (int lane = 0; lane < b->lanes; lane++) {
      if (failed >> lane & 1u) {
        b->trajectory[block * b->lanes + lane].is_fit = 0;
      }
      if (taken > 0 && (live & ~fit) >> lane & 1u) {
        step_alone(b, block * b->lanes + lane, w, h, steps - 1);
      }
    }
    steps -= taken;
  }
}

/* ---- energy watch of lanes, at the same steps as in run.c ---- */

static double *start_of(const sw_batch *b, const sw_batch_worker *w, int i)
{
  return w->start_saved + (size_t)(i % b->lanes) * (b->dim + b->m + b->more);
}

/* Save the state of trajectory i, and restore it. */
static void keep_lane(sw_batch *b, int i, sw_batch_worker *w)
{
  double *to = start_of(b, w, i);

  w->start[i % b->lanes] =
      (sw_lane_start){.clock = b->trajectory[i].clock, .stats = b->trajectory[i].stats};
  batch_gather(b, b->z, b->dim, i, to);
  batch_gather(b, b->lambda, b->m, i, to + b->dim);
  batch_gather(b, b->beside, b->more, i, to + b->dim + b->m);
}

static void batch_go_back(sw_batch *b, int i, const sw_batch_worker *w)
{
  const double *from = start_of(b, w, i);
  sw_trajectory *t = &b->trajectory[i];

  t->clock = w->start[i % b->lanes].clock;
  t->stats = w->start[i % b->lanes].stats;
  t->status = SW_OK;
  t->is_fit = 0;
  batch_scatter(b, from, b->dim, i, b->z);
  batch_scatter(b, from + b->dim, b->m, i, b->lambda);
  batch_scatter(b, from + b->dim + b->m, b->more, i, b->beside);
}

static sw_energy_state batch_at_present(const sw_batch *b, int i, sw_batch_worker *w, double h)
{
  double *z = w->saved + SW_SAVED_Z;

  batch_gather(b, b->k, b->nk, i, w->k);
  batch_gather(b, b->z, b->dim, i, z);
  return (sw_energy_state){
      .system = w->sim->system, .z = z, .k = w->k, .h = h, .gradient = w->sim->work.watch.gradient};
}

/* Number of steps of trajectory i since the last check. */
static long taken_by(const sw_batch *b, int i, const sw_batch_worker *w)
{
  return b->trajectory[i].stats.steps - w->start[i % b->lanes].stats.steps;
}

/* Checks the energy of trajectory i.  If it has left its scale, the simulation repeats the
 * steps. */
static void batch_look_at(sw_batch *b, int i, sw_batch_worker *w, double h)
{
  sw_trajectory *t = &b->trajectory[i];
  const long taken = taken_by(b, i, w);

  if (taken > 0) {
    const sw_energy_state at = batch_at_present(b, i, w, h);
    const double H = sw_energy_of(&at);
    if (sw_energy_leaves(&t->energy, &at, H)) {
      const long asked = w->start[i % b->lanes].asked;
      batch_go_back(b, i, w);
      run_alone(b, i, w, h, asked);
    } else {
      sw_energy_count(&t->energy, &at, H, taken);
    }
  }
  keep_lane(b, i, w);
}

static void begin_lane(sw_batch *b, int i, sw_batch_worker *w, double h)
{
  sw_trajectory *t = &b->trajectory[i];

  if (!t->energy.begun) {
    const sw_energy_state at = batch_at_present(b, i, w, h);
    sw_energy_begin(&t->energy, &at, sw_energy_of(&at));
  }
  keep_lane(b, i, w);
}

/* Number of steps, at most n, until the next check of a running lane among first .. end-1. */
static long until_look(const sw_batch *b, int first, int end, sw_batch_worker *w, long n)
{
  for (int i = first; i < end; i++) {
    if (b->trajectory[i].status == SW_OK) {
      sw_energy_course course = b->trajectory[i].energy;
      course.steps += taken_by(b, i, w);
      const long due = sw_energy_until_look(&course);
      n = due < n ? due : n;
    }
  }
  for (int i = first; i < end; i++) {
    w->start[i - first].asked += b->trajectory[i].status == SW_OK ? n : 0;
  }
  return n;
}

static void watch_lanes(sw_batch *b, int block, sw_batch_worker *w, double h, long steps)
{
  const int first = block * b->lanes;
  const int end = first + b->lanes < b->count ? first + b->lanes : b->count;

  for (int i = first; i < end; i++) {
    begin_lane(b, i, w, h);
  }
  while (steps > 0) {
    const long n = until_look(b, first, end, w, steps);
    run_lanes(b, block, w, h, n);
    steps -= n;
    for (int i = first; i < end; i++) {
      const long at = b->trajectory[i].energy.steps + taken_by(b, i, w);
      if (steps == 0 || at % SW_LOOK_EVERY == 0 || b->trajectory[i].status != SW_OK) {
        batch_look_at(b, i, w, h);
      }
    }
  }
}

void sw_batch_run_block(sw_batch *batch, int block, sw_batch_worker *worker, double h, long steps)
{
  if (batch->watches) {
    watch_lanes(batch, block, worker, h, steps);
  } else if (batch->stepper) {
    run_lanes(batch, block, worker, h, steps);
  } else {
    run_alone(batch, block, worker, h, steps);
  }
}

sw_status sw_batch_run(sw_batch *batch, double h, long steps)
{
  sw_status first = SW_OK;

  if (steps < 0 || !sw_is_step_size(h)) {
    return SW_ERR_ARGUMENT;
  }
  for (int block = 0; block * batch->lanes < batch->count; block++) {
    sw_batch_run_block(batch, block, batch->own, h, steps);
  }
  for (int i = 0; i < batch->count && first == SW_OK; i++) {
    first = batch->trajectory[i].status;
  }
  return first;
}

/* ---- queries ---- */

int sw_batch_count(const sw_batch *batch)
{
  return batch->count;
}

int sw_batch_lanes(const sw_batch *batch)
{
  return batch->lanes;
}

sw_status sw_batch_status(const sw_batch *batch, int i)
{
  return batch_has(batch, i) ? batch->trajectory[i].status : SW_ERR_ARGUMENT;
}

const char *sw_batch_message(sw_batch *batch, int i)
{
  sw_sim *sim = sw_batch_get(batch, i);

  if (!sim) {
    return sw_status_text(SW_ERR_ARGUMENT);
  }
  if (batch->trajectory[i].status != SW_OK) {
    /* Repeat the failed step for its message; the step depends only on the state. */
    (void)sw_sim_step(sim, batch->trajectory[i].failed_h);
  }
  return sw_sim_message(sim);
}

double sw_batch_time(const sw_batch *batch, int i)
{
  return batch_has(batch, i) ? sw_clock_time(&batch->trajectory[i].clock) : NAN;
}

sw_stats sw_batch_stats(const sw_batch *batch, int i)
{
  return batch_has(batch, i) ? batch->trajectory[i].stats : (sw_stats){0};
}

const double *sw_batch_states(const sw_batch *batch)
{
  return batch->z;
}
