/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_step.c -- one step of the method, computed in the workspace.  step.c commits or discards
 * its results.
 */
#include <math.h>

#include "sim/sim_internal.h"

/* 1 if g at the end of the step is known from the last solve.  It is unknown if a slide has moved
 * positions, a combination made the end, or g was required only at stages. */
static int knows_g(const sw_sim *sim)
{
  const sw_phase_plan *last = &sim->plan->phase[sim->work.to - 1];
  const int slides = last->hidden && sim->system->model->structure.holonomic;
  const sw_phase_plan *of_g = slides && sim->work.to - sim->work.from > 1 ? last - 1 : last;

  return !sim->plan->options.compensated && !of_g->hidden && of_g->m > 0;
}

/* Sets the sizes of the step's end, max |g_i| and max |rho_i|.  Evaluates g and rho unless a
 * solve has left them. */
static sw_status look_at_end(sw_sim *sim, sw_made_step *made)
{
  const sw_system *system = sim->system;
  const size_t m = (size_t)system->nc;

  made->known.extent = sw_sizes_of(system, made->end);
  if (m > 0) {
    if (!knows_g(sim)) {
      system->constraint(system, made->end, sim->k, sim->work.g.value);
    }
    if (!made->rho) {
      system->hidden(system, made->end, sim->k, sim->work.rho.value);
      made->rho = sim->work.rho.value;
    }
    made->largest_g = sw_share_max_abs(system->team, m, sim->work.g.value);
    made->largest_rho = sw_share_max_abs(system->team, m, made->rho);
  }
  const int finite = isfinite(made->known.extent.q) && isfinite(made->known.extent.p) &&
                     isfinite(made->largest_g) && isfinite(made->largest_rho);
  return finite ? SW_OK : sw_fail_not_finite(&sim->failure);
}

/* Chooses the phases of a step of size h from the present state, and the fraction of the forces
 * that acts in it. */
static void begin_step(sw_sim *sim, double h)
{
  const sw_clock *clock = &sim->state.clock;
  const double before = clock->h; /* size of the previous step */
  const int starts = sim->plan->method->start && before != h;

  sim->work.from = starts ? sim->plan->own_phases : 0;
  sim->work.to = starts ? sim->plan->step_phases : sim->plan->own_phases;
  sim->work.step = (sw_step){.z0 = sim->state.z,
                             .h = h,
                             .force = 1.0,
                             .extent = sim->state.known.extent,
                             .hess = sim->work.hess};
  if (sim->plan->method->staggered) {
    sim->work.step.force = 0.5 * (before + h) / h;
  }
}

sw_status sw_step_make(sw_sim *sim, double h, sw_made_step *made)
{
  sw_status status = SW_OK;

  *made = (sw_made_step){.end = sim->state.z, .known.checked = 1};
  if (!sw_is_step_size(h)) {
    return sw_fail(&sim->failure, SW_ERR_ARGUMENT,
                   (sw_failure){.cause = SW_CAUSE_STEP_SIZE, .value = h});
  }
  begin_step(sim, h);
  if (!sim->state.known.checked) {
    status = sw_check_finite(&sim->work.check, &sim->failure);
  }
  if (status == SW_OK) {
    status = sw_step_solve(sim, made);
  }
  if (status == SW_OK && sim->plan->options.compensated) {
    sw_carry_add(sim, made);
  }
  if (status == SW_OK) {
    status = look_at_end(sim, made);
  }
  if (status == SW_OK) {
    status = sw_check_end(&sim->work.check, made, &sim->failure);
  }
  return status == SW_OK ? sw_mass_watch_step(sim->work.mass_watch, sim->state.z, made->end, sim->k,
                                              &sim->failure)
                         : status;
}

sw_status sw_step_examine_start(sw_sim *sim, double h)
{
  begin_step(sim, h);
  sim->state.known.checked = 0;
  const sw_status status = sw_check_finite(&sim->work.check, &sim->failure);
  return status == SW_OK ? sw_step_look_at_start(sim) : status;
}

void sw_step_forget(sw_sim *sim)
{
  sim->work.g.jac_known = 0;
  sim->work.rho.jac_known = 0;
  for (int i = 0; i < sim->plan->phases && sim->work.is_complete; i++) {
    sw_phase_forget(&sim->work.phase[i]);
  }
  sw_holonomic_forget(&sim->work.holonomic);
  sim->work.clusters.ready = sim->work.clusters.is_current = 0;
}
