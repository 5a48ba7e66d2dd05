/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/mass.h"

#include <limits.h>
#include <stdlib.h>

#include "model/system_plan.h"

/* Makes *mass from the n positions of Hess H, or of its lower triangle. */
static sw_status mass_make(const sw_system *system, int n, const int row[], const int col[],
                           sw_mass *mass)
{
  const int d = system->nq;
  sw_gathered all = {0};
  size_t terms = 0;
  int is_diagonal = 1;

  for (int t = 0; t < n; t++) {
    const int counts = row[t] >= d && col[t] >= d;
    terms += counts ? 1 + (size_t)(row[t] != col[t]) : 0;
    is_diagonal &= !counts || row[t] == col[t];
  }
  mass->is_raw = system->is_lean;
  mass->given = n;
  mass->entries = d;
  mass->from = sw_plan_ints(terms);
  mass->to = is_diagonal ? sw_plan_ints(terms) : NULL;
  if (!mass->from || (is_diagonal && !mass->to) || terms > INT_MAX) {
    return SW_ERR_MEMORY;
  }
  for (int t = 0; t < n; t++) {
    const int i = row[t] - d;
    const int j = col[t] - d;
    for (int side = 0; i >= 0 && j >= 0 && side < 1 + (i != j); side++) {
      if (is_diagonal) {
        mass->to[mass->terms] = i;
      } else {
        sw_gather(&all, side ? j : i, side ? i : j);
      }
      mass->from[mass->terms++] = t;
    }
  }
  if (is_diagonal) {
    return SW_OK;
  }
  const sw_status status = sw_gathered_pattern(&all, d, d, &mass->pattern, &mass->to);
  mass->entries = mass->pattern.entries;
  return status;
}

sw_status sw_mass_create(const sw_system *system, sw_mass *mass)
{
  const sw_pattern *lower = &system->hamiltonian_hess_pattern;
  const int dim = 2 * system->nq;
  sw_gathered list = {0};
  sw_status status;

  *mass = (sw_mass){0};
  if (system->is_lean) {
    status = sw_plan_list(system->plan, &system->model->hamiltonian_hess.places, "the Hessian of H",
                          dim, dim, &list, NULL);
    status = status == SW_OK ? mass_make(system, list.n, list.row, list.col, mass) : SW_ERR_MEMORY;
  } else {
    status = mass_make(system, lower->entries, lower->row, lower->col, mass);
  }
  sw_gathered_free(&list);
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
