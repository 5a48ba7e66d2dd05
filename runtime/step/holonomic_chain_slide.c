/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * holonomic_chain_slide.c -- the walks of RATTLE's slide (holonomic_chain.h).
 */
#include <math.h>

#include "common/shared_vectors.h"
#include "solve/solver.h"
#include "step/holonomic_chain_view.h"

/* ---- RATTLE's matrix ---- */

/* What rows of it are made of, and rho, where p1 is there. */
static void make_slide_rows(sw_chain *chain, sw_chain_view *v, sw_span rows)
{
  sw_holonomic *s = &v->s;

  sw_view_rows(v, rows.first, rows.end);
  sw_view_evaluate(chain, v, SW_PIECES_ALONG, s->z1, s->start.jac);
  if (!sw_loop_arrive(s, s->start.jac, s->g->sums)) {
    atomic_store(&chain->is_bad, 1);
  }
  sw_chain_meet(&chain->largest, sw_loop_slide_begin(s, chain->sigma));
}

static void find_momenta(const sw_chain *chain, sw_chain_view *v, int first, int end)
{
  if (first < end) {
    sw_view_positions(v, first, end);
    sw_loop_momenta(&v->s, &v->s.start, -v->s.step->h, chain->lambda, chain->kick, chain->force);
  }
}

static void prepare_slide(void *context, int side_of_matrix, int first, int end,
                          sw_neighbours *rows)
{
  sw_chain *chain = context;
  const int side = sw_chain_side(chain, side_of_matrix);
  const sw_span block = {first, end};
  const sw_span beside = sw_chain_and_beside(chain, block);
  int *position = &chain->position[side];
  sw_chain_view v;

  sw_view_make(chain, &v, side, beside);
  sw_view_evaluate(chain, &v, SW_PIECES_OF_JAC, v.s.step->z0, v.s.start.jac);
  if (side == SW_CHAIN_LOW) {
    const int next = sw_chain_column(chain, sw_smaller_int(end + 1, chain->side[side].end));
    find_momenta(chain, &v, *position, next);
    *position = next;
  } else {
    const int next = sw_chain_column(chain, sw_larger_int(first, chain->side[side].first + 1));
    find_momenta(chain, &v, next, *position);
    *position = next;
  }
  sw_view_evaluate(chain, &v, SW_PIECES_OF_JAC, v.s.z1, v.s.end.jac);
  sw_view_rows(&v, beside.first, first);
  sw_loop_frame(&v.s, &v.s.end);
  sw_view_rows(&v, end, beside.end);
  sw_loop_frame(&v.s, &v.s.end);
  sw_view_positions(&v, sw_chain_column(chain, first), sw_chain_column(chain, end + 1));
  sw_loop_velocity(&v.s, v.s.z1 + v.s.system->nq);
  make_slide_rows(chain, &v, block);
  *rows = sw_row_product_neighbours(&v.s.plan->short_way.product, v.s.end.jac, v.s.end.slope,
                                    v.s.factor, v.s.matrix);
}

static void make_slide(void *context, size_t first, size_t end)
{
  const sw_chain *chain = context;

  sw_chain_multiply(chain, &chain->s->end, first, end);
}

/* The gaps. */
static void begin_slide(sw_chain *chain)
{
  const sw_span *between = chain->between;

  for (int i = 0; i < SW_CHAIN_GAPS; i++) {
    sw_chain_view v;
    sw_view_make(chain, &v, -1, sw_chain_and_beside(chain, chain->gap[i]));
    find_momenta(chain, &v, between[i].first, between[i].end);
    sw_loop_velocity(&v.s, v.s.z1 + v.s.system->nq);
  }
  for (int i = 0; i < SW_CHAIN_GAPS; i++) {
    sw_chain_view v;
    sw_view_make(chain, &v, -1, sw_chain_and_beside(chain, chain->gap[i]));
    sw_view_frame(chain, &v, v.s.z1, &v.s.end);
    make_slide_rows(chain, &v, chain->gap[i]);
  }
  chain->position[SW_CHAIN_LOW] = between[0].end;
  chain->position[SW_CHAIN_HIGH] = between[2].first;
}

/* ---- RATTLE's multipliers ---- */

