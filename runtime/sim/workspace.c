/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workspace.c -- allocates a simulation and its arrays as one block (carver.h).
 */
#include "common/carver.h"
#include "sim/sim_internal.h"

static size_t most_unknowns(const sw_sim_plan *plan)
{
  int most = 0;

  for (int i = 0; i < plan->phases; i++) {
    most = plan->phase[i].n > most ? plan->phase[i].n : most;
  }
  return (size_t)most;
}

static void carve_state(sw_carver *c, const sw_sim *sim, sw_state *state)
{
  state->z = sw_carve(c, 2, (size_t)sim->system->nq);
  state->more = sw_carve(c, sim->plan->n_more, 1);
  state->lambda = sw_carve(c, (size_t)sim->system->nc, 1);
}

/* Connects the parts of the workspace with each other. */
static void open_workspace(sw_sim *sim)
{
  const sw_sim_plan *plan = sim->plan;
  sw_workspace *w = &sim->work;
  sw_step_check *check = &w->check;
  sw_component *component = &check->component;

  sw_requirement_open(&w->g, sim->system, sim->k, 0);
  sw_requirement_open(&w->rho, sim->system, sim->k, 1);
  for (int i = 0; i < plan->phases; i++) {
    sw_phase *phase = &w->phase[i];
    phase->system = sim->system;
    phase->k = sim->k;
    phase->plan = &plan->phase[i];
    phase->required = plan->phase[i].hidden ? &w->rho : &w->g;
    phase->step = &w->step;
    phase->earlier = sim->state.more;
    phase->variational.g = &w->g;
    phase->variational.rho = &w->rho;
  }
  w->holonomic.system = sim->system;
  w->holonomic.k = sim->k;
  w->holonomic.plan = &plan->phase[0];
  w->holonomic.kick = plan->phase[0].kick;
  w->holonomic.g = &w->g;
  w->holonomic.step = &w->step;
  check->system = component->system = sim->system;
  check->k = component->k = sim->k;
  check->step = &w->step;
  check->known = &sim->state.known;
  check->on_hidden = plan->method->on_hidden;
  check->redundant = plan->redundant;
  check->tolerance = plan->options.tolerance;
  component->g = &w->g;
  component->rho = &w->rho;
  component->holonomic = plan->is_fast ? &w->holonomic : NULL;
  component->dependence.limit = sw_dependence_limit(plan->redundant);
}

/* Reserves the arrays that every step needs. */
static void carve_step(sw_carver *c, sw_sim *sim)
{
  const sw_system *system = sim->system;
  const sw_sim_plan *plan = sim->plan;
  const size_t dim = 2 * (size_t)system->nq;
  const size_t m = (size_t)system->nc;
  const size_t carried = plan->options.compensated ? dim : 0;
  const size_t most = most_unknowns(plan);
  const size_t fast_m = plan->is_fast ? m : 0;
  sw_workspace *w = &sim->work;

  carve_state(c, sim, &sim->state);
  w->shown = sim->state.z;
  SW_CARVE(c, carried, 1, &w->carry.sum.sum, &w->carry.sum.left, &w->carry.end, &w->carry.next,
           &w->carry.reached);
  w->of_stepper = sw_carve(c, sw_kept_by(sim, plan->stepper), 1);
  sim->k = sw_carve(c, (size_t)system->nk, 1);
  w->shown_lambda = sw_carve(c, 2, (size_t)sw_system_whole(system)->nc);
  w->dropped = plan->redundant == SW_REDUNDANT_DROP ? sw_carve_bytes(c, m) : NULL;
  open_workspace(sim);
  sw_requirement_carve(c, &w->g);
  sw_requirement_carve(c, &w->rho);
  if (plan->is_fast) {
    for (int i = 0; i < plan->own_phases; i++) {
      w->phase[i].u = sw_carve(c, m, 1);
    }
    w->holonomic.z1 = w->phase[0].end = sw_carve(c, dim, 1);
    sw_holonomic_carve(c, &w->holonomic);
  }
  sw_step_check_carve(c, &w->check);
  w->F = sw_carve(c, !plan->is_fast && most > m ? most : m, 1);
  SW_CARVE(c, fast_m, 1, &w->change, &w->trial);
  sw_cluster_data_carve(c, plan->clusters, &w->clusters);
  if (plan->composition->n > 1 || plan->is_halved ||
      (plan->stepper && system->model->structure.mass_watch)) {
    carve_state(c, sim, &w->kept);
  }
  if (plan->is_forced) {
    carve_state(c, sim, &w->unkicked);
  }
  if (plan->conserves) {
    carve_state(c, sim, &w->watch.start);
    w->watch.gradient = sw_carve(c, dim, 1);
  }
}

