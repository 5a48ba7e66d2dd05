/* SPDX-License-Identifier: BSD-3-Clause */
#include "sidewinder/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear/pattern.h"
#include "model/validate.h"
#include "sim/sim_internal.h"

sw_status sw_make_solver(const sw_sim *sim, const sw_pattern *pattern, int first, int count,
                         sw_solver **solver)
{
  const sw_multipliers multipliers = {sim->plan->redundant, first, count};

  *solver = NULL;
  if (pattern->rows == 0) {
    return SW_OK;
  }
  sw_status status = sw_solver_create(pattern, multipliers, sim->plan->options.tolerance,
                                      sim->plan->options.max_iterations, solver);
  if (status == SW_OK && sim->system->team) {
    status = sw_solver_share(*solver, sim->system->team);
    if (status != SW_OK) {
      sw_solver_free(solver);
    }
  }
  return status;
}

static sw_status make_solvers(sw_sim *sim)
{
  sw_workspace *w = &sim->work;
  const sw_multipliers all = {sim->plan->redundant, 0, sim->system->nc};
  const sw_structure *structure = &sim->system->model->structure;
  const int watches = sim->plan->method->on_hidden || structure->nondegenerate != SW_PROVED ||
                      !structure->holonomic;
  sw_status status = SW_OK;

  for (int i = 0; i < sim->plan->phases && status == SW_OK; i++) {
    const sw_phase_plan *plan = &sim->plan->phase[i];
    if (plan->is_made) {
      status = sw_make_solver(sim, &plan->jacobian, 0, plan->m + plan->forces, &w->solver[i]);
    }
  }
  if (status == SW_OK && w->is_complete) {
    status = sw_make_redundancy(sim);
  }
  if (status == SW_OK && sim->plan->is_fast) {
    w->check.component.linear = sw_solver_linear(w->solver[0]);
  } else if (status == SW_OK && sim->system->nc > 0 && watches) {
    status =
        sw_deficient_create(&sim->system->nondegeneracy_pattern, all, &w->check.component.linear);
    if (status == SW_OK) {
      status = sw_blocks_create(&sim->system->nondegeneracy_pattern, &w->check.component.blocks);
    }
  }
  return status;
}

/* Prepares the kicks of forces, if there are any. */
static sw_status make_kicks(sw_sim *sim)
{
  sw_workspace *w = &sim->work;
  const int slides = sim->system->nc > 0 && sim->plan->method->on_hidden;

  if (!sim->plan->is_forced) {
    return SW_OK;
  }
  const sw_status status = sw_kick_create(sim->system, sim->k, slides ? &w->rho : NULL, &w->kick);
  return status == SW_OK && sw_kick_needs_solve(w->kick)
             ? sw_make_solver(sim, &w->kick->jacobian, sim->system->nq, w->kick->m, &w->kick_solver)
             : status;
}

static sw_status make_noise(sw_sim *sim)
{
  return sim->plan->has_noise ? sw_noise_create(sim->system, sim->k, &sim->work.noise) : SW_OK;
}

static sw_status open_one(sw_shared *shared, sw_system *system, sw_sim **sim)
{
  const sw_status status = sw_workspace_create(system, &shared->plan, sim);
  if (status != SW_OK) {
    return status;
  }
  (*sim)->shared = shared;
  sw_users_join(&shared->users);
  sw_copy((*sim)->k, system->k_default, (size_t)system->nk);
  if (system->n_init > 0) {
    sw_system_init(system, 0, (*sim)->k, (*sim)->state.z);
  }
  (*sim)->state.known.extent = sw_sizes_of(system, (*sim)->state.z);
  sw_status made = make_solvers(*sim);
  made = made == SW_OK ? make_kicks(*sim) : made;
  return made == SW_OK ? make_noise(*sim) : made;
}

