/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/discrete.h"

#include <stdlib.h>

#include "linear/pattern.h"
#include "linear/sparse.h"
#include "step/reach.h"

/* ---- the unknowns ---- */

/* 1 if no entry is in a row of momenta and a column of positions. */
static int is_free_of_positions(const sw_pattern *of, int d)
{
  int e = 0;

  while (e < of->entries && (of->row[e] < d || of->col[e] >= d)) {
    e++;
  }
  return e == of->entries;
}

int sw_discrete_blocks(const sw_system *system)
{
  const sw_pattern *jac = &system->discrete_jac_pattern;
  int e = 0;

  while (e < jac->entries && jac->col[e] < system->nq) {
    e++;
  }
  return e == jac->entries && is_free_of_positions(&system->discrete_grad_next_pattern, system->nq)
             ? 1
             : 2;
}

void sw_discrete_carve(sw_carver *c, size_t n, sw_discrete *s)
{
  const sw_system *system = s->system;
  const size_t dim = 2 * (size_t)system->nq;

  s->explicit_q = sw_discrete_blocks(system) == 1;
  s->gradient = sw_carve(c, dim, 1);
  s->jac = sw_carve(c, (size_t)system->discrete_jac_pattern.entries, 1);
  s->hess_H = sw_carve(c, (size_t)system->discrete_grad_next_pattern.entries, 1);
  s->hess_g = sw_carve(c, (size_t)system->discrete_jac_next_pattern.entries, 1);
  s->change = sw_carve(c, dim, n);
  s->seed = sw_carve(c, (size_t)system->nc, n);
}

/* ---- values ---- */

void sw_discrete_guess(sw_discrete *s, double h, const double z[], double x[])
{
  const int d = s->system->nq;
  double *p1 = s->explicit_q ? x : x + d;

  s->system->hamiltonian_grad(s->system, z, s->k, s->gradient);
  for (int i = 0; i < d; i++) {
    p1[i] = z[d + i] - h * s->gradient[i];
  }
  for (int i = 0; i < d && !s->explicit_q; i++) {
    x[i] = z[i] + h * s->gradient[d + i];
  }
}

/* Computes z1 from x. */
static void discrete_find_end(sw_discrete *s, const double x[], double z1[])
{
  const size_t d = (size_t)s->system->nq;

  if (!s->explicit_q) {
    sw_copy(z1, x, 2 * d);
    return;
  }
  sw_copy(z1, s->z, d);
  sw_copy(z1 + d, x, d);
  s->system->discrete_grad(s->system, s->z, z1, s->k, s->gradient);
  for (size_t i = 0; i < d; i++) {
    z1[i] = s->z[i] + s->h * s->gradient[d + i];
  }
}

void sw_discrete_values(sw_discrete *s, double h, const double z[], const double h_lambda[],
                        const double x[], double r[], double z1[])
{
  const sw_system *system = s->system;
  const int d = system->nq;
  double *r_p = s->explicit_q ? r : r + d;

  s->h = h;
  s->z = z;
  s->h_lambda = h_lambda;
  s->z1 = z1;
  discrete_find_end(s, x, z1);
  system->discrete_grad(system, z, z1, s->k, s->gradient);
  for (int i = 0; i < 2 * d; i++) {
    s->gradient[i] *= h;
  }
  if (system->nc > 0) {
    system->discrete_jac(system, z, z1, s->k, s->jac);
    sw_add_transposed(&system->discrete_jac_pattern, s->jac, h_lambda, s->gradient);
  }
  for (int i = 0; i < d; i++) {
    r_p[i] = z1[d + i] - z[d + i] + s->gradient[i];
  }
  for (int i = 0; i < d && !s->explicit_q; i++) {
    r[i] = z1[i] - z[i] - s->gradient[d + i];
  }
}

sw_sizes sw_discrete_moved(const sw_discrete *s, const double r[])
{
  const size_t d = (size_t)s->system->nq;
  const double *r_p = s->explicit_q ? r : r + d;
  const double missed = s->explicit_q ? 0.0 : sw_max_abs(d, r);

  return (sw_sizes){sw_larger_or_nan(sw_distance(d, s->z1, s->z), missed),
                    sw_larger_or_nan(sw_distance(d, s->z1 + d, s->z + d), sw_max_abs(d, r_p))};
}

/* ---- directions ---- */

/* Derivatives of the gradient in its second state. */
static void find_hessians(sw_discrete *s, const double z[], const double z1[])
{
  const sw_system *system = s->system;

  system->discrete_grad_next(system, z, z1, s->k, s->hess_H);
  if (system->nc > 0) {
    system->discrete_jac_next(system, z, z1, s->k, s->h_lambda, s->hess_g);
  }
}

/* change += factor A X, restricted to the columns first .. last-1 of A. */
static void add_product(sw_discrete *s, const sw_pattern *pattern, double factor, const double a[],
                        int n, int first, int last, const double X[])
{
  for (int e = 0; e < pattern->entries; e++) {
    if (pattern->col[e] >= first && pattern->col[e] < last) {
      sw_add_scaled(n, factor * a[e], sw_const_row(X, n, pattern->col[e]),
                    sw_row(s->change, n, pattern->row[e]));
    }
  }
}

