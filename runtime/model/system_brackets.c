/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * system_brackets.c -- the patterns of the brackets that a model omits, and the terms of their
 * entries: the derivative of the hidden constraints, N and C.
 */
#include <stdlib.h>

#include "linear/pattern.h"
#include "model/system_plan.h"

/* ---- Drho = D(Dg) X_H - field^T Hess H ---- */

/* Makes the union of the patterns of Dg and of the product. */
static sw_status unite(sw_system *system, sw_plan *plan, const sw_pattern *bent)
{
  const sw_placed *of_jac = &plan->placed[SW_PLACED_constraint_jac];
  const sw_pattern *jac = &system->constraint_jac_pattern;
  const long long sum = (long long)jac->entries + bent->entries;

  if (sum >= INT_MAX) {
    return SW_ERR_MEMORY;
  }
  const int n = (int)sum;
  int *row = sw_plan_ints((size_t)n);
  int *col = sw_plan_ints((size_t)n);
  int *place = sw_plan_ints((size_t)n);
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
    status = sw_product_spread(&plan->curvature, system->hidden_jac_pattern.entries,
                               place + jac->entries);
  }
  plan->along_place = status == SW_OK ? sw_plan_ints((size_t)of_jac->n) : NULL;
  status = plan->along_place ? SW_OK : SW_ERR_MEMORY;
  for (int t = 0; t < of_jac->n && status == SW_OK; t++) {
    plan->along_place[t] = place[of_jac->place ? of_jac->place[t] : t];
  }
  free(row);
  free(col);
  free(place);
  return status;
}

/* Makes the product -field^T Hess H. Its terms refer to the entries of the field and of the lower
 * triangle, not to those of the transposed and the whole copy. */
static sw_status plan_curvature(sw_system *system, sw_plan *plan, sw_pattern *bent)
{
  const sw_pattern *lower = &system->hamiltonian_hess_pattern;
  const sw_pattern *field = &plan->field_pattern;
  sw_pattern whole = {0, 0, 0, NULL, NULL};
  sw_pattern transposed = {0, 0, 0, NULL, NULL};
  int *source = sw_plan_ints(2 * (size_t)lower->entries);
  int *from = sw_plan_ints((size_t)field->entries);
  int *place = sw_plan_ints((size_t)field->entries);
  sw_product *product = &plan->curvature;
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

sw_status sw_plan_hidden_jac(sw_system *system)
{
  sw_plan *plan = system->plan;
  sw_pattern bent = {0, 0, 0, NULL, NULL};
  sw_status status = plan_curvature(system, plan, &bent);

  if (status == SW_OK) {
    status = unite(system, plan, &bent);
  }
  sw_pattern_free(&bent);
  return status;
}

/* ---- N = Drho field, C = Dg field ---- */

/* Sets used[e] to 1 if a term of N contains entry e of Drho.  Returns the number of such
 * entries. */
static int mark_reached(const sw_product *product, int used[])
{
  int n = 0;

  for (int t = 0; t < product->start[product->entries]; t++) {
    n += !used[product->left[t]];
    used[product->left[t]] = 1;
  }
  return n;
}

static int among(const int used[], const int place[], int n)
{
  for (int t = 0; t < n; t++) {
    if (used[place[t]]) {
      return 1;
    }
  }
  return 0;
}

/* Makes `reached` from the used entries of Drho, and renumbers the terms of N accordingly. */
static sw_status copy_reached(sw_plan *plan, int n, int used[])
{
  const sw_product *all = &plan->curvature;
  sw_product *part = &plan->reached;
  sw_product *N = &plan->nondegeneracy;
  size_t terms = 0;
  int e = 0;
  int t = 0;

  for (int i = 0; i < all->entries; i++) {
    terms += used[i] ? (size_t)(all->start[i + 1] - all->start[i]) : 0;
  }
  part->start = sw_plan_ints((size_t)n);
  part->left = sw_plan_ints(terms);
  part->right = sw_plan_ints(terms);
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

sw_status sw_plan_nondegeneracy(sw_system *system)
{
  sw_plan *plan = system->plan;
  const sw_pattern *hidden = &system->hidden_jac_pattern;
  int *used = sw_plan_ints((size_t)hidden->entries);
  sw_status status = used ? SW_OK : SW_ERR_MEMORY;

  if (status == SW_OK) {
    status = sw_product_create(hidden, &plan->field_pattern, &plan->nondegeneracy,
                               &system->nondegeneracy_pattern);
  }
  if (status == SW_OK) {
    const int n = mark_reached(&plan->nondegeneracy, used);
    plan->needs_hidden_jac = !plan->along_place || among(used, plan->along_place,
                                                         plan->placed[SW_PLACED_constraint_jac].n);
    if (!plan->needs_hidden_jac) {
      status = copy_reached(plan, n, used);
    }
  }
  free(used);
  return status;
}

/* Removes the diagonal from a pattern and from its product. */
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

sw_status sw_plan_coisotropy(sw_system *system)
{
  sw_plan *plan = system->plan;
  const sw_status status = sw_product_create(&system->constraint_jac_pattern, &plan->field_pattern,
                                             &plan->coisotropy, &system->coisotropy_pattern);

  if (status == SW_OK) {
    drop_diagonal(&plan->coisotropy, &system->coisotropy_pattern);
    if (system->coisotropy_pattern.entries == 0) {
      sw_product_free(&plan->coisotropy);
      sw_pattern_free(&system->coisotropy_pattern);
      system->coisotropy_pattern = (sw_pattern){system->nc, system->nc, 0, NULL, NULL};
    }
  }
  return status;
}
