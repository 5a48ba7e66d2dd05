/* SPDX-License-Identifier: BSD-3-Clause */
/* create.c -- creates and frees systems: a model at its sizes, with a numerical fibre flow if it
 * has no closed form. */
#include <stdio.h>
#include <stdlib.h>

#include "model/given_sizes.h"
#include "model/numerical_fibre.h"
#include "model/reduced.h"
#include "model/system.h"
#include "model/system_plan.h"
#include "model/validate.h"

/* Installs a numerical fibre flow if there is no closed form. */
static sw_status complete(sw_system *system)
{
  return system->nc == 0 || system->fibre_flow ? SW_OK : sw_fibre_install(system);
}

sw_status sw_system_integrate_fibre(sw_system *system)
{
  return system->nc == 0 ? SW_OK : sw_fibre_install(system);
}

static sw_status create_open_scratch(sw_system *system)
{
  system->scratch = sw_scratch_create(system);
  return system->scratch ? SW_OK : SW_ERR_MEMORY;
}

/* Returns 1 if step/holonomic.h can do the model's steps with a lean system. */
static int may_be_lean(const sw_system *system)
{
  const sw_model *model = system->model;
  const sw_structure *s = &model->structure;
  int shifts = 1;

  for (int f = 0; f < model->n_constraints; f++) {
    shifts &= model->constraints[f].fibre == SW_FIBRE_SHIFT_P;
  }
  return shifts && model->n_forces == 0 && system->nc >= SW_LEAN_CONSTRAINTS && s->holonomic &&
         s->separable && s->commuting && s->mass != SW_MASS_GENERAL && !model->fibre_flow &&
         model->constraint_jac_along && model->hamiltonian_grad_q && model->hamiltonian_grad_p;
}

typedef enum extent { NUMBERS, LEAN, WHOLE } extent;

static sw_status create_open_system(sw_system *system, extent what, char message[])
{
  system->is_lean = what == LEAN && may_be_lean(system);
  sw_status status =
      system->is_lean ? sw_plan_make_lean(system, message) : sw_plan_make(system, message);

  if (status == SW_OK) {
    sw_plan_functions(system);
    status = complete(system);
  }
  return status == SW_OK ? create_open_scratch(system) : status;
}

static sw_status create_measure(sw_system *system, const sw_given *given, sw_index_fault *fault,
                                char message[])
{
  system->model = given->model;
  system->plan = calloc(1, sizeof *system->plan);
  if (!system->plan) {
    return SW_ERR_MEMORY;
  }
  system->plan->model = given->model;
  system->plan->users = 1;
  system->n_init = given->model->n_init;
  return sw_plan_size(system, given, fault, message);
}

static sw_status create_create(const sw_given *given, extent what, sw_system **system,
                               sw_index_fault *fault, char message[])
{
  char unread[SW_SYSTEM_MESSAGE];

  *system = NULL;
  message = message ? message : unread;
  message[0] = '\0';
  if (fault) {
    *fault = (sw_index_fault){-1, -1};
  }
  if (!given->model || given->n_sizes < 0 || (given->n_sizes > 0 && !given->sizes)) {
    return SW_ERR_ARGUMENT;
  }
  sw_status status = sw_model_validate(given->model);
  if (status != SW_OK) {
    return status;
  }
  sw_system *made = calloc(1, sizeof *made);
  status = made ? create_measure(made, given, fault, message) : SW_ERR_MEMORY;
  if (status == SW_OK && what != NUMBERS) {
    status = create_open_system(made, what, message);
  }
  if (status == SW_ERR_MEMORY) {
    (void)snprintf(message, SW_SYSTEM_MESSAGE, "out of memory; try smaller sizes");
  }
  if (status != SW_OK) {
    sw_system_free(&made);
    return status;
  }
  *system = made;
  return SW_OK;
}

