/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_internal.h"
#include "step/discrete.h"
#include "step/variational_step.h"

sw_status sw_make_plan(sw_sim *sim, int phase)
{
  return sim->plan[phase].is_made ? SW_OK : sw_phase_plan_make(sim->system, 0, &sim->plan[phase]);
}

/* 1 if holonomic.h can replace the phases of the method. */
static int may_be_holonomic(const sw_sim *sim)
{
  const sw_phase_plan *p = sim->plan;

  return p[0].has_fibre && p[0].stages && p[0].forces == 0 && !p[0].hidden &&
         (sim->own_phases == 1 ||
          (sim->own_phases == 2 && p[1].has_fibre && !p[1].stages && p[1].hidden));
}

/* Ends a phase at a requirement.  Appends it unless it has nothing to do. */
static void close_phase(sw_sim *sim, sw_phase_plan *plan)
{
  const int m = sim->system->nc;

  const int blocks = plan->discrete ? plan->discrete : plan->stages ? plan->stages->blocks : 0;
  plan->has_increment = sim->options.compensated;
  plan->m = plan->has_fibre || plan->discrete ? m : 0;
  plan->forces = plan->is_forced ? plan->stages->forces * m : 0;
  plan->closes = plan->closes && plan->forces > 0;
  plan->n = plan->m + plan->forces + blocks * sim->system->nq;
  if (m > 0 || plan->stages || plan->flows || plan->discrete) {
    sim->plan[sim->phases++] = *plan;
  }
  *plan = (sw_phase_plan){0};
}

/* Cuts the operations of a method into phases; each phase ends at a requirement or a combination.
 * Without constraints only phases with a base method, and combinations, remain. */
static void phases_cut(sw_sim *sim, const sw_method *method, const sw_stage_plan *base)
{
  sw_phase_plan plan = {0};

  for (const sw_operation *o = method->operation; o->kind != SW_END; o++) {
    plan.has_fibre |= o->kind == SW_FIBRE;
    if (o->kind == SW_DISCRETE) {
      plan.discrete = sw_discrete_blocks(sim->system);
    }
    if (o->kind == SW_BASE || o->kind == SW_FORCED) {
      plan.flows = base ? NULL : sim->flows;
      plan.parts = base ? NULL : sim->parts;
      plan.stages = base;
      plan.force = o->force > 0.0 ? o->force : 1.0;
      plan.is_forced = o->kind == SW_FORCED && base && base->forces > 0;
      plan.closes = o->closes;
    }
    if (o->kind == SW_LEGENDRE) {
      plan.layer = sim->shared->layer;
      plan.bias[0] = sim->options.bias[0];
      plan.bias[1] = sim->options.bias[1];
      plan.n = sw_variational_unknowns(sim->system);
      sim->plan[sim->phases++] = plan;
      plan = (sw_phase_plan){0};
    }
    if (o->kind == SW_COMBINE) {
      plan.combination = &o->combination;
      sim->plan[sim->phases++] = plan;
      plan = (sw_phase_plan){0};
    }
    if (o->kind == SW_REQUIRE_G || o->kind == SW_REQUIRE_RHO) {
      plan.hidden = o->kind == SW_REQUIRE_RHO;
      close_phase(sim, &plan);
    }
  }
}

sw_status sw_make_phases(sw_sim *sim, const sw_stage_plan *of_start)
{
  static const sw_method slide = {.operation = {{.kind = SW_FIBRE}, {.kind = SW_REQUIRE_RHO}}};

  phases_cut(sim, sim->method, sim->base);
  sim->own_phases = sim->phases;
  if (sim->method->start) {
    phases_cut(sim, sim->method->start, of_start);
  }
  sim->step_phases = sim->phases;
  if (!sim->phases || !sim->plan[sim->phases - 1].hidden) {
    phases_cut(sim, &slide, NULL);
  }
  sim->slide = sim->phases - 1;
  const int fast = may_be_holonomic(sim) && !sim->options.compensated;
  sw_status status = SW_OK;
  if (!fast || !sw_is_holonomic(sim->system, sim->plan[0].stages)) {
    status = sw_system_complete(sim->system);
  }
  if (status == SW_OK) {
    status = sw_phase_plan_make(sim->system, fast, &sim->plan[0]);
  }
  sim->is_fast = sim->plan[0].holonomic;
  for (int i = 1; i < sim->step_phases && status == SW_OK && !sim->is_fast; i++) {
    status = sw_make_plan(sim, i);
  }
  return status;
}
