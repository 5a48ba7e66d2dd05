/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tangent_space.c -- projects directions to the tangent space of M^H, {v : Dg v = 0, Drho v = 0}.
 *
 * The columns of [Dg; Drho]^T span the normal space.  A QR decomposition with column pivoting
 * finds an orthonormal basis Q of it, also if constraints are redundant.  Then v <- v - Q Q^T v.
 */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "linear/redundancy.h"
#include "sim/sim_internal.h"

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

  system->constraint_jac(system, sim->z, sim->k, values);
  tangent_space_add_columns(&system->constraint_jac_pattern, values, dim, 0, columns);
  system->hidden_jac(system, sim->z, sim->k, values);
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
      double along = 0.0;
      for (size_t e = 0; e < dim; e++) {
        along += normal[e] * v[e];
      }
      sw_add_scaled((int)dim, -along, normal, v);
    }
  }
}

sw_status sw_sim_project_directions(sw_sim *sim, int n, double V[])
{
  const sw_system *system = sim->system;
  const size_t dim = 2 * (size_t)system->nq;
  const size_t normals = 2 * (size_t)system->nc;

  sw_say_nothing(sim);
  if (!sim->method->begins_on_hidden || normals == 0 || n < 1) {
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
