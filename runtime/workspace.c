/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workspace.c -- one block of memory for a simulation, cut into its arrays (carver.h).
 */
#include <stdlib.h>

#include "carver.h"
#include "sim_internal.h"

static size_t larger(int a, int b)
{
  return (size_t)(a > b ? a : b);
}

static void carve_shake(sw_carver *c, const sw_system *system, const sw_stage_plan *base,
                        const sw_shake_plan *plan, sw_shake *s)
{
  const size_t dim = 2 * (size_t)system->nq;
  const size_t m = (size_t)system->nc;
  const size_t stages = (size_t)(plan->n - system->nc);
  const size_t colours = (size_t)plan->colours;

  s->m = system->nc;
  s->stages = (int)stages;
  s->n = plan->n;
  s->point = sw_carve(c, dim, 1);
  s->gradient = sw_carve(c, dim, 1);
  s->argument = sw_carve(c, m, 1);
  s->y = sw_carve(c, dim, 1);
  s->x = sw_carve(c, plan->holonomic ? (size_t)system->nq : stages, 1);
  s->r = sw_carve(c, stages, 1);
  s->z1 = sw_carve(c, dim, 1);
  s->g = sw_carve(c, m, 1);
  s->scale_g = sw_carve(c, m, 1);
  s->scale_x = sw_carve(c, stages, 1);
  s->jac = sw_carve(c, (size_t)system->constraint_jac_pattern.entries, 1);
  s->jac_at = sw_carve(c, dim, 1);
  s->flow = sw_carve(c, (size_t)system->fibre_flow_lambda_pattern.entries, 1);
  s->sums = sw_carve(c, m, 1);
  s->direction = sw_carve(c, colours, 1);
  s->DY = sw_carve(c, dim, colours);
  s->DX = sw_carve(c, stages, colours);
  s->DR = sw_carve(c, stages, colours);
  s->DZ = sw_carve(c, dim, colours);
  sw_stages_open(&s->base, system, base, s->k);
  if (!plan->holonomic) {
    sw_stages_carve(c, colours, &s->base);
  }
}

static void carve_slide(sw_carver *c, const sw_system *system, sw_rattle *s)
{
  const size_t m = (size_t)system->nc;

  s->argument = sw_carve(c, m, 1);
  s->z1 = sw_carve(c, 2 * (size_t)system->nq, 1);
  s->rho = sw_carve(c, m, 1);
  s->scale = sw_carve(c, m, 1);
  s->jac = sw_carve(c, (size_t)system->hidden_jac_pattern.entries, 1);
  s->jac_at = sw_carve(c, 2 * (size_t)system->nq, 1);
  s->flow = sw_carve(c, (size_t)system->fibre_flow_lambda_pattern.entries, 1);
  s->sums = sw_carve(c, m, 1);
}

static void carve_frame(sw_carver *c, const sw_system *system, const sw_shake_plan *plan,
                        sw_frame *frame)
{
  frame->force = sw_carve(c, (size_t)system->nq, 1);
  frame->jac = sw_carve(c, (size_t)system->constraint_jac_pattern.entries, 1);
  frame->slope = sw_carve(c, (size_t)plan->slope.entries, 1);
  frame->sums = sw_carve(c, (size_t)system->nc, 1);
  frame->slope_sums = sw_carve(c, (size_t)system->nc, 1);
}

static void carve_holonomic(sw_carver *c, const sw_system *system, const sw_shake_plan *plan,
                            sw_holonomic *s)
{
  const size_t d = (size_t)system->nq;
  const size_t m = (size_t)system->nc;

  if (!plan->holonomic) {
    return;
  }
  carve_frame(c, system, plan, &s->start);
  carve_frame(c, system, plan, &s->end);
  s->velocity = sw_carve(c, d, 1);
  s->hessian = sw_carve(c, (size_t)system->hamiltonian_hess_pattern.entries, 1);
  s->free = sw_carve(c, d, 1);
  s->rho = sw_carve(c, m, 1);
  s->terms = sw_carve(c, m, 1);
  s->scale = sw_carve(c, m, 1);
  s->F = sw_carve(c, m, 1);
  s->matrix = sw_carve(c, (size_t)plan->jacobian.entries, 1);
  s->along = sw_carve(
      c, larger(system->constraint_jac_pattern.entries, system->hidden_jac_pattern.entries), 1);
}

