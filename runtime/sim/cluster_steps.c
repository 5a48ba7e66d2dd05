/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cluster_steps.c -- steps of a large model whose constraints form equal clusters.  The model's
 * loops compute the forces; generated code solves for several clusters at once.
 *
 * A step is taken only if all clusters take it.  The results do not depend on the number of
 * clusters computed at once, or on their order.
 */
#include <math.h>
#include <pthread.h>

#include "common/team.h"
#include "sim/sim_internal.h"

/* 1 if the clusters are valid for the present parameters, and H_p is a diagonal H_pp times p. */
static int cluster_steps_is_ready(sw_sim *sim)
{
  sw_cluster_places *s = sim->clusters;

  if (!sw_holonomic_find_mass(&sim->holonomic, sim->z)) {
    return 0;
  }
  return s->ready ? s->fits : sw_cluster_places_read(sim->system, sim->k, sim->holonomic.mass, s);
}

static sw_cluster_job job_of(const sw_sim *sim, const sw_fused *f)
{
  const sw_cluster_places *s = sim->clusters;
  sw_cluster_job job = {.f = *f,
                        .d = sim->system->nq,
                        .at = s->at,
                        .by = s->by,
                        .row = s->row,
                        .is_row = s->is_row,
                        .state = s->state,
                        .z = sim->holonomic.z1,
                        .force = s->is_alone ? NULL : sim->holonomic.force,
                        .negative = s->negative};

  job.f.k = s->k;
  job.each = s->varies ? s->each : NULL;
  job.n = s->n;
  return job;
}

/* Accumulates maxima, which do not depend on the order of clusters.  Iterations are those of the
 * slowest cluster. */
static void cluster_steps_take_in(const sw_sim *sim, const sw_cluster_job *of, sw_cluster_job *all)
{
  all->end_q = sw_larger_or_nan(all->end_q, of->end_q);
  all->end_p = sw_larger_or_nan(all->end_p, of->end_p);
  for (int lane = 0; lane < sim->clusters->lanes; lane++) {
    const sw_fused *f = &of->f;
    sw_fused *to = &all->f;
    to->solves[0] = f->solves[lane] > to->solves[0] ? f->solves[lane] : to->solves[0];
    to->iterations[0] =
        f->iterations[lane] > to->iterations[0] ? f->iterations[lane] : to->iterations[0];
    to->residual_g[0] = fmax(to->residual_g[0], f->residual_g[lane]);
    to->residual_rho[0] = fmax(to->residual_rho[0], f->residual_rho[lane]);
    to->residual_solve[0] = fmax(to->residual_solve[0], f->residual_solve[lane]);
  }
}

/* Clusters that the system's team of threads shares. */
typedef struct shared_work {
  const sw_sim *sim;
  sw_cluster_work *work;
  const sw_cluster_job *job;
  pthread_mutex_t mutex; /* protects the members below */
  sw_cluster_job all;
  int taken;
} shared_work;

/* Number of clusters in one piece of work; a multiple of every number of lanes. */
enum { CLUSTERS_A_PIECE = 512 };

static void work_on_piece(void *context, long piece, int worker)
{
  shared_work *shared = context;
  const long n = shared->sim->clusters->n;
  const long first = piece * CLUSTERS_A_PIECE;
  const long last = n - first > CLUSTERS_A_PIECE ? first + CLUSTERS_A_PIECE : n;
  sw_cluster_job own = *shared->job;
  const int taken = shared->work(&own, first, last);

  (void)worker;
  pthread_mutex_lock(&shared->mutex);
  shared->taken &= taken;
  cluster_steps_take_in(shared->sim, &own, &shared->all);
  pthread_mutex_unlock(&shared->mutex);
}

/* Runs `work` on all clusters.  Returns 1 if all of them were taken. */
static int work_on(const sw_sim *sim, sw_cluster_work *work, sw_cluster_job *job, sw_fused *found)
{
  const long n = sim->clusters->n;
  shared_work shared = {.sim = sim, .work = work, .job = job, .taken = 1};

  if (sim->system->team && n > CLUSTERS_A_PIECE && pthread_mutex_init(&shared.mutex, NULL) == 0) {
    sw_team_run(sim->system->team, work_on_piece, &shared,
                (n + CLUSTERS_A_PIECE - 1) / CLUSTERS_A_PIECE);
    pthread_mutex_destroy(&shared.mutex);
  } else {
    sw_cluster_job own = *job;
    shared.taken = work(&own, 0, n);
    cluster_steps_take_in(sim, &own, &shared.all);
  }
  job->end_q = shared.all.end_q;
  job->end_p = shared.all.end_p;
  if (shared.taken) {
    const sw_fused *f = &shared.all.f;
    found->solves[0] += f->solves[0];
    found->iterations[0] += f->iterations[0];
    found->residual_g[0] = fmax(found->residual_g[0], f->residual_g[0]);
    found->residual_rho[0] = fmax(found->residual_rho[0], f->residual_rho[0]);
    found->residual_solve[0] = fmax(found->residual_solve[0], f->residual_solve[0]);
  }
  return shared.taken;
}

