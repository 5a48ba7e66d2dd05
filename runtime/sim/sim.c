/* SPDX-License-Identifier: BSD-3-Clause */
#include "sidewinder/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear/pattern.h"
#include "model/validate.h"
#include "sim/choice.h"
#include "sim/sim_internal.h"
#include "step/tableau.h"

sw_status sw_make_solver(const sw_sim *sim, const sw_pattern *pattern, int first, int count,
                         sw_solver **solver)
{
  const sw_multipliers multipliers = {sim->redundant, first, count};

  *solver = NULL;
  if (pattern->rows == 0) {
    return SW_OK;
  }
  const sw_status status = sw_solver_create_redundant(pattern, multipliers, sim->options.tolerance,
                                                      sim->options.max_iterations, solver);
  return status == SW_OK && sim->system->team ? sw_solver_share(*solver, sim->system->team)
                                              : status;
}

sw_status sw_make_plan(sw_sim *sim, int phase)
{
  return sim->plan[phase].is_made ? SW_OK : sw_phase_plan_make(sim->system, 0, &sim->plan[phase]);
}

/* Iterations are cheaper than Newton's, and more of them are needed. */
static sw_status make_stage_four(sw_sim *sim)
{
  const sw_phase_plan *plan = &sim->plan[0];
  const sw_status status = sw_stage_four_create(sim->system, sim->k, plan->layer, plan->bias,
                                                &sim->step, sim->options.tolerance,
                                                10 * sim->options.max_iterations, &sim->stage_four);

  sim->phase[0].stage_four = sim->stage_four;
  return status;
}

static sw_status make_solvers(sw_sim *sim)
{
  const sw_multipliers all = {sim->redundant, 0, sim->system->nc};
  const int watches =
      sim->method->on_hidden || sim->system->model->structure.nondegenerate != SW_PROVED;
  sw_status status = sim->plan[0].fixed_point ? make_stage_four(sim) : SW_OK;

  for (int i = 0; i < sim->phases && status == SW_OK; i++) {
    const sw_phase_plan *plan = &sim->plan[i];
    if (plan->is_made) {
      status = sw_make_solver(sim, &plan->jacobian, 0, plan->m + plan->forces, &sim->solver[i]);
    }
  }
  if (status == SW_OK && sim->is_complete) {
    status = sw_make_redundancy(sim);
  }
  if (status == SW_OK && sim->is_fast) {
    sim->check.component.linear = sw_solver_linear(sim->solver[0]);
  } else if (status == SW_OK && sim->system->nc > 0 && watches) {
    status =
        sw_deficient_create(&sim->system->nondegeneracy_pattern, all, &sim->check.component.linear);
  }
  return status;
}

/* Whether the phases of the method are what holonomic.h can take the place of. */
static int may_be_holonomic(const sw_sim *sim)
{
  const sw_phase_plan *p = sim->plan;

  return p[0].has_fibre && p[0].stages && p[0].forces == 0 && !p[0].hidden &&
         (sim->own_phases == 1 ||
          (sim->own_phases == 2 && p[1].has_fibre && !p[1].stages && p[1].hidden));
}

/* What is required closes a phase. */
static void close_phase(sw_sim *sim, sw_phase_plan *plan)
{
  const int m = sim->system->nc;

  const int blocks = plan->discrete ? plan->discrete : plan->stages ? plan->stages->blocks : 0;
  plan->has_increment = sim->options.compensated;
  plan->m = plan->has_fibre || plan->discrete ? m : 0;
  plan->forces = plan->is_forced ? plan->stages->forces * m : 0;
  plan->n = plan->m + plan->forces + blocks * sim->system->nq;
  if (m > 0 || plan->stages || plan->flows || plan->discrete) {
    sim->plan[sim->phases++] = *plan;
  }
  *plan = (sw_phase_plan){0};
}