/* Whether g and rho are small in their scales by these sizes, of which the terms of g are found only where they are asked for. */
static void judge(sw_chain *chain, sw_chain_view *v)
{
  sw_holonomic *s = &v->s;
  const double floor = chain->floor;
  const size_t first = (size_t)s->part.row;
  const size_t end = (size_t)s->part.end_row;
  const double by_q = floor * chain->size.q;
  const sw_size_limits rho = {s->rho, s->terms, s->end.slope_sums, floor, floor * chain->size.p};
  sw_size_limits g = {s->g->value, s->end.sums, s->end.sums, by_q, by_q};
  uint64_t most_g;
  uint64_t most_rho;
  int within = sw_long_within(&g, first, end, &most_g);

  if (!within) {
    sw_view_evaluate(chain, v, SW_PIECES_OF_SCALES, s->z1, s->scale);
    g.b = s->scale;
    g.by_b = floor;
    within = sw_long_within(&g, first, end, &most_g);
  }
  if (!(sw_long_within(&rho, first, end, &most_rho) & within)) {
    atomic_store(&chain->is_off, 1);
  }
  sw_most_meet(&chain->largest_g, most_g);
  sw_most_meet(&chain->largest_rho, most_rho);
}

/* Ends p1 at these positions, which may be none. */
static void end_positions(sw_chain *chain, sw_chain_view *v, sw_span positions)
{
  const size_t n = (size_t)(positions.end - positions.first);
  const double *q1 = v->s.z1 + positions.first;

  if (n > 0) {
    sw_view_positions(v, positions.first, positions.end);
    sw_loop_momenta(&v->s, &v->s.end, -v->s.step->h, chain->sigma, 0.0, NULL);
    sw_chain_meet(&chain->largest_q, sw_long_max_abs(n, q1));
    sw_chain_meet(&chain->largest_p, sw_long_max_abs(n, q1 + v->s.system->nq));
  }
}

/* Where p1 is there. */
static void end_rows(sw_chain *chain, sw_chain_view *v, sw_span rows)
{
  sw_holonomic *s = &v->s;

  sw_view_rows(v, rows.first, rows.end);
  sw_chain_meet(&chain->largest, sw_slide_residual(s, chain->sigma, s->factor));
  sw_loop_rates(s, s->end.slope, s->z1 + s->system->nq, s->rho, s->terms);
  judge(chain, v);
}

static void use_slide(void *context, int side_of_matrix, int first, int end)
{
  sw_chain *chain = context;
  const int side = sw_chain_side(chain, side_of_matrix);
  const sw_span rows = {first, end};
  const sw_span done = sw_chain_completed_positions(chain, side, rows);
  sw_chain_view v;

  sw_view_make(chain, &v, side, sw_chain_and_beside(chain, rows));
  sw_view_frame(chain, &v, v.s.z1, &v.s.end);
  end_positions(chain, &v, done);
  end_rows(chain, &v, sw_chain_completed_rows(chain, side, rows));
}

/* The gaps, and the rows that no side has completed. */
static void end_slide(sw_chain *chain)
{
  const sw_span *side = chain->side;
  const sw_span rows[SW_CHAIN_GAPS] = {{0, side[SW_CHAIN_LOW].first + 1},
                                       {side[SW_CHAIN_LOW].end - 1, side[SW_CHAIN_HIGH].first + 1},
                                       {side[SW_CHAIN_HIGH].end - 1, chain->s->plan->m}};

  for (int i = 0; i < SW_CHAIN_GAPS; i++) {
    sw_chain_view v;
    sw_view_make(chain, &v, -1, sw_chain_and_beside(chain, chain->gap[i]));
    end_positions(chain, &v, chain->between[i]);
    end_rows(chain, &v, rows[i]);
  }
}

int sw_chain_slide(sw_chain *chain, sw_deficient *linear, const double lambda[], double sigma[],
                   double floor, sw_sizes size, double *before, double *after)
{
  sw_holonomic *s = chain->s;
  const double kick = 1.0 - s->plan->kick;
  const sw_solution_user user = sw_chain_user(chain, use_slide);

  chain->lambda = lambda;
  chain->sigma = sigma;
  chain->floor = floor;
  chain->size = size;
  chain->kick = kick * s->step->h;
  chain->force = kick > 0.0 ? sw_holonomic_force(s, 1, s->z1) : NULL;
  s->velocity_at_start = s->velocity_at_end = 0;
  sw_chain_start(chain);
  begin_slide(chain);
  const sw_row_maker rows = sw_chain_maker(chain, sigma, make_slide, prepare_slide);
  sw_deficient_begin(linear);
  if (sw_deficient_make_and_factor(linear, s->matrix, &rows) != SW_OK) {
    return 0;
  }
  *before = sw_chain_largest(chain);
  if (!(*before > SW_SOLVE_TARGET)) {
    return 0;
  }
  sw_chain_start(chain);
  if (!sw_deficient_solve_and_use(linear, sigma, &user)) {
    return 0;
  }
  end_slide(chain);
  *after = sw_chain_largest(chain);
  const int good = *after < *before && *after <= SW_SOLVE_TARGET && !atomic_load(&chain->is_off);
  chain->slides += good;
  return good;
}
