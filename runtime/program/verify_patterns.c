/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>

#include "program/verifier.h"

/* A pattern that a model has to have. */
typedef struct expectation {
  const char *name;
  const sw_pattern *pattern;
  int rows;
  int cols;
  int lower; /* 1 where only row >= col may stand in it */
} expectation;

static void check_pattern(const expectation *expected, sw_finding *finding)
{
  const sw_pattern *pattern = expected->pattern;
  const char *name = expected->name;
  if (pattern->rows != expected->rows || pattern->cols != expected->cols || pattern->entries < 0) {
    sw_finding_fail(finding, "%s: %d x %d with %d entries, but it must be %d x %d", name,
                    pattern->rows, pattern->cols, pattern->entries, expected->rows, expected->cols);
    return;
  }
  if (pattern->entries > 0 && (pattern->row == NULL || pattern->col == NULL)) {
    sw_finding_fail(finding, "%s: no indices", name);
    return;
  }
  for (int e = 0; e < pattern->entries; e++) {
    int row = pattern->row[e];
    int col = pattern->col[e];
    if (row < 0 || row >= pattern->rows || col < 0 || col >= pattern->cols ||
        (expected->lower && col > row)) {
      sw_finding_fail(finding, "%s: entry %d at (%d, %d) is out of range", name, e, row, col);
      return;
    }
    if (e > 0 &&
        (row < pattern->row[e - 1] || (row == pattern->row[e - 1] && col <= pattern->col[e - 1]))) {
      sw_finding_fail(finding, "%s: entry %d at (%d, %d) is not after the one before it", name, e,
                      row, col);
      return;
    }
  }
}

static int has_functions(const sw_model *model)
{
  if (model->hamiltonian == NULL || model->hamiltonian_grad == NULL ||
      model->hamiltonian_hess == NULL || (model->n_observe > 0 && model->observe == NULL) ||
      (model->n_invariant > 0 && model->invariant == NULL)) {
    return 0;
  }
  return model->nc == 0 ||
         (model->constraint != NULL && model->constraint_scale != NULL &&
          model->constraint_jac != NULL && model->constraint_hess != NULL &&
          model->hidden != NULL && model->hidden_scale != NULL && model->hidden_jac != NULL &&
          model->coisotropy != NULL && model->nondegeneracy != NULL && model->fibre_flow != NULL &&
          model->fibre_flow_lambda != NULL && model->fibre_flow_z != NULL);
}

void sw_check_patterns(const sw_model *model, sw_finding *finding)
{
  int n = 2 * model->nq;
  int m = model->nc;
  const expectation expected[] = {{"Hess H", &model->hamiltonian_hess_pattern, n, n, 1},
                                  {"Dg", &model->constraint_jac_pattern, m, n, 0},
                                  {"Hess(lambda.g)", &model->constraint_hess_pattern, n, n, 1},
                                  {"Drho", &model->hidden_jac_pattern, m, n, 0},
                                  {"C", &model->coisotropy_pattern, m, m, 0},
                                  {"N", &model->nondegeneracy_pattern, m, m, 0},
                                  {"dGamma/dlambda", &model->fibre_flow_lambda_pattern, n, m, 0},
                                  {"dGamma/dz", &model->fibre_flow_z_pattern, n, n, 0}};
  size_t count = m > 0 ? sizeof expected / sizeof expected[0] : 1;
  if (model->abi != SW_MODEL_ABI || model->nq < 1 || m < 0 || m > n) {
    sw_finding_fail(finding, "abi %d, d = %d, m = %d: not a model for this runtime", model->abi,
                    model->nq, m);
    return;
  }
  if (!has_functions(model)) {
    sw_finding_fail(finding, "a function of the model is NULL");
    return;
  }
  for (size_t i = 0; i < count && finding->outcome == SW_CHECK_PASS; i++) {
    check_pattern(&expected[i], finding);
  }
  if (finding->outcome == SW_CHECK_PASS) {
    sw_finding_take(finding, 0.0, "%s", "");
  }
}
