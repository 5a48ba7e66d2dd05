/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * brackets.c -- the patterns of a looped model's brackets, and which entries of their factors meet where:
 * the derivative of the hidden constraints, N and C.
 */
#include <stdlib.h>

#include "sparse/pattern.h"
#include "system/looped.h"

/* ---- Drho = D(Dg) X_H - field^T Hess H ---- */

/* Dg's entries and those of the product, in one pattern. */
static sw_status unite(sw_system *system, sw_looped *looped, const sw_pattern *bent, long along)
{
  const sw_pattern *jac = &system->constraint_jac_pattern;
  const long long sum = (long long)jac->entries + bent->entries;

  if (sum >= INT_MAX) {
    return SW_ERR_MEMORY;
  }
  const int n = (int)sum;
  int *row = sw_looped_ints((size_t)n);
  int *col = sw_looped_ints((size_t)n);
  int *place = sw_looped_ints((size_t)n);
  sw_status status = SW_ERR_MEMORY;

  if (row && col && place) {
    for (int e = 0; e < n; e++) {
      const sw_pattern *from = e < jac->entries ? jac : bent;
      row[e] = from->row[e < jac->entries ? e : e - jac->entries];
      col[e] = from->col[e < jac->entries ? e : e - jac->entries];
    }
    status = sw_pattern_create(system->nc, 2 * system->nq, n, row, col, &system->hidden_jac_pattern,
                               place);
  }
  if (status == SW_OK) {
    status = sw_product_spread(&looped->curvature, system->hidden_jac_pattern.entries,
                               place + jac->entries);
  }
  looped->along_place = status == SW_OK ? sw_looped_ints((size_t)along) : NULL;
  status = looped->along_place ? SW_OK : SW_ERR_MEMORY;
  for (long t = 0; t < along && status == SW_OK; t++) {
    looped->along_place[t] = place[looped->jac_place[t]];
  }
  free(row);
  free(col);
  free(place);
  return status;
}

/* The product's entries refer to field and to the lower triangle, instead of to their copies. */
static sw_status plan_curvature(sw_system *system, sw_looped *looped, sw_pattern *bent)
{
  const sw_pattern *lower = &system->hamiltonian_hess_pattern;
  const sw_pattern *field = &system->fibre_flow_lambda_pattern;
  sw_pattern whole = {0, 0, 0, NULL, NULL};
  sw_pattern transposed = {0, 0, 0, NULL, NULL};
  int *source = sw_looped_ints(2 * (size_t)lower->entries);
  int *from = sw_looped_ints((size_t)field->entries);
  int *place = sw_looped_ints((size_t)field->entries);
  sw_product *product = &looped->curvature;
  sw_status status = source && from && place ? SW_OK : SW_ERR_MEMORY;

  if (status == SW_OK) {
    status = sw_pattern_symmetric(lower, &whole, source);
  }
  if (status == SW_OK) {
    status = sw_pattern_transpose(field, &transposed, place);
  }
  if (status == SW_OK) {
    status = sw_product_create(&transposed, &whole, product, bent);
  }
  if (status == SW_OK) {
    for (int e = 0; e < field->entries; e++) {
      from[place[e]] = e;
    }
    for (int t = 0; t < product->start[product->entries]; t++) {
      product->left[t] = from[product->left[t]];
      product->right[t] = source[product->right[t]];
    }
  }
  sw_pattern_free(&whole);
  sw_pattern_free(&transposed);
  free(source);
  free(from);
  free(place);
  return status;
}

static sw_status plan_hidden_jac(sw_system *system, sw_looped *looped)
{
  sw_pattern bent = {0, 0, 0, NULL, NULL};
  const long along = looped->loops->constraint_jac.contributions(looped->n, NULL, NULL);
  sw_status status = plan_curvature(system, looped, &bent);

  if (status == SW_OK) {
    status = unite(system, looped, &bent, along);
  }
  sw_pattern_free(&bent);
  return status;
}

/* ---- N = Drho field, C = Dg field ---- */

/* used[e] becomes 1 where a term of N takes entry e of Drho; returns how many these are. */
static int mark_reached(const sw_product *product, int used[])
{
  int n = 0;

  for (int t = 0; t < product->start[product->entries]; t++) {
    n += !used[product->left[t]];
    used[product->left[t]] = 1;
  }
  return n;
}

