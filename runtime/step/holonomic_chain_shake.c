/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * holonomic_chain_shake.c -- the walks of SHAKE (holonomic_chain.h).
 */
#include <math.h>

#include "common/shared_vectors.h"
#include "step/holonomic_chain_view.h"

/* ---- SHAKE's matrix ---- */

/* What rows of it are made of, and their residual. */
static void make_shake_rows(sw_chain *chain, sw_chain_view *v, sw_span rows)
{
  sw_holonomic *s = &v->s;
  const double *z0 = s->step->z0;

  sw_view_frame(chain, v, z0, &s->start);
  if (chain->begins) {
    sw_view_evaluate(chain, v, SW_PIECES_OF_SCALES, z0, s->terms);
    sw_view_evaluate(chain, v, SW_PIECES_OF_VALUES, s->free, s->rho);
  }
  sw_view_evaluate(chain, v, SW_PIECES_OF_JAC, chain->at, s->end.jac);
  sw_view_rows(v, rows.first, rows.end);
  if (chain->begins) {
    const sw_scale_terms of = {.own = s->terms, .a = s->start.sums, .by_a = s->step->size.q};
    if (!sw_loop_scales(s, of, s->g->sums, s->g->scale)) {
      atomic_store(&chain->is_bad, 1);
    }
    sw_chain_meet(&chain->largest, sw_loop_scaled(s, s->rho, s->g->scale, chain->F));
  }
  sw_loop_factors(s, s->g->scale, -s->step->h * s->step->h);
}

static void prepare_shake(void *context, int side, int first, int end, sw_neighbours *rows)
{
  sw_chain *chain = context;
  const sw_span block = {first, end};
  sw_chain_view v;

  sw_view_make(chain, &v, sw_chain_side(chain, side), sw_chain_and_beside(chain, block));
  make_shake_rows(chain, &v, block);
  *rows = sw_row_product_neighbours(&v.s.plan->short_way.product, v.s.end.jac, v.s.start.slope,
                                    v.s.factor, v.s.matrix);
  /* Nobody reads these values again. */
  const size_t windows = (size_t)v.s.plan->jacobian.entries;
  rows->c = v.s.matrix + windows + 3 * (ptrdiff_t)(side * chain->window - (first - rows->first));
}

/* Rows of gaps, which have been prepared. */
static void make_shake(void *context, size_t first, size_t end)
{
  const sw_chain *chain = context;

  sw_chain_multiply(chain, &chain->s->start, first, end);
}

sw_row_maker sw_chain_shake(sw_chain *chain, int begins, double F[])
{
  chain->begins = begins;
  chain->at = begins ? chain->s->free : chain->s->z1;
  chain->F = F;
  chain->s->start.known = chain->s->end.known = 0;
  sw_chain_start(chain);
  for (int i = 0; i < SW_CHAIN_GAPS; i++) {
    if (chain->gap[i].first < chain->gap[i].end) {
      sw_chain_view v;
      sw_view_make(chain, &v, -1, sw_chain_and_beside(chain, chain->gap[i]));
      make_shake_rows(chain, &v, chain->gap[i]);
    }
  }
  return sw_chain_maker(chain, F, make_shake, prepare_shake);
}

/* ---- SHAKE's multipliers ---- */

/* g and F of pieces first .. end-1 at q1. */
static void find_g(sw_chain *chain, long first, long end)
{
  sw_holonomic s = *chain->s;
  const int has_others = first == 0;
  const int is_last = end == chain->pieces;

  if (first >= end) {
    return;
  }
  sw_system_pieces(s.system, SW_PIECES_OF_VALUES, first, end, chain->pieces, s.z1, s.k, NULL,
                   s.g->value);
  s.part = (sw_stretch){1, has_others ? 0 : sw_chain_row(chain, first),
                        is_last ? s.plan->m : sw_chain_row(chain, end), 0, 0};
  sw_chain_meet(&chain->largest, sw_loop_scaled(&s, s.g->value, s.g->scale, chain->F));
}

static void use_shake(void *context, int side_of_matrix, int first, int end)
{
  sw_chain *chain = context;
  const int side = sw_chain_side(chain, side_of_matrix);
  const sw_span rows = {first, end};
  const sw_span beside = sw_chain_and_beside(chain, rows);
  const sw_span done = sw_chain_completed_positions(chain, side, rows);
  const sw_span ready = sw_chain_completed_rows(chain, side, rows);
  long *known = &chain->piece[side];
  long next = *known;
  sw_chain_view v;

  sw_view_make(chain, &v, side, beside);
  sw_view_rows(&v, first, end);
  sw_loop_correct(&v.s, chain->from, chain->F, chain->to);
  sw_view_rows(&v, beside.first, beside.end);
  sw_view_evaluate(chain, &v, SW_PIECES_OF_JAC, v.s.step->z0, v.s.start.jac);
  sw_loop_slope(&v.s, &v.s.start);
  sw_view_positions(&v, done.first, done.end);
  sw_loop_positions(&v.s, chain->to);
  if (side == SW_CHAIN_LOW) {
    while (sw_chain_row(chain, next - 1) >= ready.first) {
      next--;
    }
    find_g(chain, next, *known);
  } else {
    while (sw_chain_row(chain, next + 1) <= ready.end) {
      next++;
    }
    find_g(chain, *known, next);
  }
  *known = next;
}

double sw_chain_correct(sw_chain *chain, sw_deficient *linear, double F[], const double from[],
                        double to[])
{
  const sw_span *side = chain->side;
  const sw_solution_user user = sw_chain_user(chain, use_shake);
  const long middle[2] = {sw_chain_piece(chain, side[SW_CHAIN_LOW].end - 1),
                          sw_chain_piece(chain, side[SW_CHAIN_HIGH].first) + 1};

  chain->F = F;
  chain->from = from;
  chain->to = to;
  chain->piece[SW_CHAIN_LOW] = middle[0];
  chain->piece[SW_CHAIN_HIGH] = middle[1];
  chain->at = chain->s->at = chain->s->z1;
  sw_chain_start(chain);
  if (!sw_deficient_solve_and_use(linear, F, &user)) {
    return (double)NAN;
  }
  for (int i = 0; i < SW_CHAIN_GAPS; i++) {
    sw_holonomic s = *chain->s;
    s.part = (sw_stretch){1, chain->gap[i].first, chain->gap[i].end, 0, 0};
    sw_loop_correct(&s, from, F, to);
  }
  for (int i = 0; i < SW_CHAIN_GAPS; i++) {
    sw_holonomic s = *chain->s;
    s.part = (sw_stretch){1, 0, 0, chain->between[i].first, chain->between[i].end};
    if (s.part.position < s.part.end_position) {
      sw_loop_positions(&s, to);
    }
  }
  find_g(chain, 0, chain->piece[SW_CHAIN_LOW]);
  find_g(chain, middle[0], middle[1]);
  find_g(chain, chain->piece[SW_CHAIN_HIGH], chain->pieces);
  return sw_chain_largest(chain);
}
