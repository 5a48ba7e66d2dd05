/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/holonomic_chain.h"

#include <math.h>

#include "common/processor.h"
#include "common/shared_vectors.h"
#include "solve/solver.h"

/* ---- pieces ---- */

/* The first row of a piece, as in model.h. */
static int row_of(const sw_chain *chain, long piece)
{
  const long n = chain->rows;
  const long pieces = chain->pieces;

  return chain->first + (int)(n / pieces * piece + n % pieces * piece / pieces);
}

/* The piece that a row of the family is in. */
static long piece_of(const sw_chain *chain, int row)
{
  long piece = (long)(row - chain->first) * chain->pieces / chain->rows;

  while (row_of(chain, piece) > row) {
    piece--;
  }
  while (row_of(chain, piece + 1) <= row) {
    piece++;
  }
  return piece;
}

/* Up to the next, or the last, row where a block begins: a number of pieces that are one of fewer (sw_system_pieces). */
static int block_length(const void *context, int row, int step)
{
  const sw_chain *chain = context;
  const long first = piece_of(chain, row) / SW_CHAIN_BLOCK * SW_CHAIN_BLOCK;

  return step > 0 ? row_of(chain, first + SW_CHAIN_BLOCK) - row : row - row_of(chain, first) + 1;
}

static int column_of(const sw_chain *chain, int row)
{
  return chain->column + 3 * (row - chain->first);
}

/* ---- windows ---- */

/* A context of holonomic_loops.h for some rows, whose pieces are first_piece .. end_piece-1, and what it points at. */
typedef struct view {
  sw_holonomic s;
  sw_requirement g;
  long first_piece;
  long end_piece;
} view;

/* The array from behind whose `full` entries the window of that side begins, for entries from `first` on; the array itself for gaps. */
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

/* Rows of the family, and where side < 0 any rows, with all that is made of them alone in windows. */
static void look_at(const sw_chain *chain, view *v, int side, sw_span rows)
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
  v->first_piece = piece_of(chain, low);
  v->end_piece = piece_of(chain, high - 1) + 1;
  const int row = row_of(chain, v->first_piece);
  move_frame(chain, &v->s.start, side, row);
  move_frame(chain, &v->s.end, side, row);
  v->s.rho = window_of(s->rho, m, length, side, row);
  v->s.terms = window_of(s->terms, m, length, side, row);
  v->s.scale = window_of(s->scale, m, length, side, row);
  v->s.factor = window_of(s->factor, m, length, side, row);
  v->g.sums = window_of(s->g->sums, m, length, side, row);
  v->s.velocity =
      window_of(s->velocity, (size_t)s->system->nq, 3 * length + 3, side, column_of(chain, row));
  v->s.part = (sw_stretch){1, rows.first, rows.end, 0, 0};
}

static void take_rows(view *v, int first, int end)
{
  v->s.part.row = first;
  v->s.part.end_row = end;
}

static void take_positions(view *v, int first, int end)
{
  v->s.part.position = first;
  v->s.part.end_position = end;
}

/* Values of the pieces of the view; those of other families are in the first piece. */
static void evaluate(const sw_chain *chain, const view *v, sw_piecewise of, const double z[],
                     double out[])
{
  const int has_others =
      v->s.part.row < chain->first || v->s.part.end_row > chain->first + chain->rows;

  if (has_others && v->first_piece > 0) {
    sw_system_pieces(v->s.system, of, 0, 1, chain->pieces, z, v->s.k, v->s.velocity, out);
  }
  sw_system_pieces(v->s.system, of, v->first_piece, v->end_piece, chain->pieces, z, v->s.k,
                   v->s.velocity, out);
}

static void find_frame(const sw_chain *chain, view *v, const double z[], sw_frame *frame)
{
  evaluate(chain, v, SW_PIECES_OF_JAC, z, frame->jac);
  sw_loop_frame(&v->s, frame);
}

static int smaller(int a, int b)
{
  return a < b ? a : b;
}

static int larger(int a, int b)
{
  return a > b ? a : b;
}

/* These rows and the ones beside them. */
static sw_span and_beside(const sw_chain *chain, sw_span rows)
{
  return (sw_span){larger(rows.first - 1, 0), smaller(rows.end + 1, chain->s->plan->m)};
}

static int side_of(const sw_chain *chain, int side)
{
  return chain->swapped ? 1 - side : side;
}

