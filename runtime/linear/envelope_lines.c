/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/envelope_lines.h"

#include "common/pair.h"
#include "common/processor.h"

/* ---- choice of rows ---- */

static int is_made(const sw_neighbours *rows, int row)
{
  return row >= rows->first && row < rows->end;
}

/* Shrinks a line to the rows that can be produced. */
static sw_line line_within(const int order[], sw_line line, const sw_neighbours *rows)
{
  while (line.first < line.end && !is_made(rows, order[line.first])) {
    line.first++;
  }
  while (line.first < line.end && !is_made(rows, order[line.end - 1])) {
    line.end--;
  }
  return line;
}

sw_lines sw_lines_of(const sw_envelope *envelope, const sw_row_maker *maker)
{
  const sw_lines none = {0};
  sw_lines lines = {0};
  int length[2];

  if (!maker || envelope->rows == envelope->n) {
    return none;
  }
  lines.maker = maker;
  lines.rows = maker->neighbours;
  for (int side = 0; side < 2; side++) {
    lines.of[side] = line_within(envelope->order, envelope->line[side], &lines.rows);
    length[side] = lines.of[side].end - lines.of[side].first;
  }
  const int pays = length[0] > 0 && length[1] > 0 && length[0] + length[1] >= envelope->n / 2;
  return pays && lines.of[0].step == -lines.of[1].step ? lines : none;
}

void sw_lines_others(const sw_envelope *envelope, const sw_lines *lines, int first[3], int end[3])
{
  int low[2];
  int high[2];

  for (int side = 0; side < 2; side++) {
    const int a = envelope->order[lines->of[side].first];
    const int b = envelope->order[lines->of[side].end - 1];
    low[side] = a < b ? a : b;
    high[side] = a < b ? b : a;
  }
  const int lower = low[1] < low[0];
  first[0] = 0;
  end[0] = low[lower];
  first[1] = high[lower] + 1;
  end[1] = low[!lower];
  first[2] = high[!lower] + 1;
  end[2] = envelope->n;
}

/* ---- elimination ---- */

typedef struct made_line {
  sw_elimination s;
  ptrdiff_t row;       /* the next row, relative to rows.first */
  double u;            /* entry of the last row in the column of the next row */
  const double *right; /* right-hand side of the next row */
  double *x;           /* receives the next component of L^{-1} b */
} made_line;

static made_line envelope_lines_begin(const sw_lines *lines, const sw_elimination *s)
{
  const sw_envelope *envelope = s->envelope;
  const int row = envelope->order[s->row];

  return (made_line){.s = *s,
                     .row = row - lines->rows.first,
                     .u = s->next[1],
                     .right = lines->maker->right + row,
                     .x = envelope->permuted + s->row};
}

/* Stores the entry that the next row needs, and returns the state for that row. */
static sw_elimination end(const made_line *line, int step, int part)
{
  const sw_envelope *envelope = line->s.envelope;
  const int last = envelope->order[line->s.row - 1];
  sw_elimination s = line->s;

  envelope->store[envelope->place[envelope->entry[last] + 1 + step]] = line->u;
  s.end = envelope->part[part + 1];
  return s;
}

/* Pointers to the data of the next row of a line: in A and B, its factor, its values, its factors
 * in the store, the right-hand side, and the result of the substitution. */
typedef struct front {
  const double *a;
  const double *b;
  const double *factor;
  double *c;
  double *next;
  const double *right;
  double *solved;
} front;

static front front_of(const sw_neighbours *rows, const made_line *line)
{
  return (front){rows->a + 6 * line->row,
                 rows->b + 6 * line->row,
                 rows->factor + line->row,
                 rows->c + 3 * line->row,
                 line->s.next,
                 line->right,
                 line->x};
}

static inline void envelope_lines_move(front *at, int step)
{
  at->a += 6 * step;
  at->b += 6 * step;
  at->factor += step;
  at->c += 3 * step;
  at->right += step;
  at->next += 3;
  at->solved++;
}

/* Products of a row's values with the row before, the row itself and the row behind, in pairs.
 * behind[0][0] and before[1][1] are not used. */
typedef struct terms {
  sw_pair before[2];
  sw_pair itself[3];
  sw_pair behind[2];
} terms;

