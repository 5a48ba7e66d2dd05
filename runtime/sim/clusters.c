/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/clusters.h"

#include <stdlib.h>

#include "common/carver.h"
#include "common/vectors.h"
#include "model/system_plan.h"

/* ---- locate the clusters ---- */

/* Returns an array with the first entry of each row of a pattern; row i has the entries start[i]
 * .. start[i+1]-1. */
static int *row_starts(const sw_pattern *p, int rows)
{
  int *start = calloc((size_t)rows + 1, sizeof *start);

  for (int e = 0; start && e < p->entries; e++) {
    start[p->row[e] + 1]++;
  }
  for (int i = 0; start && i < rows; i++) {
    start[i + 1] += start[i];
  }
  return start;
}

/* 1 if row i of Dg has exactly the entries that constraint a of cluster c reads.  The rows of the
 * clusters 0 and 1 define the positions `at` and `by`. */
static int row_is_like(sw_cluster_places *s, const sw_pattern *p, const int start[], int a, long c)
{
  const sw_clusters *t = s->table;
  const int first = start[s->row[a] + c];
  const int end = start[s->row[a] + c + 1];

  if (end - first != t->n_columns[a]) {
    return 0;
  }
  for (int e = first; e < end; e++) {
    const int j = t->columns[a][e - first];
    if (c == 0 && s->at[j] < 0) {
      s->at[j] = p->col[e];
    }
    if (c == 1 && s->by[j] == 0) {
      s->by[j] = p->col[e] - s->at[j];
    }
    if (p->col[e] != s->at[j] + s->by[j] * c) {
      return 0;
    }
  }
  return 1;
}

static int rows_are_like(sw_cluster_places *s, const sw_pattern *p, const int start[])
{
  for (long c = 0; c < s->n; c++) {
    for (int a = 0; a < s->table->constraints; a++) {
      if (!row_is_like(s, p, start, a, c)) {
        return 0;
      }
    }
  }
  s->is_row = 1;
  for (int j = 0; j < s->table->positions; j++) {
    if (s->at[j] < 0 || s->by[j] < 0) {
      return 0;
    }
    s->is_row &= s->at[j] == s->at[0] + j && s->by[j] == s->by[0];
  }
  return 1;
}

/* 1 if no two clusters share a position.  Lists the positions outside of clusters. */
static int list_rest(sw_cluster_places *s, int d)
{
  for (int i = 0; i < d; i++) {
    s->rest[i] = 0;
  }
  for (long c = 0; c < s->n; c++) {
    for (int j = 0; j < s->table->positions; j++) {
      const long i = s->at[j] + s->by[j] * c;
      if (i >= d || s->rest[i]++) {
        return 0;
      }
    }
  }
  for (int i = 0; i < d; i++) {
    if (s->rest[i] == 0) {
      s->rest[s->free++] = i;
    }
  }
  return 1;
}

/* 1 if H has terms in positions other than those within clusters. */
static int has_others(const sw_system *system, const sw_clusters *t)
{
  int left = t->n_others;

  for (int i = 0; i < t->n_others; i++) {
    int is_empty = 0;
    for (int j = 0; j < t->others[i].n; j++) {
      is_empty |= system->plan->count[t->others[i].sets[j]] == 0;
    }
    left -= is_empty;
  }
  return left > 0;
}

static int clusters_find(const sw_system *system, sw_cluster_places *s)
{
  const sw_pattern *jac = &system->constraint_jac_pattern;
  int *start = row_starts(jac, system->nc);

  if (!start) {
    return -1;
  }
  for (int a = 0; a < s->table->constraints; a++) {
    s->row[a] = (long)a * s->n;
  }
  for (int j = 0; j < s->table->positions; j++) {
    s->at[j] = -1;
    s->by[j] = 0;
  }
  const int found = rows_are_like(s, jac, start) && list_rest(s, system->nq);
  free(start);
  s->is_alone = s->free == 0 && !has_others(system, s->table);
  return found;
}

/* ---- create and free ---- */

/* Reserves an array that starts at a cache line, so that eight lanes fill one line. */
static double *carve_lines(sw_carver *c, size_t rows, size_t columns)
{
  const size_t line = 64;
  /* one additional row for the alignment */
  char *bytes = (char *)sw_carve(c, rows + 1, columns < line ? line : columns);

  return bytes ? (double *)(void *)(bytes + (line - (uintptr_t)bytes % line) % line) : NULL;
}

