/* SPDX-License-Identifier: BSD-3-Clause */
#include "sidewinder/sim.h"

#include <math.h>
#include <stdlib.h>

#include "common/user_text.h"
#include "linear/pattern.h"
#include "methods/bases.h"
#include "model/validate.h"
#include "sim/sim_internal.h"
#include "step/tableau.h"

/* In the order of sw_redundant. */
static const char *const redundant_names[] = {"error", "drop", "min-norm", NULL};

const char *const *sw_redundant_names(void)
{
  return redundant_names;
}

void sw_options_init(sw_options *options)
{
  *options = (sw_options){.method = "rattle",
                          .base = "verlet",
                          .compose = "none",
                          .tolerance = 1e-12,
                          .max_iterations = 30,
                          .reversible_tolerance = 2e-8,
                          .redundant = redundant_names[SW_REDUNDANT_ERROR]};
}

/* The number of that treatment of redundant constraints, or -1. */
static int redundant_number(const char *name)
{
  return sw_text_place(name, redundant_names, sizeof redundant_names / sizeof *redundant_names - 1);
}

sw_status sw_make_solver(const sw_sim *sim, const sw_pattern *pattern, int first,
                         sw_solver **solver)
{
  const sw_multipliers multipliers = {sim->redundant, first, sim->system->nc};

  *solver = NULL;
  if (pattern->rows == 0) {
    return SW_OK;
  }
  return sw_solver_create_redundant(pattern, multipliers, sim->options.tolerance,
                                    sim->options.max_iterations, solver);
}

sw_status sw_make_plan(sw_sim *sim, int phase)
{
  return sim->plan[phase].is_made ? SW_OK : sw_phase_plan_make(sim->system, 0, &sim->plan[phase]);
}

static sw_status make_solvers(sw_sim *sim)
{
  const sw_multipliers all = {sim->redundant, 0, sim->system->nc};
  const int watches =
      sim->method->on_hidden || sim->system->model->structure.nondegenerate != SW_PROVED;
  sw_status status = SW_OK;

  for (int i = 0; i < sim->phases && status == SW_OK; i++) {
    if (sim->plan[i].is_made) {
      status = sw_make_solver(sim, &sim->plan[i].jacobian, 0, &sim->solver[i]);
    }
  }
  if (status == SW_OK && sim->system->nc > 0) {
    status = sw_redundancy_create(&sim->system->nondegeneracy_pattern, 0, sim->system->nc,
                                  sim->check.component.dependence.limit,
                                  &sim->check.component.dependence.redundancy);
  }
  if (status == SW_OK && sim->system->nc > 0 && watches) {
    status = sw_deficient_create(sim->is_fast ? &sim->plan[0].jacobian
                                              : &sim->system->nondegeneracy_pattern,
                                 all, &sim->check.component.linear);
  }
  return status;
}

/* Whether the phases are what holonomic.h can take the place of. */
static int may_be_holonomic(const sw_sim *sim)
{
  const sw_phase_plan *p = sim->plan;

  return p[0].has_fibre && p[0].stages && !p[0].hidden &&
         (sim->phases == 1 || (sim->phases == 2 && p[1].has_fibre && !p[1].stages && p[1].hidden));
}

/* Cuts the operations of the method into phases, each up to a requirement, and plans them.  Without constraints
 * only those with stages are left. */
static sw_status make_phases(sw_sim *sim)
{
  const int m = sim->system->nc;
  sw_phase_plan plan = {0};
  sw_status status = SW_OK;

  for (const sw_operation *o = sim->method->operation; *o != SW_END; o++) {
    plan.has_fibre |= *o == SW_FIBRE;
    if (*o == SW_BASE) {
      plan.flows = sim->flows;
      plan.stages = sim->base;
    }
    if (*o == SW_REQUIRE_G || *o == SW_REQUIRE_RHO) {
      plan.hidden = *o == SW_REQUIRE_RHO;
      plan.m = m;
      plan.n = m + (plan.stages ? plan.stages->blocks * sim->system->nq : 0);
      if (m > 0 || plan.stages || plan.flows) {
        sim->plan[sim->phases++] = plan;
      }
      plan = (sw_phase_plan){0};
    }
  }
  const int fast = may_be_holonomic(sim);
  status = sw_phase_plan_make(sim->system, fast, &sim->plan[0]);
  sim->is_fast = sim->plan[0].holonomic;
  for (int i = 1; i < sim->phases && status == SW_OK && !sim->is_fast; i++) {
    status = sw_make_plan(sim, i);
  }
  return status;
}

/* Checks the options; *chosen then has the names in static storage, and the base method, of that order, is *tableau or, where
 * that is NULL, chosen->flows. */
static sw_status choose(const sw_options *options, sw_options *chosen, const sw_tableau **tableau,
                        int *order)
{
  sw_tableau_report report;

  sw_options_init(chosen);
  if (options) {
    *chosen = *options;
  }
  const sw_tableau *own = chosen->tableau;
  const sw_base *named = own ? NULL : sw_base_find(chosen->base);
  *tableau = chosen->flows ? NULL : named ? &named->tableau : own;
  const sw_method *method = sw_method_find(chosen->method);
  chosen->method = method ? method->name : NULL;
  const sw_composition *composition = sw_composition_find(chosen->compose);
  chosen->compose = composition ? composition->name : NULL;
  const int redundant = redundant_number(chosen->redundant);
  chosen->redundant = redundant < 0 ? NULL : redundant_names[redundant];
  if (!chosen->method || !chosen->compose || !chosen->redundant || (!*tableau && !chosen->flows) ||
      (own && chosen->flows) || !(chosen->tolerance > 0.0 && chosen->tolerance < 1.0) ||
      chosen->max_iterations < 1 || chosen->max_iterations > 200 ||
      !(chosen->reversible_tolerance > 0.0 && chosen->reversible_tolerance < 1.0)) {
    return SW_ERR_OPTION;
  }
  chosen->base = NULL;
  chosen->tableau = NULL;
  chosen->n_sizes = 0;
  chosen->sizes = NULL;
  if (chosen->flows) {
    *order = chosen->flows->order;
    return sw_flows_examine(chosen->flows);
  }
  if (named) {
    *order = named->order;
    return SW_OK;
  }
  const sw_status status = sw_tableau_examine(own, &report, NULL);
  *order = report.order;
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
  free(shared);
}