static int cluster_steps_solve(const sw_sim *sim, int solves, sw_cluster_job *job, sw_fused *found)
{
  job->solves = solves;
  return work_on(sim, sim->clusters->table->solve, job, found);
}

/* Kicks the positions outside of clusters, and drifts them by h unless it is 0. */
static void move_rest(const sw_sim *sim, const sw_cluster_job *job, double kick, double h)
{
  const sw_cluster_places *s = sim->clusters;
  const double *mass = sim->holonomic.mass;
  double *q = job->z;
  double *p = job->z + job->d;

  for (int i = 0; i < s->free; i++) {
    const int j = s->rest[i];
    p[j] = kick != 0.0 ? p[j] - kick * job->force[j] : p[j];
    q[j] = h != 0.0 ? q[j] + h * (mass[j] * p[j]) : q[j];
  }
}

/* The sizes of the end; the slides have found those of the clusters. */
static sw_sizes sizes_at_end(const sw_sim *sim, const sw_cluster_job *job)
{
  const sw_cluster_places *s = sim->clusters;
  sw_sizes size = {job->end_q, job->end_p};

  for (int i = 0; i < s->free; i++) {
    size.q = sw_larger_or_nan(size.q, fabs(job->z[s->rest[i]]));
    size.p = sw_larger_or_nan(size.p, fabs(job->z[job->d + s->rest[i]]));
  }
  return size;
}

/* Takes one part of a step; z holds the model's present positions.  Returns 0 if the general
 * solver must take it. */
static int cluster_steps_take_part(sw_sim *sim, sw_cluster_job *job, const double z[], sw_fused *f)
{
  sw_holonomic *s = &sim->holonomic;

  if (job->kick[0] != 0.0) {
    (void)sw_holonomic_force(s, 0, z);
  }
  s->force_at_end = 0;
  if (!cluster_steps_solve(sim, SW_CLUSTERS_SHAKE, job, f)) {
    return 0;
  }
  move_rest(sim, job, job->kick[0], job->f.h);
  s->force_at_start = 0;
  if (job->kick[1] != 0.0) {
    (void)sw_holonomic_force(s, 1, job->z);
  }
  const int taken = cluster_steps_solve(sim, SW_CLUSTERS_SLIDE, job, f);
  move_rest(sim, job, job->kick[1], 0.0);
  s->force_at_start = taken && s->force_at_end;
  s->force_at_end = 0;
  return taken;
}

/* The same for clusters without interactions, in one pass through memory. */
static int take_part_alone(sw_sim *sim, sw_cluster_job *job, sw_fused *f)
{
  sim->holonomic.force_at_start = sim->holonomic.force_at_end = 0;
  return cluster_steps_solve(sim, SW_CLUSTERS_SHAKE | SW_CLUSTERS_SLIDE, job, f);
}

/* Takes a whole step; the first one starts from the simulation's state.  Finds the sizes of its
 * end, and writes its multipliers unless `sum` is NULL.  Returns 0 if the general solver must
 * take the step; then the state is undefined. */
static int take_step(sw_sim *sim, sw_cluster_job *job, int is_first, double sum[], sw_fused *f,
                     sw_sizes *extent)
{
  const sw_fused before = *f;
  const double kick = sim->plan[0].kick;
  int good = 1;

  job->sum = sum;
  for (int part = 0; part < f->parts && good; part++) {
    job->f.h = f->factor[part] * f->h;
    job->kick[0] = kick * job->f.h;
    job->kick[1] = (1.0 - kick) * job->f.h;
    job->adds = part > 0;
    job->size_q = extent->q;
    job->size_p = extent->p;
    good = sim->clusters->is_alone
               ? take_part_alone(sim, job, f)
               : cluster_steps_take_part(sim, job, is_first && part == 0 ? sim->z : job->z, f);
    *extent = sizes_at_end(sim, job);
    good = good && isfinite(extent->q) && isfinite(extent->p);
  }
  if (!good) {
    *f = before;
  }
  return good;
}

