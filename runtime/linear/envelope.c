/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope.c -- LU factorisation within the envelope of a matrix, part by part, without row
 * exchanges.
 */
#include "linear/envelope.h"

#include <math.h>
#include <stdatomic.h>

#include "common/pair.h"
#include "common/processor.h"
#include "common/shared_vectors.h"

/* Limit of a column's growth during elimination.  Multipliers that are acceptable one by one could
 * still accumulate. */
static const double largest_growth = 1e6;

/* The largest acceptable multiplier: a pivot must be at least a thousandth of the entries below
 * it. */
#define SW_LARGEST_MULTIPLIER 1e3

/* The smallest acceptable pivot, relative to its column; a smaller one has lost too many digits.
 * With multipliers up to 1e3, entries before elimination can be about 1e4 times larger than those
 * after it.  The limit thus covers every column that sw_lu_factor rejects, and an accepted matrix
 * is clear in the sense of sw_linear_clear. */
#define SW_SMALLEST_PIVOT 1e-10

typedef struct elimination {
  const sw_envelope *envelope;
  int row;        /* the next row */
  int end;        /* end of the rows in the store */
  double *next;   /* the values of the next row */
  double inverse; /* of the last pivot */
  double pivot;
  int negative;
  double last; /* component of L^{-1} b of the last row, for lines */
} elimination;

/* max(size, |x|). */
static inline double larger_magnitude(double size, double x)
{
  return fabs(x) > size ? fabs(x) : size;
}

/* Returns 0 for NaN, too. */
static inline int pivot_is_good(double pivot, double largest, double multiplier)
{
  return fabs(pivot) > SW_SMALLEST_PIVOT * largest && multiplier <= SW_LARGEST_MULTIPLIER;
}

/* Eliminates a row with pivot d, one entry l beside it, and u above it.  Returns 0 if the pivot is
 * bad. */
static inline int eliminate_one(elimination *s, double l, double u, double d)
{
  double *next = s->next;
  const double multiplier = l * s->inverse;

  s->pivot = d - multiplier * u;
  next[0] = multiplier;
  next[1] = u * s->inverse;
  s->inverse = 1.0 / s->pivot;
  s->negative ^= s->pivot < 0.0;
  next[2] = s->inverse;
  s->next = next + 3;
  s->row++;
  return pivot_is_good(s->pivot, larger_magnitude(fabs(d), u), fabs(multiplier));
}

/* The rows produced during elimination: one line in each of the two parts beside a border.  One
 * line follows the order of A's rows, the other one the reverse order. */
typedef struct lines_made {
  const sw_row_maker *maker;
  sw_neighbours rows; /* the producer of the rows */
  sw_line of[2];      /* empty (first = end) if all rows are in the store */
} lines_made;

/* ---- lines: rows of a chain, produced while they are eliminated ----
 *
 * A row with one entry beside the pivot waits for the division of the row before.  The processor
 * produces the next row during that wait, at almost no cost, and each row passes through memory
 * only once. */

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

/* The lines of an envelope whose rows `maker` (NULL: none) can produce one by one.  Both are empty
 * if they cover less than half of the matrix. */
