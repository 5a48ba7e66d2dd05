/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heat.c -- the noise of a heat bath within a step (step/noise.h), and the kinetic energy after it.
 */
#include <math.h>

#include "sim/sim_internal.h"

sw_status sw_heat_add(sw_sim *sim, const double **z)
{
  sw_noise *noise = sim->work.noise;
  sw_step *step = &sim->work.step;
  const sw_clock *clock = &sim->state.clock;
  const double *seed = sw_heat_seed(sim);
  const sw_noise_key key = {.t0 = clock->t0,
                            .n = (double)clock->n,
                            .seed = seed[SW_SEED_KEY],
                            .trajectory = seed[SW_SEED_TRAJECTORY]};
  const sw_noise_fault fault = sw_noise_apply(noise, step->h, &key, *z);

  if (fault != SW_NOISE_GOOD) {
    return sw_fail(&sim->failure, SW_ERR_PARAMETER,
                   (sw_failure){.cause = SW_CAUSE_BATH,
                                .index = noise->fault_at[0],
                                .other = (int)fault,
                                .value = noise->fault_at[1]});
  }
  *z = noise->z;
  /* The rest of the step is measured from here. */
  step->extent = sw_larger_sizes(step->size, sw_sizes_of(sim->system, noise->z));
  step->is_measured = 0;
  return SW_OK;
}

void sw_heat_count(sw_sim *sim)
{
  sim->stats.heat += sw_noise_heat(sim->work.noise, sim->state.z);
}
