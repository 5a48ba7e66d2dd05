/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discrete_momentum.c -- the discrete Legendre transform of the method `variational`, at the
 * state of a simulation.
 */
#include <math.h>
#include <stdlib.h>

#include "sim/sim_internal.h"

int sw_sim_has_legendre(const sw_sim *sim)
{
  return sim->plan[0].layer != NULL;
}

static sw_status refuse_end(sw_sim *sim, double h)
{
  return sw_refuse(sim, SW_ERR_NOT_FINITE,
                   "discrete momentum refused: the curve of this state has no end for h = %.15g",
                   h);
}

/* Computes the transform by fixed-point iteration, without its derivative. */
static sw_status iterate_legendre(sw_sim *sim, double h, double x[])
{
  const sw_status status =
      sw_stage_four_legendre(sim->stage_four, h, sim->check.known.extent, sim->z, x);
  return status == SW_OK ? SW_OK : refuse_end(sim, h);
}

/* Computes the transform, and its derivative D unless it is NULL, from the linear equations of
 * *plus. */
static sw_status solve_legendre(sw_sim *sim, sw_legendre *plus, double h, double x[], double D[])
{
  const double *bias = sim->plan[0].bias;
  const size_t d = (size_t)sim->system->nq;

  sw_legendre_values(plus, h * bias[1], h * bias[0], sim->z);
  sw_copy(x, plus->near_foot.x, d);
  sw_copy(x + d, plus->mu, d);
  if (D) {
    sw_legendre_derivative(plus);
    for (size_t i = 0; i < 4 * d * d; i++) {
      D[i % (2 * d) * (2 * d) + i / (2 * d)] = plus->by_z[i];
    }
  }
  sw_legendre_tangent(plus, x + d);
  return isfinite(sw_max_abs(2 * d, x)) ? SW_OK : refuse_end(sim, h);
}

/* The same for a method whose steps do not need these equations; allocates them temporarily. */
static sw_status derive_legendre(sw_sim *sim, double h, double x[], double D[])
{
  const sw_layer_method *layer = sim->plan[0].layer;
  sw_carver walk = {NULL, 0, 0};
  sw_legendre plus = {0};

  if (!sw_sim_has_tangent(sim)) {
    return sw_refuse(sim, SW_ERR_OPTION, "derivative of the discrete momentum refused: %s",
                     sw_no_tangent);
  }
  sw_legendre_carve(&walk, sim->system, sim->k, &layer[1], &layer[0], &plus);
  walk = sw_carver_open(walk);
  void *block = walk.block;
  if (!block) {
    return sw_refuse(sim, SW_ERR_MEMORY, "derivative of the discrete momentum: out of memory");
  }
  sw_legendre_carve(&walk, sim->system, sim->k, &layer[1], &layer[0], &plus);
  const sw_status status = solve_legendre(sim, &plus, h, x, D);
  free(block);
  return status;
}

sw_status sw_sim_legendre(sw_sim *sim, double h, double x[], double D[])
{
  sw_say_nothing(sim);
  if (!sw_sim_has_legendre(sim)) {
    return sw_refuse(sim, SW_ERR_OPTION, "discrete momentum refused: the method %s has none",
                     sim->method->name);
  }
  if (sim->plan[0].fixed_point) {
    return D ? derive_legendre(sim, h, x, D) : iterate_legendre(sim, h, x);
  }
  return solve_legendre(sim, &sim->phase[0].variational.plus, h, x, D);
}
