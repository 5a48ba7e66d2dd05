/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/foot.h"

#include <math.h>

#include "linear/dense.h"
#include "linear/dense_lu.h"
#include "model/mass.h"
#include "model/scale.h"
#include "step/descent.h"

/* ---- g ---- */

void sw_surface_carve(sw_carver *c, sw_surface *s)
{
  const sw_system *system = s->system;
  const size_t d = (size_t)system->nq;
  const int second = sw_larger_int(system->constraint_hess_pattern.entries,
                                   system->constraint_third_pattern.entries);

  s->clock = sw_mass_clock(system);
  s->z = sw_carve(c, 2 * d, 1);
  s->values = sw_carve(c, (size_t)sw_larger_int(second, system->constraint_jac_pattern.entries), 1);
  s->weights = sw_carve(c, (size_t)system->nc + d, 1);
  s->hess = sw_carve(c, d, d);
}

static const double *at(sw_surface *s, const double x[])
{
  return sw_copy_and_zero(s->z, x, (size_t)s->system->nq);
}

void sw_surface_values(sw_surface *s, const double x[], double g[])
{
  if (s->system->nc > 0) {
    s->system->constraint(s->system, at(s, x), s->k, g);
  }
}

void sw_surface_slopes(sw_surface *s, const double x[], double Dg[])
{
  const sw_pattern *pattern = &s->system->constraint_jac_pattern;
  const int d = s->system->nq;

  if (s->system->nc == 0) {
    return;
  }
  s->system->constraint_jac(s->system, at(s, x), s->k, s->values);
  sw_zero(Dg, (size_t)s->system->nc * (size_t)d);
  for (int e = 0; e < pattern->entries; e++) {
    sw_row(Dg, d, pattern->row[e])[pattern->col[e]] = s->values[e];
  }
}

void sw_surface_second(sw_surface *s, const double x[], const double a[], double H[])
{
  const sw_pattern *pattern = &s->system->constraint_hess_pattern;
  const int d = s->system->nq;

  sw_zero(H, (size_t)d * (size_t)d);
  if (s->system->nc > 0) {
    s->system->constraint_hess(s->system, at(s, x), s->k, a, s->values);
    sw_dense_symmetric(pattern->entries, pattern->row, pattern->col, s->values, d, H);
  }
}

void sw_surface_along(sw_surface *s, const double x[], const double u[], double Gu[])
{
  const int d = s->system->nq;
  const int m = s->system->nc;

  sw_zero(Gu, (size_t)m * (size_t)d);
  for (int i = 0; i < m; i++) {
    sw_zero(s->weights, (size_t)m);
    s->weights[i] = 1.0;
    sw_surface_second(s, x, s->weights, s->hess);
    sw_dense_add_times(d, d, 1.0, s->hess, u, sw_row(Gu, d, i));
  }
}

void sw_surface_add_third(sw_surface *s, const double x[], const double a[], const double u[],
                          double b, double H[])
{
  const sw_pattern *third = &s->system->constraint_third_pattern;
  const int d = s->system->nq;
  const int m = s->system->nc;

  if (third->entries == 0) {
    return;
  }
  sw_copy(s->weights, a, (size_t)m);
  sw_copy(s->weights + m, u, (size_t)d);
  s->system->constraint_third(s->system, at(s, x), s->k, s->weights, s->values);
  sw_dense_symmetric(third->entries, third->row, third->col, s->values, d, s->hess);
  sw_add_scaled(d * d, b, s->hess, H);
}

void sw_surface_scale(const sw_surface *s, const double Dg[], double scale[])
{
  const int d = s->system->nq;

  for (int i = 0; i < s->system->nc; i++) {
    scale[i] = sw_power_below(sw_max_abs((size_t)d, sw_const_row(Dg, d, i)));
  }
}

/* ---- the foot ---- */