sw_status sw_system_create(const sw_model *model, int n_sizes, const sw_size sizes[],
                           sw_system **system, char message[])
{
  const sw_given given = {model, n_sizes, sizes};

  return create_create(&given, WHOLE, system, NULL, message);
}

sw_status sw_system_create_lean(const sw_model *model, int n_sizes, const sw_size sizes[],
                                sw_system **system, char message[])
{
  const sw_given given = {model, n_sizes, sizes};

  return create_create(&given, LEAN, system, NULL, message);
}

sw_status sw_system_measure(const sw_model *model, int n_sizes, const sw_size sizes[],
                            sw_system **system, sw_index_fault *fault, char message[])
{
  const sw_given given = {model, n_sizes, sizes};

  return create_create(&given, NUMBERS, system, fault, message);
}

sw_status sw_system_complete(sw_system *system)
{
  const sw_model *model = system->model;
  sw_system *whole = NULL;
  sw_size *sizes;

  if (!system->is_lean) {
    return SW_OK;
  }
  sizes = sw_sizes_given(model, system->plan->n);
  if (!sizes) {
    return SW_ERR_MEMORY;
  }
  const sw_status status =
      sw_system_create(model, model->n_sizes + model->n_indices, sizes, &whole, NULL);
  free(sizes);
  if (status != SW_OK) {
    return SW_ERR_MEMORY;
  }
  sw_system_set_defaults(whole, system->k_default);
  const sw_system lean = *system;
  whole->first_init = lean.first_init;
  whole->n_init = lean.n_init;
  whole->team = lean.team;
  *system = *whole;
  *whole = lean;
  sw_system_free(&whole);
  return SW_OK;
}

sw_status sw_system_share(const sw_system *like, sw_system **system)
{
  sw_system *made = malloc(sizeof *made);

  *system = made;
  if (!made) {
    return SW_ERR_MEMORY;
  }
  *made = *like;
  made->team = NULL;
  made->scratch = NULL;
  if (like->whole) {
    sw_status status = sw_system_share(like->whole, &made->whole);
    if (status != SW_OK) {
      free(made);
      *system = NULL;
      return status;
    }
    status = sw_reduced_share(made);
    if (status != SW_OK) {
      sw_system_free(system);
    }
    return status;
  }
  sw_users_join(&made->plan->users);
  made->fibre_scratch = made->fibre ? sw_fibre_scratch_create(made) : NULL;
  if ((made->fibre && !made->fibre_scratch) || create_open_scratch(made) != SW_OK) {
    sw_system_free(system);
    return SW_ERR_MEMORY;
  }
  return SW_OK;
}

sw_status sw_system_reduce(sw_system *system, sw_system **reduced)
{
  sw_system *whole = NULL;

  *reduced = NULL;
  sw_status status = sw_system_complete(system);
  if (status == SW_OK) {
    status = sw_system_share(system, &whole);
  }
  if (status != SW_OK) {
    return status;
  }
  *reduced = malloc(sizeof **reduced);
  if (!*reduced) {
    sw_system_free(&whole);
    return SW_ERR_MEMORY;
  }
  **reduced = *whole;
  (*reduced)->whole = whole;
  status = sw_reduced_make(*reduced);
  if (status != SW_OK) {
    sw_system_free(reduced);
  }
  return status;
}

void sw_system_free(sw_system **system)
{
  if (!system || !*system) {
    return;
  }
  if ((*system)->whole) {
    sw_reduced_free(*system);
    sw_system_free(&(*system)->whole);
    free(*system);
    *system = NULL;
    return;
  }
  free((*system)->scratch);
  free((*system)->fibre_scratch);
  (*system)->fibre_scratch = NULL;
  if ((*system)->plan && sw_users_leave(&(*system)->plan->users)) {
    sw_fibre_remove(*system);
    sw_plan_free(*system);
    sw_plan_size_free((*system)->plan);
    free((*system)->plan);
  }
  free(*system);
  *system = NULL;
}