static void meet(sw_most *most, double size)
{
  sw_most_meet(most, sw_size_bits(size));
}

/* ---- SHAKE's matrix ---- */

/* What rows of it are made of, and their residual. */
static void make_shake_rows(sw_chain *chain, view *v, sw_span rows)
{
  sw_holonomic *s = &v->s;
  const double *z0 = s->step->z0;

  find_frame(chain, v, z0, &s->start);
  if (chain->begins) {
    evaluate(chain, v, SW_PIECES_OF_SCALES, z0, s->terms);
    evaluate(chain, v, SW_PIECES_OF_VALUES, s->free, s->rho);
  }
  evaluate(chain, v, SW_PIECES_OF_JAC, chain->at, s->end.jac);
  take_rows(v, rows.first, rows.end);
  if (chain->begins) {
    const sw_scale_terms of = {.own = s->terms, .a = s->start.sums, .by_a = s->step->size.q};
    if (!sw_loop_scales(s, of, s->g->sums, s->g->scale)) {
      atomic_store(&chain->is_bad, 1);
    }
    meet(&chain->largest, sw_loop_scaled(s, s->rho, s->g->scale, chain->F));
  }
  sw_loop_factors(s, s->g->scale, -s->step->h * s->step->h);
}

static void prepare_shake(void *context, int side, int first, int end, sw_neighbours *rows)
{
  sw_chain *chain = context;
  const sw_span block = {first, end};
  view v;

  look_at(chain, &v, side_of(chain, side), and_beside(chain, block));
  make_shake_rows(chain, &v, block);
  *rows = sw_row_product_neighbours(&v.s.plan->short_way.product, v.s.end.jac, v.s.start.slope,
                                    v.s.factor, v.s.matrix);
}

static void multiply(const sw_chain *chain, const sw_frame *frame, size_t first, size_t end)
{
  sw_holonomic s = *chain->s;
  sw_frame_product of = {&s, s.end.jac, frame, s.matrix};

  s.part = (sw_stretch){1, (int)first, (int)end, 0, 0};
  sw_loop_product(&of);
}

/* Rows of gaps, which have been prepared. */
static void make_shake(void *context, size_t first, size_t end)
{
  const sw_chain *chain = context;

  multiply(chain, &chain->s->start, first, end);
}

/* Rows that are eliminated one by one begin behind the first pieces, so that no part of a side is in the one with other families. */
static sw_neighbours trimmed(const sw_chain *chain, sw_neighbours rows)
{
  const int first = row_of(chain, 2);

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

static sw_row_maker maker_of(sw_chain *chain, sw_range_job *make,
                             void (*prepare)(void *, int, int, int, sw_neighbours *))
{
  const sw_holonomic *s = chain->s;
  const sw_neighbours rows = sw_row_product_neighbours(&s->plan->short_way.product, s->end.jac,
                                                       s->end.slope, s->factor, s->matrix);

  return (sw_row_maker){make, chain, trimmed(chain, rows), prepare, block_length};
}

static void start_walk(sw_chain *chain)
{
  const sw_team *team = chain->s->system->team;

  chain->largest = chain->largest_g = chain->largest_rho = sw_most_by(team);
  chain->largest_q = chain->largest_p = sw_most_by(team);
  atomic_store(&chain->is_off, 0);
  atomic_store(&chain->is_bad, 0);
}

sw_row_maker sw_chain_shake(sw_chain *chain, int begins, double F[])
{
  chain->begins = begins;
  chain->at = begins ? chain->s->free : chain->s->z1;
  chain->F = F;
  chain->s->start.known = chain->s->end.known = 0;
  start_walk(chain);
  for (int i = 0; i < SW_CHAIN_GAPS; i++) {
    if (chain->gap[i].first < chain->gap[i].end) {
      view v;
      look_at(chain, &v, -1, and_beside(chain, chain->gap[i]));
      make_shake_rows(chain, &v, chain->gap[i]);
    }
  }
  return maker_of(chain, make_shake, prepare_shake);
}

double sw_chain_largest(const sw_chain *chain)
{
  return atomic_load(&chain->is_bad) ? (double)NAN : sw_most_of(&chain->largest);
}

/* ---- SHAKE's multipliers ---- */

static void correct(const sw_chain *chain, int first, int end)
{
  for (int i = first; i < end && chain->from; i++) {
    chain->to[i] = chain->from[i] - chain->F[i];
  }
  for (int i = first; i < end && !chain->from; i++) {
    chain->to[i] = chain->copy[i] = 0.0 - chain->F[i];
  }
}

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
  s.part = (sw_stretch){1, has_others ? 0 : row_of(chain, first),
                        is_last ? s.plan->m : row_of(chain, end), 0, 0};
  meet(&chain->largest, sw_loop_scaled(&s, s.g->value, s.g->scale, chain->F));
}

