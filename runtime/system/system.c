/* SPDX-License-Identifier: BSD-3-Clause */
#include "system/system.h"

#include <stdio.h>
#include <stdlib.h>

#include "fibre/fibre.h"
#include "system/validate.h"

/* The functions of a model of fixed sizes need nothing but the model. */

#define FIXED(function)                                                                            \
  static void fixed_##function(const sw_system *system, const double z[], const double k[],        \
                               double out[])                                                       \
  {                                                                                                \
    system->model->function(z, k, out);                                                            \
  }
#define FIXED_LAMBDA(function)                                                                     \
  static void fixed_##function(const sw_system *system, const double z[], const double k[],        \
                               const double lambda[], double out[])                                \
  {                                                                                                \
    system->model->function(z, k, lambda, out);                                                    \
  }

FIXED(hamiltonian)
FIXED(hamiltonian_grad)
FIXED(hamiltonian_hess)
FIXED(constraint)
FIXED(constraint_scale)
FIXED(constraint_jac)
FIXED_LAMBDA(constraint_hess)
FIXED(hidden)
FIXED(hidden_scale)
FIXED(hidden_jac)
FIXED(coisotropy)
FIXED(nondegeneracy)
FIXED_LAMBDA(fibre_flow)
FIXED_LAMBDA(fibre_flow_lambda)
FIXED_LAMBDA(fibre_flow_z)
FIXED_LAMBDA(observe)
FIXED(invariant)

static void open_fixed(sw_system *system)
{
  const sw_model *model = system->model;

  *system = (sw_system){
      .model = model,
      .nq = model->nq,
      .nc = model->nc,
      .nk = model->nk,
      .n_observe = model->n_observe,
      .n_invariant = model->n_invariant,
      .n_init = model->n_init,
      .k_default = model->k_default,
      .hamiltonian = model->hamiltonian ? fixed_hamiltonian : NULL,
      .hamiltonian_grad = model->hamiltonian_grad ? fixed_hamiltonian_grad : NULL,
      .hamiltonian_hess = model->hamiltonian_hess ? fixed_hamiltonian_hess : NULL,
      .constraint = model->constraint ? fixed_constraint : NULL,
      .constraint_scale = model->constraint_scale ? fixed_constraint_scale : NULL,
      .constraint_jac = model->constraint_jac ? fixed_constraint_jac : NULL,
      .constraint_hess = model->constraint_hess ? fixed_constraint_hess : NULL,
      .hidden = model->hidden ? fixed_hidden : NULL,
      .hidden_scale = model->hidden_scale ? fixed_hidden_scale : NULL,
      .hidden_jac = model->hidden_jac ? fixed_hidden_jac : NULL,
      .coisotropy = model->coisotropy ? fixed_coisotropy : NULL,
      .nondegeneracy = model->nondegeneracy ? fixed_nondegeneracy : NULL,
      .fibre_flow = model->fibre_flow ? fixed_fibre_flow : NULL,
      .fibre_flow_lambda = model->fibre_flow_lambda ? fixed_fibre_flow_lambda : NULL,
      .fibre_flow_z = model->fibre_flow_z ? fixed_fibre_flow_z : NULL,
      .observe = model->observe ? fixed_observe : NULL,
      .invariant = model->invariant ? fixed_invariant : NULL,
      .hamiltonian_hess_pattern = model->hamiltonian_hess_pattern,
      .constraint_jac_pattern = model->constraint_jac_pattern,
      .constraint_hess_pattern = model->constraint_hess_pattern,
      .hidden_jac_pattern = model->hidden_jac_pattern,
      .coisotropy_pattern = model->coisotropy_pattern,
      .nondegeneracy_pattern = model->nondegeneracy_pattern,
      .fibre_flow_lambda_pattern = model->fibre_flow_lambda_pattern,
      .fibre_flow_z_pattern = model->fibre_flow_z_pattern,
  };
}

/* A model that is not valid is left as it is, for sw_model_validate to refuse. */
static sw_status complete(sw_system *system)
{
  if (system->nc == 0 || system->fibre_flow || sw_model_validate(system->model) != SW_OK) {
    return SW_OK;
  }
  return sw_fibre_install(system);
}

sw_status sw_system_integrate_fibre(sw_system *system)
{
  const sw_status status = sw_model_validate(system->model);

  return status != SW_OK || system->nc == 0 ? status : sw_fibre_install(system);
}

static sw_status open_system(sw_system *system, int n_sizes, const sw_size sizes[], char message[])
{
  if (system->model->loops) {
    return sw_looped_open(system, n_sizes, sizes, message);
  }
  if (n_sizes > 0) {
    snprintf(message, SW_SYSTEM_MESSAGE,
             "the sizes of '%s' are fixed, '%.64s' cannot be set any more; generate it with "
             "--lowering looped",
             system->model->name, sizes[0].name);
    return SW_ERR_SIZE;
  }
  open_fixed(system);
  return SW_OK;
}

sw_status sw_system_create(const sw_model *model, int n_sizes, const sw_size sizes[],
                           sw_system **system, char message[])
{
  char unread[SW_SYSTEM_MESSAGE];

  *system = NULL;
  message = message ? message : unread;
  message[0] = '\0';
  if (!model || n_sizes < 0 || (n_sizes > 0 && !sizes)) {
    return SW_ERR_ARGUMENT;
  }
  sw_status status = sw_loops_validate(model);
  if (status != SW_OK) {
    return status;
  }
  sw_system *made = calloc(1, sizeof *made);
  if (!made) {
    return SW_ERR_MEMORY;
  }
  made->model = model;
  status = open_system(made, n_sizes, sizes, message);
  if (status == SW_OK) {
    status = complete(made);
  }
  if (status != SW_OK) {
    sw_system_free(&made);
    return status;
  }
  *system = made;
  return SW_OK;
}

void sw_system_free(sw_system **system)
{
  if (!system || !*system) {
    return;
  }
  sw_fibre_remove(*system);
  if ((*system)->model->loops) {
    sw_looped_close(*system);
  }
  free(*system);
  *system = NULL;
}
