/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tangent.c -- the exact derivative of a step, by the implicit function theorem.
 *
 * A phase solves F(u; z) = 0 for its unknowns u and ends at e(u; z) (step/phase.h).  A direction
 * V of z changes the solution by DU with
 *
 *   F_u DU = -F_z V.
 *
 * F_u is the Newton matrix at the solution.  The end changes by e_z V + e_u DU, the direction for
 * the next phase.  A method with a previous state is the map (z, z_before) -> (z1, z), and its
 * directions have both halves.
 *
 * The two terms of DF = F_z V + F_u DU are computed separately, and the solve is repeated for the
 * remainder of their sum.  So the linear systems are solved to the round-off of their data.
 */
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "linear/redundancy.h"
#include "sim/sim_internal.h"

/* Projects directions to the tangent space of M^H, {v : Dg v = 0, Drho v = 0}.
 *
 * The columns of [Dg; Drho]^T span the normal space.  A QR decomposition with column pivoting
 * finds an orthonormal basis Q of it, also if constraints are redundant.  Then v <- v - Q Q^T v. */

/* Adds the rows of a Jacobian as columns of length 2d, from column `first` on. */
static void tangent_space_add_columns(const sw_pattern *pattern, const double values[], size_t dim,
                                      size_t first, double columns[])
{
  for (int e = 0; e < pattern->entries; e++) {
    columns[(first + (size_t)pattern->row[e]) * dim + (size_t)pattern->col[e]] += values[e];
  }
}

/* Divides each column by its length, so that their rank does not depend on the units of the
 * constraints.  Returns 0 if a value is not finite. */
static int normalise(size_t dim, size_t n, double columns[])
{
  for (size_t j = 0; j < n; j++) {
    double *column = columns + j * dim;
    const double largest = sw_max_abs(dim, column);
    double sum = 0.0;
    if (!isfinite(largest)) {
      return 0;
    }
    for (size_t i = 0; i < dim && largest > 0.0; i++) {
      column[i] /= largest;
      sum += column[i] * column[i];
    }
    for (size_t i = 0; i < dim && sum > 0.0; i++) {
      column[i] /= sqrt(sum);
    }
  }
  return 1;
}

/* Writes [Dg; Drho]^T at the state to `columns`, normalised.  Returns 0 if a value is not
 * finite. */
static int find_normals(sw_sim *sim, double values[], double columns[])
{
  sw_system *system = sim->system;
  const size_t dim = 2 * (size_t)system->nq;
  const size_t m = (size_t)system->nc;

  system->constraint_jac(system, sim->state.z, sim->k, values);
  tangent_space_add_columns(&system->constraint_jac_pattern, values, dim, 0, columns);
  system->hidden_jac(system, sim->state.z, sim->k, values);
  tangent_space_add_columns(&system->hidden_jac_pattern, values, dim, m, columns);
  return normalise(dim, 2 * m, columns);
}

/* Replaces the columns by an orthonormal basis of their span.  Returns its dimension, or -1 on
 * failure. */
static int orthonormal_basis(int dim, int n, double columns[], int pivots[], double tau[])
{
  const int most = n < dim ? n : dim;
  int rank = 0;

  if (LAPACKE_dgeqp3(LAPACK_COL_MAJOR, dim, n, columns, dim, pivots, tau) != 0) {
    return -1;
  }
  const double largest = fabs(columns[0]);
  while (rank < most &&
         fabs(columns[(size_t)rank * (size_t)dim + (size_t)rank]) > SW_REDUNDANCY_ZERO * largest) {
    rank++;
  }
  return rank == 0 || LAPACKE_dorgqr(LAPACK_COL_MAJOR, dim, rank, rank, columns, dim, tau) == 0
             ? rank
             : -1;
}

static void remove_normals(size_t dim, int rank, const double basis[], int n, double V[])
{
  for (int i = 0; i < n; i++) {
    double *v = V + (size_t)i * dim;
    for (int j = 0; j < rank; j++) {
      const double *normal = basis + (size_t)j * dim;
      sw_add_scaled((int)dim, -sw_inner((int)dim, normal, v), normal, v);
    }
  }
}