static lines_made lines_of(const sw_envelope *envelope, const sw_row_maker *maker)
{
  const lines_made none = {0};
  lines_made lines = {0};
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

/* The three ranges of A's rows before, between and behind the lines. */
static void other_rows(const sw_envelope *envelope, const lines_made *lines, int first[3],
                       int end[3])
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

/* ---- elimination of lines ---- */

typedef struct made_line {
  elimination s;
  ptrdiff_t row;       /* the next row, relative to rows.first */
  double u;            /* entry of the last row in the column of the next row */
  const double *right; /* right-hand side of the next row */
  double *x;           /* receives the next component of L^{-1} b */
} made_line;

static made_line made_line_from(const lines_made *lines, const elimination *s)
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
static elimination end(const made_line *line, int step, int part)
{
  const sw_envelope *envelope = line->s.envelope;
  const int last = envelope->order[line->s.row - 1];
  elimination s = line->s;

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

static inline void move_front(front *at, int step)
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
    good &= pivot_is_good(pivot, larger_magnitude(fabs(d), u), fabs(multiplier));
    u = step > 0 ? behind : before;
    move_front(&x, step);
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

/* Eliminates the remaining rows of a part's line and sets s->end to the end of the part.  Returns 0
 * if a pivot is bad. */
static int eliminate_line(const lines_made *lines, int part, elimination *s)
{
  const int step = lines->of[part].step;
  const int count = lines->of[part].end - s->row;

  if (count <= 0) {
    return 1;
  }
  made_line line = made_line_from(lines, s);
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

/* As pivot_is_good for columns with the entries d and u.  All bits are 1 if the pivot is
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
    move_front(&x, 1);
    move_front(&y, -1);
  }
  for (int k = 0; k < 2; k++) {
    end_rows(line[k], count, k ? &y : &x, u[k], inverse[k], pivot[k], last[k]);
    line[k]->s.negative ^= negative[k] >> 63 != 0;
  }
  return good[0] != 0 && good[1] != 0;
}

/* Eliminates both lines in parallel up to the end of the shorter one, so that their divisions
 * overlap.  Returns 0 if a pivot is bad. */
static int eliminate_lines(const lines_made *lines, elimination *of_a, elimination *of_b)
{
  const int step = lines->of[0].step;
  const int count_a = lines->of[0].end - of_a->row;
  const int count_b = lines->of[1].end - of_b->row;
  const int count = count_a < count_b ? count_a : count_b;

  if (count <= 0) {
    return 1;
  }
  made_line a = made_line_from(lines, of_a);
  made_line b = made_line_from(lines, of_b);
  const int good = step > 0 ? eliminate_pairs(&lines->rows, count, &a, &b)
                            : eliminate_pairs(&lines->rows, count, &b, &a);
  *of_a = end(&a, step, 0);
  *of_b = end(&b, -step, 1);
  return good;
}

void sw_envelope_share(sw_envelope *envelope, sw_team *team)
{
  envelope->team = team;
}

/* Data shared by the threads that factorise parts. */
typedef struct work {
  sw_envelope *envelope;
  const double *values;
  lines_made lines; /* rows that are produced when the elimination reaches them */
  atomic_int is_bad;
  atomic_int negative;
} work;

/* ---- factorisation ---- */

static void place_values(void *context, size_t first, size_t end)
{
  const work *w = context;
  double *restrict store = w->envelope->store;
  const int *restrict place = w->envelope->place;

  for (size_t e = first; e < end; e++) {
    store[place[e]] = w->values[e];
  }
}

/* Produces rows first .. end-1 of A and copies them to the store. */
static void envelope_put_rows(work *w, const sw_row_maker *maker, int first, int end)
{
  const int *entry = w->envelope->entry;

  if (first < end) {
    maker->make(maker->context, (size_t)first, (size_t)end);
    place_values(w, (size_t)entry[first], (size_t)entry[end]);
  }
}

/* Copies all rows to the store, after `maker` has produced them. */
static void envelope_put_all(work *w, const sw_row_maker *maker)
{
  const sw_envelope *envelope = w->envelope;

  if (envelope->size != envelope->entries) {
    sw_share_fill(envelope->team, envelope->store, 0.0, (size_t)envelope->size);
  }
  sw_make_rows(maker, envelope->team, (size_t)envelope->n);
  sw_team_share(envelope->team, (size_t)envelope->entries, place_values, w);
}

/* Copies all rows to the store except those of the lines. */
static void envelope_begin(work *w, const sw_row_maker *maker)
{
  const sw_envelope *envelope = w->envelope;
  const int *start = envelope->start;
  int first[3];
  int end[3];

  w->lines = lines_of(envelope, maker);
  const sw_line *line = w->lines.of;
  if (line[0].first == line[0].end) {
    envelope_put_all(w, maker);
    return;
  }
  /* The column of U of a line's first row and the row of L behind its last row belong to other rows
   * of A. */
  const int filled[3][2] = {{0, start[line[0].first + 1]},
                            {start[line[0].end], start[line[1].first + 1]},
                            {start[line[1].end], envelope->size}};
  for (int i = 0; i < 3; i++) {
    sw_zero(envelope->store + filled[i][0], (size_t)(filled[i][1] - filled[i][0]));
  }
  other_rows(envelope, &w->lines, first, end);
  for (int i = 0; i < 3; i++) {
    envelope_put_rows(w, maker, first[i], end[i]);
  }
}

/* Eliminates a row of L and a column of U, n entries each from `lower` on.  Their last entries
 * belong to number i - 1.  Writes the largest multiplier and the largest entry of the eliminated
 * column.  Returns the pivot, or NaN if the column grew too much. */
static double eliminate(const sw_envelope *envelope, int i, int n, double *lower, double pivot,
                        double *multiplier, double *largest)
{
  double *upper = lower + n;
  double before = fabs(pivot);
  double after = before;
  double steepest = 0.0;

  for (int s = 0; s < n; s++) {
    /* u and l are entries of D U and L D: the column and row before scaling. */
    const int j = i - n + s;
    const int m = envelope->length[j];
    const int common = m < s ? m : s;
    const double *row = envelope->store + envelope->start[j] + m - common;
    const double inverse = row[common + m];
    const double a = upper[s];
    const double l = lower[s] - sw_inner(common, lower + s - common, row + m);
    const double u = a - sw_inner(common, row, upper + s - common);
    lower[s] = l;
    upper[s] = u;
    pivot -= l * inverse * u;
    before = larger_magnitude(before, a);
    after = larger_magnitude(after, u);
    steepest = larger_magnitude(steepest, l * inverse);
  }
  for (int s = 0; s < n; s++) {
    const int j = i - n + s;
    const double inverse = envelope->store[envelope->start[j] + 2 * envelope->length[j]];
    lower[s] *= inverse;
    upper[s] *= inverse;
  }
  *multiplier = steepest;
  *largest = after;
  return after <= largest_growth * before ? pivot : (double)NAN;
}

/* Starts the elimination of a part; it ends at the part's line, if there is one. */
static elimination begin_part(const work *w, int number)
{
  const sw_envelope *envelope = w->envelope;
  const int first = envelope->part[number];
  const sw_line line = number < 2 ? w->lines.of[number] : (sw_line){0, 0, 0};

  return (elimination){.envelope = envelope,
                       .row = first,
                       .end = line.first < line.end ? line.first : envelope->part[number + 1],
                       .next = envelope->store + envelope->start[first]};
}

/* Eliminates the next row.  Returns 0 if its pivot is bad. */
static int eliminate_next(elimination *s)
{
  const int i = s->row;
  const int n = s->envelope->length[i];
  double *next = s->next;
  double multiplier = 0.0;
  double largest;

  if (n == 1) {
    return eliminate_one(s, next[0], next[1], next[2]);
  }
  if (n == 0) {
    s->pivot = next[0];
    largest = fabs(s->pivot);
  } else {
    s->pivot = eliminate(s->envelope, i, n, next, next[2 * n], &multiplier, &largest);
  }
  s->row = i + 1;
  s->inverse = 1.0 / s->pivot;
  s->negative ^= s->pivot < 0.0;
  next[2 * n] = s->inverse;
  s->next = next + 2 * n + 1;
  return pivot_is_good(s->pivot, largest, multiplier);
}

static inline int is_one(const elimination *s)
{
  return s->row < s->end && s->envelope->length[s->row] == 1;
}

/* Eliminates consecutive rows with one entry beside the pivot.  The local copy keeps *of in
 * registers. */
static int eliminate_ones(elimination *of)
{
  elimination s = *of;
  int good = 1;

  while (is_one(&s)) {
    good &= eliminate_one(&s, s.next[0], s.next[1], s.next[2]);
  }
  *of = s;
  return good;
}

static int eliminate_ones_of_both(elimination *of_a, elimination *of_b)
{
  elimination a = *of_a;
  elimination b = *of_b;
  int good = 1;

  while (is_one(&a) && is_one(&b)) {
    good &= eliminate_one(&a, a.next[0], a.next[1], a.next[2]) &
            eliminate_one(&b, b.next[0], b.next[1], b.next[2]);
  }
  *of_a = a;
  *of_b = b;
  return good;
}

/* Eliminates the remaining rows that are in the store. */
static int eliminate_rest(elimination *s)
{
  int good = 1;

  while (s->row < s->end && good) {
    good = eliminate_next(s) && eliminate_ones(s);
  }
  return good;
}

/* Eliminates the rows up to the line and, if there is one, computes L^{-1} b up to the line. */
static int envelope_begin_line(const work *w, int number, elimination *s)
{
  const int good = eliminate_rest(s);

  if (good && number < 2 && w->lines.of[number].first < w->lines.of[number].end) {
    s->last = sw_envelope_solve_up_to(w->envelope, w->lines.maker->right, number, s->row);
  }
  return good;
}

/* Eliminates the rest of the line and the rows behind it. */
static int finish_part(const work *w, int number, elimination *s)
{
  return (number > 1 || eliminate_line(&w->lines, number, s)) && eliminate_rest(s);
}

static void end_part(work *w, const elimination *s, int good)
{
  if (!good) {
    atomic_store(&w->is_bad, 1);
  }
  atomic_fetch_xor(&w->negative, s->negative);
}

static void factor_part(void *context, long number, int worker)
{
  work *w = context;
  elimination s = begin_part(w, (int)number);

  (void)worker;
  end_part(w, &s, envelope_begin_line(w, (int)number, &s) && finish_part(w, (int)number, &s));
}

/* Factorises the two parts beside a border on one thread, interleaved, so that the divisions of one
 * part overlap with the work of the other. */
static void factor_both(work *w)
{
  elimination a = begin_part(w, 0);
  elimination b = begin_part(w, 1);
  int good = 1;

  while (a.row < a.end && b.row < b.end && good) {
    good = eliminate_next(&a) & eliminate_next(&b) && eliminate_ones_of_both(&a, &b);
  }
  good = good && envelope_begin_line(w, 0, &a) && envelope_begin_line(w, 1, &b);
  if (good && w->lines.of[0].first < w->lines.of[0].end) {
    good = eliminate_lines(&w->lines, &a, &b);
  }
  good = good && finish_part(w, 0, &a) && finish_part(w, 1, &b);
  end_part(w, &a, good);
  end_part(w, &b, good);
}

/* Returns 0 if the pivot of the border is bad. */
static int factor_border(work *w)
{
  const sw_envelope *envelope = w->envelope;
  double *at = envelope->store + envelope->start[envelope->rows];
  double *pivot = at + 2 * (envelope->reach[0] + envelope->reach[1]);
  double multiplier[2];
  double largest[2];

  for (int side = 0; side < 2; side++) {
    const int n = envelope->reach[side];
    *pivot = eliminate(envelope, envelope->part[side + 1], n, at, *pivot, &multiplier[side],
                       &largest[side]);
    at += 2 * n;
  }
  const int good = pivot_is_good(*pivot, larger_magnitude(largest[0], largest[1]),
                                 larger_magnitude(multiplier[0], multiplier[1]));
  atomic_fetch_xor(&w->negative, *pivot < 0.0);
  *pivot = 1.0 / *pivot;
  return good;
}

int sw_envelope_factor(sw_envelope *envelope, const double values[], const sw_row_maker *maker)
{
  work w = {.envelope = envelope, .values = values};

  envelope->right = NULL;
  envelope_begin(&w, maker);
  if (envelope->rows < envelope->n && sw_parts_alone(envelope)) {
    factor_both(&w);
  } else {
    sw_along_parts(envelope, factor_part, &w);
  }
  if (atomic_load(&w.is_bad) || (envelope->rows < envelope->n && !factor_border(&w))) {
    return 1;
  }
  envelope->negative = atomic_load(&w.negative);
  if (w.lines.maker) {
    envelope->right = w.lines.maker->right;
    envelope->begun[0] = w.lines.of[0].end;
    envelope->begun[1] = w.lines.of[1].end;
  }
  return 0;
}

sw_signature sw_envelope_signature(const sw_envelope *envelope, const int block[])
{
  const int *order = envelope->order;
  sw_signature s = {0};

  for (int i = 0; i < envelope->n; i++) {
    const int is_border = i == envelope->rows;
    const int before = is_border ? envelope->reach[0] + envelope->reach[1] : envelope->length[i];
    const double inverse = envelope->store[envelope->start[i] + 2 * before];
    if (inverse < 0.0) {
      const int unknown = order ? order[i] : i;
      sw_signature_add(&s, block ? block[unknown] : 0, 1);
    }
  }
  return s;
}

int sw_envelope_sign(const sw_envelope *envelope)
{
  return envelope->negative ? -1 : 1;
}