/* Reserves the arrays that steps of holonomic.h do not need. */
static void carve_rest(sw_carver *c, sw_sim *sim)
{
  const sw_system *system = sim->system;
  const sw_sim_plan *plan = sim->plan;
  const size_t m = (size_t)system->nc;
  sw_workspace *w = &sim->work;

  sw_requirement_carve_jac(c, &w->g);
  sw_requirement_carve_jac(c, &w->rho);
  for (int i = 0; i < plan->phases; i++) {
    sw_phase *phase = &w->phase[i];
    double *u = phase->u;
    double *end = phase->end;
    sw_phase_carve(c, phase, (size_t)plan->phase[i].colours, 0);
    /* The arrays of holonomic.h also serve the general phases. */
    phase->u = u ? u : phase->u;
    phase->end = end ? end : phase->end;
  }
  sw_step_check_carve_rest(c, &w->check);
  w->hess = sw_carve(c, plan->is_fast ? 0 : (size_t)system->hamiltonian_hess_pattern.entries, 1);
  const int entries = system->nondegeneracy_pattern.entries;
  const int fast_entries = plan->is_fast ? plan->phase[0].jacobian.entries : 0;
  w->ahead.later = sw_carve(c, (size_t)(entries > fast_entries ? entries : fast_entries), 1);
  SW_CARVE(c, m, 1, &w->ahead.v, &w->ahead.w);
}

static void open_phases(sw_sim *sim)
{
  for (int i = 0; i < sim->plan->phases; i++) {
    sw_phase_open(&sim->work.phase[i]);
  }
  sim->work.is_complete = 1;
}

static sw_status complete_workspace(sw_sim *sim)
{
  sw_sim trial = *sim;
  sw_carver walk = {NULL, 0, 0};

  carve_rest(&walk, &trial);
  walk = sw_carver_open(walk);
  sim->work.rest = walk.block;
  if (!walk.block) {
    return SW_ERR_MEMORY;
  }
  carve_rest(&walk, sim);
  open_phases(sim);
  return SW_OK;
}

sw_status sw_make_redundancy(sw_sim *sim)
{
  return sim->system->nc > 0
             ? sw_redundancy_create(&sim->system->nondegeneracy_pattern, 0, sim->system->nc,
                                    sim->work.check.component.dependence.limit,
                                    &sim->work.check.component.dependence.redundancy)
             : SW_OK;
}

sw_status sw_sim_complete(sw_sim *sim)
{
  sw_status status = SW_OK;

  if (!sim->work.is_complete) {
    status = sw_system_complete(sim->system);
    if (status == SW_OK && !sim->work.check.component.dependence.redundancy) {
      status = sw_make_redundancy(sim);
    }
    status = status == SW_OK ? complete_workspace(sim) : status;
  }
  return status;
}

static int complete_for_check(void *owner)
{
  return sw_sim_complete(owner) == SW_OK;
}

sw_status sw_workspace_create(sw_system *system, const sw_sim_plan *plan, sw_sim **sim)
{
  const sw_sim members = {.system = system, .plan = plan};
  sw_sim trial = members;
  sw_carver walk = {NULL, 0, 0};

  (void)sw_carve_bytes(&walk, sizeof trial);
  carve_step(&walk, &trial);
  if (!system->is_lean) {
    carve_rest(&walk, &trial);
  }
  walk = sw_carver_open(walk);
  *sim = sw_carve_bytes(&walk, sizeof **sim);
  if (!*sim) {
    return SW_ERR_MEMORY;
  }
  **sim = members;
  carve_step(&walk, *sim);
  if (!system->is_lean) {
    carve_rest(&walk, *sim);
    open_phases(*sim);
  } else {
    (*sim)->work.check.component.complete = complete_for_check;
    (*sim)->work.check.component.owner = *sim;
  }
  return SW_OK;
}
