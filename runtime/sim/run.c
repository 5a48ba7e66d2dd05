/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c -- runs several steps.  The model's generated code takes the steps that it can; the
 * general solver takes the others.
 *
 * The energy is checked every SW_LOOK_EVERY steps and at the end of a call
 * (checks/energy_watch.h).  If it has left its scale, the steps since the last check are repeated
 * one by one.  The first step that leaves the scale is rejected.
 */
#include "sim/sim_internal.h"

/* Restores a state, to be checked again, and the statistics of that time. */
static void go_back(sw_sim *sim, const sw_state *to, const sw_stats *stats)
{
  sw_state_copy(sim, &sim->state, to);
  sim->state.known.checked = 0;
  sim->state.is_fused = 0;
  sim->stats = *stats;
  sw_step_forget(sim);
}

/* Takes one step with the stepper and checks the mass matrix along it.  Returns 0 if the step is
 * not taken; then the general step from the same state reports the reason. */
static long watched_step(sw_sim *sim, double h)
{
  const sw_stats stats = sim->stats;
  sw_state *kept = &sim->work.kept;

  sw_state_copy(sim, kept, &sim->state);
  if (sw_fused_steps(sim, h, 1) == 0) {
    return 0;
  }
  if (sw_mass_watch_step(sim->work.mass_watch, kept->z, sim->state.z, sim->k, &sim->failure) ==
      SW_OK) {
    return 1;
  }
  go_back(sim, kept, &stats);
  return 0;
}

/* Takes all steps of the method, without kicks. */
static sw_status take_method_steps(sw_sim *sim, double h, long steps)
{
  sw_status status = SW_OK;

  while (steps > 0 && status == SW_OK) {
    const long fused = sim->work.mass_watch ? watched_step(sim, h) : sw_fused_steps(sim, h, steps);
    steps -= fused;
    if (steps > 0) {
      status = sw_step_to(sim, sw_clock_next(&sim->state.clock, h));
      steps--;
    }
  }
  sw_step_settle(sim);
  return status;
}

/* Takes all steps, without checking the energy. */
static sw_status run_take_steps(sw_sim *sim, double h, long steps)
{
  sw_status status = SW_OK;

  if (!sim->work.kick) {
    return take_method_steps(sim, h, steps);
  }
  for (; steps > 0 && status == SW_OK; steps--) {
    status = sw_kicks_begin(sim, h);
    status = status == SW_OK ? take_method_steps(sim, h, 1) : status;
    status = sw_kicks_end(sim, h, status);
  }
  return status;
}

/* ---- the energy ---- */

/* The conserved energy: H minus the work of the forces. */
static double conserved(const sw_sim *sim, double H)
{
  return sim->work.kick ? H - sw_sim_work(sim) : H;
}

static sw_energy_state run_at_present(const sw_sim *sim, double h)
{
  return (sw_energy_state){.system = sim->system,
                           .z = sim->state.z,
                           .k = sim->k,
                           .h = h,
                           .gradient = sim->work.watch.gradient};
}

/* Saves the simulation's state. */
static void keep(sw_sim *sim)
{
  sw_state_copy(sim, &sim->work.watch.start, &sim->state);
  sim->work.watch.stats = sim->stats;
}

/* Repeats n steps from the last check, one by one. */
static sw_status step_one_by_one(sw_sim *sim, double h, long n)
{
  sw_status status = SW_OK;
  sw_energy_course course = sim->energy;

  go_back(sim, &sim->work.watch.start, &sim->work.watch.stats);
  for (long i = 0; i < n && status == SW_OK; i++) {
    const sw_energy_state at = run_at_present(sim, h);
    sw_energy_look(&course, &at, conserved(sim, sw_energy_of(&at)), 1);
    keep(sim);
    status = run_take_steps(sim, h, 1);
    const sw_energy_state end = run_at_present(sim, h);
    const double H = conserved(sim, sw_energy_of(&end));
    if (status == SW_OK && sw_energy_leaves(&course, &end, H)) {
      status = sw_fail(&sim->failure, SW_ERR_ENERGY,
                       (sw_failure){.cause = SW_CAUSE_LEAVES,
                                    .at_end = 1,
                                    .value = H,
                                    .relative = course.first,
                                    .limit = course.scale});
      go_back(sim, &sim->work.watch.start, &sim->work.watch.stats);
      (void)sw_say(sim, "step", status);
    }
  }
  sim->energy.scale = course.scale;
  return status;
}

/* Takes n steps, at most up to the next due energy check, and checks the energy. */
static sw_status take_until_look(sw_sim *sim, double h, long n)
{
  const sw_energy_state start = run_at_present(sim, h);

  if (!sim->energy.begun) {
    sw_energy_begin(&sim->energy, &start, conserved(sim, sw_energy_of(&start)));
  }
  keep(sim);
  const long before = sim->stats.steps;
  sw_status status = run_take_steps(sim, h, n);
  const sw_energy_state end = run_at_present(sim, h);
  const int moved = sim->stats.steps > before;
  const double H = moved ? sw_energy_of(&end) : sim->energy.first;
  const double E = moved ? conserved(sim, H) : H;
  if (sw_energy_leaves(&sim->energy, &end, E)) {
    status = step_one_by_one(sim, h, n);
  }
  const long taken = sim->stats.steps - before;
  if (status != SW_OK) {
    sim->energy.steps += taken;
  } else {
    sw_energy_count(&sim->energy, &end, E, taken);
    sim->H = H;
    sim->H_known = 1;
  }
  return status;
}

static sw_status watch_steps(sw_sim *sim, double h, long steps)
{
  sw_status status = SW_OK;

  if (!sim->plan->conserves) {
    return run_take_steps(sim, h, steps);
  }
  while (steps > 0 && status == SW_OK) {
    const long due = sw_energy_until_look(&sim->energy);
    const long n = steps < due ? steps : due;
    status = take_until_look(sim, h, n);
    steps -= n;
  }
  return status;
}

sw_status sw_sim_step(sw_sim *sim, double h)
{
  return watch_steps(sim, h, 1);
}

sw_status sw_sim_run(sw_sim *sim, double h, long steps, sw_observer *observe, void *user)
{
  sw_say_nothing(sim);
  if (steps < 0) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "the number of steps is negative: %ld", steps);
  }
  if (!observe) {
    return watch_steps(sim, h, steps);
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