static inline terms terms_of(const front *at)
{
  const double *b = at->b;
  const sw_pair a[3] = {sw_pair_at(at->a), sw_pair_at(at->a + 2), sw_pair_at(at->a + 4)};

  return (terms){{a[0] * sw_pair_at(b - 3), a[1] * sw_pair_at(b - 1)},
                 {a[0] * sw_pair_at(b), a[1] * sw_pair_at(b + 2), a[2] * sw_pair_at(b + 4)},
                 {a[1] * sw_pair_at(b + 5), a[2] * sw_pair_at(b + 7)}};
}

/* Saves the state after `rows` rows have been eliminated. */
static inline void end_rows(made_line *line, int rows, const front *at, double u, double inverse,
                            double pivot, double last)
{
  line->u = u;
  line->s.row += rows;
  line->s.next = at->next;
  line->s.inverse = inverse;
  line->s.pivot = pivot;
  line->s.last = last;
}

/* ---- one line ---- */

/* Eliminates the next `count` rows, which are `step` apart in A. */
static SW_INLINE_FOR_EACH int eliminate_rows(const sw_neighbours *rows, int count, int step,
                                             made_line *line)
{
  front x = front_of(rows, line);
  double u = line->u;
  double inverse = line->s.inverse;
  double pivot = line->s.pivot;
  double last = line->s.last;
  int negative = 0;
  int good = 1;

  for (int i = 0; i < count; i++) {
    const terms of = terms_of(&x);
    const double factor = *x.factor;
    const double before = factor * (sw_pair_sum(of.before[0]) + of.before[1][0]);
    const double behind = factor * (of.behind[0][1] + of.behind[1][0] + of.behind[1][1]);
    const double d = factor * (sw_pair_sum(of.itself[0]) + of.itself[1][0] + of.itself[1][1] +
                               of.itself[2][0] + of.itself[2][1]);
    const double l = step > 0 ? before : behind;
    const double multiplier = l * inverse;
    last = *x.right - multiplier * last;
    *x.solved = last;
    pivot = d - multiplier * u;
    x.next[0] = multiplier;
    x.next[1] = u * inverse;
    inverse = 1.0 / pivot;
    x.next[2] = inverse;
    x.c[0] = before;
    x.c[1] = d;
    x.c[2] = behind;
    negative ^= pivot < 0.0;
    good &= sw_pivot_is_good(pivot, sw_larger_size(fabs(d), u), fabs(multiplier));
    u = step > 0 ? behind : before;
    envelope_lines_move(&x, step);
  }
  end_rows(line, count, &x, u, inverse, pivot, last);
  line->s.negative ^= negative;
  return good;
}

SW_FOR_EACH_PROCESSOR static int eliminate_up(const sw_neighbours *rows, int count, made_line *line)
{
  return eliminate_rows(rows, count, 1, line);
}

SW_FOR_EACH_PROCESSOR static int eliminate_down(const sw_neighbours *rows, int count,
                                                made_line *line)
{
  return eliminate_rows(rows, count, -1, line);
}

int sw_eliminate_line(const sw_lines *lines, int part, sw_elimination *s)
{
  const int step = lines->of[part].step;
  const int count = lines->of[part].end - s->row;

  if (count <= 0) {
    return 1;
  }
  made_line line = envelope_lines_begin(lines, s);
  const int good = (step > 0 ? eliminate_up : eliminate_down)(&lines->rows, count, &line);
  *s = end(&line, step, part);
  return good;
}

/* ---- two lines in parallel, as pairs: first the line in the order of A's rows, then the other one
 * ---- */

static inline sw_pair pair_of(const double *x, const double *y)
{
  return (sw_pair){*x, *y};
}

/* Sums of the products of x with its row before and of y with its row behind.  The order of the
 * terms is that of eliminate_rows. */
static inline sw_pair sums_towards(const terms *x, const terms *y)
{
  return ((sw_pair){x->before[0][0], y->behind[0][1]} +
          (sw_pair){x->before[0][1], y->behind[1][0]}) +
         (sw_pair){x->before[1][0], y->behind[1][1]};
}

/* Sums of the products of x with its row behind and of y with its row before. */
static inline sw_pair sums_away(const terms *x, const terms *y)
{
  return ((sw_pair){x->behind[0][1], y->before[0][0]} +
          (sw_pair){x->behind[1][0], y->before[0][1]}) +
         (sw_pair){x->behind[1][1], y->before[1][0]};
}

