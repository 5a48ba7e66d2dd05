/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/envelope_lines.h"

#include "common/pair.h"
#include "common/processor.h"

/* ---- which rows ---- */

static int is_made(const sw_neighbours *rows, int row)
{
  return row >= rows->first && row < rows->end;
}

/* The part of a line whose rows these are, too. */
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
  ptrdiff_t row;       /* the next one, in the rows that are made */
  double u;            /* what the row before has in the column of the next one */
  const double *right; /* at the next one */
  double *x;           /* where its component of L^{-1} b goes */
} made_line;

static made_line begin(const sw_lines *lines, const sw_neighbours *rows, const sw_elimination *s)
{
  const sw_envelope *envelope = s->envelope;
  const int row = envelope->order[s->row];

  return (made_line){.s = *s,
                     .row = row - rows->first,
                     .u = s->next[1],
                     .right = lines->maker->right + row,
                     .x = envelope->permuted + s->row};
}

/* The next row.  step: that of the line. */
static inline int eliminate_next(const sw_neighbours *rows, made_line *line, int step)
{
  double c[3];

  sw_neighbours_row(rows, line->row, c);
  for (int e = 0; e < 3; e++) {
    rows->c[3 * line->row + e] = c[e];
  }
  const int good = sw_eliminate_one(&line->s, c[1 - step], line->u, c[1]);
  line->s.last = *line->right - line->s.next[-3] * line->s.last;
  *line->x++ = line->s.last;
  line->right += step;
  line->u = c[1 + step];
  line->row += step;
  return good;
}

/* What the row behind needs goes into the store. */
static sw_elimination end(const made_line *line, int step, int part)
{
  const sw_envelope *envelope = line->s.envelope;
  const int last = envelope->order[line->s.row - 1];
  sw_elimination s = line->s;

  envelope->store[envelope->place[envelope->entry[last] + 1 + step]] = line->u;
  s.end = envelope->part[part + 1];
  return s;
}

/* Rows of a part that are ready to be made, and how many. */
typedef struct block {
  sw_neighbours rows;
  int count;
} block;

/* The next ones. */
static block prepare(const sw_lines *lines, int part, const sw_elimination *s)
{
  const sw_row_maker *maker = lines->maker;
  const sw_line *line = &lines->of[part];
  block next = {lines->rows, line->end - s->row};

  if (maker->prepare) {
    const int *order = s->envelope->order;
    const int row = order[s->row];
    const int count = maker->block(maker->context, row, line->step);
    next.count = count < next.count ? count : next.count;
    const int last = order[s->row + next.count - 1];
    maker->prepare(maker->context, part, row < last ? row : last, (row < last ? last : row) + 1,
                   &next.rows);
  }
  return next;
}

static inline int eliminate_one_line(const sw_lines *lines, const block *next, int part,
                                     sw_elimination *s, int step)
{
  made_line line = begin(lines, &next->rows, s);
  int good = 1;

  for (int i = 0; i < next->count; i++) {
    good &= eliminate_next(&next->rows, &line, step);
  }
  *s = end(&line, step, part);
  return good;
}

int sw_eliminate_line(const sw_lines *lines, int part, sw_elimination *s)
{
  int good = 1;

  while (good && s->row < lines->of[part].end) {
    const block next = prepare(lines, part, s);
    good = lines->of[part].step > 0 ? eliminate_one_line(lines, &next, part, s, 1)
                                    : eliminate_one_line(lines, &next, part, s, -1);
  }
  return good;
}

/* ---- two lines side by side: in pairs, first the one whose rows are in the order of A, then the other one ---- */

/* Where the next row of a line stands: in A, in B, its factor, its values, and its numbers in the store. */
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

static inline void move(front *at, int step)
{
  at->a += 6 * step;
  at->b += 6 * step;
  at->factor += step;
  at->c += 3 * step;
  at->right += step;
  at->next += 3;
  at->solved++;
}

static inline sw_pair pair_of(const double *x, const double *y)
{
  return (sw_pair){*x, *y};
}

static inline void put_pair(double *x, double *y, sw_pair values)
{
  *x = values[0];
  *y = values[1];
}

/* sum_t a[t] b[t] over three columns, and of others. */
static inline sw_pair product_of(const double a[], const double b[], const double of_a[],
                                 const double of_b[])
{
  sw_pair sum = pair_of(a, of_a) * pair_of(b, of_b);

  for (int t = 1; t < 3; t++) {
    sum += pair_of(a + t, of_a + t) * pair_of(b + t, of_b + t);
  }
  return sum;
}

