/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parameters.c -- the derivatives of a step with respect to the parameters and the step size, from
 * directions of the lifted model (lifted.c).
 */
#include <stdlib.h>

#include "sidewinder/derivatives.h"
#include "sim/linearised.h"

int sw_sim_has_parameter_tangent(const sw_sim *sim)
{
  return sw_lifted_objection(sim) == NULL;
}

/* Writes the columns of D from the directions DV of the lifted state, nk + 1 of them. */
static void put_derivatives(const sw_sim *sim, double h, const double DV[], double D[])
{
  const size_t d = (size_t)sim->system->nq;
  const size_t nk = (size_t)sim->system->nk;
  const size_t lifted = d + nk + 1;

  for (size_t j = 0; j <= nk; j++) {
    const double by = j < nk ? 1.0 : 1.0 / h;
    for (size_t i = 0; i < 2 * d; i++) {
      D[j * 2 * d + i] = by * DV[j * 2 * lifted + (i < d ? i : lifted + i - d)];
    }
  }
}

sw_status sw_sim_tangent_parameters(sw_sim *sim, double h, double D[])
{
  const char *objection = sw_lifted_objection(sim);
  const size_t d = (size_t)sim->system->nq;
  const size_t n = (size_t)sim->system->nk + 1;
  const size_t dim = 2 * (d + n);

  sw_say_nothing(sim);
  if (!D) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "derivatives along parameters refused: no array");
  }
  if (objection) {
    return sw_refuse(sim, SW_ERR_OPTION, "derivatives along parameters refused: %s", objection);
  }
  double *V = n <= SIZE_MAX / sizeof *V / dim ? calloc(n, dim * sizeof *V) : NULL;
  sw_status status = V ? sw_lifted_open(sim) : SW_ERR_MEMORY;
  for (size_t j = 0; status == SW_OK && j < n; j++) {
    V[j * dim + d + j] = 1.0;
  }
  if (status == SW_OK) {
    status = sw_lifted_tangent(sim, h, (int)n, V);
  }
  if (status == SW_OK) {
    put_derivatives(sim, h, V, D);
  }
  free(V);
  return sw_say(sim, "tangent", status);
}