sw_status sw_sim_project_directions(sw_sim *sim, int n, double V[])
{
  const sw_system *system = sim->system;
  const size_t dim = 2 * (size_t)system->nq;
  const size_t normals = 2 * (size_t)system->nc;

  sw_say_nothing(sim);
  if (!sim->plan->method->begins_on_hidden || normals == 0 || n < 1) {
    return SW_OK;
  }
  const sw_status status = sw_sim_complete(sim);
  if (status != SW_OK) {
    return sw_say(sim, "tangent", status);
  }
  const int g = system->constraint_jac_pattern.entries;
  const int rho = system->hidden_jac_pattern.entries;
  double *values = calloc((size_t)(g > rho ? g : rho) + 1, sizeof *values);
  double *columns = calloc(dim * normals, sizeof *columns);
  double *tau = calloc(normals, sizeof *tau);
  int *pivots = calloc(normals, sizeof *pivots);
  sw_status found = SW_ERR_MEMORY;
  if (values && columns && tau && pivots) {
    const int rank = find_normals(sim, values, columns)
                         ? orthonormal_basis((int)dim, (int)normals, columns, pivots, tau)
                         : -1;
    remove_normals(dim, rank, columns, n, V);
    found = rank >= 0 ? SW_OK : sw_fail_not_finite(&sim->failure);
  }
  free(values);
  free(columns);
  free(tau);
  free(pivots);
  return sw_say(sim, "tangent", found);
}

/* WIDTH: directions treated together, so that one entry of a sparse matrix acts on this many
 * values. */
enum { WIDTH = 16, ROUNDS = 2 };

typedef struct sw_tangent {
  sw_sim *sim;
  int width; /* directions treated together, at most WIDTH */
  int n;     /* directions in use; the columns of every block below */
  int tall;  /* largest number of unknowns of a phase */
  int most;  /* largest number of entries of a Newton matrix */

  sw_phase phase[SW_PHASES_MOST]; /* like the phases of sim, with arrays for `width` directions */
  sw_deficient *linear[SW_PHASES_MOST];
  double *newton;  /* values of a Newton matrix */
  double *column;  /* tall: one column of the right-hand side */
  double *V;       /* 2d x n */
  double *earlier; /* 2d x n: directions of the previous state, if the method has one */
  double *DU;      /* tall x n */
  double *DF;      /* tall x n */
  void *block;     /* memory of all arrays above */
} sw_tangent;

static void carve(sw_carver *c, void *of)
{
  sw_tangent *s = of;
  const sw_sim *sim = s->sim;
  const size_t w = (size_t)s->width;

  for (int i = 0; i < sim->plan->step_phases; i++) {
    s->phase[i] = sim->work.phase[i];
    s->phase[i].stages = (sw_stages){.k = sim->k};
    s->phase[i].flow_step = (sw_flow_step){.k = sim->k};
    sw_phase_carve(c, &s->phase[i], w, 1);
  }
  s->newton = sw_carve(c, (size_t)s->most, 1);
  s->column = sw_carve(c, (size_t)s->tall, 1);
  s->V = sw_carve(c, 2 * (size_t)sim->system->nq, w);
  s->earlier = sw_carve(c, sim->plan->method->earlier ? 2 * (size_t)sim->system->nq : 0, w);
  SW_CARVE(c, (size_t)s->tall, w, &s->DU, &s->DF);
}

static sw_status tangent_allocate(sw_tangent *s)
{
  for (int i = 0; i < s->sim->plan->step_phases; i++) {
    const sw_phase_plan *plan = s->sim->work.phase[i].plan;
    s->tall = plan->n > s->tall ? plan->n : s->tall;
    s->most = plan->jacobian.entries > s->most ? plan->jacobian.entries : s->most;
  }
  s->block = sw_carve_block(carve, s);
  return s->block ? SW_OK : SW_ERR_MEMORY;
}

static void tangent_free(sw_tangent *s)
{
  for (int i = 0; i < SW_PHASES_MOST; i++) {
    sw_deficient_free(&s->linear[i]);
  }
  free(s->block);
}

