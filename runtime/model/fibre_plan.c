/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fibre_plan.c -- patterns of the numerical fibre flow.
 *
 * DF defines a directed graph of rows and columns.  An entry of a derivative is structurally
 * nonzero if a path leads to its row from its column, or from the field of its multiplier.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "linear/pattern.h"
#include "model/numerical_fibre.h"
#include "model/system_plan.h"

/* P[0..n] = the Legendre polynomials of degree 0 to n at x in [-1,1]. */
static void legendre(int n, double x, double P[])
{
  P[0] = 1.0;
  P[1] = x;
  for (int k = 1; k < n; k++) {
    P[k + 1] = ((2.0 * k + 1.0) * x * P[k] - k * P[k - 1]) / (k + 1.0);
  }
}

/* Root i, in increasing order, of the Legendre polynomial of degree s, by Newton's method.  *slope
 * is the derivative there. */
static double root(int s, int i, double *slope)
{
  double P[SW_GAUSS_STAGES + 2];
  double x = -cos(3.14159265358979323846 * (i + 0.75) / (s + 0.5));

  for (int round = 0; round < 10; round++) {
    legendre(s, x, P);
    *slope = s * (x * P[s] - P[s - 1]) / (x * x - 1.0);
    x -= P[s] / *slope;
  }
  return x;
}

/* The mean growth of a vector in rounds 200 to 399 of multiplication by a; the mean is needed since
 * the largest eigenvalues are a complex pair. */
static double spectral_radius(const sw_gauss *rule)
{
  double v[SW_GAUSS_STAGES];
  double growth = 0.0;
  const int s = rule->stages;

  for (int i = 0; i < s; i++) {
    v[i] = 1.0 + 0.1 * i;
  }
  for (int round = 0; round < 400; round++) {
    double w[SW_GAUSS_STAGES];
    double largest = 0.0;
    for (int i = 0; i < s; i++) {
      w[i] = 0.0;
      for (int j = 0; j < s; j++) {
        w[i] += rule->a[i][j] * v[j];
      }
      largest = fmax(largest, fabs(w[i]));
    }
    for (int i = 0; i < s; i++) {
      v[i] = w[i] / largest;
    }
    growth += round >= 200 ? log(largest) : 0.0;
  }
  return exp(growth / 200.0);
}

/* Computes the rule with 2 to SW_GAUSS_STAGES stages. */
/* a_ij = b_j sum_k (2k+1) P_k(c_j) (integral of P_k from 0 to c_i), as the P_k are orthogonal. */
static void sw_gauss_make(int stages, sw_gauss *rule)
{
  double P[SW_GAUSS_STAGES][SW_GAUSS_STAGES + 2];
  const int s = stages;

  rule->stages = s;
  for (int i = 0; i < s; i++) {
    double slope = 0.0;
    const double x = root(s, i, &slope);
    legendre(s, x, P[i]);
    rule->b[i] = 1.0 / ((1.0 - x * x) * slope * slope);
  }
  for (int i = 0; i < s; i++) {
    for (int j = 0; j < s; j++) {
      double sum = 0.5 * (1.0 + P[i][1]);
      for (int k = 1; k < s; k++) {
        sum += 0.5 * (P[i][k + 1] - P[i][k - 1]) * P[j][k];
      }
      rule->a[i][j] = rule->b[j] * sum;
    }
    rule->last[0][i] = (2.0 * s - 1.0) * rule->b[i] * P[i][s - 1];
    rule->last[1][i] = (2.0 * s - 3.0) * rule->b[i] * P[i][s - 2];
  }
  rule->radius = spectral_radius(rule);
}

/* ---- F and DF ---- */

static int partner(const sw_system *system, int i)
{
  return i < system->nq ? i + system->nq : i - system->nq;
}

