/* SPDX-License-Identifier: BSD-3-Clause */
#include "geometry/projection.h"

#include <math.h>

#include "scale.h"
#include "solver/dense_lu.h"
#include "sparse.h"

/* From a residual at most this, relative to its scale, Newton's method needs no help. */
static const double near_enough = 1e-3;

enum { most_steps = 50 };

/* Solves Dg Dg^T x = Dg v + b for x, with the Dg of s->jac; v and b are zero where NULL.  Returns 0
 * where the gradients are dependent. */
static int solve_gram(sw_projection *s, const double v[], const double b[], double x[])
{
  const sw_pattern *jac = &s->model->constraint_jac_pattern;
  const int dim = 2 * s->model->nq;
  const int m = s->model->nc;

  sw_zero(s->dense, (size_t)m * (size_t)dim);
  for (int i = 0; i < m; i++) {
    x[i] = b ? b[i] : 0.0;
  }
  for (int e = 0; e < jac->entries; e++) {
    sw_row(s->dense, dim, jac->row[e])[jac->col[e]] += s->jac[e];
    x[jac->row[e]] += v ? s->jac[e] * v[jac->col[e]] : 0.0;
  }
  sw_zero(s->gram, (size_t)m * (size_t)m);
  for (int i = 0; i < m; i++) {
    for (int e = 0; e < jac->entries; e++) {
      sw_row(s->gram, m, i)[jac->row[e]] += sw_row(s->dense, dim, i)[jac->col[e]] * s->jac[e];
    }
  }
  if (sw_lu_factor(m, s->gram, s->exchange) != 0) {
    return 0;
  }
  sw_lu_solve(m, s->gram, s->exchange, x);
  return 1;
}

/* g(z), Dg(z) and the scales of g there.  Returns max |g_i|/scale_i, NaN where a scale is not
 * finite, and not finite where a g_i is not. */
static double look_at(sw_projection *s, const double z[])
{
  const sw_model *model = s->model;
  const sw_sizes size = sw_sizes_at(model, s->k, z, 0.0, NULL);

  model->constraint(z, s->k, s->g);
  model->constraint_scale(z, s->k, s->scale);
  model->constraint_jac(z, s->k, s->jac);
  if (!sw_scales(&model->constraint_jac_pattern, s->jac, model->nq, size, s->scale, s->sums)) {
    return NAN;
  }
  for (int i = 0; i < model->nc; i++) {
    s->sums[i] = s->g[i] / s->scale[i];
  }
  return sw_max_abs((size_t)model->nc, s->sums);
}

/* Shortest steps from u = (z0, 0) until z is near M; then the multipliers.  Returns 0 where they
 * lead nowhere. */
static int approach(sw_projection *s, double u[])
{
  const size_t dim = 2 * (size_t)s->model->nq;
  double *nu = u + dim;
  int step = 0;

  while (!(look_at(s, u) <= near_enough)) {
    if (step++ == most_steps || !solve_gram(s, NULL, s->g, nu)) {
      return 0;
    }
    for (int i = 0; i < s->model->nc; i++) {
      nu[i] = -nu[i];
    }
    sw_add_transposed(&s->model->constraint_jac_pattern, s->jac, nu, u);
  }
  for (size_t i = 0; i < dim; i++) {
    s->change[i] = s->z0[i] - u[i];
  }
  return step == 0 || solve_gram(s, s->change, NULL, nu);
}

static void guess_start(const sw_projection *s, double u[])
{
  const size_t dim = 2 * (size_t)s->model->nq;

  sw_copy(u, s->z0, dim);
  sw_zero(u + dim, (size_t)s->model->nc);
}

int sw_projection_begin(sw_projection *s, const double z0[], double u[])
{
  const sw_sizes size = sw_sizes_at(s->model, s->k, z0, 0.0, NULL);

  s->z0 = z0;
  s->size_q = sw_nonzero_scale(size.q);
  s->size_p = sw_nonzero_scale(size.p);
  guess_start(s, u);
  if (approach(s, u)) {
    return 1;
  }
  guess_start(s, u);
  return isfinite(look_at(s, u));
}

static double row_scale(const sw_projection *s, int row)
{
  const int d = s->model->nq;

  if (row >= 2 * d) {
    return s->scale[row - 2 * d];
  }
  return row < d ? s->size_q : s->size_p;
}

void sw_projection_residual(void *context, const double u[], double F[])
{
  sw_projection *s = context;
  const sw_model *model = s->model;
  const int dim = 2 * model->nq;
  const int m = model->nc;

  model->constraint(u, s->k, s->g);
  model->constraint_jac(u, s->k, s->jac);
  for (int i = 0; i < dim; i++) {
    F[i] = u[i] - s->z0[i];
  }
  sw_add_transposed(&model->constraint_jac_pattern, s->jac, u + dim, F);
  sw_copy(F + dim, s->g, (size_t)m);
  for (int i = 0; i < dim + m; i++) {
    F[i] /= row_scale(s, i);
  }
}

void sw_projection_jacobian(void *context, const double u[], double J[])
{
  sw_projection *s = context;
  const sw_model *model = s->model;
  const sw_pattern *jac = &model->constraint_jac_pattern;
  const sw_pattern *hess = &model->constraint_hess_pattern;
  const int dim = 2 * model->nq;
  const int n = dim + model->nc;

  model->constraint_hess(u, s->k, u + dim, s->hess);
  sw_zero(J, (size_t)n * (size_t)n);
  for (int i = 0; i < dim; i++) {
    sw_row(J, n, i)[i] = 1.0;
  }
  for (int e = 0; e < hess->entries; e++) {
    sw_row(J, n, hess->col[e])[hess->row[e]] += s->hess[e];
    if (hess->row[e] != hess->col[e]) {
      sw_row(J, n, hess->row[e])[hess->col[e]] += s->hess[e];
    }
  }
  for (int e = 0; e < jac->entries; e++) {
    sw_row(J, n, jac->col[e])[dim + jac->row[e]] += s->jac[e];
    sw_row(J, n, dim + jac->row[e])[jac->col[e]] += s->jac[e];
  }
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      sw_row(J, n, j)[i] /= row_scale(s, i);
    }
  }
}
