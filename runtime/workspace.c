/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workspace.c -- one block of memory for a simulation, cut into its arrays.
 *
 * The same walk is made twice: without a block it adds up the bytes, with one it hands them out.
 * So the sizes stand in one place, and memory can only run out before anything else has been made.
 */
#include <stdint.h>
#include <stdlib.h>

#include "sim_internal.h"

typedef struct {
  char *block;  /* NULL while the bytes are counted */
  size_t used;  /* a multiple of the strictest alignment */
  int overflow; /* the bytes do not fit a size_t */
} carver;

static void *take_bytes(carver *c, size_t bytes)
{
  const size_t unit = _Alignof(max_align_t);
  const size_t start = c->used;

  if (bytes > SIZE_MAX - unit - start) {
    c->overflow = 1;
    return NULL;
  }
  c->used = start + (bytes + unit - 1) / unit * unit;
  return c->block && bytes > 0 ? c->block + start : NULL;
}

/* rows x columns doubles. */
static double *take(carver *c, size_t rows, size_t columns)
{
  if (columns != 0 && rows > SIZE_MAX / sizeof(double) / columns) {
    c->overflow = 1;
    return NULL;
  }
  return take_bytes(c, rows * columns * sizeof(double));
}

static size_t larger(int a, int b)
{
  return (size_t)(a > b ? a : b);
}

static void carve_half(carver *c, const sw_system *system, sw_half_memory *memory)
{
  const size_t d = system->model->structure.separable ? (size_t)system->nq : 0;

  for (int i = 0; i < SW_MEMORY_SLOTS; i++) {
    memory->at[i] = take(c, d, 1);
    memory->value[i] = take(c, 2 * d, 1);
  }
}

static void carve_shake(carver *c, const sw_system *system, const sw_base *base,
                        const sw_shake_plan *plan, sw_shake *s)
{
  const size_t dim = 2 * (size_t)system->nq;
  const size_t m = (size_t)system->nc;
  const size_t stages = sw_base_stage_count(base, system);
  const size_t colours = (size_t)plan->colours;

  s->c.point = take(c, dim, 1);
  s->c.gradient = take(c, dim, 1);
  s->c.middle = take(c, dim, 1);
  s->c.hessian = take(c, (size_t)system->hamiltonian_hess_pattern.entries, 1);
  s->c.dpoint = take(c, dim, colours);
  s->c.dgradient = take(c, dim, colours);
  s->c.dmiddle = take(c, dim, colours);
  carve_half(c, system, &s->c.force);
  carve_half(c, system, &s->c.velocity);
  s->base = base;
  s->m = system->nc;
  s->stages = (int)stages;
  s->n = plan->n;
  s->argument = take(c, m, 1);
  s->y = take(c, dim, 1);
  s->x = take(c, stages, 1);
  s->r = take(c, stages, 1);
  s->z1 = take(c, dim, 1);
  s->g = take(c, m, 1);
  s->scale_g = take(c, m, 1);
  s->scale_x = take(c, stages, 1);
  s->jac = take(c, (size_t)system->constraint_jac_pattern.entries, 1);
  s->jac_at = take(c, dim, 1);
  s->flow = take(c, (size_t)system->fibre_flow_lambda_pattern.entries, 1);
  s->sums = take(c, m, 1);
  s->direction = take(c, colours, 1);
  s->DY = take(c, dim, colours);
  s->DX = take(c, stages, colours);
  s->DR = take(c, stages, colours);
  s->DZ = take(c, dim, colours);
}

static void carve_slide(carver *c, const sw_system *system, sw_rattle *s)
{
  const size_t m = (size_t)system->nc;

  s->argument = take(c, m, 1);
  s->z1 = take(c, 2 * (size_t)system->nq, 1);
  s->rho = take(c, m, 1);
  s->scale = take(c, m, 1);
  s->jac = take(c, (size_t)system->hidden_jac_pattern.entries, 1);
  s->jac_at = take(c, 2 * (size_t)system->nq, 1);
  s->flow = take(c, (size_t)system->fibre_flow_lambda_pattern.entries, 1);
  s->sums = take(c, m, 1);
}

static void carve_frame(carver *c, const sw_system *system, const sw_shake_plan *plan,
                        sw_frame *frame)
{
  frame->at = take(c, (size_t)system->nq, 1);
  frame->jac = take(c, (size_t)system->constraint_jac_pattern.entries, 1);
  frame->slope = take(c, (size_t)plan->slope.entries, 1);
  frame->sums = take(c, (size_t)system->nc, 1);
  frame->slope_sums = take(c, (size_t)system->nc, 1);
}