static int among(const int used[], const int place[], long n)
{
  for (long t = 0; t < n; t++) {
    if (used[place[t]]) {
      return 1;
    }
  }
  return 0;
}

/* Makes `reached` of those entries of Drho that are used, and lets N take them from there. */
static sw_status copy_reached(sw_looped *looped, int n, int used[])
{
  const sw_product *all = &looped->curvature;
  sw_product *part = &looped->reached;
  sw_product *N = &looped->nondegeneracy;
  size_t terms = 0;
  int e = 0;
  int t = 0;

  for (int i = 0; i < all->entries; i++) {
    terms += used[i] ? (size_t)(all->start[i + 1] - all->start[i]) : 0;
  }
  part->start = sw_looped_ints((size_t)n);
  part->left = sw_looped_ints(terms);
  part->right = sw_looped_ints(terms);
  if (!part->start || !part->left || !part->right) {
    return SW_ERR_MEMORY;
  }
  part->entries = n;
  for (int i = 0; i < all->entries; i++) {
    if (used[i]) {
      for (int s = all->start[i]; s < all->start[i + 1]; s++, t++) {
        part->left[t] = all->left[s];
        part->right[t] = all->right[s];
      }
      used[i] = e++;
      part->start[e] = t;
    }
  }
  for (int s = 0; s < N->start[N->entries]; s++) {
    N->left[s] = used[N->left[s]];
  }
  return SW_OK;
}

static sw_status plan_nondegeneracy(sw_system *system, sw_looped *looped)
{
  const sw_pattern *hidden = &system->hidden_jac_pattern;
  const long along = looped->loops->constraint_jac.contributions(looped->n, NULL, NULL);
  int *used = sw_looped_ints((size_t)hidden->entries);
  sw_status status = used ? SW_OK : SW_ERR_MEMORY;

  if (status == SW_OK) {
    status = sw_product_create(hidden, &system->fibre_flow_lambda_pattern, &looped->nondegeneracy,
                               &system->nondegeneracy_pattern);
  }
  if (status == SW_OK) {
    const int n = mark_reached(&looped->nondegeneracy, used);
    looped->needs_along = among(used, looped->along_place, along);
    if (!looped->needs_along) {
      status = copy_reached(looped, n, used);
    }
  }
  free(used);
  return status;
}

/* Drops the diagonal of a pattern and of the product that makes it. */
static void drop_diagonal(sw_product *product, sw_pattern *pattern)
{
  int *row = (int *)pattern->row;
  int *col = (int *)pattern->col;
  int n = 0;
  int t = 0;
  int from = 0;

  for (int e = 0; e < pattern->entries; e++) {
    const int to = product->start[e + 1];
    if (row[e] != col[e]) {
      row[n] = row[e];
      col[n] = col[e];
      for (int s = from; s < to; s++, t++) {
        product->left[t] = product->left[s];
        product->right[t] = product->right[s];
      }
      product->start[++n] = t;
    }
    from = to;
  }
  product->entries = pattern->entries = n;
}

static sw_status plan_coisotropy(sw_system *system, sw_looped *looped)
{
  const sw_status status =
      sw_product_create(&system->constraint_jac_pattern, &system->fibre_flow_lambda_pattern,
                        &looped->coisotropy, &system->coisotropy_pattern);

  if (status == SW_OK) {
    drop_diagonal(&looped->coisotropy, &system->coisotropy_pattern);
    if (system->coisotropy_pattern.entries == 0) {
      sw_product_free(&looped->coisotropy);
      sw_pattern_free(&system->coisotropy_pattern);
      system->coisotropy_pattern = (sw_pattern){system->nc, system->nc, 0, NULL, NULL};
    }
  }
  return status;
}

sw_status sw_looped_plan_brackets(sw_system *system)
{
  sw_looped *looped = system->looped;
  sw_status status = plan_hidden_jac(system, looped);

  if (status == SW_OK) {
    status = plan_nondegeneracy(system, looped);
  }
  return status == SW_OK ? plan_coisotropy(system, looped) : status;
}
