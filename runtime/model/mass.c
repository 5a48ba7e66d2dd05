/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/mass.h"

#include <limits.h>
#include <stdlib.h>

#include "model/system_plan.h"

/* The entries of H_pp in a list of positions in the lower triangle of Hess H. */
typedef struct places {
  int n;
  int off_diagonal;
  int *row;
  int *col;
  int *from;
} places;

static int room_for(size_t n, places *p)
{
  p->row = sw_plan_ints(2 * n);
  p->col = sw_plan_ints(2 * n);
  p->from = sw_plan_ints(2 * n);
  return p->row && p->col && p->from;
}

static void add(places *p, int row, int col, int from)
{
  p->row[p->n] = row;
  p->col[p->n] = col;
  p->from[p->n++] = from;
}

static void mass_collect(int n, const int row[], const int col[], int d, places *p)
{
  for (int t = 0; t < n; t++) {
    const int i = row[t] - d;
    const int j = col[t] - d;
    if (i < 0 || j < 0) {
      continue;
    }
    add(p, i, j, t);
    if (i != j) {
      add(p, j, i, t);
      p->off_diagonal = 1;
    }
  }
}

/* Moves the arrays of p to *mass. */
static sw_status mass_arrange(places *p, int d, sw_mass *mass)
{
  sw_status status = SW_OK;

  mass->terms = p->n;
  mass->entries = d;
  mass->from = p->from;
  mass->to = p->row;
  p->from = p->row = NULL;
  if (p->off_diagonal) {
    int *place = sw_plan_ints((size_t)p->n);
    status = place ? sw_pattern_create(d, d, p->n, mass->to, p->col, &mass->pattern, place)
                   : SW_ERR_MEMORY;
    free(mass->to);
    mass->to = place;
    mass->entries = mass->pattern.entries;
  }
  return status;
}

/* Shrinks the lists to their used sizes. */
static sw_status mass_trim(sw_mass *mass)
{
  int *const from = realloc(mass->from, ((size_t)mass->terms + 1) * sizeof *from);
  if (from) {
    mass->from = from;
  }
  int *const to = realloc(mass->to, ((size_t)mass->terms + 1) * sizeof *to);
  if (to) {
    mass->to = to;
  }
  return from && to ? SW_OK : SW_ERR_MEMORY;
}

static sw_status mass_make(const sw_system *system, int n, const int row[], const int col[],
                           sw_mass *mass)
{
  const int d = system->nq;
  places p = {0};
  sw_status status = SW_ERR_MEMORY;

  mass->is_raw = system->is_lean;
  mass->given = n;
  if (n <= INT_MAX / 2 && room_for((size_t)n, &p)) {
    mass_collect(n, row, col, d, &p);
    status = mass_arrange(&p, d, mass);
  }
  free(p.row);
  free(p.col);
  free(p.from);
  return status;
}

sw_status sw_mass_create(const sw_system *system, sw_mass *mass)
{
  const sw_pattern *lower = &system->hamiltonian_hess_pattern;
  const int dim = 2 * system->nq;
  sw_listed list = {0, NULL, NULL};
  sw_status status;

  *mass = (sw_mass){0};
  if (system->is_lean) {
    status = sw_plan_list(system->plan, &system->model->hamiltonian_hess.places, "the Hessian of H",
                          dim, dim, 0, &list, NULL);
    status = status == SW_OK ? mass_make(system, list.n, list.row, list.col, mass) : SW_ERR_MEMORY;
  } else {
    status = mass_make(system, lower->entries, lower->row, lower->col, mass);
  }
  sw_listed_free(&list);
  status = status == SW_OK ? mass_trim(mass) : status;
  if (status != SW_OK) {
    sw_mass_free(mass);
  }
  return status;
}

void sw_mass_free(sw_mass *mass)
{
  sw_pattern_free(&mass->pattern);
  free(mass->from);
  free(mass->to);
  *mass = (sw_mass){0};
}

