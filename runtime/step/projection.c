/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/projection.h"

#include <math.h>
#include <stdlib.h>

#include "common/carver.h"
#include "linear/pattern.h"
#include "linear/sparse.h"

/* From a residual at most this, relative to its scale, Newton's method needs no help. */
static const double near_enough = 1e-3;

enum { most_steps = 50 };

/* The contributions to the Newton matrix, in the order of sw_projection_jacobian. */
static sw_status make_jacobian(sw_projection *s)
{
  const sw_pattern *hess = &s->system->constraint_hess_pattern;
  const sw_pattern *jac = &s->system->constraint_jac_pattern;
  const int dim = 2 * s->system->nq;
  const int unknowns = dim + s->system->nc;
  sw_gathered all = {0};

  for (int i = 0; i < dim; i++) {
    sw_gather(&all, i, i);
  }
  for (int e = 0; e < hess->entries; e++) {
    sw_gather(&all, hess->row[e], hess->col[e]);
    sw_gather(&all, hess->col[e], hess->row[e]);
  }
  for (int e = 0; e < jac->entries; e++) {
    sw_gather(&all, dim + jac->row[e], jac->col[e]);
    sw_gather(&all, jac->col[e], dim + jac->row[e]);
  }
  return sw_gathered_pattern(&all, unknowns, unknowns, &s->jacobian, &s->place);
}

static sw_status make_patterns(sw_projection *s, sw_redundant redundant)
{
  const sw_pattern *jac = &s->system->constraint_jac_pattern;
  const sw_multipliers all = {redundant, 0, s->system->nc};
  sw_status status = make_jacobian(s);

  if (status == SW_OK) {
    status = sw_product_create_transposed(jac, jac, &s->square, &s->gram);
  }
  return status == SW_OK ? sw_deficient_create(&s->gram, all, &s->gram_solver) : status;
}

static void carve(sw_carver *c, sw_projection *s)
{
  const size_t dim = 2 * (size_t)s->system->nq;
  const size_t m = (size_t)s->system->nc;
  const size_t jac = (size_t)s->system->constraint_jac_pattern.entries;

  s->u = sw_carve(c, dim + m, 1);
  s->g = sw_carve(c, m, 1);
  s->scale = sw_carve(c, m, 1);
  s->sums = sw_carve(c, m, 1);
  s->jac = sw_carve(c, jac, 1);
  s->jac_t = sw_carve(c, jac, 1);
  s->hess = sw_carve(c, (size_t)s->system->constraint_hess_pattern.entries, 1);
  s->change = sw_carve(c, dim, 1);
  s->gram_values = sw_carve(c, (size_t)s->gram.entries, 1);
}

sw_status sw_projection_create(const sw_system *system, const double k[], sw_redundant redundant,
                               sw_projection *s)
{
  sw_carver walk = {NULL, 0, 0};

  *s = (sw_projection){.system = system, .k = k};
  const sw_status status = make_patterns(s, redundant);
  if (status != SW_OK) {
    return status;
  }
  carve(&walk, s);
  walk = sw_carver_open(walk);
  s->block = walk.block;
  carve(&walk, s);
  return s->block ? SW_OK : SW_ERR_MEMORY;
}

void sw_projection_free(sw_projection *s)
{
  sw_deficient_free(&s->gram_solver);
  sw_pattern_free(&s->gram);
  sw_pattern_free(&s->jacobian);
  sw_product_free(&s->square);
  free(s->place);
  free(s->block);
  *s = (sw_projection){0};
}

/* S of entry i of z. */
static double size_of(const sw_projection *s, int i)
{
  return i < s->system->nq ? s->size.q : s->size.p;
}

/* Solves G x = Dg v + b for x, with the Dg of s->jac, each equation divided by the scale of its constraint; v and b
 * are zero where NULL.  Returns 0 where the gradients are dependent, and are not allowed to be. */
static int solve_gram(sw_projection *s, const double v[], const double b[], double x[])
{
  const sw_pattern *jac = &s->system->constraint_jac_pattern;

  for (int i = 0; i < s->system->nc; i++) {
    x[i] = b ? b[i] : 0.0;
  }
  for (int e = 0; e < jac->entries; e++) {
    const double size = size_of(s, jac->col[e]);
    s->jac_t[e] = size * (size * s->jac[e]);
    x[jac->row[e]] += v ? s->jac[e] * v[jac->col[e]] : 0.0;
  }
  sw_product_values(&s->square, s->jac, s->jac_t, s->gram_values);
  for (int e = 0; e < s->gram.entries; e++) {
    s->gram_values[e] /= s->scale[s->gram.row[e]];
  }
  for (int i = 0; i < s->system->nc; i++) {
    x[i] /= s->scale[i];
  }
  sw_deficient_begin(s->gram_solver);
  if (sw_deficient_factor(s->gram_solver, s->gram_values) != SW_OK) {
    return 0;
  }
  sw_deficient_solve(s->gram_solver, x);
  return 1;
}

