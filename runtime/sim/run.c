/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c -- steps one after the other: by the straight-line code of a model where it takes them, else the general way.
 */
#include "sim/sim_internal.h"

/* One step of the stepper from the present state, whose end is judged like that of any other.  Returns 0 if it is
 * not taken: then the general step from the same state tells why. */
static long watched_step(sw_sim *sim, double h)
{
  const sw_stats stats = sim->stats;
  const double *z0 = sim->before + SW_SAVED_Z;

  sw_sim_save(sim, sim->before);
  if (sw_fused_steps(sim, h, 1) == 0) {
    return 0;
  }
  if (sw_mass_watch_step(sim->mass_watch, z0, sim->z, sim->k, &sim->failure) == SW_OK) {
    return 1;
  }
  (void)sw_sim_restore(sim, sim->before);
  sim->stats = stats;
  sim->is_fused = 0;
  return 0;
}

/* All of them, with nobody looking. */
static sw_status take_steps(sw_sim *sim, double h, long steps)
{
  sw_status status = SW_OK;

  while (steps > 0 && status == SW_OK) {
    const long fused = sim->before ? watched_step(sim, h) : sw_fused_steps(sim, h, steps);
    steps -= fused;
    if (steps > 0) {
      status = sw_step_to(sim, sw_clock_next(&sim->clock, h));
      steps--;
    }
  }
  sw_step_settle(sim);
  return status;
}

sw_status sw_sim_step(sw_sim *sim, double h)
{
  return take_steps(sim, h, 1);
}

sw_status sw_sim_run(sw_sim *sim, double h, long steps, sw_observer *observe, void *user)
{
  sw_say_nothing(sim);
  if (steps < 0) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "the number of steps is negative: %ld", steps);
  }
  if (!observe) {
    return take_steps(sim, h, steps);
  }
  for (long n = 0;; n++) {
    const sw_status status = n > 0 ? sw_sim_step(sim, h) : SW_OK;

    if (status != SW_OK) {
      return status;
    }
    if (observe(sim, n, user) != 0) {
      return sw_refuse(sim, SW_ERR_STOPPED, "the observer asked to stop after step %ld", n);
    }
    if (n == steps) {
      return SW_OK;
    }
  }
}
