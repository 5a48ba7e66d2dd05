/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plans.c -- the patterns of the model's own matrices: with those of fibre_patterns.c and system_brackets.c all that the functions
 * of a system need besides scratch memory.
 */
#include <stdlib.h>

#include "linear/pattern.h"
#include "model/system_plan.h"

/* ---- the model's own matrices ---- */

/* Values that are the entries, in their order, need no places. */
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

/* *pattern has the size of the matrix. */
static sw_status plan_matrix(const sw_plan *plan, const sw_places *places, const char *what,
                             sw_pattern *pattern, sw_placed *placed, char message[])
{
  sw_listed list;
  sw_status status =
      sw_plan_list(plan, places, what, pattern->rows, pattern->cols, 0, &list, message);

  if (status == SW_OK) {
    status = place_list(&list, pattern, placed);
  }
  sw_listed_free(&list);
  return status;
}

/* A symmetric matrix, of which the lower triangle is given. */
static sw_status plan_triangle(const sw_plan *plan, const sw_places *places, const char *what,
                               sw_pattern *pattern, sw_placed *placed, char message[])
{
  const sw_status status = plan_matrix(plan, places, what, pattern, placed, message);

  for (int e = 0; e < pattern->entries && status == SW_OK; e++) {
    if (pattern->row[e] < pattern->col[e]) {
      sw_say_outside(what, pattern->row[e], pattern->col[e], pattern->rows, pattern->cols, message);
      return SW_ERR_ARGUMENT;
    }
  }
  return status;
}

/* ---- the field J Dg^T ---- */

static sw_status plan_field(sw_system *system, sw_plan *plan)
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

/* ---- what the model has, and what it leaves out ---- */

static sw_status plan_brackets(sw_system *system, sw_plan *plan, char message[])
{
  const sw_model *model = plan->model;
  sw_status status =
      model->hidden_jac.values
          ? plan_matrix(plan, &model->hidden_jac.places, "the Jacobian of the hidden constraints",
                        &system->hidden_jac_pattern, &plan->closed_hidden_jac, message)
          : sw_plan_hidden_jac(system);

  if (status == SW_OK) {
    status = model->nondegeneracy.values
                 ? plan_matrix(plan, &model->nondegeneracy.places, "the nondegeneracy matrix",
                               &system->nondegeneracy_pattern, &plan->closed_nondegeneracy, message)
                 : sw_plan_nondegeneracy(system);
  }
  if (status == SW_OK) {
    status = model->coisotropy.values
                 ? plan_matrix(plan, &model->coisotropy.places, "the coisotropy matrix",
                               &system->coisotropy_pattern, &plan->closed_coisotropy, message)
                 : sw_plan_coisotropy(system);
  }
  return status;
}

static sw_status plan_flow(sw_system *system, sw_plan *plan, char message[])
{
  const sw_model *model = plan->model;
  if (!model->fibre_flow) {
    return sw_plan_flow(system, message);
  }
  const sw_status status =
      plan_matrix(plan, &model->fibre_flow_lambda.places, "the derivative of the fibre flow",
                  &system->fibre_flow_lambda_pattern, &plan->closed_flow_lambda, message);
  return status == SW_OK
             ? plan_matrix(plan, &model->fibre_flow_z.places, "the derivative of the fibre flow",
                           &system->fibre_flow_z_pattern, &plan->closed_flow_z, message)
             : status;
}

/* Whether something is made of the field. */
static int needs_field(const sw_model *model)
{
  return !model->hidden || !model->hidden_scale || !model->hidden_jac.values ||
         !model->nondegeneracy.values || !model->coisotropy.values || !model->fibre_flow;
}

static sw_status plan_jac(sw_system *system, sw_plan *plan, char message[])
{
  const sw_status status =
      plan_matrix(plan, &plan->model->constraint_jac.places, "the Jacobian of the constraints",
                  &system->constraint_jac_pattern, &plan->constraint_jac, message);

  if (status != SW_OK) {
    return status;
  }
  plan->jac_start = sw_plan_ints((size_t)system->nc);
  if (!plan->jac_start) {
    return SW_ERR_MEMORY;
  }
  sw_pattern_rows(&system->constraint_jac_pattern, plan->jac_start);
  return SW_OK;
}

static sw_status plan_constraints(sw_system *system, sw_plan *plan, char message[])
{
  const sw_model *model = plan->model;
  sw_status status = plan_jac(system, plan, message);

  if (status == SW_OK) {
    status = plan_triangle(plan, &model->constraint_hess.places, "the Hessian of the constraints",
                           &system->constraint_hess_pattern, &plan->constraint_hess, message);
  }
  if (status == SW_OK && needs_field(model)) {
    status = plan_field(system, plan);
  }
  if (status == SW_OK) {
    status = plan_brackets(system, plan, message);
  }
  return status == SW_OK ? plan_flow(system, plan, message) : status;
}

static sw_status plan_discrete(sw_system *system, sw_plan *plan, char message[])
{
  const sw_model *model = plan->model;
  const char *const of_H = "the derivative of the discrete gradient of H";
  const char *const of_g = "the discrete Jacobian of the constraints";
  sw_status status =
      plan_matrix(plan, &model->discrete_grad_next.places, of_H,
                  &system->discrete_grad_next_pattern, &plan->discrete_grad_next, message);

  if (status == SW_OK && system->nc > 0) {
    status = plan_matrix(plan, &model->discrete_jac.places, of_g, &system->discrete_jac_pattern,
                         &plan->discrete_jac, message);
  }
  if (status == SW_OK && system->nc > 0) {
    status = plan_matrix(plan, &model->discrete_jac_next.places, of_g,
                         &system->discrete_jac_next_pattern, &plan->discrete_jac_next, message);
  }
  return status;
}

