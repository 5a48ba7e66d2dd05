/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.c -- a step with one or several parts.  It is committed only if all parts succeed.
 */
#include <math.h>

#include "model/numerical_fibre.h"
#include "sim/sim_internal.h"

/* Checks whether the step back leads to the start of the step.
 *
 * RATTLE over a symmetric base method is symmetric, R_{-h} o R_h = id.  Over any other base
 * method its inverse is RATTLE over the adjoint (paper 000, section 4).  Both statements assume
 * that both steps find the root that belongs to their start.  After a jump to another root, the
 * step back ends elsewhere or fails.  SHAKE maps a whole fibre to one point and has no inverse. */

/* Makes the step back from the end of a step of size h.  Fills sim->failure if it does not lead
 * back to the start.  Errors: SW_ERR_NOT_REVERSIBLE. */
static sw_status sw_check_reversible(sw_sim *sim, double h, const sw_made_step *made)
{
  const size_t d = (size_t)sim->system->nq;
  sw_sim *back = sim->back;
  sw_made_step again;

  sw_step_forget(back);
  sw_copy(back->state.z, made->end, 2 * d);
  sw_copy(back->k, sim->k, (size_t)sim->system->nk);
  back->state.known = made->known;
  back->stats = sim->stats;
  const sw_status status = sw_step_make(back, -h, &again);
  sim->stats.solves = back->stats.solves;
  sim->stats.newton_iterations = back->stats.newton_iterations;
  if (status != SW_OK) {
    return sw_fail(&sim->failure, SW_ERR_NOT_REVERSIBLE,
                   (sw_failure){.cause = SW_CAUSE_NO_WAY_BACK, .index = (int)status});
  }
  const double off =
      sw_sizes_relative(sw_sizes_between(d, again.end, sim->state.z), sim->work.step.size);
  if (!(off <= sim->plan->options.reversible_tolerance)) {
    return sw_fail(&sim->failure, SW_ERR_NOT_REVERSIBLE,
                   (sw_failure){.cause = SW_CAUSE_OTHER_WAY,
                                .relative = off,
                                .limit = sim->plan->options.reversible_tolerance});
  }
  return SW_OK;
}

/* Keeps the data at the end of a part that the next part needs at its start. */
static void go_on(sw_sim *sim)
{
  sw_workspace *w = &sim->work;
  const sw_sim_plan *plan = sim->plan;

  if (plan->is_fast) {
    sw_holonomic_commit(&w->holonomic);
  }
  for (int i = 0; i < plan->phases && !plan->is_fast; i++) {
    if (plan->phase[i].stages && !plan->options.compensated && i >= w->from && i < w->to) {
      sw_stages_next(&w->phase[i].stages);
    } else if (plan->phase[i].stages) {
      sw_stages_forget(&w->phase[i].stages);
    }
  }
}

/* lambda += factor times the multipliers of a phase: those of its fibre, and sum_j b^_j lambda_j
 * of its stages. */
static void step_add_multipliers(sw_sim *sim, double factor, int phase)
{
  const sw_phase_plan *plan = &sim->plan->phase[phase];
  const sw_method *method =
      phase < sim->plan->own_phases ? sim->plan->method : sim->plan->method->start;
  const double weight = factor * method->multiplier[phase - sim->work.from];
  const int m = sim->system->nc;

  if (plan->layer) {
    sw_variational_lambda(&sim->work.phase[phase].variational, sim->state.z);
    sw_add_scaled(m, weight, sim->work.phase[phase].variational.lambda, sim->state.lambda);
    return;
  }
  sw_share_add_scaled(sim->system->team, (size_t)plan->m, weight, sim->work.phase[phase].u,
                      sim->state.lambda);
  for (int i = 0; i * m < plan->forces; i++) {
    const double b_hat = sw_stage_plan_force_weight(plan->stages, i);
    sw_add_scaled(m, weight * b_hat, sim->work.phase[phase].u + plan->m + (size_t)i * (size_t)m,
                  sim->state.lambda);
  }
}

/* Exchanges the two arrays of holonomic.h: the end of the step becomes the state. */
static void step_exchange(sw_sim *sim)
{
  double *const end = sim->work.phase[0].end;

  sim->work.phase[0].end = sim->work.holonomic.z1 = sim->state.z;
  sim->state.z = end;
}

void sw_step_settle(sw_sim *sim)
{
  if (sim->state.z != sim->work.shown) {
    sw_share_copy(sim->system->team, sim->work.shown, sim->state.z, 2 * (size_t)sim->system->nq);
    step_exchange(sim);
  }
}

/* Notes which constraints the solves of the step have left out.  A multiplier that is 0 proves
 * nothing, and if it is not 0, another solve has kept the constraint. */
static void note_dropped(sw_sim *sim)
{
  const sw_workspace *w = &sim->work;
  const int m = sim->system->nc;

  for (int i = 0; i < m; i++) {
    w->dropped[i] = 0;
  }
  for (int phase = w->from; phase < w->to; phase++) {
    const sw_phase_plan *plan = &sim->plan->phase[phase];
    const sw_deficient *linear = w->solver[phase] ? sw_solver_linear(w->solver[phase]) : NULL;
    const int drops = linear && sw_deficient_dropped(linear) > 0;
    for (int i = 0; drops && i < plan->m + plan->forces; i++) {
      if (sw_deficient_drops(linear, i) && sim->state.lambda[i % m] == 0.0) {
        w->dropped[i % m] = 1;
      }
    }
  }
}