/* Copies the positions outside of clusters, and their momenta. */
static void copy_rest(const sw_sim *sim, double to[], const double from[])
{
  const sw_cluster_places *s = sim->clusters;

  for (int i = 0; i < s->free; i++) {
    const int q = s->rest[i];
    to[q] = from[q];
    to[q + sim->system->nq] = from[q + sim->system->nq];
  }
}

/* Copies the simulation's state to the clusters (`enter`), or the state of the clusters back
 * (`leave`). */
static void turn(const sw_sim *sim, const sw_cluster_job *job, sw_cluster_work *work)
{
  sw_cluster_job all = *job;
  sw_fused none = {0};

  all.z = sim->z;
  (void)work_on(sim, work, &all, &none);
}

static void cluster_steps_enter(const sw_sim *sim, const sw_cluster_job *job)
{
  turn(sim, job, sim->clusters->table->enter);
}

static void cluster_steps_leave(const sw_sim *sim, const sw_cluster_job *job)
{
  turn(sim, job, sim->clusters->table->leave);
  copy_rest(sim, sim->z, job->z);
}

/* 1 if N is regular at the start; also finds the signs of N. */
static int cluster_steps_look(const sw_sim *sim, const sw_cluster_job *job)
{
  sw_cluster_job at_start = *job;
  sw_fused none = {0};

  at_start.size_q = sim->check.known.extent.q;
  at_start.size_p = sim->check.known.extent.p;
  return cluster_steps_solve(sim, 0, &at_start, &none);
}

/* Steps are computed in place, because one array uses the caches better than two.  The simulation
 * takes over the result after this many steps.  If a step fails, its state is lost, and the steps
 * before it are repeated. */
enum { STEPS_AT_ONCE = 64 };

/* Takes at most n steps from the state of the last `enter`; returns their number. */
static long cluster_steps_take_steps(sw_sim *sim, sw_cluster_job *job, long n, sw_fused *f,
                                     sw_sizes *extent)
{
  sw_holonomic *s = &sim->holonomic;
  const sw_fused before = *f;
  const sw_sizes from = *extent;
  double *sum = f->sum == sim->check.a ? sim->check.b : sim->check.a;
  long taken = 0;

  while (taken < n && take_step(sim, job, taken == 0, taken == n - 1 ? sum : NULL, f, extent)) {
    taken++;
  }
  if (taken < n) {
    s->force_at_start = s->force_at_end = 0;
    *f = before;
    *extent = from;
    cluster_steps_enter(sim, job);
    copy_rest(sim, job->z, sim->z);
    for (long i = 0; i < taken; i++) {
      (void)take_step(sim, job, i == 0, i == taken - 1 ? sum : NULL, f, extent);
    }
  }
  if (taken > 0) {
    cluster_steps_leave(sim, job);
    f->sum = sum;
  }
  return taken;
}

long sw_cluster_steps(sw_sim *sim, sw_fused *f, long n)
{
  sw_sizes extent = sim->check.known.extent;
  long taken = 0;
  long more = 0;

  f->failed = 1;
  f->sum = sim->check.b;
  if (!cluster_steps_is_ready(sim)) {
    return 0;
  }
  sw_cluster_job job = job_of(sim, f);
  copy_rest(sim, job.z, sim->z);
  if (!sim->clusters->is_current) {
    cluster_steps_enter(sim, &job);
    if (!cluster_steps_look(sim, &job)) {
      return 0;
    }
  }
  do {
    more = n - taken < STEPS_AT_ONCE ? n - taken : STEPS_AT_ONCE;
    const long made = cluster_steps_take_steps(sim, &job, more, f, &extent);
    more -= made;
    taken += made;
  } while (more == 0 && taken < n);
  f->failed = taken < n;
  if (taken < n) {
    sim->holonomic.force_at_start = sim->holonomic.force_at_end = 0;
  }
  sim->check.known.extent = extent;
  return taken;
}

void sw_cluster_steps_end(sw_sim *sim)
{
  const int knows_force = sim->holonomic.force_at_start;

  sw_step_forget(sim);
  sw_holonomic_recall(&sim->holonomic, knows_force);
  sim->clusters->ready = sim->clusters->is_current = 1;
}
