/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/projection.h"

#include <math.h>
#include <stdlib.h>

#include "common/carver.h"
#include "common/random.h"
#include "linear/pattern.h"
#include "linear/sparse.h"

/* Newton's method starts directly if the residual is at most near_enough times its scale, and if
 * the shortest step onto the linearised constraints turns no gradient by more than
 * turned_little. */
static const double near_enough = 1e-3;
static const double turned_little = 0.1;

enum { most_steps = 50 };

/* Plans the contributions to the Newton matrix, in the order of sw_projection_jacobian. */
static sw_status projection_make_jacobian(sw_projection *s)
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
  sw_status status = projection_make_jacobian(s);

  if (status == SW_OK) {
    status = sw_product_create_transposed(jac, jac, &s->square, &s->gram);
  }
  return status == SW_OK ? sw_deficient_create(&s->gram, all, &s->gram_solver) : status;
}

static void carve(sw_carver *c, void *of)
{
  sw_projection *s = of;
  const size_t dim = 2 * (size_t)s->system->nq;
  const size_t m = (size_t)s->system->nc;
  const size_t jac = (size_t)s->system->constraint_jac_pattern.entries;

  s->u = sw_carve(c, dim + m, 1);
  SW_CARVE(c, m, 1, &s->g, &s->scale, &s->sums);
  SW_CARVE(c, jac, 1, &s->jac, &s->jac_t, &s->jac_before);
  s->hess = sw_carve(c, (size_t)s->system->constraint_hess_pattern.entries, 1);
  SW_CARVE(c, dim, 1, &s->change, &s->trial, &s->size);
  s->gram_values = sw_carve(c, (size_t)s->gram.entries, 1);
}