/* Creates a simulation with its team of threads and the simulation for steps back. */
static sw_status open_sim(sw_shared *shared, sw_system *system, sw_sim **sim)
{
  const int threads = shared->plan.options.threads;
  sw_team *team = NULL;
  sw_status status = threads > 1 ? sw_team_create(threads, &team) : SW_OK;

  sw_system_set_team(system, team);
  status = status == SW_OK ? open_one(shared, system, sim) : status;
  if (*sim) {
    (*sim)->team = team;
  } else {
    sw_system_set_team(system, NULL);
    sw_team_free(&team);
  }
  status = status == SW_OK ? sw_mass_watch_create(system, &(*sim)->work.mass_watch) : status;
  if (status == SW_OK && shared->back) {
    status = open_one(shared->back, system, &(*sim)->back);
  }
  if (status != SW_OK) {
    sw_sim_free(sim);
  }
  return status;
}

/* Transfers the ownership of the system to the simulation, if it uses the system; else frees the
 * system. */
static sw_status give_system(sw_status status, sw_system *system, sw_sim *sim)
{
  if (status == SW_OK && sim->system == system) {
    sim->owns_system = 1;
  } else {
    sw_system_free(&system);
  }
  return status;
}

static sw_status create_on(sw_system *system, const sw_options *options, sw_sim **sim)
{
  sw_shared *shared = NULL;
  sw_status status = sw_shared_make(system, options, &shared);

  if (status == SW_OK) {
    status = open_sim(shared, system, sim);
  }
  sw_shared_leave(shared);
  return status;
}

/* 1 if constraints that are proved to follow from others must be removed from the system.  The
 * system may already lack them. */
static int leaves_out(const sw_system *system, const sw_options *options)
{
  return system->model->follows && !system->whole && system->nc > 0 && options->redundant &&
         strcmp(options->redundant, sw_redundant_names()[SW_REDUNDANT_DROP]) == 0;
}

sw_status sw_sim_create_on(sw_system *system, const sw_options *options, sw_sim **sim)
{
  sw_options defaults;

  *sim = NULL;
  sw_options_init(&defaults);
  options = options ? options : &defaults;
  sw_status status = sw_model_validate(system->model);
  if (status != SW_OK || !leaves_out(system, options)) {
    return status == SW_OK ? create_on(system, options, sim) : status;
  }
  sw_system *reduced = NULL;
  status = sw_system_reduce(system, &reduced);
  status = status == SW_OK ? create_on(reduced, options, sim) : status;
  return give_system(status, reduced, *sim);
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

sw_status sw_sim_create_shared(sw_shared *shared, sw_system *system, sw_sim **sim)
{
  *sim = NULL;
  const sw_status status = open_sim(shared, system, sim);
  return give_system(status, system, *sim);
}

sw_status sw_sim_create_like(const sw_sim *like, sw_sim **sim)
{
  sw_system *system = NULL;

  *sim = NULL;
  const sw_status status = sw_system_share(like->system, &system);
  return status == SW_OK ? sw_sim_create_shared(like->shared, system, sim) : status;
}

void sw_sim_free(sw_sim **sim)
{
  sw_sim *s = sim ? *sim : NULL;

  if (!s) {
    return;
  }
  sw_component *component = &s->work.check.component;
  sw_sim_free(&s->back);
  sw_slides_free(s);
  sw_sim_free(&s->lifted);
  for (int i = 0; i < s->plan->phases; i++) {
    sw_solver_free(&s->work.solver[i]);
    sw_phase_plan_free(&s->work.late[i]);
  }
  if (!s->plan->is_fast) {
    sw_deficient_free(&component->linear);
    sw_blocks_free(&component->blocks);
  }
  sw_redundancy_free(&component->dependence.redundancy);
  if (s->owns_system) {
    sw_system_free(&s->system);
  } else if (s->team) {
    sw_system_set_team(s->system, NULL);
  }
  sw_solver_free(&s->work.kick_solver);
  sw_kick_free(&s->work.kick);
  sw_noise_free(&s->work.noise);
  sw_mass_watch_free(&s->work.mass_watch);
  sw_motion_free(&s->work.motion);
  sw_team_free(&s->team);
  sw_shared_leave(s->shared);
  free(s->work.rest);
  free(s);
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
      return sw_refuse_parameter(sim, i, k[i]);
    }
  }
  sw_copy(sim->k, k, (size_t)system->nk);
  sim->state.known.checked = 0;
  sim->energy = (sw_energy_course){.begun = 0};
  sw_step_forget(sim);
  if (sim->back) {
    sw_step_forget(sim->back);
  }
  return SW_OK;
}
