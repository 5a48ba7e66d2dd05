/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>

#include "sim_internal.h"

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
  const int constraints =
      model->nc == 0 ||
      (model->c_names && model->constraint && model->constraint_scale && model->constraint_jac &&
       model->constraint_hess && model->hidden && model->hidden_scale && model->hidden_jac &&
       model->coisotropy && model->nondegeneracy && model->fibre_flow && model->fibre_flow_lambda &&
       model->fibre_flow_z);

  return always && parameters && constraints;
}

static int patterns_fit(const sw_model *model)
{
  const int dim = 2 * model->nq;
  const int m = model->nc;

  if (!pattern_fits(&model->hamiltonian_hess_pattern, dim, dim, 1)) {
    return 0;
  }
  return m == 0 || (pattern_fits(&model->constraint_jac_pattern, m, dim, 0) &&
                    pattern_fits(&model->constraint_hess_pattern, dim, dim, 1) &&
                    pattern_fits(&model->hidden_jac_pattern, m, dim, 0) &&
                    pattern_fits(&model->coisotropy_pattern, m, m, 0) &&
                    pattern_fits(&model->nondegeneracy_pattern, m, m, 0) &&
                    pattern_fits(&model->fibre_flow_lambda_pattern, dim, m, 0) &&
                    pattern_fits(&model->fibre_flow_z_pattern, dim, dim, 0));
}

sw_status sw_model_validate(const sw_model *model)
{
  if (!model) {
    return SW_ERR_ARGUMENT;
  }
  if (model->abi != SW_MODEL_ABI) {
    return SW_ERR_ABI;
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