static inline sw_pair product_with_itself(const front *x, const front *y)
{
  sw_pair sum = product_of(x->a, x->b, y->a, y->b);

  for (int t = 3; t < 6; t++) {
    sum += pair_of(x->a + t, y->a + t) * pair_of(x->b + t, y->b + t);
  }
  return sum;
}

/* As sw_pivot_is_good for columns with the entries d and u: all bits where it is. */
static inline sw_pair_bits pivots_are_good(sw_pair pivot, sw_pair d, sw_pair u, sw_pair multiplier)
{
  const sw_pair size = sw_pair_size(pivot);

  return (sw_pair_bits)(size > SW_SMALLEST_PIVOT * sw_pair_size(d)) &
         (sw_pair_bits)(size > SW_SMALLEST_PIVOT * sw_pair_size(u)) &
         (sw_pair_bits)(sw_pair_size(multiplier) <= SW_LARGEST_MULTIPLIER);
}

/* The next `count` rows of both, each number as eliminate_next makes it. */
SW_FOR_EACH_PROCESSOR static int eliminate_pairs(const sw_neighbours *rows_up,
                                                 const sw_neighbours *rows_down, int count,
                                                 made_line *up, made_line *down)
{
  made_line *const line[2] = {up, down};
  front x = front_of(rows_up, up);
  front y = front_of(rows_down, down);
  sw_pair u = {up->u, down->u};
  sw_pair inverse = {up->s.inverse, down->s.inverse};
  sw_pair pivot = {up->s.pivot, down->s.pivot};
  sw_pair last = {up->s.last, down->s.last};
  sw_pair_bits negative = {0, 0};
  sw_pair_bits good = ~negative;

  for (int i = 0; i < count; i++) {
    const sw_pair factor = pair_of(x.factor, y.factor);
    const sw_pair l = factor * product_of(x.a, x.b - 3, y.a + 3, y.b + 6);
    const sw_pair d = factor * product_with_itself(&x, &y);
    const sw_pair next_u = factor * product_of(x.a + 3, x.b + 6, y.a, y.b - 3);
    const sw_pair multiplier = l * inverse;
    last = pair_of(x.right, y.right) - multiplier * last;
    *x.solved = last[0];
    *y.solved = last[1];
    pivot = d - multiplier * u;
    put_pair(x.next, y.next, multiplier);
    put_pair(x.next + 1, y.next + 1, u * inverse);
    inverse = 1.0 / pivot;
    put_pair(x.next + 2, y.next + 2, inverse);
    put_pair(x.c, y.c + 2, l);
    put_pair(x.c + 1, y.c + 1, d);
    put_pair(x.c + 2, y.c, next_u);
    negative ^= (sw_pair_bits)(pivot < 0.0);
    good &= pivots_are_good(pivot, d, u, multiplier);
    u = next_u;
    move(&x, 1);
    move(&y, -1);
  }
  up->s.next = x.next;
  down->s.next = y.next;
  for (int k = 0; k < 2; k++) {
    line[k]->u = u[k];
    line[k]->s.row += count;
    line[k]->s.inverse = inverse[k];
    line[k]->s.pivot = pivot[k];
    line[k]->s.last = last[k];
    line[k]->s.negative ^= negative[k] != 0;
  }
  return good[0] != 0 && good[1] != 0;
}

int sw_eliminate_lines(const sw_lines *lines, sw_elimination *of_a, sw_elimination *of_b)
{
  const int step = lines->of[0].step;
  sw_elimination *const of[2] = {of_a, of_b};
  block ready[2] = {{.count = 0}, {.count = 0}};
  int good = 1;

  for (;;) {
    for (int side = 0; side < 2; side++) {
      if (ready[side].count == 0 && of[side]->row == lines->of[side].end) {
        return good;
      }
      if (ready[side].count == 0) {
        ready[side] = prepare(lines, side, of[side]);
      }
    }
    const sw_neighbours *rows[2] = {&ready[0].rows, &ready[1].rows};
    const int count = ready[0].count < ready[1].count ? ready[0].count : ready[1].count;
    made_line a = begin(lines, rows[0], of_a);
    made_line b = begin(lines, rows[1], of_b);
    good &= step > 0 ? eliminate_pairs(rows[0], rows[1], count, &a, &b)
                     : eliminate_pairs(rows[1], rows[0], count, &b, &a);
    *of_a = end(&a, step, 0);
    *of_b = end(&b, -step, 1);
    ready[0].count -= count;
    ready[1].count -= count;
  }
}