static sw_status fibre_plan_plan_field(const sw_system *system, struct sw_fibre *fibre)
{
  const sw_pattern *jac = &system->constraint_jac_pattern;

  fibre->field_row = sw_plan_ints((size_t)jac->entries);
  fibre->field_place = sw_plan_ints((size_t)jac->entries);
  if (!fibre->field_row || !fibre->field_place) {
    return SW_ERR_MEMORY;
  }
  for (int e = 0; e < jac->entries; e++) {
    fibre->field_row[e] = partner(system, jac->col[e]);
  }
  return SW_OK;
}

/* Entry (i,j) of the Hessian contributes to the entries (partner of i, j) and (partner of j, i) of
 * DF. */
static sw_status plan_slope(const sw_system *system, struct sw_fibre *fibre)
{
  const sw_pattern *hess = &system->constraint_hess_pattern;
  const size_t most = 2 * (size_t)hess->entries;
  int *next = sw_plan_ints((size_t)fibre->dim);

  fibre->slope_start = sw_plan_ints((size_t)fibre->dim);
  fibre->slope_row = sw_plan_ints(most);
  fibre->slope_entry = sw_plan_ints(most);
  if (!next || !fibre->slope_start || !fibre->slope_row || !fibre->slope_entry ||
      hess->entries > INT_MAX / 2) {
    free(next);
    return SW_ERR_MEMORY;
  }
  for (int e = 0; e < hess->entries; e++) {
    fibre->slope_start[hess->col[e] + 1]++;
    fibre->slope_start[hess->row[e] + 1] += hess->row[e] != hess->col[e];
  }
  for (int c = 0; c < fibre->dim; c++) {
    fibre->slope_start[c + 1] += fibre->slope_start[c];
    next[c] = fibre->slope_start[c];
  }
  for (int e = 0; e < hess->entries; e++) {
    const int i = hess->row[e];
    const int j = hess->col[e];
    fibre->slope_row[next[j]] = partner(system, i);
    fibre->slope_entry[next[j]++] = e;
    if (i != j) {
      fibre->slope_row[next[i]] = partner(system, j);
      fibre->slope_entry[next[i]++] = e;
    }
  }
  free(next);
  return SW_OK;
}

/* ---- patterns of the derivatives ---- */

/* Appends a row of column c unless it is in the list. */
static void reach_row(sw_gathered *list, int seen[], int row, int c)
{
  if (seen[row] != c + 1) {
    seen[row] = c + 1;
    sw_gather(list, row, c);
  }
}

/* Lists column c of a derivative: its initial rows, the field's rows for dGamma/dlambda (jac_start)
 * or row c for dGamma/dz, and, if `closed`, all rows that DF reaches from them. */
static void reach_column(const struct sw_fibre *fibre, const int jac_start[], int closed, int c,
                         int seen[], sw_gathered *list)
{
  int at = list->n;

  if (jac_start) {
    for (int e = jac_start[c]; e < jac_start[c + 1]; e++) {
      reach_row(list, seen, fibre->field_row[e], c);
    }
  } else {
    reach_row(list, seen, c, c);
  }
  for (; closed && at < list->n; at++) {
    const int from = list->row[at];
    for (int t = fibre->slope_start[from]; t < fibre->slope_start[from + 1]; t++) {
      reach_row(list, seen, fibre->slope_row[t], c);
    }
  }
}

/* Sorts the entries of *pattern by column. */
static sw_status plan_columns(const sw_pattern *pattern, sw_fibre_columns *columns)
{
  columns->start = sw_plan_ints((size_t)pattern->cols);
  columns->entry = sw_plan_ints((size_t)pattern->entries);
  columns->row = sw_plan_ints((size_t)pattern->entries);
  if (!columns->start || !columns->entry || !columns->row) {
    return SW_ERR_MEMORY;
  }
  sw_sort_by_key(pattern->entries, NULL, pattern->col, pattern->cols, columns->start,
                 columns->entry);
  for (int t = 0; t < pattern->entries; t++) {
    columns->row[t] = pattern->row[columns->entry[t]];
  }
  return SW_OK;
}

