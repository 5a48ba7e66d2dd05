/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heat.c -- the noise of a heat bath within a step (step/noise.h), and the kinetic energy after it.
 *
 * If holonomic.h applies, a step of baoab consists of two steps of RATTLE of size h/2, over the two
 * methods of Euler: kick and drift, then drift and kick.  The noise is between them.  The drift
 * after it has the multipliers that bring the momenta back to M^H (methods/baoab.c).
 */
#include <math.h>

#include "sim/sim_internal.h"

/* Writes the state z after the noise of a step of size h to noise->z. */
static sw_status apply_noise(sw_sim *sim, double h, const double z[])
{
  const sw_clock *clock = &sim->state.clock;
  const double *seed = sw_heat_seed(sim);
  const sw_noise_key key = {.t0 = clock->t0,
                            .n = (double)clock->n,
                            .seed = seed[SW_SEED_KEY],
                            .trajectory = seed[SW_SEED_TRAJECTORY]};
  const sw_noise_fault fault = sw_noise_apply(sim->work.noise, h, &key, z);

  return fault == SW_NOISE_GOOD ? SW_OK
                                : sw_fail(&sim->failure, SW_ERR_PARAMETER,
                                          (sw_failure){.cause = SW_CAUSE_BATH,
                                                       .index = sim->work.noise->fault_at[0],
                                                       .other = (int)fault,
                                                       .value = sim->work.noise->fault_at[1]});
}

sw_status sw_heat_add(sw_sim *sim, const double **z)
{
  sw_step *step = &sim->work.step;
  const sw_status status = apply_noise(sim, step->h, *z);

  if (status == SW_OK) {
    *z = sim->work.noise->z;
    /* The rest of the step is measured from here. */
    step->extent = sw_larger_sizes(step->size, sw_sizes_of(sim->system, *z));
    step->is_measured = 0;
  }
  return status;
}

sw_status sw_heat_between(sw_sim *sim, double h)
{
  const size_t d = (size_t)sim->system->nq;
  const sw_status status = apply_noise(sim, h, sim->state.z);

  if (status == SW_OK) {
    sw_copy(sim->state.z + d, sim->work.noise->z + d, d);
    sim->state.known.extent = sw_sizes_of(sim->system, sim->state.z);
    /* The positions are on M, and the next solve brings the momenta back to M^H. */
    sim->state.known.judged = (sw_sizes){0.0, 0.0};
  }
  return status;
}

void sw_heat_count(sw_sim *sim)
{
  sim->stats.heat += sw_noise_heat(sim->work.noise, sim->state.z);
}
