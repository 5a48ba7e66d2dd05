/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kicks.c -- forces and inputs: the two kicks around each step of the method (step/kick.h), the
 * work of the forces, and the inputs, which forces alone read.
 *
 * The whole step, with a composition if there is one, is between the kicks, at the times t_n and
 * t_{n+1}.  Each kick ends on M^H, by the residual of its own equations.  The work of a kick is the
 * change of H.
 */
#include <math.h>

#include "sim/sim_internal.h"

/* ---- one kick ---- */

sw_status sw_kick_make(sw_sim *sim, double h)
{
  sw_kick *kick = sim->work.kick;
  const sw_problem problem = {sw_kick_residual, sw_kick_jacobian, kick};
  sw_solve_report report = {0};

  if (!sw_kick_begin(kick, h, sim->state.z, sim->state.known.extent)) {
    return sw_fail_not_finite(&sim->failure);
  }
  if (!sim->work.kick_solver) {
    return SW_OK;
  }
  const sw_status status = sw_solver_solve(sim->work.kick_solver, &problem, kick->u, &report);
  sim->stats.solves++;
  sim->stats.newton_iterations += report.iterations;
  if (status != SW_OK) {
    return sw_check_solve(&sim->work.check, status, &report, sim->state.z, NULL, &sim->failure);
  }
  const sw_root root = sw_solver_root(sim->work.kick_solver);
  if (root.sign * root.first_sign < 0) {
    return sw_fail(&sim->failure, SW_ERR_COMPONENT, (sw_failure){.cause = SW_CAUSE_KICK_ROOT});
  }
  sim->stats.residual_solve = fmax(sim->stats.residual_solve, report.residual);
  return SW_OK;
}

/* Checks whether the kick back from the state leads to the momenta of its start, kick->p0.  Leaves
 * the state as it is.  Errors: SW_ERR_NOT_REVERSIBLE. */
static sw_status check_kick_back(sw_sim *sim, double h)
{
  const sw_kick *kick = sim->work.kick;
  const size_t d = (size_t)sim->system->nq;
  const sw_status status = sw_kick_make(sim, -h);

  if (status != SW_OK) {
    return sw_fail(&sim->failure, SW_ERR_NOT_REVERSIBLE,
                   (sw_failure){.cause = SW_CAUSE_NO_WAY_BACK, .index = (int)status});
  }
  const double limit = sim->plan->options.reversible_tolerance;
  const double off = sw_distance(d, kick->z1 + d, kick->p0) / sw_nonzero_scale(kick->step.size.p);
  return off <= limit
             ? SW_OK
             : sw_fail(&sim->failure, SW_ERR_NOT_REVERSIBLE,
                       (sw_failure){.cause = SW_CAUSE_OTHER_WAY, .relative = off, .limit = limit});
}

/* Discards the data that belong to the momenta before a kick. */
static void forget_momenta(sw_sim *sim)
{
  sw_workspace *w = &sim->work;
  const int ready = w->clusters.ready;
  const int has_mass = w->holonomic.has_mass;
  const int knows_force = w->holonomic.force_at_start;

  sw_step_forget(sim);
  w->clusters.ready = ready;
  if (has_mass) {
    sw_holonomic_recall(&w->holonomic, knows_force);
  }
}

/* Adds the change of H to the work. */
static sw_status add_work(sw_sim *sim, double change)
{
  double *work = sim->state.more;
  const double term = change - work[SW_WORK_ERROR];
  const double sum = work[SW_WORK_SUM] + term;

  work[SW_WORK_ERROR] = (sum - work[SW_WORK_SUM]) - term;
  work[SW_WORK_SUM] = sum;
  return isfinite(sum) ? SW_OK : sw_fail_not_finite(&sim->failure);
}

void sw_kick_take(sw_sim *sim)
{
  const size_t d = (size_t)sim->system->nq;
  sw_kick *kick = sim->work.kick;
  sw_known *known = &sim->state.known;

  sw_copy(kick->p0, sim->state.z + d, d);
  sw_copy(sim->state.z + d, kick->z1 + d, d);
  known->extent = sw_sizes_of(sim->system, sim->state.z);
  known->judged = (sw_sizes){fmax(known->judged.q, kick->step.size.q), kick->step.size.p};
  forget_momenta(sim);
}

