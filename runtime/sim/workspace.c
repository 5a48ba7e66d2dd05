/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workspace.c -- allocates a simulation and its arrays as one block (carver.h).
 */
#include "common/carver.h"
#include "sim/sim_internal.h"

/* Connects the checks of a step with the simulation. */
static void open_check(sw_sim *sim)
{
  sw_step_check *s = &sim->check;

  s->system = s->component.system = sim->system;
  s->k = s->component.k = sim->k;
  s->step = &sim->step;
  s->on_hidden = sim->method->on_hidden;
  s->redundant = sim->redundant;
  s->tolerance = sim->options.tolerance;
  s->component.g = &sim->g;
  s->component.rho = &sim->rho;
  s->component.holonomic = sim->is_fast ? &sim->holonomic : NULL;
  s->component.dependence.limit = sw_dependence_limit(sim->redundant);
}

static size_t most_unknowns(const sw_sim *sim)
{
  int most = 0;

  for (int i = 0; i < sim->phases; i++) {
    most = sim->plan[i].n > most ? sim->plan[i].n : most;
  }
  return (size_t)most;
}

static void open_phase(sw_sim *sim, int i)
{
  sw_phase *phase = &sim->phase[i];

  phase->system = sim->system;
  phase->k = sim->k;
  phase->plan = &sim->plan[i];
  phase->required = sim->plan[i].hidden ? &sim->rho : &sim->g;
  phase->step = &sim->step;
  phase->variational.g = &sim->g;
  phase->variational.rho = &sim->rho;
}

/* Reserves the arrays that every step needs. */
static void carve_step(sw_carver *c, sw_sim *sim)
{
  const sw_system *system = sim->system;
  const size_t dim = 2 * (size_t)system->nq;
  const size_t m = (size_t)system->nc;

  sim->z = sim->shown = sw_carve(c, dim, 1);
  sim->earlier = sw_carve(c, sim->method->earlier ? dim : 0, 1);
  const size_t carried = sim->options.compensated ? dim : 0;
  sim->carry.now = sw_carve(c, carried, 1);
  sim->carry.sum.sum = sw_carve(c, carried, 1);
  sim->carry.sum.left = sw_carve(c, carried, 1);
  sim->carry.end = sw_carve(c, carried, 1);
  sim->carry.next = sw_carve(c, carried, 1);
  sim->carry.reached = sw_carve(c, carried, 1);
  sim->carry.F = sw_carve(c, carried > 0 ? most_unknowns(sim) : 0, 1);
  sim->kept.carry = sw_carve(c, sim->composition->n > 1 ? carried : 0, 1);
  sim->of_stepper = sw_carve(c, sw_kept_by(sim, sim->stepper), 1);
  sim->k = sw_carve(c, (size_t)system->nk, 1);
  sim->lambda = sw_carve(c, m, 1);
  sim->shown_lambda = sw_carve(c, system->whole ? (size_t)system->whole->nc : 0, 1);
  sim->kept.z = sw_carve(c, sim->composition->n > 1 ? dim : 0, 1);
  sim->kept.lambda = sw_carve(c, sim->composition->n > 1 ? m : 0, 1);
  sw_requirement_open(&sim->g, system, sim->k, 0);
  sw_requirement_open(&sim->rho, system, sim->k, 1);
  sw_requirement_carve(c, &sim->g);
  sw_requirement_carve(c, &sim->rho);
  for (int i = 0; i < sim->phases; i++) {
    open_phase(sim, i);
  }
  if (sim->is_fast) {
    for (int i = 0; i < sim->own_phases; i++) {
      sim->phase[i].u = sw_carve(c, m, 1);
    }
    sim->phase[0].end = sw_carve(c, dim, 1);
    sim->holonomic.system = system;
    sim->holonomic.k = sim->k;
    sim->holonomic.plan = &sim->plan[0];
    sim->holonomic.g = &sim->g;
    sim->holonomic.step = &sim->step;
    sim->holonomic.z1 = sim->phase[0].end;
    sw_holonomic_carve(c, &sim->holonomic);
  }
  open_check(sim);
  sw_step_check_carve(c, &sim->check);
}

static void carve_phase(sw_carver *c, sw_sim *sim, int i)
{
  sw_phase *phase = &sim->phase[i];
  double *u = phase->u;
  double *end = phase->end;

  sw_phase_carve(c, phase, (size_t)sim->plan[i].colours, 0);
  /* The arrays of holonomic.h also serve the general phases. */
  phase->u = u ? u : phase->u;
  phase->end = end ? end : phase->end;
}

/* Reserves the arrays that steps of holonomic.h do not need. */
static void carve_rest(sw_carver *c, sw_sim *sim)
{
  const sw_system *system = sim->system;
  const size_t m = (size_t)system->nc;

  sw_requirement_carve_jac(c, &sim->g);
  sw_requirement_carve_jac(c, &sim->rho);
  for (int i = 0; i < sim->phases; i++) {
    carve_phase(c, sim, i);
  }
  sw_step_check_carve_rest(c, &sim->check);
  sim->check.at_rest = sw_carve(c, sim->is_fast ? 0 : most_unknowns(sim), 1);
  sim->hess = sw_carve(c, sim->is_fast ? 0 : (size_t)system->hamiltonian_hess_pattern.entries, 1);
  const int entries = system->nondegeneracy_pattern.entries;
  const int fast_entries = sim->is_fast ? sim->plan[0].jacobian.entries : 0;
  sim->ahead.later = sw_carve(c, (size_t)(entries > fast_entries ? entries : fast_entries), 1);
  sim->ahead.v = sw_carve(c, m, 1);
  sim->ahead.w = sw_carve(c, m, 1);
}

static void open_phases(sw_sim *sim)
{
  for (int i = 0; i < sim->phases; i++) {
    sw_phase_open(&sim->phase[i]);
  }
  sim->is_complete = 1;
}

static sw_status complete_workspace(sw_sim *sim)
{
  sw_sim trial = *sim;
  sw_carver walk = {NULL, 0, 0};

  carve_rest(&walk, &trial);
  walk = sw_carver_open(walk);
  sim->rest = walk.block;
  if (!sim->rest) {
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
                                    sim->check.component.dependence.limit,
                                    &sim->check.component.dependence.redundancy)
             : SW_OK;
}

sw_status sw_sim_complete(sw_sim *sim)
{
  sw_status status = SW_OK;

  if (!sim->is_complete) {
    status = sw_system_complete(sim->system);
    if (status == SW_OK && !sim->check.component.dependence.redundancy) {
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

sw_status sw_workspace_create(const sw_sim *members, sw_sim **sim)
{
  const int all = !members->system->is_lean;
  sw_sim trial = *members;
  sw_carver walk = {NULL, 0, 0};

  (void)sw_carve_bytes(&walk, sizeof **sim);
  carve_step(&walk, &trial);
  if (all) {
    carve_rest(&walk, &trial);
  }
  walk = sw_carver_open(walk);
  *sim = sw_carve_bytes(&walk, sizeof **sim);
  if (!*sim) {
    return SW_ERR_MEMORY;
  }
  **sim = *members;
  carve_step(&walk, *sim);
  if (all) {
    carve_rest(&walk, *sim);
    open_phases(*sim);
  } else {
    (*sim)->check.component.complete = complete_for_check;
    (*sim)->check.component.owner = *sim;
  }
  return SW_OK;
}