/* The positions that rows of a block complete, as the walk leads from the middle of the chain outwards, and the rows that these do. */
static sw_span completed_positions(const sw_chain *chain, int side, sw_span rows)
{
  const sw_span all = chain->side[side];

  return side == SW_CHAIN_LOW ? (sw_span){column_of(chain, rows.first + 1),
                                          column_of(chain, smaller(rows.end + 1, all.end))}
                              : (sw_span){column_of(chain, larger(rows.first, all.first + 1)),
                                          column_of(chain, rows.end)};
}

static sw_span completed_rows(const sw_chain *chain, int side, sw_span rows)
{
  const sw_span all = chain->side[side];

  return side == SW_CHAIN_LOW ? (sw_span){rows.first + 1, smaller(rows.end + 1, all.end - 1)}
                              : (sw_span){larger(rows.first - 1, all.first + 1), rows.end - 1};
}

static void use_shake(void *context, int side_of_matrix, int first, int end)
{
  sw_chain *chain = context;
  const int side = side_of(chain, side_of_matrix);
  const sw_span rows = {first, end};
  const sw_span done = completed_positions(chain, side, rows);
  const sw_span ready = completed_rows(chain, side, rows);
  long *known = &chain->piece[side];
  long next = *known;
  view v;

  correct(chain, first, end);
  look_at(chain, &v, side, and_beside(chain, rows));
  evaluate(chain, &v, SW_PIECES_OF_JAC, v.s.step->z0, v.s.start.jac);
  sw_loop_slope(&v.s, &v.s.start);
  take_positions(&v, done.first, done.end);
  sw_loop_positions(&v.s, chain->to);
  if (side == SW_CHAIN_LOW) {
    while (row_of(chain, next - 1) >= ready.first) {
      next--;
    }
    find_g(chain, next, *known);
  } else {
    while (row_of(chain, next + 1) <= ready.end) {
      next++;
    }
    find_g(chain, *known, next);
  }
  *known = next;
}

