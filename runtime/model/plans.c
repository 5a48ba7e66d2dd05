/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plans.c -- the patterns of the model's own matrices. fibre_patterns.c and system_brackets.c add
 * the rest of the plan.
 */
#include <stdlib.h>

#include "linear/pattern.h"
#include "model/system_plan.h"

/* ---- the model's own matrices ---- */

/* Drops the mapping if value e is entry e. */
static void drop_identity(sw_placed *placed, int entries)
{
  int same = placed->n == entries;

  for (int e = 0; e < placed->n && same; e++) {
    same = placed->place[e] == e;
  }
  if (same) {
    free(placed->place);
    placed->place = NULL;
  }
}

static sw_status place_list(const sw_listed *list, sw_pattern *pattern, sw_placed *placed)
{
  placed->n = list->n;
  placed->place = sw_plan_ints((size_t)list->n);
  if (!placed->place) {
    return SW_ERR_MEMORY;
  }
  const sw_status status = sw_pattern_create(pattern->rows, pattern->cols, list->n, list->row,
                                             list->col, pattern, placed->place);
  if (status == SW_OK) {
    drop_identity(placed, pattern->entries);
  }
  return status == SW_OK && placed->place ? sw_placed_find(placed, pattern->entries) : status;
}

/* A matrix at the sizes of a system. */
typedef struct matrix {
  const sw_places *places; /* NULL if the model does not give the matrix */
  int rows;
  int cols;
  int is_triangle;
  const char *what;
  sw_pattern *pattern;
} matrix;

