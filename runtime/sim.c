/* SPDX-License-Identifier: BSD-3-Clause */
#include "sidewinder/sim.h"

#include <math.h>
#include <stdlib.h>

#include "sim_internal.h"
#include "sparse/pattern.h"
#include "system/validate.h"

static const char *const method_names[] = {"shake", "rattle", NULL};

const char *const *sw_method_names(void)
{
  return method_names;
}

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
                          .tolerance = 1e-12,
                          .max_iterations = 30,
                          .reversible_tolerance = 2e-8,
                          .redundant = redundant_names[SW_REDUNDANT_ERROR]};
}

/* The entry of names that equals name, or the NULL at their end. */
static const char *const *find(const char *const names[], const char *name)
{
  while (*names && !(name && strcmp(*names, name) == 0)) {
    names++;
  }
  return names;
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

sw_status sw_slide_plan(sw_sim *sim)
{
  const sw_system *system = sim->system;
  sw_rattle *slide = &sim->slide;

  return slide->pattern.rows != 0
             ? SW_OK
             : sw_product_create(&system->hidden_jac_pattern, &system->fibre_flow_lambda_pattern,
                                 &slide->slope, &slide->pattern);
}

sw_status sw_slide_open(sw_sim *sim, sw_solver **solver)
{
  const sw_status status = sw_slide_plan(sim);

  *solver = NULL;
  return status == SW_OK ? sw_make_solver(sim, &sim->slide.pattern, 0, solver) : status;
}

static sw_status make_solvers(sw_sim *sim)
{
  const sw_multipliers all = {sim->redundant, 0, sim->system->nc};
  const sw_structure *structure = &sim->system->model->structure;
  const int fast = sim->plan.holonomic;
  sw_status status = sw_make_solver(sim, &sim->plan.jacobian, 0, &sim->shake_solver);

  if (status == SW_OK && sim->system->nc > 0) {
    status = sw_redundancy_create(&sim->system->nondegeneracy_pattern, 0, sim->system->nc,
                                  sw_dependence_limit(sim), &sim->dependence.redundancy);
  }
  if (status == SW_OK && sim->system->nc > 0 && sim->rattle && !fast) {
    status = sw_slide_open(sim, &sim->slide_solver);
  }
  if (status == SW_OK && sim->system->nc > 0 &&
      (sim->rattle || structure->nondegenerate != SW_PROVED)) {
    status = sw_deficient_create(fast ? &sim->plan.jacobian : &sim->system->nondegeneracy_pattern,
                                 all, &sim->component.linear);
  }
  return status;
}

/* Checks the options; *chosen then has the names in static storage, *tableau is the base method, of that order. */
static sw_status choose(const sw_options *options, sw_options *chosen, const sw_tableau **tableau,
                        int *order)
{
  sw_tableau_report report;
  int symmetric = 0;

  sw_options_init(chosen);
  if (options) {
    *chosen = *options;
  }
  const char *base = chosen->base;
  *tableau = chosen->tableau ? chosen->tableau : sw_base_tableau(base);
  chosen->method = *find(method_names, chosen->method);
  chosen->redundant = *find(redundant_names, chosen->redundant);
  if (!chosen->method || !chosen->redundant || !*tableau ||
      !(chosen->tolerance > 0.0 && chosen->tolerance < 1.0) || chosen->max_iterations < 1 ||
      chosen->max_iterations > 200 ||
      !(chosen->reversible_tolerance > 0.0 && chosen->reversible_tolerance < 1.0)) {
    return SW_ERR_OPTION;
  }
  chosen->base = NULL;
  chosen->tableau = NULL;
  chosen->n_sizes = 0;
  chosen->sizes = NULL;
  const sw_status status = sw_tableau_examine(*tableau, &report, NULL);
  *order = report.order;
  return status != SW_OK || (options && options->tableau) ? status
                                                          : sw_base_info(base, order, &symmetric);
}

sw_status sw_sim_create_on(sw_system *system, const sw_options *options, sw_sim **sim)
{
  sw_options chosen;
  sw_shake_plan plan;
  sw_stage_plan base;
  const sw_tableau *tableau = NULL;
  int order = 0;

  *sim = NULL;
  sw_status status = sw_model_validate(system->model);
  if (status == SW_OK) {
    status = choose(options, &chosen, &tableau, &order);
  }
  if (status != SW_OK) {
    return status;
  }
  sw_stage_plan_make(tableau, system->model->structure.separable, &base);
  status = sw_shake_plan_create(system, &base, &plan);
  if (status != SW_OK) {
    return status;
  }
  status = sw_workspace_create(system, &base, &plan, sim);
  if (status != SW_OK) {
    sw_shake_plan_free(&plan);
    return status;
  }
  (*sim)->options = chosen;
  (*sim)->order = system->nc > 0 && order > 2 ? 2 : order;
  (*sim)->rattle = strcmp(chosen.method, "rattle") == 0;
  (*sim)->redundant = (sw_redundant)(find(redundant_names, chosen.redundant) - redundant_names);
  sw_copy((*sim)->k, system->k_default, (size_t)system->nk);
  if (system->n_init > 0) {
    sw_system_init(system, 0, (*sim)->k, (*sim)->z);
  }
  (*sim)->extent = sw_sizes_of(system, (*sim)->z);
  status = make_solvers(*sim);
  if (status == SW_OK) {
    status = sw_reversible_open(*sim, tableau);
  }
  if (status != SW_OK) {
    sw_sim_free(sim);
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
  if (status != SW_OK) {
    sw_system_free(&system);
    return status;
  }
  (*sim)->owns_system = 1;
  return SW_OK;
}

void sw_sim_free(sw_sim **sim)
{
  if (!sim || !*sim) {
    return;
  }
  sw_sim_free(&(*sim)->back);
  sw_solver_free(&(*sim)->shake_solver);
  sw_solver_free(&(*sim)->slide_solver);
  sw_deficient_free(&(*sim)->component.linear);
  sw_redundancy_free(&(*sim)->dependence.redundancy);
  sw_pattern_free(&(*sim)->slide.pattern);
  sw_product_free(&(*sim)->slide.slope);
  sw_shake_plan_free(&(*sim)->plan);
  if ((*sim)->owns_system) {
    sw_system_free(&(*sim)->system);
  }
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

  sim->message[0] = '\0';
  for (int i = 0; i < system->nk; i++) {
    const sw_bounds bounds = sw_system_bounds(system, i);
    if (!parameter_allowed(&bounds, k[i])) {
      return sw_fail(sim, SW_ERR_PARAMETER, "parameter %s = %g is outside its bounds, %s%g, %g%s",
                     sw_system_name(system, SW_K, i, name), k[i],
                     (bounds.closed & 1u) != 0 ? "[" : "(", bounds.lower, bounds.upper,
                     (bounds.closed & 2u) != 0 ? "]" : ")");
    }
  }
  sw_copy(sim->k, k, (size_t)system->nk);
  sim->checked = 0;
  sw_step_forget(sim);
  if (sim->back) {
    sw_step_forget(sim->back);
  }
  return SW_OK;
}