/* change += the derivatives of the last find_hessians times rows first .. last-1 of X. */
static void add_change(sw_discrete *s, int n, int first, int last, const double X[])
{
  const sw_system *system = s->system;

  add_product(s, &system->discrete_grad_next_pattern, s->h, s->hess_H, n, first, last, X);
  add_product(s, &system->discrete_jac_next_pattern, 1.0, s->hess_g, n, first, last, X);
}

void sw_discrete_directions(sw_discrete *s, int n, const double V[], const double DL[],
                            const double DX[], double DR[], double DZ[])
{
  const sw_system *system = s->system;
  const sw_pattern *jac = &system->discrete_jac_pattern;
  const int d = system->nq;
  const size_t half = (size_t)d * (size_t)n;
  double *DR_p = s->explicit_q ? DR : DR + half;

  sw_zero(s->change, 2 * half);
  sw_copy(DZ + (s->explicit_q ? half : 0), DX, s->explicit_q ? half : 2 * half);
  if (V) {
    find_hessians(s, s->z1, s->z);
    add_change(s, n, 0, 2 * d, V);
  }
  find_hessians(s, s->z, s->z1);
  add_change(s, n, d, 2 * d, DZ);
  for (size_t i = 0; i < half && s->explicit_q; i++) {
    DZ[i] = (V ? V[i] : 0.0) + s->change[half + i];
  }
  add_change(s, n, 0, d, DZ);
  for (int e = 0; e < jac->entries; e++) {
    sw_add_scaled(n, s->h * s->jac[e], sw_const_row(DL, n, jac->row[e]),
                  sw_row(s->change, n, jac->col[e]));
  }
  for (size_t i = 0; i < half; i++) {
    DR_p[i] = DZ[half + i] - (V ? V[half + i] : 0.0) + s->change[i];
  }
  for (size_t i = 0; i < half && !s->explicit_q; i++) {
    DR[i] = DZ[i] - (V ? V[i] : 0.0) - s->change[half + i];
  }
}

/* ---- patterns ---- */

/* The patterns of dz1/dx and dr/dx; NULL if memory runs out. */
static void discrete_find_derivatives(sw_reach *reach, const sw_system *system, int blocks,
                                      const sw_pattern **z1, const sw_pattern **r)
{
  const int d = system->nq;
  const sw_pattern *A =
      sw_reach_sum(reach, &system->discrete_grad_next_pattern, &system->discrete_jac_next_pattern);
  const sw_pattern *of_q = A ? sw_reach_rows(reach, A, 0, d) : NULL;
  const sw_pattern *of_p = A ? sw_reach_rows(reach, A, d, d) : NULL;

  *z1 = sw_reach_unit(reach, 2 * d, 2 * d, 0);
  if (of_q && of_p && blocks == 1) {
    const sw_pattern *q1 = sw_reach_columns(reach, of_p, d, d);
    *z1 = sw_reach_stack(reach, q1, sw_reach_unit(reach, d, d, 0));
  }
  const sw_pattern *change = sw_reach_product(reach, of_q, *z1);
  const sw_pattern *own = sw_reach_unit(reach, d, blocks * d, (blocks - 1) * d);
  *r = sw_reach_sum(reach, own, change);
  if (blocks == 2) {
    *r = sw_reach_stack(reach, sw_reach_sum(reach, sw_reach_unit(reach, d, 2 * d, 0), of_p), *r);
  }
}

/* Assembles the pattern, with J Dg^T for the multipliers; the rows of the positions are omitted if
 * q1 is explicit. */
static sw_status discrete_put_together(const sw_system *system, int blocks, const sw_pattern *g,
                                       const sw_pattern *r, sw_pattern *pattern)
{
  const sw_pattern *jac = &system->discrete_jac_pattern;
  const int d = system->nq;
  const int m = system->nc;
  const int size = m + blocks * d;
  sw_gathered all = {0};

  sw_gather_pattern(&all, g, 0, m);
  sw_gather_pattern(&all, r, m, m);
  for (int e = 0; e < jac->entries; e++) {
    const int i = jac->col[e];
    sw_gather(&all, m + (i < d ? i + (blocks - 1) * d : i - d), jac->row[e]);
  }
  return sw_gathered_pattern(&all, size, size, pattern, NULL);
}

sw_status sw_discrete_pattern(const sw_system *system, sw_pattern *pattern)
{
  const int blocks = sw_discrete_blocks(system);
  const sw_pattern *z1 = NULL;
  const sw_pattern *r = NULL;
  sw_reach reach;
  sw_status status = SW_ERR_MEMORY;

  sw_reach_begin(&reach, system);
  discrete_find_derivatives(&reach, system, blocks, &z1, &r);
  const sw_pattern *g = sw_reach_product(&reach, &system->constraint_jac_pattern, z1);
  if (g && r && !reach.failed) {
    status = discrete_put_together(system, blocks, g, r, pattern);
  }
  sw_reach_end(&reach);
  return status;
}