static void carve(sw_carver *c, const sw_clusters *t, size_t n, size_t d, size_t lanes,
                  sw_cluster_places *s)
{
  const size_t parameters = (size_t)t->n_values + (size_t)t->n_masses;

  s->at = sw_carve_bytes(c, (size_t)t->positions * sizeof *s->at);
  s->by = sw_carve_bytes(c, (size_t)t->positions * sizeof *s->by);
  s->row = sw_carve_bytes(c, (size_t)t->constraints * sizeof *s->row);
  s->negative = sw_carve_bytes(c, n * sizeof *s->negative);
  s->rest = sw_carve_bytes(c, d * sizeof *s->rest);
  s->state = carve_lines(c, (n + lanes - 1) / lanes, 2 * lanes * (size_t)t->positions);
  s->k = sw_carve(c, lanes, parameters);
  s->each = sw_carve(c, n, parameters);
}

sw_status sw_cluster_places_create(const sw_system *system, const sw_stepper *stepper,
                                   sw_cluster_places **places)
{
  const sw_clusters *t = stepper ? stepper->clusters : NULL;
  const size_t n = t ? (size_t)(system->nc / t->constraints) : 0;
  const size_t lanes = t && stepper->lanes > 1 ? (size_t)stepper->lanes : 1;
  sw_carver c = {NULL, 0, 0};
  sw_cluster_places unused = {0};

  *places = NULL;
  if (n == 0 || system->model->n_constraints != t->constraints) {
    return SW_OK;
  }
  (void)sw_carve_bytes(&c, sizeof unused);
  carve(&c, t, n, (size_t)system->nq, lanes, &unused);
  c = sw_carver_open(c);
  sw_cluster_places *s = sw_carve_bytes(&c, sizeof *s);
  if (!s) {
    return SW_ERR_MEMORY;
  }
  carve(&c, t, n, (size_t)system->nq, lanes, s);
  s->table = t;
  s->n = (long)n;
  s->lanes = (int)lanes;
  const int found = n * (size_t)t->constraints == (size_t)system->nc ? clusters_find(system, s) : 0;
  if (found <= 0) {
    free(s);
    return found < 0 ? SW_ERR_MEMORY : SW_OK;
  }
  *places = s;
  return SW_OK;
}

void sw_cluster_places_free(sw_cluster_places **places)
{
  free(*places);
  *places = NULL;
}

/* ---- parameters ---- */

static void clusters_read_values(const sw_system *system, const double k[], const double mass[],
                                 sw_cluster_places *s)
{
  const sw_clusters *t = s->table;

  for (int i = 0; i < t->n_values; i++) {
    const sw_cluster_value *v = &t->values[i];
    for (long c = 0; c < s->n; c++) {
      s->each[i * s->n + c] = k[system->plan->k_start[v->array] + v->entry + v->by * c];
    }
  }
  s->fits = 1;
  /* backwards, so that the first position with a shared mass decides */
  for (int j = t->positions - 1; j >= 0; j--) {
    for (long c = 0; c < s->n; c++) {
      s->each[(t->n_values + t->mass_of[j]) * s->n + c] = mass[s->at[j] + s->by[j] * c];
    }
  }
  for (int j = 0; j < t->positions; j++) {
    for (long c = 0; c < s->n; c++) {
      s->fits &= s->each[(t->n_values + t->mass_of[j]) * s->n + c] == mass[s->at[j] + s->by[j] * c];
    }
  }
}

int sw_cluster_places_read(const sw_system *system, const double k[], const double mass[],
                           sw_cluster_places *s)
{
  clusters_read_values(system, k, mass, s);
  s->varies = 0;
  for (int i = 0; i < s->table->n_values + s->table->n_masses; i++) {
    const double *each = s->each + i * s->n;
    sw_fill(s->k + i * s->lanes, each[0], (size_t)s->lanes);
    for (long c = 1; c < s->n; c++) {
      s->varies |= each[c] != each[0];
    }
  }
  s->ready = 1;
  return s->fits;
}
