/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/validate.h"

#include <stddef.h>

#include "model/system.h"
#include "sidewinder/methods.h"

static int counts_fit(const sw_model *model)
{
  return model->n_sizes >= 0 && model->n_sets >= 0 && model->n_indices >= 0 &&
         model->n_coordinates >= 1 && model->n_parameters >= 0 && model->n_constraints >= 0 &&
         model->n_observe >= 0 && model->n_invariant >= 0 && model->n_init >= 0;
}

static int tables_present(const sw_model *model)
{
  return model->name && (model->n_sizes == 0 || (model->size_names && model->size_default)) &&
         (model->n_sets == 0 || (model->sets && model->ranges)) && model->positions &&
         model->momenta && (!model->references || model->reference_texts) &&
         (model->n_parameters == 0 ||
          (model->parameters && model->bounds && model->parameter_values)) &&
         (model->n_constraints == 0 || model->constraints) &&
         (model->n_observe == 0 || model->observables) &&
         (model->n_invariant == 0 || model->invariants) && (model->n_init == 0 || model->init);
}

/* Checks that the arrays of indices refer to existing sets. */
static int indices_fit(const sw_model *model)
{
  int fits = model->n_indices == 0 || model->indices != NULL;

  for (int i = 0; i < model->n_indices && fits; i++) {
    const sw_index_array *array = &model->indices[i];
    fits = array->name && array->set >= 0 && array->set < model->n_sets && array->target >= 0 &&
           array->target < model->n_sets;
  }
  return fits;
}

/* Checks that positions are given by a table of the right length, or by a list function. */
static int places_fit(const sw_places *places)
{
  return places->list || places->n == 0 || (places->n > 0 && places->row && places->col);
}

/* Checks the positions of all matrices that the model has. */
static int matrices_fit(const sw_model *model)
{
#define MATRIX_FITS(name, ...) (!model->name.values || places_fit(&model->name.places)) &&
  return SW_MATRICES(MATRIX_FITS)(!model->family_flow_z.values ||
                                  places_fit(&model->family_flow_z.places));
#undef MATRIX_FITS
}

static int flows_fit(const sw_model *model)
{
  const int all = model->fibre_flow
                      ? model->fibre_flow_lambda.values && model->fibre_flow_z.values
                      : !model->fibre_flow_lambda.values && !model->fibre_flow_z.values;

  return all && !model->family_flow == !model->family_flow_z.values &&
         (!model->fibre_increment || model->fibre_flow) &&
         (!model->family_increment || model->family_flow);
}

static int discrete_fits(const sw_model *model)
{
  const int of_H = model->discrete_grad != NULL;
  const int of_g = model->discrete_jac.values != NULL;

  return of_H == (model->discrete_grad_next.values != NULL) &&
         of_g == (model->discrete_jac_next.values != NULL) &&
         of_g == (of_H && model->n_constraints > 0);
}

static int constraints_fit(const sw_model *model)
{
  return model->constraint && model->constraint_scale && model->constraint_jac.values &&
         model->constraint_hess.values &&
         (model->constraint_jac_along || model->hidden_jac.values) && flows_fit(model);
}

static int accelerations_fit(const sw_model *model)
{
  const int has = model->acceleration != NULL;

  const int along = model->hamiltonian_third.values != NULL;

  return has == !!model->acceleration_jac.values && has == !!model->acceleration_hess.values &&
         along == !!model->hamiltonian_fourth.values &&
         ((has || along) && model->n_constraints > 0) == !!model->constraint_third.values &&
         (along && model->n_constraints > 0) == !!model->constraint_fourth.values;
}

static int forces_fit(const sw_model *model)
{
  const int has = model->n_forces > 0;

  return model->n_forces >= 0 && has == (model->forces != NULL) && has == (model->force != NULL) &&
         has == (model->force_jac.values != NULL) && places_fit(&model->force_target);
}

static int events_fit(const sw_model *model)
{
  const int has = model->n_events > 0;

  return model->n_events >= 0 && has == (model->events != NULL) && has == (model->event != NULL) &&
         has == (model->event_kinds != NULL);
}

static int functions_fit(const sw_model *model)
{
  return model->hamiltonian && model->hamiltonian_grad && model->hamiltonian_hess.values &&
         matrices_fit(model) && !model->hamiltonian_grad_q == !model->hamiltonian_grad_p &&
         discrete_fits(model) && accelerations_fit(model) && forces_fit(model) &&
         events_fit(model) && (model->n_constraints == 0 || constraints_fit(model)) &&
         (model->n_observe == 0 || model->observe) && (model->n_invariant == 0 || model->invariant);
}

static int part_fits(const sw_model *model, const sw_part *part)
{
  const sw_places *places = &part->hess.places;

  return part->formula && part->grad && part->hess.values && !places->list && places_fit(places) &&
         (part->kind == SW_PART_COMMUTING || part->kind == SW_PART_QUADRATIC) &&
         model->n_sizes == 0;
}

static int parts_fit(const sw_model *model)
{
  int fits = model->n_parts == 0 ||
             (model->n_parts > 0 && model->n_parts <= SW_PARTS_MOST && model->parts != NULL);

  for (int i = 0; i < model->n_parts && fits; i++) {
    fits = part_fits(model, &model->parts[i]);
  }
  return fits;
}

sw_status sw_model_validate(const sw_model *model)
{
  if (model->abi != SW_MODEL_ABI) {
    return SW_ERR_ABI;
  }
  return counts_fit(model) && tables_present(model) && indices_fit(model) && functions_fit(model) &&
                 parts_fit(model)
             ? SW_OK
             : SW_ERR_ARGUMENT;
}
