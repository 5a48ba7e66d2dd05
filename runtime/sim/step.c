/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.c -- a step with one or several parts.  It is committed only if all parts succeed.
 */
#include <math.h>

#include "model/numerical_fibre.h"
#include "sim/sim_internal.h"

/* Keeps the data at the end of a part that the next part needs at its start. */
static void go_on(sw_sim *sim)
{
  if (sim->is_fast) {
    sw_holonomic_commit(&sim->holonomic);
  }
  for (int i = 0; i < sim->phases && !sim->is_fast; i++) {
    if (sim->plan[i].stages && !sim->carry.now && i >= sim->from && i < sim->to) {
      sw_stages_next(&sim->phase[i].stages);
    } else if (sim->plan[i].stages) {
      sw_stages_forget(&sim->phase[i].stages);
    }
  }
}

/* The weight of a phase's multipliers in lambda. */
static double step_weight_of(const sw_sim *sim, double factor, int phase)
{
  const sw_method *method = phase < sim->own_phases ? sim->method : sim->method->start;
  const double force = sim->step.force != 0.0 ? sim->step.force : 1.0;

  return factor * method->multiplier[phase - sim->from] / force;
}

/* lambda += factor times the multipliers of a phase: those of its fibre, and sum_j b^_j lambda_j
 * of its stages. */
static void step_add_multipliers(sw_sim *sim, double factor, int phase)
{
  const sw_phase_plan *plan = &sim->plan[phase];
  const double weight = step_weight_of(sim, factor, phase);
  const int m = sim->system->nc;

  if (plan->layer) {
    sw_variational_lambda(&sim->phase[phase].variational, sim->z);
    sw_add_scaled(m, weight, sim->phase[phase].variational.lambda, sim->lambda);
    return;
  }
  sw_share_add_scaled(sim->system->team, (size_t)plan->m, weight, sim->phase[phase].u, sim->lambda);
  for (int i = 0; i * m < plan->forces; i++) {
    const double b_hat = sw_stage_plan_force_weight(plan->stages, i);
    sw_add_scaled(m, weight * b_hat, sim->phase[phase].u + plan->m + (size_t)i * (size_t)m,
                  sim->lambda);
  }
}

/* lambda = a u + b v, or lambda += a u + b v if adds is 1.  v: NULL with one phase. */
typedef struct multipliers {
  int adds;
  double a;
  double b;
  const double *u;
  const double *v;
  double *lambda;
} multipliers;

static void add_up(void *context, size_t first, size_t end)
{
  const multipliers of = *(const multipliers *)context;
  double *restrict lambda = of.lambda;

  for (size_t i = first; i < end; i++) {
    const double sum = (of.adds ? lambda[i] : 0.0) + of.a * of.u[i];
    lambda[i] = of.v ? sum + of.b * of.v[i] : sum;
  }
}

/* The same for holonomic.h, with the multipliers of one or two fibres. */
static void add_few(sw_sim *sim, double factor, int adds)
{
  const int two = sim->own_phases > 1;
  multipliers of = {.adds = adds,
                    .a = step_weight_of(sim, factor, 0),
                    .b = two ? step_weight_of(sim, factor, 1) : 0.0,
                    .u = sim->phase[0].u,
                    .v = two ? sim->phase[1].u : NULL,
                    .lambda = sim->lambda};

  sw_team_share(sim->system->team, (size_t)sim->system->nc, add_up, &of);
}

/* Exchanges the two arrays of holonomic.h: the end of the step becomes the state. */
static void step_exchange(sw_sim *sim)
{
  double *const end = sim->phase[0].end;

  sim->phase[0].end = sim->holonomic.z1 = sim->z;
  sim->z = end;
}

void sw_step_settle(sw_sim *sim)
{
  if (sim->z != sim->shown) {
    sw_share_copy(sim->system->team, sim->shown, sim->z, 2 * (size_t)sim->system->nq);
    step_exchange(sim);
  }
}

