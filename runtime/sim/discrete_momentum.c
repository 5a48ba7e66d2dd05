/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discrete_momentum.c -- the discrete Legendre transform of the method `variational`, at the
 * state of a simulation.
 */
#include <math.h>

#include "sim/sim_internal.h"

int sw_sim_has_legendre(const sw_sim *sim)
{
  return sim->plan->phase[0].layer != NULL;
}

sw_status sw_sim_legendre(sw_sim *sim, double h, double x[], double D[])
{
  sw_legendre *plus = &sim->work.phase[0].variational.plus;
  const double *bias = sim->plan->phase[0].bias;
  const char *objection = sw_tangent_objection(sim);
  const size_t d = (size_t)sim->system->nq;

  sw_say_nothing(sim);
  if (!sw_sim_has_legendre(sim)) {
    return sw_refuse(sim, SW_ERR_OPTION, "discrete momentum refused: the method %s has none",
                     sim->plan->method->name);
  }
  if (D && objection) {
    return sw_refuse(sim, SW_ERR_OPTION, "derivative of the discrete momentum refused: %s",
                     objection);
  }
  sw_legendre_values(plus, h * bias[1], h * bias[0], sim->state.z);
  sw_copy(x, plus->near_foot.x, d);
  sw_copy(x + d, plus->mu, d);
  if (D) {
    sw_legendre_derivative(plus);
    for (size_t i = 0; i < 4 * d * d; i++) {
      D[i % (2 * d) * (2 * d) + i / (2 * d)] = plus->by_z[i];
    }
  }
  sw_legendre_tangent(plus, x + d);
  if (!isfinite(sw_max_abs(2 * d, x))) {
    return sw_refuse(sim, SW_ERR_NOT_FINITE,
                     "discrete momentum refused: the curve of this state has no end for h = %.15g",
                     h);
  }
  return SW_OK;
}