void sw_foot_carve(sw_carver *c, sw_foot *s)
{
  const size_t d = (size_t)s->surface->system->nq;
  const size_t m = (size_t)s->surface->system->nc;

  s->x = sw_carve(c, d, 1);
  s->theta = sw_carve(c, m, 1);
  s->Dg = sw_carve(c, m, d);
  s->scale = sw_carve(c, m, 1);
  s->hess = sw_carve(c, d, d);
  s->matrix = sw_carve(c, d + m, d + m);
  s->exchange = sw_carve_bytes(c, (d + m) * sizeof(int));
  s->step = sw_carve(c, d + m, 1);
}

/* Factorises the matrix. Returns 0 if it is singular. */
static int foot_factor(sw_foot *s)
{
  const int d = s->surface->system->nq;
  const int m = s->surface->system->nc;
  const int n = d + m;
  const int clock = s->surface->clock;
  double least = 0.0;

  sw_surface_slopes(s->surface, s->x, s->Dg);
  sw_surface_scale(s->surface, s->Dg, s->scale);
  sw_surface_second(s->surface, s->x, s->theta, s->hess);
  sw_zero(s->matrix, (size_t)n * (size_t)n);
  for (int i = 0; i < d; i++) {
    sw_copy(sw_row(s->matrix, n, i), sw_const_row(s->hess, d, i), (size_t)d);
    sw_row(s->matrix, n, i)[i] += 1.0;
    for (int j = 0; j < m; j++) {
      const double scaled = sw_row(s->Dg, d, j)[i] / s->scale[j];
      sw_row(s->matrix, n, i)[d + j] = scaled;
      sw_row(s->matrix, n, d + j)[i] = scaled;
    }
  }
  for (int j = 0; j < n && clock >= 0; j++) { /* the row of the clock, the only asymmetric row */
    sw_row(s->matrix, n, j)[clock] = j == clock ? 1.0 : 0.0;
  }
  return sw_lu_factor(n, s->matrix, s->exchange, &least) == 0;
}

/* One step of Newton's method. Returns the displacement of x relative to x, or NaN. */
static double foot_improve(sw_foot *s, const double above[])
{
  const int d = s->surface->system->nq;
  const int m = s->surface->system->nc;

  if (!foot_factor(s)) {
    return NAN;
  }
  for (int i = 0; i < d; i++) {
    s->step[i] = above[i] - s->x[i];
  }
  sw_dense_add_transposed_times(m, d, -1.0, s->Dg, s->theta, s->step);
  if (s->surface->clock >= 0) {
    s->step[s->surface->clock] = 0.0;
  }
  sw_surface_values(s->surface, s->x, s->step + d);
  for (int j = 0; j < m; j++) {
    s->step[d + j] /= -s->scale[j];
  }
  sw_lu_solve(d + m, s->matrix, s->exchange, s->step);
  sw_add_scaled(d, 1.0, s->step, s->x);
  for (int j = 0; j < m; j++) {
    s->theta[j] += s->step[d + j] / s->scale[j];
  }
  return sw_max_abs((size_t)d, s->step) / sw_nonzero_scale(sw_max_abs((size_t)d, s->x));
}

void sw_foot_find(sw_foot *s, const double above[])
{
  enum { most_iterations = 30 };
  const int d = s->surface->system->nq;
  sw_descent path = sw_descent_begin();

  sw_copy(s->x, above, (size_t)d);
  sw_zero(s->theta, (size_t)s->surface->system->nc);
  while (s->surface->system->nc > 0 &&
         sw_descent_goes_on(&path, most_iterations, foot_improve(s, above))) {
  }
  if (path.failed || !foot_factor(s)) {
    sw_fill(s->x, NAN, (size_t)d);
  }
}

void sw_foot_directions(sw_foot *s, int n, double DX[], double DT[])
{
  const int d = s->surface->system->nq;
  const int m = s->surface->system->nc;

  for (int j = 0; j < n && m > 0; j++) {
    for (int i = 0; i < d + m; i++) {
      s->step[i] = i < d ? DX[i * n + j] : 0.0;
    }
    sw_lu_solve(d + m, s->matrix, s->exchange, s->step);
    for (int i = 0; i < d; i++) {
      DX[i * n + j] = s->step[i];
    }
    for (int i = 0; i < m; i++) {
      DT[i * n + j] = s->step[d + i] / s->scale[i];
    }
  }
}
