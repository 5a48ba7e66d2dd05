/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_internal.h"
#include "step/discrete.h"
#include "step/variational_step.h"

sw_status sw_make_plan(sw_sim *sim, int phase)
{
  sw_phase_plan *late = &sim->work.late[phase];

  if (sim->work.phase[phase].plan->is_made) {
    return SW_OK;
  }
  *late = sim->plan->phase[phase];
  const sw_status status = sw_phase_plan_make(sim->system, 0, late);
  if (status == SW_OK) {
    sim->work.phase[phase].plan = late;
  }
  return status;
}

/* 1 if holonomic.h can replace the phases of the method. */
static int may_be_holonomic(const sw_sim_plan *plan)
{
  const sw_phase_plan *p = plan->phase;

  return p[0].has_fibre && p[0].stages && p[0].forces == 0 && !p[0].hidden &&
         (plan->own_phases == 1 ||
          (plan->own_phases == 2 && p[1].has_fibre && !p[1].stages && p[1].hidden));
}

/* Ends a phase at a requirement.  Appends it unless it has nothing to do. */
static void close_phase(const sw_system *system, sw_sim_plan *plan, sw_phase_plan *phase)
{
  const int m = system->nc;

  const int blocks = phase->discrete ? phase->discrete : phase->stages ? phase->stages->blocks : 0;
  phase->has_increment = plan->options.compensated;
  phase->m = phase->has_fibre || phase->discrete ? m : 0;
  phase->forces = phase->is_forced ? phase->stages->forces * m : 0;
  phase->closes = phase->closes && phase->forces > 0;
  phase->n = phase->m + phase->forces + blocks * system->nq;
  if (m > 0 || phase->stages || phase->flows || phase->discrete) {
    plan->phase[plan->phases++] = *phase;
  }
  *phase = (sw_phase_plan){0};
}

/* Cuts the operations of a method into phases; each phase ends at a requirement or a combination.
 * Without constraints only phases with a base method, and combinations, remain. */
static void phases_cut(const sw_system *system, sw_shared *shared, const sw_method *method,
                       const sw_stage_plan *base)
{
  sw_sim_plan *plan = &shared->plan;
  sw_phase_plan phase = {0};

  for (const sw_operation *o = method->operation; o->kind != SW_END; o++) {
    phase.has_fibre |= o->kind == SW_FIBRE;
    if (o->kind == SW_DISCRETE) {
      phase.discrete = sw_discrete_blocks(system);
    }
    if (o->kind == SW_BASE || o->kind == SW_FORCED) {
      phase.flows = base ? NULL : plan->flows;
      phase.parts = base ? NULL : plan->parts;
      phase.stages = base;
      phase.force = o->force > 0.0 ? o->force : 1.0;
      phase.is_forced = o->kind == SW_FORCED && base && base->forces > 0;
      phase.closes = o->closes;
    }
    if (o->kind == SW_LEGENDRE) {
      phase.layer = shared->layer;
      phase.bias[0] = plan->options.bias[0];
      phase.bias[1] = plan->options.bias[1];
      phase.n = sw_variational_unknowns(system);
    }
    if (o->kind == SW_COMBINE) {
      phase.combination = &o->combination;
    }
    if (o->kind == SW_LEGENDRE || o->kind == SW_COMBINE) {
      plan->phase[plan->phases++] = phase;
      phase = (sw_phase_plan){0};
    }
    if (o->kind == SW_REQUIRE_G || o->kind == SW_REQUIRE_RHO) {
      phase.hidden = o->kind == SW_REQUIRE_RHO;
      close_phase(system, plan, &phase);
    }
  }
}

sw_status sw_make_phases(sw_system *system, sw_shared *shared)
{
  static const sw_method slide = {.operation = {{.kind = SW_FIBRE}, {.kind = SW_REQUIRE_RHO}}};
  sw_sim_plan *plan = &shared->plan;

  phases_cut(system, shared, plan->method, plan->base);
  plan->own_phases = plan->phases;
  if (plan->method->start) {
    phases_cut(system, shared, plan->method->start, &shared->of_start);
  }
  plan->step_phases = plan->phases;
  if (!plan->phases || !plan->phase[plan->phases - 1].hidden) {
    phases_cut(system, shared, &slide, NULL);
  }
  plan->slide = plan->phases - 1;
  const int fast = may_be_holonomic(plan) && !plan->options.compensated;
  sw_status status = SW_OK;
  if (!fast || !sw_is_holonomic(system, plan->phase[0].stages)) {
    status = sw_system_complete(system);
  }
  for (int i = 0; i < plan->step_phases && status == SW_OK && !plan->is_fast; i++) {
    status = sw_phase_plan_make(system, fast && i == 0, &plan->phase[i]);
    plan->is_fast = plan->phase[0].holonomic;
  }
  return status;
}