static sw_status make_shared(sw_system *system, const sw_options *options, sw_shared **shared);

/* What takes back the steps over flows: the same flows in reverse order. */
static sw_status make_back_of_flows(sw_shared *shared, sw_options *options)
{
  sw_flows reversed = shared->flows;

  reversed.reversed = !reversed.reversed;
  options->flows = &reversed;
  return sw_flows_have_adjoint(&reversed)
             ? make_shared(shared->members.system, options, &shared->back)
             : SW_ERR_OPTION;
}

/* What takes back the steps of the base method, *tableau or, where that is NULL, shared->flows. */
static sw_status make_back(sw_shared *shared, const sw_tableau *tableau)
{
  sw_options options = shared->members.options;
  sw_tableau_report report;
  sw_own_tableau adjoint;

  if (!options.check_reversible) {
    return SW_OK;
  }
  if (!shared->members.method->has_inverse) {
    return SW_ERR_OPTION;
  }
  options.check_reversible = 0;
  if (!tableau) {
    return make_back_of_flows(shared, &options);
  }
  const sw_status status = sw_tableau_examine(tableau, &report, NULL);
  if (status == SW_OK && report.symmetric) {
    shared->back = shared;
    return SW_OK;
  }
  sw_tableau_adjoint(tableau, &adjoint);
  options.tableau = &adjoint.tableau;
  return status == SW_OK ? make_shared(shared->members.system, &options, &shared->back) : status;
}

/* Compositions raise the order of methods that are symmetric, as RATTLE over a symmetric base method is. */
static sw_status compose(sw_sim *made, const sw_tableau *tableau)
{
  sw_tableau_report report;

  made->composition = sw_composition_find(made->options.compose);
  if (made->composition->n == 1) {
    return SW_OK;
  }
  const int symmetric =
      !tableau ? sw_flows_are_symmetric(made->flows)
               : sw_tableau_examine(tableau, &report, NULL) == SW_OK && report.symmetric;
  if (!symmetric || !made->method->has_inverse) {
    return SW_ERR_OPTION;
  }
  made->order = made->order > made->composition->order ? made->order : made->composition->order;
  return SW_OK;
}

static sw_status fill_shared(sw_shared *shared, sw_system *system, const sw_options *options)
{
  sw_sim *made = &shared->members;
  const sw_tableau *tableau = NULL;
  int order = 0;
  sw_status status = choose(options, &made->options, &tableau, &order);

  if (status != SW_OK) {
    return status;
  }
  made->system = system;
  made->shared = shared;
  made->method = sw_method_find(made->options.method);
  made->order = system->nc > 0 && order > 2 ? 2 : order;
  made->redundant = (sw_redundant)redundant_number(made->options.redundant);
  if (tableau) {
    sw_stage_plan_make(tableau, system->model->structure.separable, &shared->base);
    made->base = &shared->base;
  } else {
    shared->flows = *made->options.flows;
    made->flows = &shared->flows;
    made->options.flows = NULL;
  }
  status = compose(made, tableau);
  if (status == SW_OK) {
    status = make_phases(made);
  }
  return status == SW_OK ? make_back(shared, tableau) : status;
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
  return make_solvers(*sim);
}

/* With the simulation that takes its steps back. */
static sw_status open_sim(sw_shared *shared, sw_system *system, sw_sim **sim)
{
  sw_status status = open_one(shared, system, sim);

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

  *sim = NULL;
  sw_status status = sw_model_validate(system->model);
  if (status == SW_OK) {
    status = make_shared(system, options, &shared);
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
  sw_status status = sw_system_create(model, options ? options->n_sizes : 0,
                                      options ? options->sizes : NULL, &system, NULL);
  if (status == SW_OK && options && options->numerical_fibre) {
    status = sw_system_integrate_fibre(system);
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
  sw_deficient_free(&(*sim)->check.component.linear);
  sw_redundancy_free(&(*sim)->check.component.dependence.redundancy);
  if ((*sim)->owns_system) {
    sw_system_free(&(*sim)->system);
  }
  leave((*sim)->shared);
  free(*sim);
  *sim = NULL;
}

/* 1 where the value is finite and inside the bounds that the model gives. */
static int parameter_allowed(const sw_bounds *bounds, double value)
{
  const int above = value > bounds->lower || ((bounds->closed & 1u) != 0 && value == bounds->lower);
  const int below = value < bounds->upper || ((bounds->closed & 2u) != 0 && value == bounds->upper);

  return isfinite(value) && above && below;
}

sw_status sw_sim_set_parameters(sw_sim *sim, const double k[])
{
  const sw_system *system = sim->system;
  char name[SW_NAME_BYTES];

  sw_say_nothing(sim);
  for (int i = 0; i < system->nk; i++) {
    const sw_bounds bounds = sw_system_bounds(system, i);
    if (!parameter_allowed(&bounds, k[i])) {
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