/* Sums of the products of x and y with themselves. */
static inline sw_pair sums_within(const terms *x, const terms *y)
{
  const sw_pair *a = x->itself;
  const sw_pair *b = y->itself;
  sw_pair sum = sw_pair_sums(a[0], b[0]);

  for (int t = 1; t < 3; t++) {
    sum += sw_pair_firsts(a[t], b[t]);
    sum += sw_pair_seconds(a[t], b[t]);
  }
  return sum;
}

/* Writes three values each of x and y; those of y in reverse order. */
static inline void put_threes(double x[], double y[], sw_pair first, sw_pair second, sw_pair third)
{
  sw_pair_put(x, sw_pair_firsts(first, second));
  x[2] = third[0];
  sw_pair_put(y, sw_pair_seconds(third, second));
  y[2] = first[1];
}

/* As sw_pivot_is_good for columns with the entries d and u.  All bits are 1 if the pivot is
 * good. */
static inline sw_pair_bits pivots_are_good(sw_pair pivot, sw_pair d, sw_pair u, sw_pair multiplier)
{
  const sw_pair size = sw_pair_size(pivot);

  return (sw_pair_bits)(size > SW_SMALLEST_PIVOT * sw_pair_size(d)) &
         (sw_pair_bits)(size > SW_SMALLEST_PIVOT * sw_pair_size(u)) &
         (sw_pair_bits)(sw_pair_size(multiplier) <= SW_LARGEST_MULTIPLIER);
}

/* Eliminates the next `count` rows of both lines, with the same operations as eliminate_rows. */
SW_FOR_EACH_PROCESSOR static int eliminate_pairs(const sw_neighbours *rows, int count,
                                                 made_line *up, made_line *down)
{
  made_line *const line[2] = {up, down};
  front x = front_of(rows, up);
  front y = front_of(rows, down);
  sw_pair u = {up->u, down->u};
  sw_pair inverse = {up->s.inverse, down->s.inverse};
  sw_pair pivot = {up->s.pivot, down->s.pivot};
  sw_pair last = {up->s.last, down->s.last};
  sw_pair_bits negative = {0, 0};
  sw_pair_bits good = ~negative;

  for (int i = 0; i < count; i++) {
    const sw_pair factor = pair_of(x.factor, y.factor);
    const terms of_x = terms_of(&x);
    const terms of_y = terms_of(&y);
    const sw_pair l = factor * sums_towards(&of_x, &of_y);
    const sw_pair d = factor * sums_within(&of_x, &of_y);
    const sw_pair next_u = factor * sums_away(&of_x, &of_y);
    const sw_pair multiplier = l * inverse;
    const sw_pair scaled_u = u * inverse;
    last = pair_of(x.right, y.right) - multiplier * last;
    *x.solved = last[0];
    *y.solved = last[1];
    pivot = d - multiplier * u;
    inverse = 1.0 / pivot;
    sw_pair_put(x.next, sw_pair_firsts(multiplier, scaled_u));
    sw_pair_put(y.next, sw_pair_seconds(multiplier, scaled_u));
    x.next[2] = inverse[0];
    y.next[2] = inverse[1];
    put_threes(x.c, y.c, l, d, next_u);
    /* The sign bit suffices, since a pivot that is 0 or NaN is rejected. */
    negative ^= (sw_pair_bits)pivot;
    good &= pivots_are_good(pivot, d, u, multiplier);
    u = next_u;
    envelope_lines_move(&x, 1);
    envelope_lines_move(&y, -1);
  }
  for (int k = 0; k < 2; k++) {
    end_rows(line[k], count, k ? &y : &x, u[k], inverse[k], pivot[k], last[k]);
    line[k]->s.negative ^= negative[k] >> 63 != 0;
  }
  return good[0] != 0 && good[1] != 0;
}

int sw_eliminate_lines(const sw_lines *lines, sw_elimination *of_a, sw_elimination *of_b)
{
  const int step = lines->of[0].step;
  const int count_a = lines->of[0].end - of_a->row;
  const int count_b = lines->of[1].end - of_b->row;
  const int count = count_a < count_b ? count_a : count_b;

  if (count <= 0) {
    return 1;
  }
  made_line a = envelope_lines_begin(lines, of_a);
  made_line b = envelope_lines_begin(lines, of_b);
  const int good = step > 0 ? eliminate_pairs(&lines->rows, count, &a, &b)
                            : eliminate_pairs(&lines->rows, count, &b, &a);
  *of_a = end(&a, step, 0);
  *of_b = end(&b, -step, 1);
  return good;
}