sw_status sw_projection_create(const sw_system *system, const double k[], sw_redundant redundant,
                               sw_projection *s)
{
  *s = (sw_projection){.system = system, .k = k};
  const sw_status status = make_patterns(s, redundant);
  if (status != SW_OK) {
    return status;
  }
  s->block = sw_carve_block(carve, s);
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

/* Computes S; 0 for a time, a position with constant nonzero velocity. Returns 0 if a velocity is
 * not finite. */
static int find_sizes(sw_projection *s, const double z0[])
{
  const sw_pattern *hess = &s->system->hamiltonian_hess_pattern;
  const int d = s->system->nq;
  double *size = s->size;

  s->system->hamiltonian_grad(s->system, z0, s->k, s->change);
  if (!isfinite(sw_max_abs((size_t)d, s->change + d))) {
    return 0;
  }
  for (int i = 0; i < d; i++) {
    size[i] = s->change[d + i] != 0.0 ? 0.0 : 1.0;
  }
  for (int e = 0; e < hess->entries; e++) {
    if (hess->row[e] >= d) {
      size[hess->row[e] - d] = 1.0;
    }
    if (hess->col[e] >= d) {
      size[hess->col[e] - d] = 1.0;
    }
  }
  double of_q = 0.0;
  for (int i = 0; i < d; i++) {
    of_q = fmax(of_q, size[i] * fabs(z0[i]));
  }
  s->extent = (sw_sizes){of_q, sw_max_abs((size_t)d, z0 + d)};
  for (int i = 0; i < d; i++) {
    size[i] *= sw_nonzero_scale(s->extent.q);
    size[d + i] = sw_nonzero_scale(s->extent.p);
  }
  return 1;
}

/* Solves G x = Dg v + b for x with Dg in s->jac; each equation is divided by the scale of its
 * constraint. NULL for v or b means zero. Returns 0 if the gradients are dependent and `redundant`
 * does not allow this. */
static int solve_gram(sw_projection *s, const double v[], const double b[], double x[])
{
  const sw_pattern *jac = &s->system->constraint_jac_pattern;

  for (int i = 0; i < s->system->nc; i++) {
    x[i] = b ? b[i] : 0.0;
  }
  for (int e = 0; e < jac->entries; e++) {
    const double size = s->size[jac->col[e]];
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

/* Computes g(z), Dg(z) and the scales of g. Returns max |g_i|/scale_i; NaN if a scale is not
 * finite, not finite if a g_i is not. */
static double projection_look_at(sw_projection *s, const double z[])
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

/* |S grad g_i| at two states, and the norm of the difference. */
typedef struct turn {
  double larger; /* larger of the two norms */
  double apart;
} turn;

/* The turn of the gradient whose first entry in Dg is *e. Advances *e to the next gradient. */
static turn turn_of(const sw_projection *s, int *e)
{
  const sw_pattern *pattern = &s->system->constraint_jac_pattern;
  const int i = pattern->row[*e];
  double before = 0.0;
  double after = 0.0;
  turn found = {0.0, 0.0};

  for (; *e < pattern->entries && pattern->row[*e] == i; ++*e) {
    const double size = s->size[pattern->col[*e]];
    before = hypot(before, size * s->jac_before[*e]);
    after = hypot(after, size * s->jac[*e]);
    found.apart = hypot(found.apart, size * (s->jac[*e] - s->jac_before[*e]));
  }
  found.larger = fmax(before, after);
  return found;
}

/* Computes Dg at both states. */
static void look_at_gradients(sw_projection *s, const double from[], const double to[])
{
  s->system->constraint_jac(s->system, from, s->k, s->jac_before);
  s->system->constraint_jac(s->system, to, s->k, s->jac);
}

/* How far the gradients turn from one state to another: max_i |S (Dg_i(to) - Dg_i(from))| relative
 * to the larger gradient.  It does not depend on the origin of the positions. */
static double turn_between(sw_projection *s, const double from[], const double to[])
{
  double most = 0.0;

  look_at_gradients(s, from, to);
  for (int e = 0; e < s->system->constraint_jac_pattern.entries;) {
    const turn of = turn_of(s, &e);
    most = of.apart > 0.0 || isnan(of.apart) ? sw_larger_or_nan(most, of.apart / of.larger) : most;
  }
  return most;
}

/* The largest distance in the constraints at a state: the displacement of positions in some
 * direction that changes a gradient by its own size. 0 if no gradient changes. */
static double longest_distance(sw_projection *s, const double z[])
{
  const double step = 0x1p-30 * sw_nonzero_scale(s->extent.q);
  const size_t d = (size_t)s->system->nq;
  uint64_t random = 1;
  double most = 0.0;

  sw_copy(s->trial, z, 2 * d);
  for (size_t i = 0; i < d; i++) {
    const double by = sw_random(&random);
    s->trial[i] += s->size[i] > 0.0 ? step * by : 0.0;
  }
  look_at_gradients(s, z, s->trial);
  for (int e = 0; e < s->system->constraint_jac_pattern.entries;) {
    const turn of = turn_of(s, &e);
    most = of.apart != 0.0 ? sw_larger_or_nan(most, step * of.larger / of.apart) : most;
  }
  return most;
}

/* The largest displacement of a position in a constraint with a constant gradient. */
static double moved_along_lines(const sw_projection *s, const double from[], const double to[])
{
  const sw_pattern *pattern = &s->system->constraint_jac_pattern;
  double moved = 0.0;

  for (int e = 0; e < pattern->entries;) {
    const int first = e;
    const turn of = turn_of(s, &e);
    for (int t = first; t < e && of.apart == 0.0; t++) {
      const int j = pattern->col[t];
      moved = j < s->system->nq && s->size[j] > 0.0 ? fmax(moved, fabs(to[j] - from[j])) : moved;
    }
  }
  return moved;
}

double sw_projection_part(sw_projection *s, const double from[], const double to[])
{
  const double most = turn_between(s, from, to);
  const double moved = moved_along_lines(s, from, to);
  const double distance = moved > 0.0 ? longest_distance(s, from) : 0.0;

  return moved > 0.0 ? sw_larger_or_nan(
                           most, moved / sw_nonzero_scale(distance > 0.0 ? distance : s->extent.q))
                     : most;
}

/* Writes the end of the shortest step from u onto the linearised constraints to s->trial. Returns 0
 * if there is none. */
static int take_shortest(sw_projection *s, const double u[], double nu[])
{
  const sw_pattern *jac = &s->system->constraint_jac_pattern;

  if (!solve_gram(s, NULL, s->g, nu)) {
    return 0;
  }
  sw_copy(s->trial, u, 2 * (size_t)s->system->nq);
  for (int e = 0; e < jac->entries; e++) {
    const double size = s->size[jac->col[e]];
    s->trial[jac->col[e]] -= size * (size * s->jac[e]) * nu[jac->row[e]];
  }
  return 1;
}

/* Takes shortest steps from u = (z0, 0) until z is near M; then computes the multipliers. Returns 0
 * if z does not come near M. */
static int approach(sw_projection *s, double u[])
{
  const size_t dim = 2 * (size_t)s->system->nq;
  double *nu = u + dim;

  for (int step = 0;; step++) {
    const int near = projection_look_at(s, u) <= near_enough;
    const int found = take_shortest(s, u, nu);
    if (near && (!found || turn_between(s, u, s->trial) <= turned_little)) {
      sw_zero(nu, (size_t)s->system->nc);
      if (step == 0) {
        return 1;
      }
      break;
    }
    if (step == most_steps || !found) {
      return 0;
    }
    sw_copy(u, s->trial, dim);
  }
  for (size_t i = 0; i < dim; i++) {
    s->change[i] = s->z0[i] - u[i];
  }
  return isfinite(projection_look_at(s, u)) && solve_gram(s, s->change, NULL, nu);
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

  s->z0 = z0;
  if (!find_sizes(s, z0)) {
    return 0;
  }
  guess_start(s, u);
  if (approach(s, u)) {
    return 1;
  }
  guess_start(s, u);
  return isfinite(projection_look_at(s, u));
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
    F[i] = (u[i] - s->z0[i]) / sw_nonzero_scale(s->size[i]) + s->size[i] * F[i];
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
    J[*place++] += 1.0 / sw_nonzero_scale(s->size[i]);
  }
  for (int e = 0; e < hess->entries; e++, place += 2) {
    const int i = hess->row[e];
    const int j = hess->col[e];
    const int moves =
        s->size[i] > 0.0 && s->size[j] > 0.0; /* entries in the row or column of a time are 0 */
    J[place[0]] += moves ? s->size[i] * s->hess[e] : 0.0;
    J[place[1]] += moves && i != j ? s->size[j] * s->hess[e] : 0.0;
  }
  for (int e = 0; e < jac->entries; e++, place += 2) {
    const double size = s->size[jac->col[e]];
    J[place[0]] += size > 0.0 ? s->jac[e] / s->scale[jac->row[e]] : 0.0;
    J[place[1]] += size * s->jac[e];
  }
}