double sw_chain_correct(sw_chain *chain, sw_deficient *linear, double F[], const double from[],
                        double to[], double copy[])
{
  const sw_span *side = chain->side;
  const sw_solution_user user = {use_shake,
                                 block_length,
                                 chain,
                                 {side[chain->swapped].first, side[!chain->swapped].first},
                                 {side[chain->swapped].end, side[!chain->swapped].end}};
  const long middle[2] = {piece_of(chain, side[SW_CHAIN_LOW].end - 1),
                          piece_of(chain, side[SW_CHAIN_HIGH].first) + 1};

  chain->F = F;
  chain->from = from;
  chain->to = to;
  chain->copy = copy;
  chain->piece[SW_CHAIN_LOW] = middle[0];
  chain->piece[SW_CHAIN_HIGH] = middle[1];
  chain->at = chain->s->at = chain->s->z1;
  start_walk(chain);
  if (!sw_deficient_solve_and_use(linear, F, &user)) {
    return (double)NAN;
  }
  for (int i = 0; i < SW_CHAIN_GAPS; i++) {
    correct(chain, chain->gap[i].first, chain->gap[i].end);
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

/* ---- RATTLE's matrix ---- */

/* What rows of it are made of, and rho, where p1 is there. */
static void make_slide_rows(sw_chain *chain, view *v, sw_span rows)
{
  sw_holonomic *s = &v->s;

  take_rows(v, rows.first, rows.end);
  evaluate(chain, v, SW_PIECES_ALONG, s->z1, s->start.jac);
  if (!sw_loop_arrive(s, s->start.jac, s->g->sums)) {
    atomic_store(&chain->is_bad, 1);
  }
  meet(&chain->largest, sw_loop_slide_begin(s, chain->sigma));
}

static void find_momenta(const sw_chain *chain, view *v, int first, int end)
{
  if (first < end) {
    take_positions(v, first, end);
    sw_loop_momenta(&v->s, &v->s.start, -v->s.step->h, chain->lambda, chain->kick, chain->force);
  }
}

static void prepare_slide(void *context, int side_of_matrix, int first, int end,
                          sw_neighbours *rows)
{
  sw_chain *chain = context;
  const int side = side_of(chain, side_of_matrix);
  const sw_span block = {first, end};
  const sw_span beside = and_beside(chain, block);
  int *position = &chain->position[side];
  view v;

  look_at(chain, &v, side, beside);
  evaluate(chain, &v, SW_PIECES_OF_JAC, v.s.step->z0, v.s.start.jac);
  if (side == SW_CHAIN_LOW) {
    const int next = column_of(chain, smaller(end + 1, chain->side[side].end));
    find_momenta(chain, &v, *position, next);
    *position = next;
  } else {
    const int next = column_of(chain, larger(first, chain->side[side].first + 1));
    find_momenta(chain, &v, next, *position);
    *position = next;
  }
  evaluate(chain, &v, SW_PIECES_OF_JAC, v.s.z1, v.s.end.jac);
  take_rows(&v, beside.first, first);
  sw_loop_frame(&v.s, &v.s.end);
  take_rows(&v, end, beside.end);
  sw_loop_frame(&v.s, &v.s.end);
  take_positions(&v, column_of(chain, first), column_of(chain, end + 1));
  sw_loop_velocity(&v.s, v.s.z1 + v.s.system->nq);
  make_slide_rows(chain, &v, block);
  *rows = sw_row_product_neighbours(&v.s.plan->short_way.product, v.s.end.jac, v.s.end.slope,
                                    v.s.factor, v.s.matrix);
}

static void make_slide(void *context, size_t first, size_t end)
{
  const sw_chain *chain = context;

  multiply(chain, &chain->s->end, first, end);
}

/* The gaps. */
static void begin_slide(sw_chain *chain)
{
  const sw_span *between = chain->between;

  for (int i = 0; i < SW_CHAIN_GAPS; i++) {
    view v;
    look_at(chain, &v, -1, and_beside(chain, chain->gap[i]));
    find_momenta(chain, &v, between[i].first, between[i].end);
    sw_loop_velocity(&v.s, v.s.z1 + v.s.system->nq);
  }
  for (int i = 0; i < SW_CHAIN_GAPS; i++) {
    view v;
    look_at(chain, &v, -1, and_beside(chain, chain->gap[i]));
    find_frame(chain, &v, v.s.z1, &v.s.end);
    make_slide_rows(chain, &v, chain->gap[i]);
  }
  chain->position[SW_CHAIN_LOW] = between[0].end;
  chain->position[SW_CHAIN_HIGH] = between[2].first;
}

/* ---- RATTLE's multipliers ---- */

/* Rows first .. end-1 of g, or rho, and what is known of their scales: |f_i| <= bound a_i or bound_b b_i says that it is on M. */
typedef struct bounds {
  const double *f;
  const double *a;
  const double *b;
  double by_a;
  double by_b;
} bounds;

/* Returns whether all are within, and the largest of them in *most. */
SW_FOR_EACH_PROCESSOR static int compare(const bounds *of, int first, int end, uint64_t *most)
{
  const double *f = of->f;
  const double *a = of->a;
  const double *b = of->b;
  const double by_a = of->by_a;
  const double by_b = of->by_b;
  uint64_t largest = 0;
  int within = 1;

  for (int i = first; i < end; i++) {
    const double size = fabs(f[i]);
    within &= (size <= by_a * a[i]) | (size <= by_b * b[i]);
    largest = sw_larger_bits(largest, sw_size_bits(size));
  }
  *most = largest;
  return within;
}

/* Whether g and rho are small in their scales by these sizes, or what is known of them, and the largest of them. */
static void judge(sw_chain *chain, view *v)
{
  sw_holonomic *s = &v->s;
  const double floor = chain->floor;
  const int first = s->part.row;
  const int end = s->part.end_row;
  const double by_q = floor * chain->size.q;
  const bounds rho = {s->rho, s->terms, s->end.slope_sums, floor, floor * chain->size.p};
  bounds g = {s->g->value, s->end.sums, s->end.sums, by_q, by_q};
  uint64_t most_g;
  uint64_t most_rho;
  int within = compare(&g, first, end, &most_g);

  if (!within) {
    evaluate(chain, v, SW_PIECES_OF_SCALES, s->z1, s->scale);
    g.b = s->scale;
    g.by_b = floor;
    within = compare(&g, first, end, &most_g);
  }
  if (!(compare(&rho, first, end, &most_rho) & within)) {
    atomic_store(&chain->is_off, 1);
  }
  sw_most_meet(&chain->largest_g, most_g);
  sw_most_meet(&chain->largest_rho, most_rho);
}

/* Ends p1 at these positions, which may be none. */
static void end_positions(sw_chain *chain, view *v, sw_span positions)
{
  const size_t n = (size_t)(positions.end - positions.first);
  const double *q1 = v->s.z1 + positions.first;

  if (n > 0) {
    take_positions(v, positions.first, positions.end);
    sw_loop_momenta(&v->s, &v->s.end, -v->s.step->h, chain->sigma, 0.0, NULL);
    meet(&chain->largest_q, sw_long_max_abs(n, q1));
    meet(&chain->largest_p, sw_long_max_abs(n, q1 + v->s.system->nq));
  }
}

/* Where p1 is there. */
static void end_rows(sw_chain *chain, view *v, sw_span rows)
{
  sw_holonomic *s = &v->s;

  take_rows(v, rows.first, rows.end);
  meet(&chain->largest, sw_slide_residual(s, chain->sigma, s->factor));
  sw_loop_rates(s, s->end.slope, s->z1 + s->system->nq, s->rho, s->terms);
  judge(chain, v);
}

static void use_slide(void *context, int side_of_matrix, int first, int end)
{
  sw_chain *chain = context;
  const int side = side_of(chain, side_of_matrix);
  const sw_span rows = {first, end};
  const sw_span done = completed_positions(chain, side, rows);
  view v;

  look_at(chain, &v, side, and_beside(chain, rows));
  find_frame(chain, &v, v.s.z1, &v.s.end);
  end_positions(chain, &v, done);
  end_rows(chain, &v, completed_rows(chain, side, rows));
}

/* The gaps, and the rows that no side has completed. */
static void end_slide(sw_chain *chain)
{
  const sw_span *side = chain->side;
  const sw_span rows[SW_CHAIN_GAPS] = {{0, side[SW_CHAIN_LOW].first + 1},
                                       {side[SW_CHAIN_LOW].end - 1, side[SW_CHAIN_HIGH].first + 1},
                                       {side[SW_CHAIN_HIGH].end - 1, chain->s->plan->m}};

  for (int i = 0; i < SW_CHAIN_GAPS; i++) {
    view v;
    look_at(chain, &v, -1, and_beside(chain, chain->gap[i]));
    end_positions(chain, &v, chain->between[i]);
    end_rows(chain, &v, rows[i]);
  }
}

int sw_chain_slide(sw_chain *chain, sw_deficient *linear, const double lambda[], double sigma[],
                   double floor, sw_sizes size, double *before, double *after)
{
  sw_holonomic *s = chain->s;
  const double kick = 1.0 - s->plan->kick;
  const sw_span *side = chain->side;
  const sw_solution_user user = {use_slide,
                                 block_length,
                                 chain,
                                 {side[chain->swapped].first, side[!chain->swapped].first},
                                 {side[chain->swapped].end, side[!chain->swapped].end}};

  chain->lambda = lambda;
  chain->sigma = sigma;
  chain->floor = floor;
  chain->size = size;
  chain->kick = kick * s->step->h;
  chain->force = kick > 0.0 ? sw_holonomic_force(s, 1, s->z1) : NULL;
  s->velocity_at_start = s->velocity_at_end = 0;
  start_walk(chain);
  begin_slide(chain);
  const sw_row_maker rows = maker_of(chain, make_slide, prepare_slide);
  sw_deficient_begin(linear);
  if (sw_deficient_make_and_factor(linear, s->matrix, &rows) != SW_OK) {
    return 0;
  }
  *before = sw_chain_largest(chain);
  if (!(*before > SW_SOLVE_TARGET)) {
    return 0;
  }
  start_walk(chain);
  if (!sw_deficient_solve_and_use(linear, sigma, &user)) {
    return 0;
  }
  end_slide(chain);
  *after = sw_chain_largest(chain);
  const int good = *after < *before && *after <= SW_SOLVE_TARGET && !atomic_load(&chain->is_off);
  chain->slides += good;
  return good;
}

/* ---- which chains are for this file ---- */

/* Whether pieces are of the rows that model.h says. */
static int has_these_pieces(const sw_chain *chain, const double z[])
{
  const sw_holonomic *s = chain->s;
  const int m = s->plan->m;
  const int behind = chain->first + chain->rows;
  const long looked_at[] = {0, 1, chain->pieces / 2, chain->pieces - 1};
  double *value = s->g->value;
  int so = 1;

  for (int i = 0; i < 4 && so; i++) {
    const sw_span rows = {row_of(chain, looked_at[i]), row_of(chain, looked_at[i] + 1)};
    sw_fill(value, (double)NAN, (size_t)m);
    sw_system_pieces(s->system, SW_PIECES_OF_VALUES, looked_at[i], looked_at[i] + 1, chain->pieces,
                     z, s->k, NULL, value);
    for (int row = 0; row < m; row++) {
      const int is_other = row < chain->first || row >= behind;
      const int is_here = is_other ? i == 0 : row >= rows.first && row < rows.end;
      so &= is_here ? !isnan(value[row]) : isnan(value[row]);
    }
  }
  return so;
}

/* Whether rows are as neighbours are, and no other row has a position of a side. */
static int has_these_columns(const sw_chain *chain)
{
  const sw_pattern *Dg = &chain->s->system->constraint_jac_pattern;
  int so = 1;

  for (int e = 0; e < Dg->entries; e++) {
    const int row = Dg->row[e];
    const int col = Dg->col[e];
    if (row >= chain->first && row < chain->first + chain->rows) {
      const int nth = e - (chain->entry + 6 * (row - chain->first));
      so &= nth >= 0 && nth < 6 && col == column_of(chain, row) + nth;
    } else {
      int is_between = 0;
      for (int i = 0; i < SW_CHAIN_GAPS; i++) {
        is_between |= col >= chain->between[i].first && col < chain->between[i].end;
      }
      so &= is_between;
    }
  }
  return so;
}

/* From the rows of the sides. */
static void find_gaps(sw_chain *chain)
{
  const sw_span low = chain->side[SW_CHAIN_LOW];
  const sw_span high = chain->side[SW_CHAIN_HIGH];

  chain->gap[0] = (sw_span){0, low.first};
  chain->gap[1] = (sw_span){low.end, high.first};
  chain->gap[2] = (sw_span){high.end, chain->s->plan->m};
  chain->between[0] = (sw_span){0, column_of(chain, low.first) + 3};
  chain->between[1] = (sw_span){column_of(chain, low.end), column_of(chain, high.first + 1)};
  chain->between[2] = (sw_span){column_of(chain, high.end), chain->s->system->nq};
}

/* Leaves the sides in the chain. */
static int find_sides(sw_chain *chain, const sw_deficient *linear)
{
  const sw_row_maker maker = maker_of(chain, make_slide, prepare_slide);
  sw_solution_user ends;
  int step[2];

  if (maker.neighbours.first == maker.neighbours.end ||
      !sw_deficient_ends(linear, &maker, &ends, step)) {
    return 0;
  }
  chain->swapped = step[0] < 0;
  for (int side = 0; side < 2; side++) {
    const int of = side_of(chain, side);
    chain->side[of] = (sw_span){ends.first[side], ends.end[side]};
  }
  enum { LEAST = 2 * SW_CHAIN_WINDOW };
  const sw_span low = chain->side[SW_CHAIN_LOW];
  const sw_span high = chain->side[SW_CHAIN_HIGH];
  return low.end - low.first > LEAST && high.end - high.first > LEAST && low.end < high.first &&
         high.end < chain->s->plan->m;
}

void sw_chain_find(sw_chain *chain, sw_holonomic *s, const sw_deficient *linear, const double z[])
{
  const sw_runs *runs = &s->plan->short_way.jac_runs;

  *chain = (sw_chain){.s = s, .window = s->plan->short_way.window, .applies = -1};
  if (s->hidden_jac || !sw_system_long_family(s->system, &chain->first, &chain->rows)) {
    return;
  }
  const sw_run run = sw_run_within(&runs->run[sw_runs_find(runs, chain->first)], chain->first,
                                   chain->first + chain->rows);
  chain->column = run.col;
  chain->entry = run.entry;
  chain->pieces = chain->rows / SW_CHAIN_PIECE / SW_CHAIN_BLOCK * SW_CHAIN_BLOCK;
  if (run.width != 6 || !run.is_dense || run.step != 3 || run.end - run.first != chain->rows ||
      !find_sides(chain, linear)) {
    return;
  }
  find_gaps(chain);
  chain->applies = has_these_columns(chain) && has_these_pieces(chain, z) ? 1 : -1;
}
