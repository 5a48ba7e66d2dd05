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

static int has_functions(sw_system *system)
{
  if (system->hamiltonian == NULL || system->hamiltonian_grad == NULL ||
      system->hamiltonian_hess == NULL || (system->n_observe > 0 && system->observe == NULL) ||
      (system->n_invariant > 0 && system->invariant == NULL)) {
    return 0;
  }
  return system->nc == 0 || (system->constraint != NULL && system->constraint_scale != NULL &&
                             system->constraint_jac != NULL && system->constraint_hess != NULL &&
                             system->hidden != NULL && system->hidden_scale != NULL &&
                             system->hidden_jac != NULL && system->coisotropy != NULL &&
                             system->nondegeneracy != NULL && system->fibre_flow != NULL &&
                             system->fibre_flow_lambda != NULL && system->fibre_flow_z != NULL);
}

void sw_check_patterns(sw_system *system, sw_finding *finding)
{
  int n = 2 * system->nq;
  int m = system->nc;
  const expectation expected[] = {{"Hess H", &system->hamiltonian_hess_pattern, n, n, 1},
                                  {"Dg", &system->constraint_jac_pattern, m, n, 0},
                                  {"Hess(lambda.g)", &system->constraint_hess_pattern, n, n, 1},
                                  {"Drho", &system->hidden_jac_pattern, m, n, 0},
                                  {"C", &system->coisotropy_pattern, m, m, 0},
                                  {"N", &system->nondegeneracy_pattern, m, m, 0},
                                  {"dGamma/dlambda", &system->fibre_flow_lambda_pattern, n, m, 0},
                                  {"dGamma/dz", &system->fibre_flow_z_pattern, n, n, 0}};
  size_t count = m > 0 ? sizeof expected / sizeof expected[0] : 1;
  if (system->nq < 1 || m < 0 || m > n) {
    sw_finding_fail(finding, "d = %d, m = %d: not a model for this runtime", system->nq, m);
    return;
  }
  if (!has_functions(system)) {
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