void sw_step_take(sw_sim *sim, double factor, int adds, const sw_made_step *made)
{
  const size_t dim = 2 * (size_t)sim->system->nq;

  if (sim->is_fast) {
    step_exchange(sim);
    add_few(sim, factor, adds);
  } else {
    if (sim->method->earlier) {
      sw_copy(sim->earlier, sim->z, dim);
    }
    sw_share_copy(sim->system->team, sim->z, made->end, dim);
    sw_copy(sim->carry.now, sim->carry.next, sw_carry_size(sim));
    if (!adds) {
      sw_share_fill(sim->system->team, sim->lambda, 0.0, (size_t)sim->system->nc);
    }
    for (int phase = sim->from; phase < sim->to && sim->system->nc > 0; phase++) {
      step_add_multipliers(sim, factor, phase);
    }
  }
  if (sim->clusters) {
    sim->clusters->is_current = 0;
  }
  sim->check.known = made->known;
  sim->stats.residual_g = fmax(sim->stats.residual_g, made->largest_g);
  sim->stats.residual_hidden = fmax(sim->stats.residual_hidden, made->largest_rho);
  sim->stats.residual_solve = fmax(sim->stats.residual_solve, made->solve);
  go_on(sim);
}

void sw_step_keep(sw_sim *sim)
{
  sw_kept *kept = &sim->kept;

  if (kept->z) {
    sw_share_copy(sim->system->team, kept->z, sim->z, 2 * (size_t)sim->system->nq);
    sw_share_copy(sim->system->team, kept->lambda, sim->lambda, (size_t)sim->system->nc);
    sw_copy(kept->carry, sim->carry.now, sw_carry_size(sim));
    kept->known = sim->check.known;
    kept->stats = sim->stats;
  }
}

void sw_step_go_back(sw_sim *sim)
{
  const sw_kept *kept = &sim->kept;

  if (kept->z) {
    sw_copy(sim->z, kept->z, 2 * (size_t)sim->system->nq);
    sw_copy(sim->lambda, kept->lambda, (size_t)sim->system->nc);
    sw_copy(sim->carry.now, kept->carry, sw_carry_size(sim));
    sim->check.known = kept->known;
    sim->stats.residual_g = kept->stats.residual_g;
    sim->stats.residual_hidden = kept->stats.residual_hidden;
    sim->stats.residual_solve = kept->stats.residual_solve;
  }
}

/* Adds the costs of the numerical fibre flow in this step.  Other simulations may use the same
 * system. */
static void count_fibre(sw_sim *sim)
{
  const sw_fibre_counts *counts = &sim->system->fibre_scratch->counts;

  sim->stats.fibre_flows += counts->flows;
  sim->stats.fibre_steps += counts->steps;
  sim->stats.fibre_evaluations += counts->evaluations;
  sim->stats.fibre_error = fmax(sim->stats.fibre_error, counts->error);
}

/* Takes the parts of a step that ends at t, one after the other. */
static sw_status take_parts(sw_sim *sim, double h, double t)
{
  const sw_composition *composition = sim->composition;
  sw_made_step made;
  sw_status status = SW_OK;

  for (int i = 0; i < composition->n && status == SW_OK; i++) {
    const double part = composition->factor[i] * h;
    status = sw_step_make(sim, part, t, &made);
    if (status == SW_OK && made.may_cross) {
      status = sw_check_surface(sim, part, t, &made);
    }
    if (status == SW_OK && sim->back) {
      status = sw_check_reversible(sim, part, &made);
    }
    if (status == SW_OK) {
      sw_step_take(sim, composition->factor[i], i > 0, &made);
    }
  }
  return status;
}

sw_status sw_step_to(sw_sim *sim, sw_clock clock)
{
  sw_fibre_scratch *fibre = sim->system->fibre_scratch;

  sw_say_nothing(sim);
  if (fibre) {
    fibre->counts = (sw_fibre_counts){0};
  }
  sw_step_keep(sim);
  const sw_status status = take_parts(sim, clock.h, sw_clock_time(&clock));
  if (fibre) {
    count_fibre(sim);
  }
  if (status == SW_OK) {
    sim->clock = clock;
    sim->t = sw_clock_time(&clock);
    sim->stats.steps++;
  } else {
    sw_step_go_back(sim);
    sim->failure.ahead = sw_singular_ahead(sim, clock.h, status);
    sim->failure.h = clock.h;
    sw_step_forget(sim);
  }
  return sw_say(sim, "step", status);
}
