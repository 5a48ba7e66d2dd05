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
#include <stdlib.h>

#include "common/carver.h"
#include "common/team.h"
#include "common/vectors.h"
#include "model/system_plan.h"
#include "sim/sim_internal.h"

/* ---- locate the clusters ---- */

/* Returns an array with the first entry of each row of a pattern; row i has the entries start[i]
 * .. start[i+1]-1. */
static int *row_starts(const sw_pattern *p, int rows)
{
  int *start = calloc((size_t)rows + 1, sizeof *start);

  for (int e = 0; start && e < p->entries; e++) {
    start[p->row[e] + 1]++;
  }
  for (int i = 0; start && i < rows; i++) {
    start[i + 1] += start[i];
  }
  return start;
}

/* 1 if row i of Dg has exactly the entries that constraint a of cluster c reads.  The rows of the
 * clusters 0 and 1 define the positions `at` and `by`. */
static int row_is_like(sw_cluster_plan *s, const sw_pattern *p, const int start[], int a, long c)
{
  const sw_clusters *t = s->table;
  const int first = start[s->row[a] + c];
  const int end = start[s->row[a] + c + 1];

  if (end - first != t->n_columns[a]) {
    return 0;
  }
  for (int e = first; e < end; e++) {
    const int j = t->columns[a][e - first];
    if (c == 0 && s->at[j] < 0) {
      s->at[j] = p->col[e];
    }
    if (c == 1 && s->by[j] == 0) {
      s->by[j] = p->col[e] - s->at[j];
    }
    if (p->col[e] != s->at[j] + s->by[j] * c) {
      return 0;
    }
  }
  return 1;
}

static int rows_are_like(sw_cluster_plan *s, const sw_pattern *p, const int start[])
{
  for (long c = 0; c < s->n; c++) {
    for (int a = 0; a < s->table->constraints; a++) {
      if (!row_is_like(s, p, start, a, c)) {
        return 0;
      }
    }
  }
  s->is_row = 1;
  for (int j = 0; j < s->table->positions; j++) {
    if (s->at[j] < 0 || s->by[j] < 0) {
      return 0;
    }
    s->is_row &= s->at[j] == s->at[0] + j && s->by[j] == s->by[0];
  }
  return 1;
}

/* 1 if no two clusters share a position.  Lists the positions outside of clusters. */
static int list_rest(sw_cluster_plan *s, int d)
{
  for (int i = 0; i < d; i++) {
    s->rest[i] = 0;
  }
  for (long c = 0; c < s->n; c++) {
    for (int j = 0; j < s->table->positions; j++) {
      const long i = s->at[j] + s->by[j] * c;
      if (i >= d || s->rest[i]++) {
        return 0;
      }
    }
  }
  for (int i = 0; i < d; i++) {
    if (s->rest[i] == 0) {
      s->rest[s->free++] = i;
    }
  }
  return 1;
}

/* 1 if H has terms in positions other than those within clusters. */
static int has_others(const sw_system *system, const sw_clusters *t)
{
  int left = t->n_others;

  for (int i = 0; i < t->n_others; i++) {
    int is_empty = 0;
    for (int j = 0; j < t->others[i].n; j++) {
      is_empty |= system->plan->count[t->others[i].sets[j]] == 0;
    }
    left -= is_empty;
  }
  return left > 0;
}

static int clusters_find(const sw_system *system, sw_cluster_plan *s)
{
  const sw_pattern *jac = &system->constraint_jac_pattern;
  int *start = row_starts(jac, system->nc);

  if (!start) {
    return -1;
  }
  for (int a = 0; a < s->table->constraints; a++) {
    s->row[a] = (long)a * s->n;
  }
  for (int j = 0; j < s->table->positions; j++) {
    s->at[j] = -1;
    s->by[j] = 0;
  }
  const int found = rows_are_like(s, jac, start) && list_rest(s, system->nq);
  free(start);
  s->is_alone = s->free == 0 && !has_others(system, s->table);
  return found;
}

/* ---- create and free ---- */

/* Reserves an array that starts at a cache line, so that eight lanes fill one line. */
static double *carve_lines(sw_carver *c, size_t rows, size_t columns)
{
  const size_t line = 64;
  /* one additional row for the alignment */
  char *bytes = (char *)sw_carve(c, rows + 1, columns < line ? line : columns);

  return bytes ? (double *)(void *)(bytes + (line - (uintptr_t)bytes % line) % line) : NULL;
}

static void carve_plan(sw_carver *c, const sw_clusters *t, size_t d, sw_cluster_plan *s)
{
  s->at = sw_carve_bytes(c, (size_t)t->positions * sizeof *s->at);
  s->by = sw_carve_bytes(c, (size_t)t->positions * sizeof *s->by);
  s->row = sw_carve_bytes(c, (size_t)t->constraints * sizeof *s->row);
  s->rest = sw_carve_bytes(c, d * sizeof *s->rest);
}

