/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/holonomic_chain_view.h"

#include <math.h>

#include "common/shared_vectors.h"

/* ---- pieces ---- */

int sw_chain_row(const sw_chain *chain, long piece)
{
  const long n = chain->rows;
  const long pieces = chain->pieces;

  return chain->first + (int)(n / pieces * piece + n % pieces * piece / pieces);
}

long sw_chain_piece(const sw_chain *chain, int row)
{
  long piece = (long)(row - chain->first) * chain->pieces / chain->rows;

  while (sw_chain_row(chain, piece) > row) {
    piece--;
  }
  while (sw_chain_row(chain, piece + 1) <= row) {
    piece++;
  }
  return piece;
}

/* Up to the next, or the last, row where a block begins: a number of pieces that are one of fewer (sw_system_pieces). */
static int block_length(const void *context, int row, int step)
{
  const sw_chain *chain = context;
  const long first = sw_chain_piece(chain, row) / SW_CHAIN_BLOCK * SW_CHAIN_BLOCK;

  return step > 0 ? sw_chain_row(chain, first + SW_CHAIN_BLOCK) - row
                  : row - sw_chain_row(chain, first) + 1;
}

sw_span sw_chain_completed_positions(const sw_chain *chain, int side, sw_span rows)
{
  const sw_span all = chain->side[side];

  return side == SW_CHAIN_LOW
             ? (sw_span){sw_chain_column(chain, rows.first + 1),
                         sw_chain_column(chain, sw_smaller_int(rows.end + 1, all.end))}
             : (sw_span){sw_chain_column(chain, sw_larger_int(rows.first, all.first + 1)),
                         sw_chain_column(chain, rows.end)};
}

sw_span sw_chain_completed_rows(const sw_chain *chain, int side, sw_span rows)
{
  const sw_span all = chain->side[side];

  return side == SW_CHAIN_LOW
             ? (sw_span){rows.first + 1, sw_smaller_int(rows.end + 1, all.end - 1)}
             : (sw_span){sw_larger_int(rows.first - 1, all.first + 1), rows.end - 1};
}

/* ---- windows ---- */

/* What entry number i of an array is sought from, so that entries from `first` on are found in the window of that side, behind the `full`
 * entries of the array: still a place in it, since `first` is at most `full`.  The array itself for gaps. */
static double *window_of(double *array, size_t full, size_t length, int side, int first)
{
  return side < 0 ? array : array + ((ptrdiff_t)full + side * (ptrdiff_t)length - (ptrdiff_t)first);
}

static void move_frame(const sw_chain *chain, sw_frame *frame, int side, int row)
{
  const size_t m = (size_t)chain->s->plan->m;
  const size_t entries = (size_t)chain->s->system->constraint_jac_pattern.entries;
  const size_t rows = (size_t)chain->window;
  const int entry = chain->entry + 6 * (row - chain->first);

  frame->jac = window_of(frame->jac, entries, 6 * rows, side, entry);
  frame->slope = window_of(frame->slope, entries, 6 * rows, side, entry);
  frame->sums = window_of(frame->sums, m, rows, side, row);
  frame->slope_sums = window_of(frame->slope_sums, m, rows, side, row);
}

void sw_view_make(const sw_chain *chain, sw_chain_view *v, int side, sw_span rows)
{
  const sw_holonomic *s = chain->s;
  const size_t m = (size_t)s->plan->m;
  const size_t length = (size_t)chain->window;
  const int last = chain->first + chain->rows;
  const int low = rows.first < chain->first ? chain->first : rows.first;
  const int high = rows.end > last ? last : rows.end;

  v->s = *s;
  v->g = *s->g;
  v->s.g = &v->g;
  v->first_piece = sw_chain_piece(chain, low);
  v->end_piece = sw_chain_piece(chain, high - 1) + 1;
  const int row = sw_chain_row(chain, v->first_piece);
  move_frame(chain, &v->s.start, side, row);
  move_frame(chain, &v->s.end, side, row);
  v->s.rho = window_of(s->rho, m, length, side, row);
  v->s.terms = window_of(s->terms, m, length, side, row);
  v->s.scale = window_of(s->scale, m, length, side, row);
  v->s.factor = window_of(s->factor, m, length, side, row);
  v->g.sums = window_of(s->g->sums, m, length, side, row);
  v->s.velocity =
      window_of(s->velocity, (size_t)s->system->nq, sw_chain_positions(&s->plan->short_way), side,
                sw_chain_column(chain, row));
  if (s->is_even) {
    /* The same window for both ends. */
    v->s.mass = window_of(s->mass, (size_t)s->system->nq, 0, side, sw_chain_column(chain, row));
  }
  v->s.part = (sw_stretch){1, rows.first, rows.end, 0, 0};
}

