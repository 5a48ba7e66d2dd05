/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workspace.c -- one block of memory for a simulation, cut into its arrays (carver.h).
 */
#include <stdlib.h>

#include "common/carver.h"
#include "sim/sim_internal.h"

static size_t larger(int a, int b)
{
  return (size_t)(a > b ? a : b);
}

static void carve_component(sw_carver *c, const sw_system *system, int is_fast,
                            const sw_phase_plan *plan, sw_component *s)
{
  const size_t m = (size_t)system->nc;
  const size_t dense = is_fast || m < 2 || m > SW_COMPONENT_DENSE ? 0 : m;

  s->dense = sw_carve(c, dense, dense);
  s->work = sw_carve(c, dense, 1);
  s->pivots = sw_carve_bytes(c, dense * sizeof *s->pivots);

  s->values = sw_carve(c, (size_t)system->nondegeneracy_pattern.entries, 1);
  s->later = sw_carve(
      c, larger(system->nondegeneracy_pattern.entries, is_fast ? plan->jacobian.entries : 0), 1);
  s->g = (sw_gradients){sw_carve(c, m, 1), sw_carve(c, m, 1)};
  s->rho = (sw_gradients){sw_carve(c, m, 1), sw_carve(c, m, 1)};
  s->brackets = sw_carve(c, sw_brackets_unknown(system), 1);
  s->eigenvector = sw_carve(c, m, 1);
  s->a = sw_carve(c, m, 1);
  s->b = sw_carve(c, m, 1);
}

static void carve_dependence(sw_carver *c, const sw_system *system, sw_dependence_scratch *s)
{
  const size_t dim = 2 * (size_t)system->nq;

  s->sum = sw_carve(c, dim, 1);
  s->terms = sw_carve(c, dim, 1);
  s->weight = sw_carve(c, (size_t)system->nc, 1);
}

static void carve(sw_carver *c, sw_sim *sim)
{
  const sw_system *system = sim->system;
  const size_t dim = 2 * (size_t)system->nq;
  const size_t m = (size_t)system->nc;

  sim->z = sw_carve(c, dim, 1);
  sim->k = sw_carve(c, (size_t)system->nk, 1);
  sim->lambda = sw_carve(c, m, 1);
  sim->kept.z = sw_carve(c, sim->composition->n > 1 ? dim : 0, 1);
  sim->kept.lambda = sw_carve(c, sim->composition->n > 1 ? m : 0, 1);
  sim->scratch.value = sw_carve(c, m, 1);
  sim->scratch.scale = sw_carve(c, m, 1);
  sim->scratch.sums = sw_carve(c, m, 1);
  sim->scratch.jac = sw_carve(
      c, larger(system->constraint_jac_pattern.entries, system->hidden_jac_pattern.entries), 1);
  sw_requirement_open(&sim->g, system, sim->k, 0);
  sw_requirement_open(&sim->rho, system, sim->k, 1);
  sw_requirement_carve(c, &sim->g);
  sw_requirement_carve(c, &sim->rho);
  for (int i = 0; i < sim->phases; i++) {
    sw_phase *phase = &sim->phase[i];
    phase->system = system;
    phase->k = sim->k;
    phase->plan = &sim->plan[i];
    phase->required = sim->plan[i].hidden ? &sim->rho : &sim->g;
    phase->step = &sim->step;
    sw_phase_carve(c, phase, (size_t)sim->plan[i].colours, 0);
  }
  if (sim->is_fast) {
    sim->holonomic.system = system;
    sim->holonomic.k = sim->k;
    sim->holonomic.plan = &sim->plan[0];
    sim->holonomic.g = &sim->g;
    sim->holonomic.step = &sim->step;
    sim->holonomic.z1 = sim->phase[0].end;
    sw_holonomic_carve(c, &sim->holonomic);
  }
  carve_component(c, system, sim->is_fast, &sim->plan[0], &sim->component);
  sim->watch.first = sw_carve(c, m, 1);
  sim->other = sw_carve(c, dim, 1);
  sim->scratch_state = sw_carve(c, dim, 1);
  carve_dependence(c, system, &sim->dependence);
}

sw_status sw_workspace_create(const sw_sim *members, sw_sim **sim)
{
  sw_sim trial = *members;
  sw_carver counting = {NULL, 0, 0};
  sw_carver handing = {NULL, 0, 0};

  *sim = NULL;
  (void)sw_carve_bytes(&counting, sizeof **sim);
  carve(&counting, &trial);
  if (counting.overflow) {
    return SW_ERR_MEMORY;
  }
  handing.block = calloc(1, counting.used);
  if (!handing.block) {
    return SW_ERR_MEMORY;
  }
  *sim = sw_carve_bytes(&handing, sizeof **sim);
  **sim = *members;
  carve(&handing, *sim);
  for (int i = 0; i < (*sim)->phases; i++) {
    sw_phase_open(&(*sim)->phase[i]);
  }
  return SW_OK;
}