void sw_mass_values(const sw_mass *mass, const sw_system *system, const double z[],
                    const double k[], double given[], double values[])
{
  if (mass->is_raw) {
    system->model->hamiltonian_hess.values(system->plan->n, z, k, given);
  } else {
    system->hamiltonian_hess(system, z, k, given);
  }
  for (int i = 0; i < mass->entries; i++) {
    values[i] = 0.0;
  }
  for (int t = 0; t < mass->terms; t++) {
    values[mass->to[t]] += given[mass->from[t]];
  }
}

/* ---- momenta and velocities ---- */

/* The number of entries of n arrays of a model without sizes; 0 if the model has sizes, arrays of
 * indices, or an absurd number of sets. */
static int fixed_entries(const sw_model *model, int n, const sw_array arrays[])
{
  enum { SETS_MOST = 64 };
  double first[SETS_MOST];
  double last[SETS_MOST];
  double total = 0.0;

  if (model->n_sizes > 0 || model->n_indices > 0 || model->n_sets > SETS_MOST) {
    return 0;
  }
  if (model->n_sets > 0) {
    model->ranges(NULL, first, last);
  }
  for (int i = 0; i < n; i++) {
    const sw_array *array = &arrays[i];
    double count = 1.0;
    for (int j = 0; j < array->n_sets; j++) {
      count *= last[array->set[j]] - first[array->set[j]] + 1.0;
    }
    total += count;
  }
  return total < INT_MAX ? (int)total : 0;
}

/* Returns 1 if one of n entries of a symmetric matrix couples i to an index >= first. */
static int couples(int n, const int row[], const int col[], int i, int first)
{
  for (int e = 0; e < n; e++) {
    if ((row[e] == i && col[e] >= first) || (col[e] == i && row[e] >= first)) {
      return 1;
    }
  }
  return 0;
}

/* Returns 1 if dH/dz_i, which is constant, is 0 at the default parameters. */
static int rests(const sw_model *model, int d, int i)
{
  const int nk = fixed_entries(model, model->n_parameters, model->parameters);
  double *z = calloc((size_t)nk + 4 * (size_t)d, sizeof *z);
  int found = 0;

  if (z) {
    double *const slope = z + 2 * (size_t)d;
    double *const k = slope + 2 * (size_t)d;
    if (nk > 0) {
      model->parameter_values(NULL, k);
    }
    model->hamiltonian_grad(NULL, z, k, slope);
    found = slope[i] == 0.0;
    free(z);
  }
  return found;
}

/* As sw_mass_has_velocities, for the n positions of Hess H. */
static int has_velocities(const sw_model *model, int d, int n, const int row[], const int col[])
{
  int clocks = 0;

  for (int i = d; i < 2 * d; i++) {
    if (couples(n, row, col, i, d)) {
      continue;
    }
    if (clocks++ > 0 || couples(n, row, col, i, 0) || rests(model, d, i)) {
      return 0;
    }
  }
  return 1;
}

int sw_mass_has_velocities(const sw_model *model)
{
  const sw_places *given = &model->hamiltonian_hess.places;
  const int d = fixed_entries(model, model->n_coordinates, model->positions);

  if (d == 0 || !given->list) {
    return has_velocities(model, d, given->n, given->row, given->col);
  }
  const long n = given->list(NULL, NULL, NULL);
  int *row = n > 0 && n < INT_MAX ? calloc(2 * (size_t)n, sizeof *row) : NULL;
  int found = n != 0; /* if memory is short, creating the simulation will fail anyway */
  if (row) {
    given->list(NULL, row, row + n);
    found = has_velocities(model, d, (int)n, row, row + n);
  }
  free(row);
  return found;
}

int sw_mass_clock(const sw_system *system)
{
  const sw_pattern *lower = &system->hamiltonian_hess_pattern;
  const int d = system->nq;
  int e = 0;

  for (int i = d; i < 2 * d; i++) {
    while (e < lower->entries && lower->row[e] < i) {
      e++;
    }
    const int has_row = e < lower->entries && lower->row[e] == i;
    if (!has_row && !couples(lower->entries, lower->row, lower->col, i, 0)) {
      return i - d;
    }
  }
  return -1;
}