/* Moves the state by a kick of size h. */
static sw_status take_kick(sw_sim *sim, double h)
{
  const sw_system *system = sim->system;
  const sw_kick *kick = sim->work.kick;
  double before = NAN;
  double after = NAN;

  system->hamiltonian(system, sim->state.z, sim->k, &before);
  sw_status status = sw_kick_make(sim, h);
  if (status != SW_OK) {
    return status;
  }
  if (kick->m > 0) {
    const double rho = sw_max_abs((size_t)kick->m, kick->rho->value);
    sim->stats.residual_hidden = fmax(sim->stats.residual_hidden, rho);
  }
  sw_kick_take(sim);
  if (sim->plan->options.check_reversible) {
    status = check_kick_back(sim, h);
    forget_momenta(sim);
  }
  system->hamiltonian(system, sim->state.z, sim->k, &after);
  return status == SW_OK ? add_work(sim, after - before) : status;
}

/* ---- a step ---- */

/* Restores the start of a step. */
static void restore_start(sw_sim *sim)
{
  sw_state_copy(sim, &sim->state, &sim->work.unkicked);
  sim->stats = sim->work.unkicked_stats;
  sw_step_forget(sim);
}

sw_status sw_kicks_examine(sw_sim *sim, double h)
{
  sw_status status = SW_OK;

  if (!sw_is_step_size(h)) {
    status = sw_fail(&sim->failure, SW_ERR_ARGUMENT,
                     (sw_failure){.cause = SW_CAUSE_STEP_SIZE, .value = h});
  } else if (!sim->state.known.checked) {
    status = sw_step_examine_start(sim, h);
    sw_step_forget(sim);
  }
  return status;
}

sw_status sw_kicks_begin(sw_sim *sim, double h)
{
  sw_say_nothing(sim);
  sw_state_copy(sim, &sim->work.unkicked, &sim->state);
  sim->work.unkicked_stats = sim->stats;
  const sw_status status = sw_kicks_examine(sim, h);
  if (status != SW_OK) {
    return sw_say(sim, "step", status);
  }
  return sw_say(sim, "kick at the start of a step", take_kick(sim, 0.5 * h));
}

sw_status sw_kicks_end(sw_sim *sim, double h, sw_status status)
{
  if (status == SW_OK) {
    status = sw_say(sim, "kick at the end of a step", take_kick(sim, 0.5 * h));
  }
  if (status != SW_OK) {
    restore_start(sim);
  }
  return status;
}

double sw_sim_work(const sw_sim *sim)
{
  const double *work = sim->state.more;

  return sim->plan->is_forced ? work[SW_WORK_SUM] - work[SW_WORK_ERROR] : 0.0;
}

/* ---- inputs ---- */

int sw_sim_n_inputs(const sw_sim *sim)
{
  int n = 0;

  for (int i = 0; i < sim->system->nk; i++) {
    n += sw_system_is_input(sim->system, i);
  }
  return n;
}

int sw_sim_input(const sw_sim *sim, int number)
{
  int i = 0;

  for (; i < sim->system->nk; i++) {
    number -= sw_system_is_input(sim->system, i);
    if (number < 0) {
      break;
    }
  }
  return i < sim->system->nk ? i : -1;
}

sw_status sw_sim_set_inputs(sw_sim *sim, const double u[])
{
  const sw_system *system = sim->system;
  int n = 0;

  sw_say_nothing(sim);
  for (int i = 0; i < system->nk; i++) {
    if (sw_system_is_input(system, i) && !sw_system_allows(system, i, u[n++])) {
      return sw_refuse_parameter(sim, i, u[n - 1]);
    }
  }
  n = 0;
  for (int i = 0; i < system->nk; i++) {
    if (sw_system_is_input(system, i)) {
      sim->k[i] = u[n++];
    }
  }
  return SW_OK;
}