void sw_view_evaluate(const sw_chain *chain, const sw_chain_view *v, sw_piecewise of,
                      const double z[], double out[])
{
  const int has_others =
      v->s.part.row < chain->first || v->s.part.end_row > chain->first + chain->rows;

  if (has_others && v->first_piece > 0) {
    sw_system_pieces(v->s.system, of, 0, 1, chain->pieces, z, v->s.k, v->s.velocity, out);
  }
  sw_system_pieces(v->s.system, of, v->first_piece, v->end_piece, chain->pieces, z, v->s.k,
                   v->s.velocity, out);
}

void sw_view_frame(const sw_chain *chain, sw_chain_view *v, const double z[], sw_frame *frame)
{
  sw_view_evaluate(chain, v, SW_PIECES_OF_JAC, z, frame->jac);
  sw_loop_frame(&v->s, frame);
}

sw_span sw_chain_and_beside(const sw_chain *chain, sw_span rows)
{
  return (sw_span){sw_larger_int(rows.first - 1, 0),
                   sw_smaller_int(rows.end + 1, chain->s->plan->m)};
}

/* ---- walks ---- */

void sw_chain_multiply(const sw_chain *chain, const sw_frame *frame, size_t first, size_t end)
{
  sw_holonomic s = *chain->s;
  sw_frame_product of = {&s, s.end.jac, frame, s.matrix};

  s.part = (sw_stretch){1, (int)first, (int)end, 0, 0};
  sw_loop_product(&of);
}

/* Rows that are eliminated one by one begin behind the first pieces, so that no part of a side is in the one with other families. */
static sw_neighbours trimmed(const sw_chain *chain, sw_neighbours rows)
{
  const int first = sw_chain_row(chain, 2);

  if (rows.first < first && first < rows.end) {
    const ptrdiff_t by = first - rows.first;
    rows.a += 6 * by;
    rows.b += 6 * by;
    rows.factor += by;
    rows.c += 3 * by;
    rows.first = first;
  }
  return rows;
}

sw_row_maker sw_chain_maker(sw_chain *chain, const double right[], sw_range_job *make,
                            void (*prepare)(void *, int, int, int, sw_neighbours *))
{
  const sw_holonomic *s = chain->s;
  const sw_neighbours rows = sw_row_product_neighbours(&s->plan->short_way.product, s->end.jac,
                                                       s->end.slope, s->factor, s->matrix);

  return (sw_row_maker){make, chain, trimmed(chain, rows), right, prepare, block_length};
}

void sw_chain_start(sw_chain *chain)
{
  const sw_team *team = chain->s->system->team;

  chain->largest = chain->largest_g = chain->largest_rho = sw_most_by(team);
  chain->largest_q = chain->largest_p = sw_most_by(team);
  atomic_store(&chain->is_off, 0);
  atomic_store(&chain->is_bad, 0);
}

sw_solution_user sw_chain_user(sw_chain *chain, sw_block_job *use)
{
  const sw_span *first = &chain->side[sw_chain_side(chain, 0)];
  const sw_span *second = &chain->side[sw_chain_side(chain, 1)];

  return (sw_solution_user){
      use, block_length, chain, {first->first, second->first}, {first->end, second->end}};
}

double sw_chain_largest(const sw_chain *chain)
{
  return atomic_load(&chain->is_bad) ? (double)NAN : sw_most_of(&chain->largest);
}