/* Factorises the Newton matrix s->newton of a phase. */
static sw_status tangent_factor(sw_tangent *s, int phase)
{
  sw_sim *sim = s->sim;
  const sw_phase_plan *plan = sim->work.phase[phase].plan;
  const sw_pattern *pattern = &plan->jacobian;
  const sw_multipliers multipliers = {sim->plan->redundant, 0, plan->m + plan->forces};

  sw_deficient_free(&s->linear[phase]);
  const sw_status status = sw_deficient_create(pattern, multipliers, &s->linear[phase]);

  if (status != SW_OK) {
    return status;
  }
  if (!isfinite(sw_max_abs((size_t)pattern->entries, s->newton))) {
    return sw_fail_not_finite(&sim->failure);
  }
  if (sw_deficient_factor(s->linear[phase], s->newton) != 0) {
    return sw_fail(&sim->failure, SW_ERR_SINGULAR, (sw_failure){.cause = SW_CAUSE_NO_DERIVATIVE});
  }
  return SW_OK;
}

/* Computes the Newton matrix of a phase at its solution in s->newton. */
static sw_status find_newton(sw_tangent *s, int phase)
{
  sw_sim *sim = s->sim;
  sw_phase *own = &sim->work.phase[phase];

  if (sim->plan->is_fast && phase == 0) {
    sw_holonomic_jacobian(&sim->work.holonomic, own->u, s->newton);
    return SW_OK;
  }
  /* holonomic.h has solved this phase in another form. */
  if (sim->plan->is_fast) {
    sw_copy(s->column, own->u, (size_t)own->plan->n);
    if (!sw_phase_begin(own, s->phase[phase].start)) {
      return sw_fail_not_finite(&sim->failure);
    }
    sw_copy(own->u, s->column, (size_t)own->plan->n);
    sw_phase_move(own, own->u);
  }
  sw_phase_jacobian(own, own->u, s->newton);
  return SW_OK;
}

/* Evaluates a phase again, from z with its solution, and factorises its Newton matrix there. */
static sw_status tangent_prepare(sw_tangent *s, int phase, const double z[])
{
  const sw_phase *own = &s->sim->work.phase[phase];
  sw_phase *mine = &s->phase[phase];
  sw_status status = SW_OK;

  mine->start = z;
  mine->scale_x = own->scale_x;
  mine->before = own->before;
  if (mine->plan->stages) {
    sw_stages_forget(&mine->stages);
  }
  if (mine->plan->n > 0) {
    status = find_newton(s, phase);
    status = status == SW_OK ? tangent_factor(s, phase) : status;
  }
  mine->is_free = 0;
  if (status == SW_OK) {
    sw_phase_move(mine, own->u);
  }
  return status;
}

/* DU <- DU - F_u^{-1} DF. */
static void tangent_correct(sw_tangent *s, int phase)
{
  const size_t n = (size_t)s->n;
  const size_t rows = (size_t)s->phase[phase].plan->n;

  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < rows; i++) {
      s->column[i] = s->DF[i * n + j];
    }
    sw_deficient_solve(s->linear[phase], s->column);
    for (size_t i = 0; i < rows; i++) {
      s->DU[i * n + j] -= s->column[i];
    }
  }
}

/* Returns the directions at the end, for the directions V at the start and those at the start of
 * the previous phase. */
static const double *go_through(sw_tangent *s, int phase, const double V[], const double before[])
{
  sw_phase *mine = &s->phase[phase];
  const double *end = NULL;

  mine->V_before = before;
  mine->V_earlier = s->earlier;
  sw_phase_along(mine);
  sw_zero(s->DU, (size_t)s->tall * (size_t)s->n);
  end = sw_phase_directions(mine, s->n, V, s->DU, s->DF);
  for (int round = 0; round < ROUNDS && mine->plan->n > 0; round++) {
    tangent_correct(s, phase);
    end = sw_phase_directions(mine, s->n, V, s->DU, s->DF);
  }
  return end;
}