static matrix matrix_of(sw_system *system, int i)
{
  enum { OF_H, OF_G };
  const sw_model *model = system->model;
  const int m = system->nc;
  const int d = system->nq;
  const int dim = 2 * d;
  const matrix all[] = {
#define MATRIX(name, of, form, rows, cols, is_triangle, what)                                      \
  {model->name.values && (OF_##of == OF_H || m > 0) ? &model->name.places : NULL,                  \
   (rows),                                                                                         \
   (cols),                                                                                         \
   is_triangle,                                                                                    \
   what,                                                                                           \
   &system->name##_pattern},
      SW_MATRICES(MATRIX)
#undef MATRIX
  };

  return all[i];
}

static sw_status check_triangle(const matrix *of, char message[])
{
  const sw_pattern *pattern = of->pattern;

  for (int e = 0; e < pattern->entries; e++) {
    if (pattern->row[e] < pattern->col[e]) {
      sw_say_outside(of->what, pattern->row[e], pattern->col[e], of->rows, of->cols, message);
      return SW_ERR_ARGUMENT;
    }
  }
  return SW_OK;
}

/* Makes the pattern of matrix number i, if the model gives it, and the mapping of its values. */
static sw_status plan_matrix(sw_system *system, int i, char message[])
{
  const matrix of = matrix_of(system, i);
  sw_listed list;

  if (!of.places) {
    return SW_OK;
  }
  sw_status status =
      sw_plan_list(system->plan, of.places, of.what, of.rows, of.cols, 0, &list, message);
  if (status == SW_OK) {
    status = place_list(&list, of.pattern, &system->plan->placed[i]);
  }
  sw_listed_free(&list);
  return status == SW_OK && of.is_triangle ? check_triangle(&of, message) : status;
}

/* ---- the field J Dg^T ---- */

static sw_status plans_plan_field(sw_system *system, sw_plan *plan)
{
  const sw_pattern *jac = &system->constraint_jac_pattern;
  sw_pattern *field = &plan->field_pattern;
  const int d = system->nq;
  const size_t n = (size_t)jac->entries;
  int *row = sw_plan_ints(n);
  int *place = sw_plan_ints(n);
  sw_status status = SW_ERR_MEMORY;

  plan->field_source = sw_plan_ints(n);
  if (row && place && plan->field_source) {
    for (int e = 0; e < jac->entries; e++) {
      row[e] = jac->col[e] < d ? jac->col[e] + d : jac->col[e] - d;
    }
    status = sw_pattern_create(2 * d, system->nc, jac->entries, row, jac->row, field, place);
  }
  for (int e = 0; e < jac->entries && status == SW_OK; e++) {
    plan->field_source[place[e]] = e;
    plan->field_split += jac->col[e] >= d;
  }
  free(row);
  free(place);
  return status;
}

/* ---- functions that the model omits ---- */

static sw_status plan_brackets(sw_system *system)
{
  const sw_model *model = system->model;
  sw_status status = model->hidden_jac.values ? SW_OK : sw_plan_hidden_jac(system);

  if (status == SW_OK && !model->nondegeneracy.values) {
    status = sw_plan_nondegeneracy(system);
  }
  return status == SW_OK && !model->coisotropy.values ? sw_plan_coisotropy(system) : status;
}

/* Returns 1 if a function that the model omits needs the field. */
static int needs_field(const sw_model *model)
{
  return !model->hidden || !model->hidden_scale || !model->hidden_jac.values ||
         !model->nondegeneracy.values || !model->coisotropy.values || !model->fibre_flow;
}

static sw_status find_rows(sw_system *system)
{
  system->plan->jac_start = sw_plan_ints((size_t)system->nc);
  if (!system->plan->jac_start) {
    return SW_ERR_MEMORY;
  }
  sw_pattern_rows(&system->constraint_jac_pattern, system->plan->jac_start);
  return SW_OK;
}

static sw_status plan_constraints(sw_system *system, char message[])
{
  const sw_model *model = system->model;
  sw_status status = find_rows(system);

  if (status == SW_OK && needs_field(model)) {
    status = plans_plan_field(system, system->plan);
  }
  if (status == SW_OK) {
    status = plan_brackets(system);
  }
  return status == SW_OK && !model->fibre_flow ? sw_plan_flow(system, message) : status;
}

/* ---- the whole plan ---- */

static void set_empty_patterns(sw_system *system)
{
  for (int i = 0; i < SW_PLACED_MATRICES; i++) {
    const matrix of = matrix_of(system, i);
    *of.pattern = (sw_pattern){of.rows, of.cols, 0, NULL, NULL};
  }
}

sw_status sw_plan_make(sw_system *system, char message[])
{
  sw_status status = SW_OK;

  set_empty_patterns(system);
  for (int i = 0; i < SW_PLACED_MATRICES && status == SW_OK; i++) {
    status = plan_matrix(system, i, message);
  }
  return status == SW_OK && system->nc > 0 ? plan_constraints(system, message) : status;
}

sw_status sw_plan_make_lean(sw_system *system, char message[])
{
  sw_placed *of_jac = &system->plan->placed[SW_PLACED_constraint_jac];

  set_empty_patterns(system);
  /* All families of a lean system are shifts. */
  system->plan->has_shift = system->plan->is_composed = 1;
  const sw_status status = plan_matrix(system, SW_PLACED_constraint_jac, message);
  if (of_jac->repeats > 0) {
    free(of_jac->place);
    of_jac->place = NULL;
  }
  return status == SW_OK ? find_rows(system) : status;
}

void sw_plan_free(sw_system *system)
{
  sw_plan *plan = system->plan;
  int *const ints[] = {plan->field_source, plan->jac_start,   plan->along_place,
                       plan->one_place,    plan->shift_place, plan->flow_place};

  for (int i = 0; i < SW_PLACED_MATRICES; i++) {
    sw_placed_free(&plan->placed[i]);
    sw_pattern_free(matrix_of(system, i).pattern);
  }
  for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++) {
    free(ints[i]);
  }
  sw_pattern_free(&plan->field_pattern);
  sw_product_free(&plan->curvature);
  sw_product_free(&plan->nondegeneracy);
  sw_product_free(&plan->reached);
  sw_product_free(&plan->coisotropy);
}
