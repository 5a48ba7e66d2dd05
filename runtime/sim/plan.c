/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.c -- the plan of a simulation: the choice of its options, its method cut into phases, and
 * the places of clusters.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/choice.h"
#include "sim/sim_internal.h"
#include "step/discrete.h"
#include "step/tableau.h"
#include "step/variational_step.h"

/* ---- phases ---- */

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
    phase.has_noise |= o->kind == SW_NOISE;
    if (o->kind == SW_DISCRETE) {
      phase.discrete = sw_discrete_blocks(system);
    }
    if (o->kind == SW_BASE || o->kind == SW_FORCED) {
      phase.flows = base ? NULL : plan->flows;
      phase.parts = base ? NULL : plan->parts;
      if (o->tableau) {
        sw_stage_plan_make(o->tableau, system->model->structure.separable, &shared->second);
      }
      phase.stages = o->tableau ? &shared->second : base;
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

/* Creates the phases of the method, of its starting method, and the slide of a projection onto
 * M^H unless a step ends with that slide.  Errors: SW_ERR_MEMORY. */
static sw_status make_phases_of_method(sw_system *system, sw_shared *shared)
{
  static const sw_method slide = {.operation = {{.kind = SW_FIBRE}, {.kind = SW_REQUIRE_RHO}}};
  sw_sim_plan *plan = &shared->plan;

  phases_cut(system, shared, plan->is_halved ? &sw_method_rattle : plan->method, plan->base);
  plan->own_phases = plan->phases;
  if (plan->method->start) {
    phases_cut(system, shared, plan->method->start, &shared->of_start);
  }
  plan->step_phases = plan->phases;
  if (!plan->phases || !plan->phase[plan->phases - 1].hidden) {
    phases_cut(system, shared, &slide, NULL);
  }
  plan->slide = plan->phases - 1;
  const int fast = may_be_holonomic(plan) && !plan->options.compensated && !system->is_lifted;
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

/* ---- the data shared by simulations ---- */

void sw_shared_leave(sw_shared *shared)
{
  if (!shared || !sw_users_leave(&shared->users)) {
    return;
  }
  if (shared->back != shared) {
    sw_shared_leave(shared->back);
  }
  for (int i = 0; i < shared->plan.phases; i++) {
    sw_phase_plan_free(&shared->plan.phase[i]);
  }
  sw_splitting_free(&shared->splitting);
  free(shared->clusters);
  free(shared);
}

/* Sets the options such that the methods before and after a state are exchanged, with the
 * opposite bias. */
static void exchange_layers(const sw_choice *choice, sw_options *options)
{
  const sw_layer_method *layer = choice->layer;

  options->tableau = layer[0].tableau;
  options->one_step = layer[0].map;
  options->tableau_minus = layer[1].tableau;
  options->one_step_minus = layer[1].map;
  options->adjoint = sw_adjoint_names()[layer[0].adjoint << 1 | layer[1].adjoint];
  options->bias[0] = -choice->bias[1];
  options->bias[1] = -choice->bias[0];
}

/* Creates the shared data for steps back.  They are these data if the method is symmetric; else
 * those of the method over the adjoint of its base method. */
static sw_status make_back(sw_system *system, sw_shared *shared, const sw_choice *choice)
{
  sw_options options = shared->plan.options;
  sw_flows reversed = shared->flows;
  sw_own_tableau adjoint;

  if (!options.check_reversible) {
    return SW_OK;
  }
  if (choice->symmetric && !choice->flows) {
    shared->back = shared;
    return SW_OK;
  }
  options.check_reversible = 0;
  options.compensated = 0; /* a step back starts from a rounded state */
  if (choice->method->has_bias) {
    exchange_layers(choice, &options);
  } else if (choice->tableau) {
    sw_tableau_adjoint(choice->tableau, &adjoint);
    options.tableau = &adjoint.tableau;
  } else {
    reversed.reversed = !reversed.reversed;
    options.flows = &reversed;
  }
  return sw_shared_make(system, &options, &shared->back);
}

/* The options that are needed later, with names in static storage. */
static sw_options kept_options(const sw_options *options, const sw_choice *choice)
{
  return (sw_options){.method = choice->method->name,
                      .compose = choice->composition->name,
                      .bias = {options->bias[0], options->bias[1]},
                      .adjoint = sw_adjoint_names()[0],
                      .tolerance = options->tolerance,
                      .max_iterations = options->max_iterations,
                      .numerical_fibre = options->numerical_fibre,
                      .check_reversible = options->check_reversible,
                      .reversible_tolerance = options->reversible_tolerance,
                      .compensated = options->compensated,
                      .redundant = sw_redundant_names()[choice->redundant],
                      .solver = choice->solver,
                      .threads = options->threads};
}

static void copy_layers(const sw_choice *choice, sw_shared *shared)
{
  for (int i = 0; i < 2; i++) {
    shared->layer[i].adjoint = choice->layer[i].adjoint;
    if (choice->layer[i].map) {
      shared->layer_map[i] = *choice->layer[i].map;
      shared->layer[i].map = &shared->layer_map[i];
    } else {
      sw_tableau_copy(choice->layer[i].tableau, &shared->layer_tableau[i]);
      shared->layer[i].tableau = &shared->layer_tableau[i].tableau;
    }
  }
}

/* 1 if the method should keep the energy near its initial value.  Methods over a symplectic or
 * symmetric base method do; bdf2 does not.  Maps of the caller are unknown, so they return 0. */
static int conserves(const sw_choice *choice)
{
  sw_tableau_report report;

  if (choice->method->earlier || (choice->method->needs & SW_NEEDS_BATH) ||
      (choice->flows && !choice->is_divided)) {
    return 0;
  }
  return choice->method->has_bias || !choice->tableau ||
         sw_tableau_examine(choice->tableau, &report, NULL) != SW_OK || report.symplectic ||
         report.symmetric;
}

/* Locates the clusters of the stepper.  Discards the stepper if the model at its sizes does not
 * have them. */
static sw_status find_clusters(const sw_system *system, sw_shared *shared)
{
  sw_sim_plan *plan = &shared->plan;
  const sw_status status =
      plan->is_fast ? sw_cluster_plan_create(system, plan->stepper, &shared->clusters) : SW_OK;

  plan->clusters = shared->clusters;
  if (plan->clusters) {
    return status;
  }
  plan->stepper = NULL;
  return status == SW_OK && strcmp(plan->options.solver, "fused") == 0 ? SW_ERR_OPTION : status;
}

/* Decides whether holonomic.h can take a step with noise in two halves (heat.c).  Then the base
 * method is that of the first half. */
static void choose_halves(const sw_system *system, sw_shared *shared)
{
  sw_stage_plan first;

  sw_stage_plan_make(&sw_base_euler_a.tableau, system->model->structure.separable, &first);
  shared->plan.is_halved = sw_is_holonomic(system, &first);
  if (shared->plan.is_halved) {
    shared->base = first;
  }
}

static sw_status fill_shared(sw_shared *shared, sw_system *system, const sw_options *options)
{
  const int separable = system->model->structure.separable;
  sw_sim_plan *plan = &shared->plan;
  sw_status status = SW_OK;
  sw_choice choice;

  if (sw_choose(system->model, options, &choice) != SW_OBJECTION_NONE ||
      (choice.method->has_bias && !sw_positions_alone(system))) {
    return SW_ERR_OPTION;
  }
  plan->options = kept_options(options, &choice);
  plan->method = choice.method;
  plan->composition = choice.composition;
  plan->is_forced = system->n_force > 0;
  plan->has_noise = (choice.method->needs & SW_NEEDS_BATH) != 0;
  plan->order = choice.order[system->nc > 0];
  plan->order = plan->is_forced && plan->order > 2 ? 2 : plan->order;
  plan->n_more = plan->method->earlier || plan->options.compensated
                     ? 2 * (size_t)system->nq
                     : (size_t)(plan->is_forced ? SW_WORK_NUMBERS : 0) +
                           (plan->has_noise ? SW_SEED_NUMBERS : 0);
  plan->redundant = choice.redundant;
  plan->conserves = conserves(&choice);
  plan->stepper = choice.stepper;
  plan->widest = choice.widest;
  if (choice.is_divided) {
    status = sw_splitting_make(system, &shared->splitting);
    plan->flows = &shared->splitting.flows;
    plan->parts = shared->splitting.part;
  } else if (choice.tableau) {
    sw_stage_plan_make(choice.tableau, separable, &shared->base);
    plan->base = &shared->base;
  } else if (choice.flows) {
    shared->flows = *choice.flows;
    plan->flows = &shared->flows;
  }
  if (plan->has_noise) {
    choose_halves(system, shared);
  }
  if (choice.method->has_bias) {
    copy_layers(&choice, shared);
  }
  if (choice.method->start) {
    sw_stage_plan_make(sw_base_tableau(choice.method->start->base), separable, &shared->of_start);
  }
  if (status == SW_OK) {
    status = make_phases_of_method(system, shared);
  }
  if (status == SW_OK && plan->stepper && plan->stepper->clusters) {
    status = find_clusters(system, shared);
  }
  return status == SW_OK ? make_back(system, shared, &choice) : status;
}

sw_status sw_shared_make(sw_system *system, const sw_options *options, sw_shared **shared)
{
  *shared = calloc(1, sizeof **shared);
  if (!*shared) {
    return SW_ERR_MEMORY;
  }
  (*shared)->users = 1;
  const sw_status status = fill_shared(*shared, system, options);
  if (status != SW_OK) {
    sw_shared_leave(*shared);
    *shared = NULL;
  }
  return status;
}

sw_status sw_shared_lift(const sw_shared *of, sw_system *lifted, sw_shared **shared)
{
  sw_shared *made = calloc(1, sizeof *made);

  *shared = made;
  if (!made) {
    return SW_ERR_MEMORY;
  }
  made->users = 1;
  made->base = of->base;
  made->of_start = of->of_start;
  made->plan = (sw_sim_plan){.method = of->plan.method,
                             .composition = of->plan.composition,
                             .order = of->plan.order,
                             .options = of->plan.options,
                             .redundant = of->plan.redundant,
                             .base = of->plan.base ? &made->base : NULL,
                             .is_forced = of->plan.is_forced};
  made->plan.options.solver = "kinsol";
  made->plan.options.threads = 1;
  made->plan.options.check_reversible = made->plan.options.compensated = 0;
  const sw_status status = make_phases_of_method(lifted, made);
  if (status != SW_OK) {
    sw_shared_leave(made);
    *shared = NULL;
  }
  return status;
}
