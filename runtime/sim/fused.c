/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fused.c -- steps by the straight-line code of a model (sidewinder/stepper.h).
 *
 * Whether such a step is taken depends on the state alone, so that a run that is taken up at one of its states goes on bit for bit.
 */
#include <math.h>

#include "sim/sim_internal.h"

/* Whether the state is one to start from: on M and M^H, and so on, which the general way looks at. */
static int may_start(sw_sim *sim, double h)
{
  if (sim->check.checked && sim->is_fused) {
    return 1;
  }
  const sw_status status = sw_step_examine_start(sim, h);
  sw_say_nothing(sim);
  sw_step_forget(sim);
  return status == SW_OK;
}

/* What the end of the last step has been found to be. */
static void take_over(sw_sim *sim, const sw_fused *f, double h, long taken)
{
  const double over_h = 1.0 / h;

  for (int i = 0; i < sim->system->nc; i++) {
    sim->lambda[i] = over_h * f->sum[i];
  }
  sim->extent = sw_sizes_of(sim->system, sim->z);
  sim->check.judged = sim->extent;
  sim->check.checked = 1;
  sim->stats.steps += taken;
  sim->stats.fused_steps += taken;
  sim->stats.solves += f->solves;
  sim->stats.newton_iterations += f->iterations;
  sim->stats.residual_g = fmax(sim->stats.residual_g, f->residual_g);
  sim->stats.residual_hidden = fmax(sim->stats.residual_hidden, f->residual_rho);
  sim->stats.residual_solve = fmax(sim->stats.residual_solve, f->residual_solve);
  sim->clock = sw_clock_next(&sim->clock, h);
  sim->clock.n += taken - 1;
  sim->t = sw_clock_time(&sim->clock);
}

long sw_fused_steps(sw_sim *sim, double h, long n)
{
  if (!sim->stepper || !isfinite(h) || h == 0.0 || !sw_component_commutes(&sim->check.component)) {
    return 0;
  }
  if (!isfinite(sw_clock_time(&sim->clock) + (double)n * h) || !may_start(sim, h)) {
    sim->is_fused = 0;
    return 0;
  }
  sw_fused f = {.k = sim->k,
                .h = h,
                .parts = sim->composition->n,
                .factor = sim->composition->factor,
                .tolerance = sim->options.tolerance,
                .most_iterations = sim->options.max_iterations,
                .floor = sw_floor_at_end(&sim->check),
                .z = sim->z,
                .sum = sim->check.a};
  const long taken = sim->stepper->steps(&f, n);

  sim->is_fused = taken > 0;
  if (taken > 0) {
    sw_say_nothing(sim);
    sw_step_forget(sim);
    take_over(sim, &f, h, taken);
  }
  return taken;
}
