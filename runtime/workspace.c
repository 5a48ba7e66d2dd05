/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workspace.c -- one block of memory for a simulation, cut into its arrays.
 *
 * The same walk is made twice: without a block it adds up the bytes, with one it hands them out.
 * So the sizes stand in one place, and memory can only run out before anything else has been made.
 */
#include <limits.h>
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

static void *take_solver(carver *c, size_t unknowns)
{
  const size_t bytes = unknowns > 0 && unknowns <= INT_MAX ? sw_solver_bytes((int)unknowns) : 0;

  if (unknowns > 0 && bytes == 0) {
    c->overflow = 1;
  }
  return take_bytes(c, bytes);
}

static size_t larger(int a, int b)
{
  return (size_t)(a > b ? a : b);
}

static void carve_shake(carver *c, const sw_model *model, const sw_base *base, sw_shake *s)
{
  const size_t dim = 2 * (size_t)model->nq;
  const size_t m = (size_t)model->nc;
  const size_t stages = sw_base_stage_count(base, model);
  const size_t n = m + (sw_base_implicit(base, model) ? stages : 0);

  s->c.point = take(c, dim, 1);
  s->c.gradient = take(c, dim, 1);
  s->c.middle = take(c, dim, 1);
  s->c.hessian = take(c, (size_t)model->hamiltonian_hess_pattern.entries, 1);
  s->c.dpoint = take(c, dim, n);
  s->c.dgradient = take(c, dim, n);
  s->c.dmiddle = take(c, dim, n);
  s->base = base;
  s->m = model->nc;
  s->stages = (int)stages;
  s->n = (int)n;
  s->argument = take(c, m, 1);
  s->y = take(c, dim, 1);
  s->x = take(c, stages, 1);
  s->r = take(c, stages, 1);
  s->z1 = take(c, dim, 1);
  s->g = take(c, m, 1);
  s->scale_g = take(c, m, 1);
  s->scale_x = take(c, stages, 1);
  s->jac = take(c, (size_t)model->constraint_jac_pattern.entries, 1);
  s->flow = take(c, (size_t)model->fibre_flow_lambda_pattern.entries, 1);
  s->direction = take(c, n, 1);
  s->DY = take(c, dim, n);
  s->DX = take(c, stages, n);
  s->DR = take(c, stages, n);
  s->DZ = take(c, dim, n);
}

static void carve_slide(carver *c, const sw_model *model, sw_rattle *s)
{
  const size_t dim = 2 * (size_t)model->nq;
  const size_t m = (size_t)model->nc;

  s->argument = take(c, m, 1);
  s->z1 = take(c, dim, 1);
  s->rho = take(c, m, 1);
  s->scale = take(c, m, 1);
  s->jac = take(c, (size_t)model->hidden_jac_pattern.entries, 1);
  s->flow = take(c, (size_t)model->fibre_flow_lambda_pattern.entries, 1);
  s->sums = take(c, m, 1);
  s->DZ = take(c, dim, m);
  s->product = take(c, m, m);
}

static void carve_projection(carver *c, const sw_model *model, sw_projection *s)
{
  const size_t dim = 2 * (size_t)model->nq;
  const size_t m = (size_t)model->nc;

  s->g = take(c, m, 1);
  s->scale = take(c, m, 1);
  s->sums = take(c, m, 1);
  s->jac = take(c, (size_t)model->constraint_jac_pattern.entries, 1);
  s->hess = take(c, (size_t)model->constraint_hess_pattern.entries, 1);
  s->change = take(c, dim, 1);
  s->gram = take(c, m, m);
  s->dense = take(c, m, dim);
  s->exchange = take_bytes(c, m * sizeof *s->exchange);
}

static void carve_component(carver *c, const sw_model *model, sw_component *s)
{
  const size_t m = (size_t)model->nc;

  s->values = take(c, (size_t)model->nondegeneracy_pattern.entries, 1);
  s->N = take(c, m, m);
  s->g = take(c, m, 1);
  s->rho = take(c, m, 1);
  s->exchange = take_bytes(c, m * sizeof *s->exchange);
}

static void carve(carver *c, const sw_model *model, const sw_base *base, sw_sim *sim)
{
  const size_t dim = 2 * (size_t)model->nq;
  const size_t m = (size_t)model->nc;
  const size_t projected = m > 0 ? dim + m : 0;

  sim->z = take(c, dim, 1);
  sim->k = take(c, (size_t)model->nk, 1);
  sim->lambda = take(c, m, 1);
  sim->new_lambda = take(c, m, 1);
  sim->new_sigma = take(c, m, 1);
  sim->scratch.value = take(c, m, 1);
  sim->scratch.scale = take(c, m, 1);
  sim->scratch.sums = take(c, m, 1);
  sim->scratch.jac =
      take(c, larger(model->constraint_jac_pattern.entries, model->hidden_jac_pattern.entries), 1);
  carve_shake(c, model, base, &sim->shake);
  carve_slide(c, model, &sim->slide);
  carve_projection(c, model, &sim->projection);
  carve_component(c, model, &sim->component);
  sim->u = take(c, (size_t)sim->shake.n > projected ? (size_t)sim->shake.n : projected, 1);
  sim->shake_memory = take_solver(c, (size_t)sim->shake.n);
  sim->slide_memory = take_solver(c, m);
  sim->projection_memory = take_solver(c, projected);
}

sw_status sw_workspace_create(const sw_model *model, const sw_base *base, sw_sim **sim)
{
  sw_sim trial = {.model = model};
  carver counting = {NULL, 0, 0};
  carver handing = {NULL, 0, 0};

  *sim = NULL;
  (void)take_bytes(&counting, sizeof **sim);
  carve(&counting, model, base, &trial);
  if (counting.overflow) {
    return SW_ERR_MEMORY;
  }
  handing.block = calloc(1, counting.used);
  if (!handing.block) {
    return SW_ERR_MEMORY;
  }
  *sim = take_bytes(&handing, sizeof **sim);
  carve(&handing, model, base, *sim);
  (*sim)->model = model;
  (*sim)->base = base;
  (*sim)->shake.c.model = (*sim)->slide.model = (*sim)->projection.model = model;
  (*sim)->shake.c.k = (*sim)->slide.k = (*sim)->projection.k = (*sim)->k;
  return SW_OK;
}