/* DV = D V for n directions, `width` at a time. */
static sw_status tangent_multiply(sw_tangent *s, int n, const double V[], double DV[])
{
  const sw_sim *sim = s->sim;
  const size_t dim = 2 * (size_t)sim->system->nq;
  const size_t all = (size_t)sw_sim_n_state(sim); /* including the previous state */
  /* sum of x - x, which is NaN if an x is not finite */
  double zero = 0.0;

  for (int first = 0; first < n; first += s->n) {
    const double *now = s->V;
    const double *before = NULL;
    s->n = n - first < s->width ? n - first : s->width;
    for (size_t j = 0; j < (size_t)s->n; j++) {
      for (size_t i = 0; i < all; i++) {
        double *to = i < dim ? s->V : s->earlier;
        to[i % dim * (size_t)s->n + j] = V[((size_t)first + j) * all + i];
      }
    }
    for (int phase = sim->work.from; phase < sim->work.to; phase++) {
      const double *end = go_through(s, phase, now, before);
      before = now;
      now = end;
    }
    for (size_t j = 0; j < (size_t)s->n; j++) {
      for (size_t i = 0; i < all; i++) {
        const double *from = i < dim ? now : s->V;
        const double value = from[i % dim * (size_t)s->n + j];
        DV[((size_t)first + j) * all + i] = value;
        zero += value - value;
      }
    }
  }
  return zero == 0.0 ? SW_OK : sw_fail_not_finite(&s->sim->failure);
}

/* DV = D V for one part of a step, which stays in the workspace. */
static sw_status part(sw_tangent *s, double h, int n, const double V[], double DV[],
                      sw_made_step *made)
{
  sw_sim *sim = s->sim;
  sw_status status = sw_step_make(sim, h, made);

  for (int i = sim->work.from; i < sim->work.to && status == SW_OK; i++) {
    status = tangent_prepare(s, i, i == sim->work.from ? sim->state.z : s->phase[i - 1].end);
  }
  return status == SW_OK ? tangent_multiply(s, n, V, DV) : status;
}

/* Computes and commits the parts one after the other, and restores the start at the end. */
static sw_status tangent(sw_tangent *s, double h, int n, const double V[], double DV[])
{
  sw_sim *sim = s->sim;
  const sw_composition *composition = sim->plan->composition;
  sw_status status = sw_sim_complete(sim);
  for (int i = 0; i < sim->plan->step_phases && status == SW_OK; i++) {
    status = sw_make_plan(sim, i);
  }
  if (status == SW_OK) {
    status = tangent_allocate(s);
  }
  sw_state_copy(sim, &sim->work.kept, &sim->state);
  for (int i = 0; i < composition->n && status == SW_OK; i++) {
    sw_made_step made;
    status = part(s, composition->factor[i] * h, n, i == 0 ? V : DV, DV, &made);
    if (status == SW_OK && i + 1 < composition->n) {
      sw_step_take(sim, composition->factor[i], i > 0, &made);
    }
  }
  sw_state_copy(sim, &sim->state, &sim->work.kept);
  sw_step_settle(sim);
  return status;
}

int sw_sim_has_tangent(const sw_sim *sim)
{
  const sw_layer_method *layer = sim->plan->phase[0].layer;
  int has = !sim->plan->is_forced && !sim->plan->has_noise;

  for (int i = 0; i < 2 && layer; i++) {
    has = has && (!layer[i].map || layer[i].map->second);
  }
  return has;
}

sw_status sw_sim_tangent_times(sw_sim *sim, double h, int n, const double V[], double DV[])
{
  const sw_stats stats = sim->stats;
  sw_tangent s = {.sim = sim};

  sw_say_nothing(sim);
  if (n < 0 || ((!V || !DV) && n > 0)) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "tangent refused: %d directions", n);
  }
  if (!sw_sim_has_tangent(sim)) {
    return sw_refuse(sim, SW_ERR_OPTION, "tangent refused: %s",
                     sim->plan->has_noise   ? sw_no_noisy_tangent
                     : sim->plan->is_forced ? sw_no_forced_tangent
                                            : sw_no_tangent);
  }
  s.width = n < WIDTH ? n : WIDTH;
  const sw_status status = tangent(&s, h, n, V, DV);
  tangent_free(&s);
  sim->stats = stats;
  sw_step_forget(sim);
  return sw_say(sim, "tangent", status);
}

sw_status sw_sim_tangent(sw_sim *sim, double h, double D[])
{
  const size_t dim = (size_t)sw_sim_n_state(sim);

  if (dim > INT_MAX || dim * dim / dim != dim) {
    return sw_refuse(sim, SW_ERR_MEMORY, "tangent refused: %zu x %zu values do not fit", dim, dim);
  }
  sw_zero(D, dim * dim);
  for (size_t i = 0; i < dim; i++) {
    D[i * dim + i] = 1.0;
  }
  return sw_sim_tangent_times(sim, h, (int)dim, D, D);
}