static void carve_holonomic(carver *c, const sw_system *system, const sw_shake_plan *plan,
                            sw_holonomic *s)
{
  const size_t d = (size_t)system->nq;
  const size_t m = (size_t)system->nc;

  if (!plan->holonomic) {
    return;
  }
  carve_frame(c, system, plan, &s->start);
  carve_frame(c, system, plan, &s->end);
  s->free = take(c, d, 1);
  s->rho = take(c, m, 1);
  s->terms = take(c, m, 1);
  s->scale = take(c, m, 1);
  s->F = take(c, m, 1);
  s->matrix = take(c, (size_t)plan->jacobian.entries, 1);
  s->along = take(
      c, larger(system->constraint_jac_pattern.entries, system->hidden_jac_pattern.entries), 1);
}

static void carve_component(carver *c, const sw_system *system, const sw_shake_plan *plan,
                            sw_component *s)
{
  const size_t m = (size_t)system->nc;
  const size_t dense = plan->holonomic || m < 2 || m > SW_COMPONENT_DENSE ? 0 : m;

  s->dense = take(c, dense, dense);
  s->work = take(c, dense, 1);
  s->pivots = take_bytes(c, dense * sizeof *s->pivots);

  s->values = take(c, (size_t)system->nondegeneracy_pattern.entries, 1);
  s->later = take(c, larger(system->nondegeneracy_pattern.entries, plan->jacobian.entries), 1);
  s->g = (sw_gradients){take(c, m, 1), take(c, m, 1)};
  s->rho = (sw_gradients){take(c, m, 1), take(c, m, 1)};
  s->brackets = take(c, sw_brackets_unknown(system), 1);
  s->eigenvector = take(c, m, 1);
  s->a = take(c, m, 1);
  s->b = take(c, m, 1);
}

static void carve_dependence(carver *c, const sw_system *system, sw_dependence_scratch *s)
{
  const size_t dim = 2 * (size_t)system->nq;

  s->sum = take(c, dim, 1);
  s->terms = take(c, dim, 1);
  s->weight = take(c, (size_t)system->nc, 1);
}

static void carve(carver *c, const sw_system *system, const sw_base *base,
                  const sw_shake_plan *plan, sw_sim *sim)
{
  const size_t dim = 2 * (size_t)system->nq;
  const size_t m = (size_t)system->nc;

  sim->z = take(c, dim, 1);
  sim->k = take(c, (size_t)system->nk, 1);
  sim->lambda = take(c, m, 1);
  sim->new_lambda = take(c, m, 1);
  sim->new_sigma = take(c, m, 1);
  sim->scratch.value = take(c, m, 1);
  sim->scratch.scale = take(c, m, 1);
  sim->scratch.sums = take(c, m, 1);
  sim->scratch.jac = take(
      c, larger(system->constraint_jac_pattern.entries, system->hidden_jac_pattern.entries), 1);
  carve_shake(c, system, base, plan, &sim->shake);
  carve_slide(c, system, &sim->slide);
  carve_holonomic(c, system, plan, &sim->holonomic);
  carve_component(c, system, plan, &sim->component);
  sim->watch.first = take(c, m, 1);
  sim->other = take(c, dim, 1);
  carve_dependence(c, system, &sim->dependence);
  sim->u = take(c, (size_t)plan->n, 1); /* at least m */
}

sw_status sw_workspace_create(sw_system *system, const sw_base *base, const sw_shake_plan *plan,
                              sw_sim **sim)
{
  sw_sim trial = {.system = system};
  carver counting = {NULL, 0, 0};
  carver handing = {NULL, 0, 0};

  *sim = NULL;
  (void)take_bytes(&counting, sizeof **sim);
  carve(&counting, system, base, plan, &trial);
  if (counting.overflow) {
    return SW_ERR_MEMORY;
  }
  handing.block = calloc(1, counting.used);
  if (!handing.block) {
    return SW_ERR_MEMORY;
  }
  *sim = take_bytes(&handing, sizeof **sim);
  carve(&handing, system, base, plan, *sim);
  (*sim)->system = system;
  (*sim)->base = base;
  (*sim)->plan = *plan;
  (*sim)->shake.plan = &(*sim)->plan;
  (*sim)->holonomic.shake = &(*sim)->shake;
  (*sim)->holonomic.kick = base->kick;
  (*sim)->shake.c.system = (*sim)->slide.system = system;
  (*sim)->shake.c.k = (*sim)->slide.k = (*sim)->k;
  return SW_OK;
}
