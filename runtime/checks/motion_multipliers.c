/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/motion_multipliers.h"

#include <stdlib.h>

#include "common/carver.h"
#include "linear/sparse.h"

typedef struct scratch {
  const sw_system *system;
  double *field; /* 2d: X_H */
  double *slope; /* values of Drho */
  double *N;
} scratch;

static void motion_multipliers_carve(sw_carver *c, void *of)
{
  scratch *s = of;
  const sw_system *system = s->system;
  const size_t dim = 2 * (size_t)system->nq;

  s->field = sw_carve(c, dim, 1);
  s->slope = sw_carve(c, (size_t)system->hidden_jac_pattern.entries, 1);
  s->N = sw_carve(c, (size_t)system->nondegeneracy_pattern.entries, 1);
}

/* lambda = -{rho,H} = -Drho X_H, and the values of N. */
static void right_hand_side(const double k[], const double z[], scratch *s, double lambda[])
{
  const sw_system *system = s->system;

  system->hamiltonian_grad(system, z, k, s->field);
  sw_turn((size_t)system->nq, s->field, s->field);
  system->hidden_jac(system, z, k, s->slope);
  system->nondegeneracy(system, z, k, s->N);
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
    right_hand_side(k, z, &s, lambda);
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