void sw_cluster_data_carve(sw_carver *c, const sw_cluster_plan *plan, sw_cluster_data *data)
{
  if (plan) {
    const sw_clusters *t = plan->table;
    const size_t n = (size_t)plan->n;
    const size_t lanes = (size_t)plan->lanes;
    const size_t parameters = (size_t)t->n_values + (size_t)t->n_masses;
    data->negative = sw_carve_bytes(c, n * sizeof *data->negative);
    data->state = carve_lines(c, (n + lanes - 1) / lanes, 2 * lanes * (size_t)t->positions);
    data->k = sw_carve(c, lanes, parameters);
    data->each = sw_carve(c, n, parameters);
  }
}

sw_status sw_cluster_plan_create(const sw_system *system, const sw_stepper *stepper,
                                 sw_cluster_plan **plan)
{
  const sw_clusters *t = stepper->clusters;
  const size_t d = (size_t)system->nq;
  const long n = system->nc / t->constraints;
  sw_carver c = {NULL, 0, 0};
  sw_cluster_plan unused = {0};

  *plan = NULL;
  if (n == 0 || system->model->n_constraints != t->constraints) {
    return SW_OK;
  }
  (void)sw_carve_bytes(&c, sizeof unused);
  carve_plan(&c, t, d, &unused);
  c = sw_carver_open(c);
  sw_cluster_plan *s = sw_carve_bytes(&c, sizeof *s);
  if (!s) {
    return SW_ERR_MEMORY;
  }
  carve_plan(&c, t, d, s);
  s->table = t;
  s->n = n;
  s->lanes = stepper->lanes > 1 ? stepper->lanes : 1;
  const int found = n * t->constraints == system->nc ? clusters_find(system, s) : 0;
  if (found <= 0) {
    free(s);
    return found < 0 ? SW_ERR_MEMORY : SW_OK;
  }
  *plan = s;
  return SW_OK;
}

/* ---- parameters ---- */

/* Reads the parameters of the clusters and the diagonal `mass` of H_pp. */
static void clusters_read_values(sw_sim *sim, const double mass[])
{
  const sw_cluster_plan *s = sim->plan->clusters;
  const sw_clusters *t = s->table;
  sw_cluster_data *data = &sim->work.clusters;

  for (int i = 0; i < t->n_values; i++) {
    const sw_cluster_value *v = &t->values[i];
    const double *k = sim->k + sim->system->plan->k_start[v->array] + v->entry;
    for (long c = 0; c < s->n; c++) {
      data->each[i * s->n + c] = k[v->by * c];
    }
  }
  data->fits = 1;
  /* backwards, so that the first position with a shared mass decides */
  for (int j = t->positions - 1; j >= 0; j--) {
    for (long c = 0; c < s->n; c++) {
      data->each[(t->n_values + t->mass_of[j]) * s->n + c] = mass[s->at[j] + s->by[j] * c];
    }
  }
  for (int j = 0; j < t->positions; j++) {
    for (long c = 0; c < s->n; c++) {
      data->fits &=
          data->each[(t->n_values + t->mass_of[j]) * s->n + c] == mass[s->at[j] + s->by[j] * c];
    }
  }
}

/* 1 if the clusters are valid for the present parameters, and H_p is a diagonal H_pp times p. */
static int cluster_steps_is_ready(sw_sim *sim)
{
  const sw_cluster_plan *s = sim->plan->clusters;
  sw_cluster_data *data = &sim->work.clusters;

  if (!sw_holonomic_find_mass(&sim->work.holonomic, sim->state.z)) {
    return 0;
  }
  if (data->ready) {
    return data->fits;
  }
  clusters_read_values(sim, sim->work.holonomic.mass);
  data->varies = 0;
  for (int i = 0; i < s->table->n_values + s->table->n_masses; i++) {
    const double *each = data->each + i * s->n;
    sw_fill(data->k + i * s->lanes, each[0], (size_t)s->lanes);
    for (long c = 1; c < s->n; c++) {
      data->varies |= each[c] != each[0];
    }
  }
  data->ready = 1;
  return data->fits;
}

static sw_cluster_job job_of(const sw_sim *sim, const sw_fused *f)
{
  const sw_cluster_plan *s = sim->plan->clusters;
  const sw_cluster_data *data = &sim->work.clusters;
  sw_cluster_job job = {.f = *f,
                        .d = sim->system->nq,
                        .at = s->at,
                        .by = s->by,
                        .row = s->row,
                        .is_row = s->is_row,
                        .state = data->state,
                        .z = sim->work.holonomic.z1,
                        .force = s->is_alone ? NULL : sim->work.holonomic.force,
                        .negative = data->negative};

  job.f.k = data->k;
  job.each = data->varies ? data->each : NULL;
  job.n = s->n;
  return job;
}