void sw_step_take(sw_sim *sim, double factor, int adds, const sw_made_step *made)
{
  const size_t dim = 2 * (size_t)sim->system->nq;
  sw_state *state = &sim->state;

  if (sim->work.slides) {
    sw_slides_note(sim, made->end);
  }
  if (sim->plan->is_fast) {
    step_exchange(sim);
  } else {
    if (sim->plan->method->earlier || sim->plan->options.compensated) {
      sw_copy(state->more, sim->plan->method->earlier ? state->z : sim->work.carry.next,
              sim->plan->n_more);
    }
    sw_share_copy(sim->system->team, state->z, made->end, dim);
  }
  if (!adds) {
    sw_share_fill(sim->system->team, state->lambda, 0.0, (size_t)sim->system->nc);
  }
  for (int phase = sim->work.from; phase < sim->work.to && sim->system->nc > 0; phase++) {
    step_add_multipliers(sim, factor, phase);
  }
  sim->work.clusters.is_current = 0;
  state->known = made->known;
  go_on(sim);
}

/* Takes a part of a step, `factor` of its size h.  adds: as for sw_step_take.  Keeps the largest
 * residuals in *stats. */
static sw_status take_part(sw_sim *sim, double h, double factor, int adds, sw_stats *stats)
{
  const double part = factor * h;
  sw_made_step made;
  sw_status status = sw_step_make(sim, part, &made);

  if (status == SW_OK && made.may_cross) {
    status = sw_check_surface(sim, part, &made);
  }
  if (status == SW_OK && sim->back) {
    status = sw_check_reversible(sim, part, &made);
  }
  if (status == SW_OK) {
    sw_step_take(sim, factor, adds, &made);
    stats->residual_g = fmax(stats->residual_g, made.largest_g);
    stats->residual_hidden = fmax(stats->residual_hidden, made.largest_rho);
    stats->residual_solve = fmax(stats->residual_solve, made.solve);
  }
  return status;
}

/* Takes the halves of a step with noise (heat.c). */
static sw_status take_halves(sw_sim *sim, double h, sw_stats *stats)
{
  double *kick = &sim->work.holonomic.kick;
  sw_status status = take_part(sim, h, 0.5, 0, stats);

  if (status == SW_OK) {
    status = sw_heat_between(sim, h);
  }
  if (status == SW_OK) {
    *kick = 0.0;
    status = take_part(sim, h, 0.5, 1, stats);
    *kick = sim->plan->phase[0].kick;
  }
  return status;
}

/* Takes the parts of a step of size h, one after the other. */
static sw_status take_parts(sw_sim *sim, double h)
{
  const sw_composition *composition = sim->plan->composition;
  sw_stats stats = sim->stats;
  sw_status status = sim->plan->is_halved ? take_halves(sim, h, &stats) : SW_OK;

  for (int i = 0; i < composition->n && status == SW_OK && !sim->plan->is_halved; i++) {
    status = take_part(sim, h, composition->factor[i], i > 0, &stats);
  }
  if (status == SW_OK) {
    sim->stats.residual_g = stats.residual_g;
    sim->stats.residual_hidden = stats.residual_hidden;
    sim->stats.residual_solve = stats.residual_solve;
  }
  return status;
}

sw_status sw_step_to(sw_sim *sim, sw_clock clock)
{
  sw_fibre_scratch *fibre = sim->system->fibre_scratch;

  sw_say_nothing(sim);
  if (fibre) {
    fibre->counts = (sw_fibre_counts){0}; /* other simulations may use the same system */
  }
  sw_state_copy(sim, &sim->work.kept, &sim->state);
  const sw_status status =
      isfinite(sw_clock_time(&clock))
          ? take_parts(sim, clock.h)
          : sw_fail(&sim->failure, SW_ERR_ARGUMENT,
                    (sw_failure){.cause = SW_CAUSE_STEP_SIZE, .value = clock.h});
  if (fibre) {
    sim->stats.fibre_flows += fibre->counts.flows;
    sim->stats.fibre_steps += fibre->counts.steps;
    sim->stats.fibre_evaluations += fibre->counts.evaluations;
    sim->stats.fibre_error = fmax(sim->stats.fibre_error, fibre->counts.error);
  }
  if (status == SW_OK) {
    if (sim->work.dropped) {
      note_dropped(sim);
    }
    sim->state.clock = clock;
    sim->stats.steps++;
    if (sim->work.noise) {
      sw_heat_count(sim);
    }
  } else {
    sw_state_copy(sim, &sim->state, &sim->work.kept);
    sw_step_forget(sim); /* an earlier part of the step may have left another state's values */
    sim->failure.ahead = sw_singular_ahead(sim, clock.h, status);
    sim->failure.h = clock.h;
    sw_step_forget(sim);
  }
  return sw_say(sim, "step", status);
}
