/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/motion_multipliers.h"

#include <stdlib.h>

#include "common/carver.h"
#include "linear/sparse.h"

typedef struct scratch {
  const sw_system *system;
  double *grad;  /* 2d: of H */
  double *field; /* 2d: X_H */
  double *slope; /* values of Drho */
  double *N;
} scratch;

static void motion_multipliers_carve(sw_carver *c, void *of)
{
  scratch *s = of;
  const sw_system *system = s->system;
  const size_t dim = 2 * (size_t)system->nq;

  SW_CARVE(c, dim, 1, &s->grad, &s->field);
  s->slope = sw_carve(c, (size_t)system->hidden_jac_pattern.entries, 1);
  s->N = sw_carve(c, (size_t)system->nondegeneracy_pattern.entries, 1);
}

/* lambda = -{rho,H} = -Drho X_H. */
static void right_hand_side(const sw_system *system, const double k[], const double z[], scratch *s,
                            double lambda[])
{
  const int d = system->nq;

  system->hamiltonian_grad(system, z, k, s->grad);
  system->hidden_jac(system, z, k, s->slope);
  system->nondegeneracy(system, z, k, s->N);
  for (int i = 0; i < d; i++) {
    s->field[i] = s->grad[d + i];
    s->field[d + i] = -s->grad[i];
  }
  sw_multiply(&system->hidden_jac_pattern, s->slope, 1, s->field, lambda);
  for (int i = 0; i < system->nc; i++) {
    lambda[i] = -lambda[i];
  }
}

sw_status sw_motion_multipliers(const sw_system *system, const double k[], sw_redundant redundant,
                                const double z[], double lambda[])
{
  const sw_multipliers multipliers = {redundant, 0, system->nc};
  sw_deficient *matrix = NULL;
  scratch s = {.system = system};
  void *memory = sw_carve_block(motion_multipliers_carve, &s);
  sw_status status = memory
                         ? sw_deficient_create(&system->nondegeneracy_pattern, multipliers, &matrix)
                         : SW_ERR_MEMORY;
  if (status == SW_OK) {
    right_hand_side(system, k, z, &s, lambda);
    sw_deficient_begin(matrix);
    status = sw_deficient_factor(matrix, s.N) ? SW_ERR_SINGULAR : SW_OK;
  }
  if (status == SW_OK) {
    sw_deficient_solve(matrix, lambda);
  }
  sw_deficient_free(&matrix);
  free(memory);
  return status;
}