/* Cuts the operations of a method into phases, each up to a requirement or a combination.  Without constraints only those with a
 * base method are left, and combinations. */
static void cut(sw_sim *sim, const sw_method *method, const sw_stage_plan *base)
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
    }
    if (o->kind == SW_LEGENDRE) {
      plan.layer = sim->shared->layer;
      plan.bias[0] = sim->options.bias[0];
      plan.bias[1] = sim->options.bias[1];
      plan.fixed_point = strcmp(sim->options.iteration, sw_iteration_names()[0]) != 0;
      plan.n = plan.fixed_point ? 2 * sim->system->nq : sw_variational_unknowns(sim->system);
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

/* The phases of the method, then those of the one that starts it, and the slide of a projection onto M^H, which steps to M^H
 * have anyway. */
static sw_status make_phases(sw_sim *sim, const sw_stage_plan *of_start)
{
  static const sw_method slide = {.operation = {{.kind = SW_FIBRE}, {.kind = SW_REQUIRE_RHO}}};

  cut(sim, sim->method, sim->base);
  sim->own_phases = sim->phases;
  if (sim->method->start) {
    cut(sim, sim->method->start, of_start);
  }
  sim->step_phases = sim->phases;
  if (!sim->phases || !sim->plan[sim->phases - 1].hidden) {
    cut(sim, &slide, NULL);
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

/* ---- what simulations share ---- */

static void leave(sw_shared *shared)
{
  if (!shared || !sw_users_leave(&shared->users)) {
    return;
  }
  if (shared->back != shared) {
    leave(shared->back);
  }
  for (int i = 0; i < shared->members.phases; i++) {
    sw_phase_plan_free(&shared->members.plan[i]);
  }
  sw_splitting_free(&shared->splitting);
  free(shared);
}

static sw_status make_shared(sw_system *system, const sw_options *options, sw_shared **shared);

/* Asks for the methods before a state and behind it in each other's place, and for the opposite bias. */
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

/* What takes back the steps: this very method where it is symmetric, else the method over the adjoint of its base method,
 * *tableau or, where that is NULL, shared->flows. */
static sw_status make_back(sw_shared *shared, const sw_choice *choice)
{
  sw_options options = shared->members.options;
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
  options.compensated = 0; /* one step from a rounded state */
  if (choice->method->has_bias) {
    exchange_layers(choice, &options);
  } else if (choice->tableau) {
    sw_tableau_adjoint(choice->tableau, &adjoint);
    options.tableau = &adjoint.tableau;
  } else {
    reversed.reversed = !reversed.reversed;
    options.flows = &reversed;
  }
  return make_shared(shared->members.system, &options, &shared->back);
}

/* The options as far as they are needed later, with names in static storage. */
static sw_options kept_options(const sw_options *options, const sw_choice *choice)
{
  sw_options kept = *options;

  kept.method = choice->method->name;
  kept.compose = choice->composition->name;
  kept.solver = choice->stepper ? "auto" : "kinsol";
  kept.redundant = sw_redundant_names()[choice->redundant];
  kept.base = NULL;
  kept.tableau = NULL;
  kept.stepper = NULL;
  kept.lanes = NULL;
  kept.flows = NULL;
  kept.base_minus = NULL;
  kept.tableau_minus = NULL;
  kept.one_step = NULL;
  kept.one_step_minus = NULL;
  kept.adjoint = sw_adjoint_names()[0];
  kept.iteration = choice->method->has_bias ? sw_iteration_names()[choice->fixed_point] : NULL;
  kept.n_sizes = 0;
  kept.sizes = NULL;
  return kept;
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

static sw_status fill_shared(sw_shared *shared, sw_system *system, const sw_options *options)
{
  const int separable = system->model->structure.separable;
  sw_sim *made = &shared->members;
  sw_status status = SW_OK;
  sw_choice choice;

  if (sw_choose(system->model, options, &choice) != SW_OBJECTION_NONE ||
      (choice.fixed_point && !sw_positions_alone(system))) {
    return SW_ERR_OPTION;
  }
  made->system = system;
  made->shared = shared;
  made->options = kept_options(options, &choice);
  made->method = choice.method;
  made->composition = choice.composition;
  made->order = choice.order[system->nc > 0];
  made->redundant = choice.redundant;
  made->stepper = choice.stepper;
  made->widest = choice.widest;
  if (choice.is_divided) {
    status = sw_splitting_make(system, &shared->splitting);
    made->flows = &shared->splitting.flows;
    made->parts = shared->splitting.part;
  } else if (choice.tableau) {
    sw_stage_plan_make(choice.tableau, separable, &shared->base);
    made->base = &shared->base;
  } else if (choice.flows) {
    shared->flows = *choice.flows;
    made->flows = &shared->flows;
  }
  if (choice.method->has_bias) {
    copy_layers(&choice, shared);
  }
  if (choice.method->start) {
    sw_stage_plan_make(sw_base_tableau(choice.method->start->base), separable, &shared->of_start);
  }
  if (status == SW_OK) {
    status = make_phases(made, &shared->of_start);
  }
  return status == SW_OK ? make_back(shared, &choice) : status;
}

static sw_status make_shared(sw_system *system, const sw_options *options, sw_shared **shared)
{
  *shared = calloc(1, sizeof **shared);
  if (!*shared) {
    return SW_ERR_MEMORY;
  }
  (*shared)->users = 1;
  const sw_status status = fill_shared(*shared, system, options);
  if (status != SW_OK) {
    leave(*shared);
    *shared = NULL;
  }
  return status;
}

/* ---- a simulation ---- */

/* A stepper for clusters that are not those of the model at its sizes is none. */
static sw_status find_clusters(sw_sim *sim)
{
  const int may = sim->stepper && sim->stepper->clusters && sim->is_fast;
  const sw_status status =
      may ? sw_cluster_places_create(sim->system, sim->stepper, &sim->clusters) : SW_OK;

  if (sim->stepper && sim->stepper->clusters && !sim->clusters) {
    sim->stepper = NULL;
  }
  return status;
}

static sw_status open_one(sw_shared *shared, sw_system *system, sw_sim **sim)
{
  sw_sim members = shared->members;

  members.system = system;
  const sw_status status = sw_workspace_create(&members, sim);
  if (status != SW_OK) {
    return status;
  }
  sw_users_join(&shared->users);
  sw_copy((*sim)->k, system->k_default, (size_t)system->nk);
  if (system->n_init > 0) {
    sw_system_init(system, 0, (*sim)->k, (*sim)->z);
  }
  (*sim)->extent = sw_sizes_of(system, (*sim)->z);
  const sw_status made = make_solvers(*sim);
  return made == SW_OK ? find_clusters(*sim) : made;
}

/* With its threads, and the simulation that takes its steps back. */
static sw_status open_sim(sw_shared *shared, sw_system *system, sw_sim **sim)
{
  const int threads = shared->members.options.threads;
  sw_team *team = NULL;
  sw_status status = threads > 1 ? sw_team_create(threads, &team) : SW_OK;

  system->team = team;
  status = status == SW_OK ? open_one(shared, system, sim) : status;
  if (*sim) {
    (*sim)->team = team;
  } else {
    system->team = NULL;
    sw_team_free(&team);
  }
  if (status == SW_OK && shared->back) {
    status = open_one(shared->back, system, &(*sim)->back);
  }
  if (status != SW_OK) {
    sw_sim_free(sim);
  }
  return status;
}

sw_status sw_sim_create_on(sw_system *system, const sw_options *options, sw_sim **sim)
{
  sw_shared *shared = NULL;
  sw_options defaults;

  *sim = NULL;
  sw_options_init(&defaults);
  sw_status status = sw_model_validate(system->model);
  if (status == SW_OK) {
    status = make_shared(system, options ? options : &defaults, &shared);
  }
  if (status == SW_OK) {
    status = open_sim(shared, system, sim);
  }
  leave(shared);
  return status;
}

/* The simulation, if there is one, is the owner of its system from now on; else that is freed. */
static sw_status give_system(sw_status status, sw_system *system, sw_sim *sim)
{
  if (status == SW_OK) {
    sim->owns_system = 1;
  } else {
    sw_system_free(&system);
  }
  return status;
}

sw_status sw_sim_create(const sw_model *model, const sw_options *options, sw_sim **sim)
{
  sw_system *system = NULL;

  if (!sim) {
    return SW_ERR_ARGUMENT;
  }
  *sim = NULL;
  sw_status status = sw_system_create_lean(model, options ? options->n_sizes : 0,
                                           options ? options->sizes : NULL, &system, NULL);
  if (status == SW_OK && options && options->numerical_fibre) {
    status = sw_system_complete(system);
    status = status == SW_OK ? sw_system_integrate_fibre(system) : status;
  }
  if (status == SW_OK) {
    status = sw_sim_create_on(system, options, sim);
  }
  return give_system(status, system, *sim);
}

sw_status sw_sim_create_like(const sw_sim *like, sw_sim **sim)
{
  sw_system *system = NULL;

  *sim = NULL;
  sw_status status = sw_system_share(like->system, &system);
  if (status == SW_OK) {
    status = open_sim(like->shared, system, sim);
  }
  return give_system(status, system, *sim);
}

void sw_sim_free(sw_sim **sim)
{
  if (!sim || !*sim) {
    return;
  }
  sw_sim_free(&(*sim)->back);
  for (int i = 0; i < (*sim)->phases; i++) {
    sw_solver_free(&(*sim)->solver[i]);
    if (!(*sim)->shared->members.plan[i].is_made) {
      sw_phase_plan_free(&(*sim)->plan[i]);
    }
  }
  sw_stage_four_free(&(*sim)->stage_four);
  if (!(*sim)->is_fast) {
    sw_deficient_free(&(*sim)->check.component.linear);
  }
  sw_cluster_places_free(&(*sim)->clusters);
  sw_redundancy_free(&(*sim)->check.component.dependence.redundancy);
  if ((*sim)->owns_system) {
    sw_system_free(&(*sim)->system);
  } else if ((*sim)->team) {
    (*sim)->system->team = NULL;
  }
  sw_team_free(&(*sim)->team);
  leave((*sim)->shared);
  free((*sim)->rest);
  free(*sim);
  *sim = NULL;
}

sw_status sw_sim_set_parameters(sw_sim *sim, const double k[])
{
  const sw_system *system = sim->system;
  char name[SW_NAME_BYTES];

  sw_say_nothing(sim);
  for (int i = 0; i < system->nk; i++) {
    const sw_bounds bounds = sw_system_bounds(system, i);
    if (isnan(k[i]) && (bounds.closed & SW_NO_VALUE) != 0) {
      return sw_refuse(sim, SW_ERR_PARAMETER, SW_UNSET_WORDS, sw_system_name(system, SW_K, i, name),
                       name);
    }
    if (!sw_system_allows(system, i, k[i])) {
      return sw_refuse(sim, SW_ERR_PARAMETER, "parameter %s = %g is outside its bounds, %s%g, %g%s",
                       sw_system_name(system, SW_K, i, name), k[i],
                       (bounds.closed & 1u) != 0 ? "[" : "(", bounds.lower, bounds.upper,
                       (bounds.closed & 2u) != 0 ? "]" : ")");
    }
  }
  sw_copy(sim->k, k, (size_t)system->nk);
  sim->check.checked = 0;
  sw_step_forget(sim);
  if (sim->back) {
    sw_step_forget(sim->back);
  }
  return SW_OK;
}