/* Accumulates maxima, which do not depend on the order of clusters.  Iterations are those of the
 * slowest cluster. */
static void cluster_steps_take_in(const sw_sim *sim, const sw_cluster_job *of, sw_cluster_job *all)
{
  all->end_q = sw_larger_or_nan(all->end_q, of->end_q);
  all->end_p = sw_larger_or_nan(all->end_p, of->end_p);
  for (int lane = 0; lane < sim->plan->clusters->lanes; lane++) {
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
  const long n = shared->sim->plan->clusters->n;
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
  const long n = sim->plan->clusters->n;
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
  return work_on(sim, sim->plan->clusters->table->solve, job, found);
}

/* Kicks the positions outside of clusters, and drifts them by h unless it is 0. */
static void move_rest(const sw_sim *sim, const sw_cluster_job *job, double kick, double h)
{
  const sw_cluster_plan *s = sim->plan->clusters;
  const double *mass = sim->work.holonomic.mass;
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
  const sw_cluster_plan *s = sim->plan->clusters;
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
  sw_holonomic *s = &sim->work.holonomic;

  if (sim->plan->clusters->is_alone) { /* without forces in between, in one pass through memory */
    s->force_at_start = s->force_at_end = 0;
    return cluster_steps_solve(sim, SW_CLUSTERS_SHAKE | SW_CLUSTERS_SLIDE, job, f);
  }
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

/* Takes a whole step; the first one starts from the simulation's state.  Finds the sizes of its
 * end, and writes its multipliers unless `sum` is NULL.  Returns 0 if the general solver must
 * take the step; then the state is undefined. */
static int take_step(sw_sim *sim, sw_cluster_job *job, int is_first, double sum[], sw_fused *f,
                     sw_sizes *extent)
{
  const sw_fused before = *f;
  const double kick = sim->plan->phase[0].kick;
  int good = 1;

  job->sum = sum;
  for (int part = 0; part < f->parts && good; part++) {
    job->f.h = f->factor[part] * f->h;
    job->kick[0] = kick * job->f.h;
    job->kick[1] = (1.0 - kick) * job->f.h;
    job->adds = part > 0;
    job->size_q = extent->q;
    job->size_p = extent->p;
    good = cluster_steps_take_part(sim, job, is_first && part == 0 ? sim->state.z : job->z, f);
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
  const sw_cluster_plan *s = sim->plan->clusters;

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

  all.z = sim->state.z;
  (void)work_on(sim, work, &all, &none);
}

/* 1 if N is regular at the start; also finds the signs of N. */
static int cluster_steps_look(const sw_sim *sim, const sw_cluster_job *job)
{
  sw_cluster_job at_start = *job;
  sw_fused none = {0};

  at_start.size_q = sim->state.known.extent.q;
  at_start.size_p = sim->state.known.extent.p;
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
  sw_holonomic *s = &sim->work.holonomic;
  const sw_fused before = *f;
  const sw_sizes from = *extent;
  double *sum = f->sum == sim->work.F ? sim->work.change : sim->work.F;
  long taken = 0;

  while (taken < n && take_step(sim, job, taken == 0, taken == n - 1 ? sum : NULL, f, extent)) {
    taken++;
  }
  if (taken < n) {
    s->force_at_start = s->force_at_end = 0;
    *f = before;
    *extent = from;
    turn(sim, job, sim->plan->clusters->table->enter);
    copy_rest(sim, job->z, sim->state.z);
    for (long i = 0; i < taken; i++) {
      (void)take_step(sim, job, i == 0, i == taken - 1 ? sum : NULL, f, extent);
    }
  }
  if (taken > 0) {
    turn(sim, job, sim->plan->clusters->table->leave);
    copy_rest(sim, sim->state.z, job->z);
    f->sum = sum;
  }
  return taken;
}

long sw_cluster_steps(sw_sim *sim, sw_fused *f, long n)
{
  sw_sizes extent = sim->state.known.extent;
  long taken = 0;
  long more = 0;

  f->failed = 1;
  f->sum = sim->work.change;
  if (!cluster_steps_is_ready(sim)) {
    return 0;
  }
  sw_cluster_job job = job_of(sim, f);
  copy_rest(sim, job.z, sim->state.z);
  if (!sim->work.clusters.is_current) {
    turn(sim, &job, sim->plan->clusters->table->enter);
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
    sim->work.holonomic.force_at_start = sim->work.holonomic.force_at_end = 0;
  }
  sim->state.known.extent = extent;
  return taken;
}

void sw_cluster_steps_end(sw_sim *sim)
{
  const int knows_force = sim->work.holonomic.force_at_start;

  sw_step_forget(sim);
  sw_holonomic_recall(&sim->work.holonomic, knows_force);
  sim->work.clusters.ready = sim->work.clusters.is_current = 1;
}