static void carve_component(sw_carver *c, const sw_system *system, const sw_shake_plan *plan,
                            sw_component *s)
{
  const size_t m = (size_t)system->nc;
  const size_t dense = plan->holonomic || m < 2 || m > SW_COMPONENT_DENSE ? 0 : m;

  s->dense = sw_carve(c, dense, dense);
  s->work = sw_carve(c, dense, 1);
  s->pivots = sw_carve_bytes(c, dense * sizeof *s->pivots);

  s->values = sw_carve(c, (size_t)system->nondegeneracy_pattern.entries, 1);
  s->later = sw_carve(c, larger(system->nondegeneracy_pattern.entries, plan->jacobian.entries), 1);
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

static void carve(sw_carver *c, const sw_system *system, const sw_stage_plan *base,
                  const sw_shake_plan *plan, sw_sim *sim)
{
  const size_t dim = 2 * (size_t)system->nq;
  const size_t m = (size_t)system->nc;

  sim->z = sw_carve(c, dim, 1);
  sim->k = sw_carve(c, (size_t)system->nk, 1);
  sim->lambda = sw_carve(c, m, 1);
  sim->new_lambda = sw_carve(c, m, 1);
  sim->new_sigma = sw_carve(c, m, 1);
  sim->scratch.value = sw_carve(c, m, 1);
  sim->scratch.scale = sw_carve(c, m, 1);
  sim->scratch.sums = sw_carve(c, m, 1);
  sim->scratch.jac = sw_carve(
      c, larger(system->constraint_jac_pattern.entries, system->hidden_jac_pattern.entries), 1);
  carve_shake(c, system, base, plan, &sim->shake);
  carve_slide(c, system, &sim->slide);
  carve_holonomic(c, system, plan, &sim->holonomic);
  carve_component(c, system, plan, &sim->component);
  sim->watch.first = sw_carve(c, m, 1);
  sim->other = sw_carve(c, dim, 1);
  carve_dependence(c, system, &sim->dependence);
  sim->u = sw_carve(c, (size_t)plan->n, 1); /* at least m */
}

sw_status sw_workspace_create(sw_system *system, const sw_stage_plan *base,
                              const sw_shake_plan *plan, sw_sim **sim)
{
  sw_sim trial = {.system = system};
  sw_carver counting = {NULL, 0, 0};
  sw_carver handing = {NULL, 0, 0};

  *sim = NULL;
  (void)sw_carve_bytes(&counting, sizeof **sim);
  carve(&counting, system, base, plan, &trial);
  if (counting.overflow) {
    return SW_ERR_MEMORY;
  }
  handing.block = calloc(1, counting.used);
  if (!handing.block) {
    return SW_ERR_MEMORY;
  }
  *sim = sw_carve_bytes(&handing, sizeof **sim);
  carve(&handing, system, base, plan, *sim);
  (*sim)->system = system;
  (*sim)->plan = *plan;
  (*sim)->base = *base;
  (*sim)->shake.base.plan = &(*sim)->base;
  (*sim)->shake.plan = &(*sim)->plan;
  (*sim)->holonomic.shake = &(*sim)->shake;
  (*sim)->holonomic.kick = plan->kick;
  (*sim)->shake.system = (*sim)->slide.system = system;
  (*sim)->shake.k = (*sim)->shake.base.k = (*sim)->slide.k = (*sim)->k;
  return SW_OK;
}
