/* SPDX-License-Identifier: BSD-3-Clause */
#include "system/validate.h"

#include <limits.h>
#include <stddef.h>

/* Every entry inside rows x cols, and for `lower` on or below the diagonal. */
static int pattern_fits(const sw_pattern *pattern, int rows, int cols, int lower)
{
  if (pattern->rows != rows || pattern->cols != cols || pattern->entries < 0) {
    return 0;
  }
  if (pattern->entries > 0 && (!pattern->row || !pattern->col)) {
    return 0;
  }
  for (int e = 0; e < pattern->entries; e++) {
    const int i = pattern->row[e];
    const int j = pattern->col[e];
    if (i < 0 || i >= rows || j < 0 || j >= cols || (lower && j > i)) {
      return 0;
    }
  }
  return 1;
}

static int counts_fit(const sw_model *model)
{
  return model->nq >= 1 && model->nc >= 0 && model->nc / 2 <= model->nq &&
         model->nc <= 2LL * model->nq && model->nk >= 0 && model->n_observe >= 0 &&
         model->n_invariant >= 0 && model->n_init >= 0;
}

static int functions_present(const sw_model *model)
{
  const int always = model->name && model->hamiltonian && model->hamiltonian_grad &&
                     model->hamiltonian_hess && (model->n_observe == 0 || model->observe) &&
                     (model->n_invariant == 0 || model->invariant) &&
                     (model->n_init == 0 || model->init);
  const int parameters = model->nk == 0 || (model->k_names && model->k_default && model->k_lower &&
                                            model->k_upper && model->k_closed);
  /* All three, or none: then it is integrated numerically. */
  const int flow = model->fibre_flow ? model->fibre_flow_lambda && model->fibre_flow_z
                                     : !model->fibre_flow_lambda && !model->fibre_flow_z;
  const int constraints =
      model->nc == 0 ||
      (model->c_names && model->constraint && model->constraint_scale && model->constraint_jac &&
       model->constraint_hess && model->hidden && model->hidden_scale && model->hidden_jac &&
       model->coisotropy && model->nondegeneracy && flow);

  return always && parameters && constraints;
}

static int patterns_fit(const sw_model *model)
{
  const int dim = 2 * model->nq;
  const int m = model->nc;

  if (!pattern_fits(&model->hamiltonian_hess_pattern, dim, dim, 1)) {
    return 0;
  }
  return m == 0 ||
         (pattern_fits(&model->constraint_jac_pattern, m, dim, 0) &&
          pattern_fits(&model->constraint_hess_pattern, dim, dim, 1) &&
          pattern_fits(&model->hidden_jac_pattern, m, dim, 0) &&
          pattern_fits(&model->coisotropy_pattern, m, m, 0) &&
          pattern_fits(&model->nondegeneracy_pattern, m, m, 0) &&
          (!model->fibre_flow || (pattern_fits(&model->fibre_flow_lambda_pattern, dim, m, 0) &&
                                  pattern_fits(&model->fibre_flow_z_pattern, dim, dim, 0))));
}

static int matrix_present(const sw_sized_matrix *matrix)
{
  return matrix->contributions && matrix->scatter;
}

/* What a looped model must have; its numbers follow from the sizes and are checked with these. */
static int loops_present(const sw_model *model, const sw_loops *loops)
{
  const int counts = loops->n_sizes >= 0 && loops->n_sets >= 0 && loops->n_coordinates >= 1 &&
                     loops->n_parameters >= 0 && loops->n_constraints >= 0 &&
                     loops->n_observe >= 0 && loops->n_invariants >= 0 && model->n_init >= 0;
  const int tables = (loops->n_sizes == 0 || (loops->size_names && loops->size_default)) &&
                     (loops->n_sets == 0 || (loops->sets && loops->ranges)) && loops->positions &&
                     loops->momenta && loops->references &&
                     (loops->n_parameters == 0 ||
                      (loops->parameters && loops->bounds && loops->parameter_values)) &&
                     (model->n_init == 0 || loops->init);
  const int functions =
      model->name && loops->hamiltonian && loops->hamiltonian_grad &&
      matrix_present(&loops->hamiltonian_hess) &&
      (loops->n_observe == 0 || (loops->observe && loops->observe_values)) &&
      (loops->n_invariants == 0 || (loops->invariants && loops->invariant_values));
  const int constraints = loops->n_constraints == 0 ||
                          (loops->constraints && loops->constraint && loops->constraint_scale &&
                           matrix_present(&loops->constraint_jac) &&
                           matrix_present(&loops->constraint_hess) && loops->constraint_jac_along);

  return counts && tables && functions && constraints;
}

sw_status sw_loops_validate(const sw_model *model)
{
  if (model->abi != SW_MODEL_ABI) {
    return SW_ERR_ABI;
  }
  return !model->loops || loops_present(model, model->loops) ? SW_OK : SW_ERR_ARGUMENT;
}

sw_status sw_model_validate(const sw_model *model)
{
  const sw_status status = sw_loops_validate(model);

  if (status != SW_OK || model->loops) {
    return status;
  }
  if (!counts_fit(model)) {
    return SW_ERR_ARGUMENT;
  }
  /* The unknowns of a solve, at most 2d + m <= 4d, are counted in an int. */
  if (model->nq > INT_MAX / 8) {
    return SW_ERR_MEMORY;
  }
  return functions_present(model) && patterns_fit(model) ? SW_OK : SW_ERR_ARGUMENT;
}
