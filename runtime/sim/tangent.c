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
#include "sim/linearised.h"

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

/* DU <- DU - F_u^{-1} DF. */
static void tangent_correct(sw_linearised *s, int solve)
{
  const size_t n = (size_t)s->n;
  const size_t rows = (size_t)sw_linearised_unknowns(s, solve);

  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < rows; i++) {
      s->column[i] = s->DF[i * n + j];
    }
    sw_deficient_solve(s->linear[solve], s->column);
    for (size_t i = 0; i < rows; i++) {
      s->DU[i * n + j] -= s->column[i];
    }
  }
}

/* Returns the directions at the end, for the directions V at the start and those at the start of
 * the previous phase. */
static const double *go_through(sw_linearised *s, int solve, const double V[],
                                const double before[])
{
  const int rows = sw_linearised_unknowns(s, solve);

  if (solve < SW_PHASES_MOST) {
    s->phase[solve].V_before = before;
    s->phase[solve].V_earlier = s->earlier;
  }
  sw_linearised_along(s, solve);
  sw_zero(s->DU, (size_t)s->tall * (size_t)s->n);
  const double *end = sw_linearised_directions(s, solve, s->n, V, s->DU, s->DF);
  for (int round = 0; round < SW_LINEARISED_ROUNDS && rows > 0; round++) {
    tangent_correct(s, solve);
    end = sw_linearised_directions(s, solve, s->n, V, s->DU, s->DF);
  }
  return end;
}

/* DV = D V for n directions, `width` at a time. */
static sw_status tangent_multiply(sw_linearised *s, int n, const double V[], double DV[])
{
  const sw_sim *sim = s->of;
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
    for (int solve = s->from; solve < s->to; solve++) {
      const double *end = go_through(s, solve, now, before);
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
  return zero == 0.0 ? SW_OK : sw_linearised_not_finite(s);
}

/* Computes and commits the operations one after the other, and restores the start at the end. */
static sw_status tangent(sw_linearised *s, double h, int n, const double V[], double DV[])
{
  sw_sim *sim = s->sim;
  sw_state *kept = sim->plan->is_forced ? &sim->work.unkicked : &sim->work.kept;
  const int last = sw_linearised_operations(s) - 1;
  sw_status status = sw_linearised_create(s);

  sw_state_copy(sim, kept, &sim->state);
  status = status == SW_OK ? sw_linearised_begin(s, h) : status;
  for (int i = 0; i <= last && status == SW_OK; i++) {
    status = sw_linearised_make(s, i, h);
    if (status == SW_OK) {
      status = sw_linearised_prepare(s);
    }
    if (status == SW_OK) {
      status = tangent_multiply(s, n, i == 0 ? V : DV, DV);
    }
    if (status == SW_OK && i < last) {
      sw_linearised_take(s, i);
    }
  }
  sw_state_copy(sim, &sim->state, kept);
  sw_step_settle(sim);
  return status;
}

/* DV = D V for the simulation `of`, sim or sim->lifted. */
static sw_status tangent_of(sw_sim *sim, sw_sim *of, double h, int n, const double V[], double DV[])
{
  const sw_stats stats = sim->stats;
  sw_linearised s = {.sim = sim, .of = of};

  s.width = n < SW_LINEARISED_WIDTH ? n : SW_LINEARISED_WIDTH;
  const sw_status status = tangent(&s, h, n, V, DV);
  sw_linearised_free(&s);
  sim->stats = stats;
  sw_step_forget(sim);
  return status;
}

sw_status sw_lifted_tangent(sw_sim *sim, double h, int n, double V[])
{
  return tangent_of(sim, sim->lifted, h, n, V, V);
}

sw_status sw_sim_tangent_times(sw_sim *sim, double h, int n, const double V[], double DV[])
{
  const char *objection = sw_tangent_objection(sim);

  sw_say_nothing(sim);
  if (n < 0 || ((!V || !DV) && n > 0)) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "tangent refused: %d directions", n);
  }
  if (objection) {
    return sw_refuse(sim, SW_ERR_OPTION, "tangent refused: %s", objection);
  }
  return sw_say(sim, "tangent", tangent_of(sim, sim, h, n, V, DV));
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