/* Makes the pattern of a derivative; `closed` is 0 if it has only the entries of F. */
static sw_status plan_derivative(const struct sw_fibre *fibre, const int jac_start[], int closed,
                                 int cols, sw_pattern *pattern, sw_fibre_columns *columns)
{
  sw_gathered list = {0};
  int *seen = sw_plan_ints((size_t)fibre->dim);

  for (int c = 0; c < cols && seen && !list.failed; c++) {
    reach_column(fibre, jac_start, closed, c, seen, &list);
  }
  const sw_status status = sw_gathered_pattern(&list, fibre->dim, cols, pattern, NULL);
  const int good = seen != NULL && status == SW_OK;
  free(seen);
  return good ? plan_columns(pattern, columns) : SW_ERR_MEMORY;
}

/* Finds the entry of by_lambda for each entry of Dg, by bisection; each column is sorted by row and
 * contains the row. */
static void place_field(const sw_system *system, struct sw_fibre *fibre)
{
  const sw_fibre_columns *columns = &fibre->lambda_columns;
  const int *jac_start = system->plan->jac_start;

  for (int i = 0; i < system->nc; i++) {
    for (int e = jac_start[i]; e < jac_start[i + 1]; e++) {
      int low = columns->start[i];
      int high = columns->start[i + 1] - 1;
      while (low < high) {
        const int middle = low + (high - low) / 2;
        if (columns->row[middle] < fibre->field_row[e]) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      fibre->field_place[e] = columns->entry[low];
    }
  }
}

static sw_status plan_derivatives(const sw_system *system, struct sw_fibre *fibre)
{
  const int closed = !system->model->structure.commuting;
  sw_status status = plan_derivative(fibre, system->plan->jac_start, closed, system->nc,
                                     &fibre->by_lambda, &fibre->lambda_columns);

  if (status == SW_OK) {
    place_field(system, fibre);
    status = plan_derivative(fibre, NULL, 1, fibre->dim, &fibre->by_z, &fibre->z_columns);
  }
  return status;
}

/* ---- the whole plan ---- */

static sw_status fibre_plan_make_plan(const sw_system *system, struct sw_fibre *fibre)
{
  static const int stages[SW_FIBRE_RULES] = {4, 8, SW_GAUSS_STAGES};

  fibre->dim = 2 * system->nq;
  for (int i = 0; i < SW_FIBRE_RULES; i++) {
    sw_gauss_make(stages[i], &fibre->rule[i]);
  }
  fibre->all_rows = sw_plan_ints((size_t)fibre->dim);
  if (!fibre->all_rows) {
    return SW_ERR_MEMORY;
  }
  for (int i = 0; i < fibre->dim; i++) {
    fibre->all_rows[i] = i;
  }
  sw_status status = fibre_plan_plan_field(system, fibre);
  if (status == SW_OK) {
    status = plan_slope(system, fibre);
  }
  if (status == SW_OK) {
    status = plan_derivatives(system, fibre);
  }
  return status;
}

sw_status sw_fibre_plan(const sw_system *system, struct sw_fibre **fibre)
{
  *fibre = calloc(1, sizeof **fibre);
  if (!*fibre) {
    return SW_ERR_MEMORY;
  }
  const sw_status status = fibre_plan_make_plan(system, *fibre);
  if (status != SW_OK) {
    sw_fibre_plan_free(*fibre);
    *fibre = NULL;
  }
  return status;
}

void sw_fibre_plan_free(struct sw_fibre *fibre)
{
  int *const ints[] = {fibre->field_row,
                       fibre->field_place,
                       fibre->slope_start,
                       fibre->slope_row,
                       fibre->slope_entry,
                       fibre->all_rows,
                       fibre->lambda_columns.start,
                       fibre->lambda_columns.entry,
                       fibre->lambda_columns.row,
                       fibre->z_columns.start,
                       fibre->z_columns.entry,
                       fibre->z_columns.row};

  for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++) {
    free(ints[i]);
  }
  sw_pattern_free(&fibre->by_lambda);
  sw_pattern_free(&fibre->by_z);
  free(fibre);
}
