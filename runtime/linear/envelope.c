/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope.c -- LU factorisation within the envelope of a matrix, part by part, without row
 * exchanges.
 */
#include "linear/envelope.h"

#include <math.h>
#include <stdatomic.h>

#include "common/processor.h"
#include "common/shared_vectors.h"
#include "common/vectors.h"

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
} elimination;

/* max(size, |x|). */
static inline double larger_magnitude(double size, double x)
{
  return fabs(x) > size ? fabs(x) : size;
}

/* Returns 0 for NaN, too. */
static inline int pivot_is_good(double pivot, double largest, double multiplier)
{
  return (fabs(pivot) > SW_SMALLEST_PIVOT * largest) & (multiplier <= SW_LARGEST_MULTIPLIER);
}

/* Eliminates a row with pivot d, one entry l beside it, and u above it.  Returns 0 if the pivot is
 * bad. */
static SW_INLINE_FOR_EACH int eliminate_one(elimination *s, double l, double u, double d)
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

/* Two equally long lines of an envelope whose rows `maker` (NULL: none) can produce one by one.
 * Both are empty if they cover less than half of the matrix, or if threads share the parts. */
static lines_made lines_of(const sw_envelope *envelope, const sw_row_maker *maker)
{
  const lines_made none = {0};
  lines_made lines = {0};

  if (!maker || envelope->rows == envelope->n || !sw_parts_alone(envelope)) {
    return none;
  }
  lines.rows = maker->neighbours;
  for (int side = 0; side < 2; side++) {
    lines.of[side] = line_within(envelope->order, envelope->line[side], &lines.rows);
  }
  const int rows =
      sw_smaller_int(lines.of[0].end - lines.of[0].first, lines.of[1].end - lines.of[1].first);
  lines.of[0].end = lines.of[0].first + rows;
  lines.of[1].end = lines.of[1].first + rows;
  return 4 * rows >= envelope->n && lines.of[0].step == -lines.of[1].step ? lines : none;
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

/* The next row of a line, relative to the first row that can be produced, and the entry above its
 * pivot. */
typedef struct made_row {
  ptrdiff_t row;
  double above;
} made_row;

/* Produces and eliminates the next row of a line.  Returns 0 if the pivot is bad. */
static SW_INLINE_FOR_EACH int eliminate_made(const lines_made *lines, int step, made_row *made,
                                             elimination *s)
{
  double *c = lines->rows.c + 3 * made->row;

  sw_neighbours_row(&lines->rows, made->row, c);
  const double left = step > 0 ? c[0] : c[2];
  const double right = step > 0 ? c[2] : c[0];
  const int good = eliminate_one(s, left, made->above, c[1]);
  made->above = right;
  made->row += step;
  return good;
}

/* The state before the first row of a line. */
static made_row first_made(const lines_made *lines, const elimination *s)
{
  return (made_row){s->envelope->order[s->row] - lines->rows.first, s->next[1]};
}

/* Stores the entry that the next row needs, and continues to the end of the part. */
static void end_line(int part, int step, double above, elimination *s)
{
  const sw_envelope *envelope = s->envelope;
  const int last = envelope->order[s->row - 1];

  envelope->store[envelope->place[envelope->entry[last] + 1 + step]] = above;
  s->end = envelope->part[part + 1];
}

/* Eliminates both lines, interleaved, so that their divisions overlap.  Returns 0 if a pivot is
 * bad. */
SW_FOR_EACH_PROCESSOR static int eliminate_lines(const lines_made *lines, elimination *of_a,
                                                 elimination *of_b)
{
  const int step = lines->of[0].step;
  elimination a = *of_a;
  elimination b = *of_b;
  made_row made_a = first_made(lines, of_a);
  made_row made_b = first_made(lines, of_b);
  int good = 1;

  while (a.row < lines->of[0].end) {
    good &= eliminate_made(lines, step, &made_a, &a);
    good &= eliminate_made(lines, -step, &made_b, &b);
  }
  end_line(0, step, made_a.above, &a);
  end_line(1, -step, made_b.above, &b);
  *of_a = a;
  *of_b = b;
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
  end_part(w, &s, eliminate_rest(&s));
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
  good = good && eliminate_rest(&a) && eliminate_rest(&b);
  if (good && w->lines.of[0].first < w->lines.of[0].end) {
    good = eliminate_lines(&w->lines, &a, &b) && eliminate_rest(&a) && eliminate_rest(&b);
  }
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