/* g(z), Dg(z) and the scales of g there.  Returns max |g_i|/scale_i, NaN where a scale is not
 * finite, and not finite where a g_i is not. */
static double look_at(sw_projection *s, const double z[])
{
  const sw_system *system = s->system;
  const sw_sizes size = sw_sizes_of(system, z);

  system->constraint(system, z, s->k, s->g);
  system->constraint_scale(system, z, s->k, s->scale);
  system->constraint_jac(system, z, s->k, s->jac);
  if (!sw_scales(&system->constraint_jac_pattern, s->jac, system->nq, size, s->scale, s->sums)) {
    return NAN;
  }
  for (int i = 0; i < system->nc; i++) {
    s->sums[i] = s->g[i] / s->scale[i];
  }
  return sw_max_abs((size_t)system->nc, s->sums);
}

/* Shortest steps from u = (z0, 0) until z is near M; then the multipliers.  Returns 0 where they
 * lead nowhere. */
static int approach(sw_projection *s, double u[])
{
  const sw_pattern *jac = &s->system->constraint_jac_pattern;
  const size_t dim = 2 * (size_t)s->system->nq;
  double *nu = u + dim;
  int step = 0;

  while (!(look_at(s, u) <= near_enough)) {
    if (step++ == most_steps || !solve_gram(s, NULL, s->g, nu)) {
      return 0;
    }
    for (int e = 0; e < jac->entries; e++) {
      const double size = size_of(s, jac->col[e]);
      u[jac->col[e]] -= size * (size * s->jac[e]) * nu[jac->row[e]];
    }
  }
  for (size_t i = 0; i < dim; i++) {
    s->change[i] = s->z0[i] - u[i];
  }
  return step == 0 || solve_gram(s, s->change, NULL, nu);
}

static void guess_start(const sw_projection *s, double u[])
{
  const size_t dim = 2 * (size_t)s->system->nq;

  sw_copy(u, s->z0, dim);
  sw_zero(u + dim, (size_t)s->system->nc);
}

int sw_projection_begin(sw_projection *s, const double z0[])
{
  double *u = s->u;
  const sw_sizes size = sw_sizes_of(s->system, z0);

  s->z0 = z0;
  s->size = (sw_sizes){sw_nonzero_scale(size.q), sw_nonzero_scale(size.p)};
  guess_start(s, u);
  if (approach(s, u)) {
    return 1;
  }
  guess_start(s, u);
  return isfinite(look_at(s, u));
}

void sw_projection_residual(void *context, const double u[], double F[])
{
  sw_projection *s = context;
  const sw_system *system = s->system;
  const int dim = 2 * system->nq;
  const int m = system->nc;

  system->constraint(system, u, s->k, s->g);
  system->constraint_jac(system, u, s->k, s->jac);
  sw_zero(F, (size_t)dim);
  sw_add_transposed(&system->constraint_jac_pattern, s->jac, u + dim, F);
  for (int i = 0; i < dim; i++) {
    F[i] = (u[i] - s->z0[i]) / size_of(s, i) + size_of(s, i) * F[i];
  }
  for (int i = 0; i < m; i++) {
    F[dim + i] = s->g[i] / s->scale[i];
  }
}

void sw_projection_jacobian(void *context, const double u[], double J[])
{
  sw_projection *s = context;
  const sw_system *system = s->system;
  const sw_pattern *jac = &system->constraint_jac_pattern;
  const sw_pattern *hess = &system->constraint_hess_pattern;
  const int dim = 2 * system->nq;
  const int *place = s->place;

  system->constraint_hess(system, u, s->k, u + dim, s->hess);
  sw_zero(J, (size_t)s->jacobian.entries);
  for (int i = 0; i < dim; i++) {
    J[*place++] += 1.0 / size_of(s, i);
  }
  for (int e = 0; e < hess->entries; e++, place += 2) {
    const int i = hess->row[e];
    const int j = hess->col[e];
    J[place[0]] += size_of(s, i) * s->hess[e];
    J[place[1]] += i != j ? size_of(s, j) * s->hess[e] : 0.0;
  }
  for (int e = 0; e < jac->entries; e++, place += 2) {
    J[place[0]] += s->jac[e] / s->scale[jac->row[e]];
    J[place[1]] += size_of(s, jac->col[e]) * s->jac[e];
  }
}