/* Third and fourth derivatives, as far as the model has them. */
static sw_status plan_directions(sw_system *system, sw_plan *plan, char message[])
{
  const sw_model *model = plan->model;
  const struct {
    const sw_lambda_matrix *matrix;
    const char *what;
    sw_pattern *pattern;
    sw_placed *placed;
  } all[] = {{&model->hamiltonian_third, "the third derivatives of H",
              &system->hamiltonian_third_pattern, &plan->hamiltonian_third},
             {&model->hamiltonian_fourth, "the fourth derivatives of H",
              &system->hamiltonian_fourth_pattern, &plan->hamiltonian_fourth},
             {&model->constraint_third, "the third derivatives of the constraints",
              &system->constraint_third_pattern, &plan->constraint_third},
             {&model->constraint_fourth, "the fourth derivatives of the constraints",
              &system->constraint_fourth_pattern, &plan->constraint_fourth}};
  sw_status status = SW_OK;

  for (size_t i = 0; i < sizeof all / sizeof *all && status == SW_OK; i++) {
    if (all[i].matrix->values) {
      status = plan_triangle(plan, &all[i].matrix->places, all[i].what, all[i].pattern,
                             all[i].placed, message);
    }
  }
  return status;
}

/* ---- all of them ---- */

static void set_empty_patterns(sw_system *system)
{
  const int dim = 2 * system->nq;
  const int m = system->nc;

  system->hamiltonian_hess_pattern = system->constraint_hess_pattern =
      system->fibre_flow_z_pattern = system->discrete_grad_next_pattern =
          system->discrete_jac_next_pattern = system->hamiltonian_third_pattern =
              system->hamiltonian_fourth_pattern = (sw_pattern){dim, dim, 0, NULL, NULL};
  system->constraint_third_pattern = system->constraint_fourth_pattern =
      (sw_pattern){system->nq, system->nq, 0, NULL, NULL};
  system->constraint_jac_pattern = system->hidden_jac_pattern = system->discrete_jac_pattern =
      (sw_pattern){m, dim, 0, NULL, NULL};
  system->coisotropy_pattern = system->nondegeneracy_pattern = (sw_pattern){m, m, 0, NULL, NULL};
  system->fibre_flow_lambda_pattern = (sw_pattern){dim, m, 0, NULL, NULL};
}

sw_status sw_plan_make(sw_system *system, char message[])
{
  sw_plan *plan = system->plan;

  set_empty_patterns(system);
  sw_status status =
      plan_triangle(plan, &plan->model->hamiltonian_hess.places, "the Hessian of H",
                    &system->hamiltonian_hess_pattern, &plan->hamiltonian_hess, message);
  if (status == SW_OK && system->nc > 0) {
    status = plan_constraints(system, plan, message);
  }
  if (status == SW_OK && plan->model->discrete_grad) {
    status = plan_discrete(system, plan, message);
  }
  return status == SW_OK ? plan_directions(system, plan, message) : status;
}

sw_status sw_plan_make_lean(sw_system *system, char message[])
{
  set_empty_patterns(system);
  /* All families are shifts. */
  system->plan->has_shift = system->plan->is_composed = 1;
  const sw_status status = plan_jac(system, system->plan, message);
  if (system->plan->constraint_jac.repeats > 0) {
    free(system->plan->constraint_jac.place);
    system->plan->constraint_jac.place = NULL;
  }
  return status;
}

const sw_placed *sw_plan_placed(const sw_plan *plan, int i)
{
  const sw_placed *const all[] = {
      &plan->hamiltonian_hess,   &plan->constraint_jac,     &plan->constraint_hess,
      &plan->closed_hidden_jac,  &plan->closed_coisotropy,  &plan->closed_nondegeneracy,
      &plan->closed_flow_lambda, &plan->closed_flow_z,      &plan->discrete_grad_next,
      &plan->discrete_jac,       &plan->discrete_jac_next,  &plan->constraint_third,
      &plan->hamiltonian_third,  &plan->hamiltonian_fourth, &plan->constraint_fourth,
  };

  return i < (int)(sizeof all / sizeof all[0]) ? all[i] : NULL;
}

void sw_plan_free(sw_system *system)
{
  sw_plan *plan = system->plan;
  int *const ints[] = {plan->field_source, plan->jac_start,   plan->along_place,
                       plan->one_place,    plan->shift_place, plan->flow_place};
  sw_pattern *const patterns[] = {
      &system->hamiltonian_hess_pattern,   &system->constraint_jac_pattern,
      &system->constraint_hess_pattern,    &system->hidden_jac_pattern,
      &system->coisotropy_pattern,         &system->nondegeneracy_pattern,
      &system->fibre_flow_lambda_pattern,  &system->fibre_flow_z_pattern,
      &system->discrete_grad_next_pattern, &system->discrete_jac_pattern,
      &system->discrete_jac_next_pattern,  &system->constraint_third_pattern,
      &system->hamiltonian_third_pattern,  &system->hamiltonian_fourth_pattern,
      &system->constraint_fourth_pattern,  &plan->field_pattern};

  for (int i = 0; sw_plan_placed(plan, i); i++) {
    sw_placed_free((sw_placed *)sw_plan_placed(plan, i));
  }
  for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++) {
    free(ints[i]);
  }
  for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
    sw_pattern_free(patterns[i]);
  }
  sw_product_free(&plan->curvature);
  sw_product_free(&plan->nondegeneracy);
  sw_product_free(&plan->reached);
  sw_product_free(&plan->coisotropy);
}
