/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cluster_steps.c -- steps of a large model whose constraints are equal clusters: forces by the model's loops, and the solves of each
 * cluster by generated code, several clusters at once.
 *
 * A step is taken where all clusters take it.  No number of it depends on how many are computed at once, or in which order.
 */
#include <math.h>
#include <pthread.h>

#include "common/team.h"
#include "sim/sim_internal.h"

/* Whether the clusters are those of the present parameters, and H_p is a diagonal H_pp times p. */
static int is_ready(sw_sim *sim)
{
  sw_cluster_places *s = sim->clusters;

  if (!sw_holonomic_find_mass(&sim->holonomic, sim->z)) {
    return 0;
  }
  return s->ready ? s->fits : sw_cluster_places_read(sim->system, sim->k, sim->holonomic.mass, s);
}

/* Without where it leads from and to. */
static sw_cluster_job job_of(const sw_sim *sim, const sw_fused *f)
{
  const sw_cluster_places *s = sim->clusters;
  sw_cluster_job job = {.f = *f,
                        .d = sim->system->nq,
                        .at = s->at,
                        .by = s->by,
                        .row = s->row,
                        .is_row = s->is_row,
                        .force = sim->holonomic.force,
                        .negative = s->negative};

  job.f.k = s->k;
  job.each = s->varies ? s->each : NULL;
  job.n = s->n;
  return job;
}

/* The largest of what is found, which does not depend on the order of clusters.  Iterations are those of the slowest cluster. */
static void take_in(const sw_sim *sim, const sw_cluster_job *of, sw_cluster_job *all)
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

/* Clusters that the threads of a system's team share out. */
typedef struct shared_work {
  const sw_sim *sim;
  sw_cluster_work *work;
  const sw_cluster_job *job;
  pthread_mutex_t mutex; /* of what follows */
  sw_cluster_job all;
  int taken;
} shared_work;

/* In one piece, a multiple of all lanes. */
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
  take_in(shared->sim, &own, &shared->all);
  pthread_mutex_unlock(&shared->mutex);
}

/* Works on all clusters. */
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
    take_in(sim, &own, &shared.all);
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

/* Kicks the positions that belong to no cluster, from the state of the model `from` to job->z, and where h is not 0 drifts by that much. */
static void move_rest(const sw_sim *sim, const sw_cluster_job *job, const double from[], double h)
{
  const sw_cluster_places *s = sim->clusters;
  const double *mass = sim->holonomic.mass;
  double *to = job->z;

  for (int i = 0; i < s->free; i++) {
    const int q = s->rest[i];
    const long p = job->d + q;
    const double half = job->kick != 0.0 ? from[p] - job->kick * job->force[q] : from[p];
    to[q] = h != 0.0 ? from[q] + h * (mass[q] * half) : from[q];
    to[p] = half;
  }
}

/* The sizes of the end, of which the slides have found those of the clusters. */
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

/* One part of a step, from job->from, where the positions of the model are those of z, to job->to and job->z, whose sizes it finds; 0 where it is
 * left to the general way. */
static int take_part(sw_sim *sim, sw_cluster_job *job, const double z[], sw_fused *f,
                     sw_sizes *extent)
{
  const sw_clusters *t = sim->clusters->table;
  sw_holonomic *s = &sim->holonomic;
  const double c = sim->plan[0].kick;
  const double h = job->f.h;
  const int adds = job->adds;

  if (c != 0.0) {
    (void)sw_holonomic_force(s, 0, z);
  }
  job->kick = c * h;
  job->size_q = extent->q;
  job->size_p = extent->p;
  s->force_at_end = 0;
  if (!work_on(sim, t->shake, job, f)) {
    return 0;
  }
  move_rest(sim, job, z, h);
  s->force_at_start = 0;
  if (c < 1.0) {
    (void)sw_holonomic_force(s, 1, job->z);
  }
  job->kick = (1.0 - c) * h;
  job->adds = 1;
  const int taken = work_on(sim, t->slide, job, f);
  job->adds = adds;
  move_rest(sim, job, job->z, 0.0);
  *extent = sizes_at_end(sim, job);
  s->force_at_start = taken && s->force_at_end;
  s->force_at_end = 0;
  return taken && isfinite(extent->q) && isfinite(extent->p);
}

/* A whole step from the state job->from, of which the model's positions are z, into job->to, job->z and job->sum, which are of use when all of
 * it is good. */
static int take_step(sw_sim *sim, sw_cluster_job *job, const double z[], sw_fused *f,
                     sw_sizes *extent)
{
  const sw_fused before = *f;
  sw_sizes reached = *extent;
  int good = 1;

  for (int i = 0; i < f->parts && good; i++) {
    job->f.h = f->factor[i] * f->h;
    job->adds = i > 0;
    good = take_part(sim, job, i == 0 ? z : job->z, f, &reached);
    job->from = job->to;
  }
  if (good) {
    *extent = reached;
  } else {
    *f = before;
  }
  return good;
}

/* Takes the state of the model up, and the signs of N there; 0 where it is singular, or nearly so. */
static int enter(const sw_sim *sim, sw_cluster_job *job)
{
  const sw_cluster_places *s = sim->clusters;
  sw_fused none = {0};

  job->z = sim->z;
  job->to = s->state[0];
  job->size_q = sim->extent.q;
  job->size_p = sim->extent.p;
  job->looks = 1;
  const int taken =
      work_on(sim, s->table->enter, job, &none) && work_on(sim, s->table->slide, job, &none);
  job->looks = 0;
  return taken;
}

/* Leaves with the state that so many steps have reached. */
static void leave(const sw_sim *sim, sw_cluster_job *job, long taken)
{
  const sw_cluster_places *s = sim->clusters;
  const double *reached = taken % 2 ? sim->holonomic.z1 : sim->z;
  sw_fused none = {0};

  for (int i = 0; i < s->free; i++) {
    const long q = s->rest[i];
    sim->z[q] = reached[q];
    sim->z[job->d + q] = reached[job->d + q];
  }
  job->z = sim->z;
  job->from = s->state[taken % 2];
  (void)work_on(sim, s->table->leave, job, &none);
}

long sw_cluster_steps(sw_sim *sim, sw_fused *f, long n)
{
  sw_holonomic *s = &sim->holonomic;
  double *const *state = sim->clusters->state;
  double *const sum[2] = {sim->check.a, sim->check.b};
  sw_sizes extent = sim->extent;
  long taken = 0;

  f->failed = 1;
  if (!is_ready(sim)) {
    return 0;
  }
  double *const z[2] = {sim->z, s->z1};
  sw_cluster_job job = job_of(sim, f);
  if (!enter(sim, &job)) {
    return 0;
  }
  do { /* from one of two states, and multipliers, to the other */
    job.from = state[taken % 2];
    job.to = state[(taken + 1) % 2];
    job.z = z[(taken + 1) % 2];
    job.sum = sum[(taken + 1) % 2];
  } while (take_step(sim, &job, z[taken % 2], f, &extent) && ++taken < n);
  f->failed = taken < n;
  f->sum = sum[taken % 2];
  if (taken > 0) {
    leave(sim, &job, taken);
  }
  if (taken < n) {
    s->force_at_start = s->force_at_end = 0;
  }
  return taken;
}

void sw_cluster_steps_end(sw_sim *sim)
{
  const int knows_force = sim->holonomic.force_at_start;

  sw_step_forget(sim);
  sw_holonomic_recall(&sim->holonomic, knows_force);
  sim->clusters->ready = 1;
}
