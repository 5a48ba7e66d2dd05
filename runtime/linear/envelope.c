/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope.c -- LU factorisation within the envelope of a matrix, without row exchanges, part by part.
 */
#include "linear/envelope.h"

#include <math.h>
#include <stdatomic.h>

#include "common/shared_vectors.h"
#include "linear/envelope_layout.h"
#include "linear/envelope_substitution.h"

/* No multiplier may be larger: a pivot has to be at least a thousandth of what stands below it. */
static const double largest_multiplier = 1e3;

/* A pivot that is smaller than this part of its column has lost too many digits to judge it here.  With
 * multipliers up to 1e3 the entries before the elimination can be some 1e4 times those after it, so
 * every column that sw_lu_factor would refuse is caught, and what is left is clear (linear_solver.h). */
static const double smallest_pivot = 1e-10;

/* And no column may grow by more: multipliers that are allowed one by one could still pile up. */
static const double largest_growth = 1e6;

sw_status sw_envelope_create(const sw_pattern *A, sw_envelope **envelope)
{
  return sw_layout_create(A, envelope);
}

void sw_envelope_free(sw_envelope *envelope)
{
  sw_layout_free(envelope);
}

void sw_envelope_share(sw_envelope *envelope, sw_team *team)
{
  envelope->team = team;
}

/* What the threads know that factorise parts. */
typedef struct work {
  sw_envelope *envelope;
  const double *values;
  sw_neighbours rows; /* those of the lines are made when the elimination gets to them */
  sw_line line[2];    /* none where all rows are in the store */
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

/* The part of a line whose rows these are, too. */
static sw_line line_within(const sw_envelope *envelope, sw_line line, const sw_neighbours *rows)
{
  const int *order = envelope->order;

  while (line.first < line.end &&
         (order[line.first] < rows->first || order[line.first] >= rows->end)) {
    line.first++;
  }
  while (line.first < line.end &&
         (order[line.end - 1] < rows->first || order[line.end - 1] >= rows->end)) {
    line.end--;
  }
  return line;
}

/* Makes rows first .. end-1 of A, and puts them into the store. */
static void put_rows(work *w, const sw_row_maker *maker, int first, int end)
{
  const int *entry = w->envelope->entry;

  if (first < end) {
    maker->make(maker->context, (size_t)first, (size_t)end);
    place_values(w, (size_t)entry[first], (size_t)entry[end]);
  }
}

/* The rows of A before, between and behind the two lines. */
static void put_others(work *w, const sw_row_maker *maker)
{
  const int *order = w->envelope->order;
  int low[2];
  int high[2];

  for (int side = 0; side < 2; side++) {
    const int a = order[w->line[side].first];
    const int b = order[w->line[side].end - 1];
    low[side] = a < b ? a : b;
    high[side] = a < b ? b : a;
  }
  const int lower = low[1] < low[0];
  put_rows(w, maker, 0, low[lower]);
  put_rows(w, maker, high[lower] + 1, low[!lower]);
  put_rows(w, maker, high[!lower] + 1, w->envelope->n);
}

/* Puts all rows into the store but for those of lines that are made later. */
static void begin(work *w, const sw_row_maker *maker)
{
  const sw_envelope *envelope = w->envelope;

  if (envelope->size != envelope->entries) {
    sw_share_fill(envelope->team, envelope->store, 0.0, (size_t)envelope->size);
  }
  for (int side = 0; side < 2 && maker && envelope->rows < envelope->n; side++) {
    w->rows = maker->neighbours;
    w->line[side] = line_within(envelope, envelope->line[side], &w->rows);
  }
  if (w->line[0].first < w->line[0].end && w->line[1].first < w->line[1].end &&
      w->line[0].step == -w->line[1].step) {
    put_others(w, maker);
    return;
  }
  w->line[0] = w->line[1] = (sw_line){0, 0, 0};
  sw_make_rows(maker, envelope->team, (size_t)envelope->n);
  sw_team_share(envelope->team, (size_t)envelope->entries, place_values, w);
}

/* The larger of size and |x|. */
static inline double larger(double size, double x)
{
  return fabs(x) > size ? fabs(x) : size;
}

/* A row of L and its column of U, n entries each from `lower` on, behind row i - 1, from the rows and columns before.  Writes the largest
 * multiplier and the largest entry of the column, and returns what is left of the pivot: NaN where the column grew. */
static double eliminate(const sw_envelope *envelope, int i, int n, double *lower, double pivot,
                        double *multiplier, double *largest)
{
  double *upper = lower + n;
  double before = fabs(pivot);
  double after = before;
  double steepest = 0.0;

  for (int s = 0; s < n; s++) {
    /* The entries of row and column before they are scaled: of L D, and of D U. */
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
    before = larger(before, a);
    after = larger(after, u);
    steepest = larger(steepest, l * inverse);
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

/* What is not a number fails, too. */
static int is_good(double pivot, double largest, double multiplier)
{
  return fabs(pivot) > smallest_pivot * largest && multiplier <= largest_multiplier;
}

/* A part while it is factorised. */
typedef struct elimination {
  const sw_envelope *envelope;
  int row; /* the next one */
  int end; /* of those that are in the store */
  double *next;   /* where its numbers stand */
  double inverse; /* of the last pivot */
  double pivot;
  int negative;
} elimination;

/* A part up to its line. */
static elimination begin_part(const work *w, int number)
{
  const sw_envelope *envelope = w->envelope;
  const int first = envelope->part[number];
  const int has_line = number < 2 && w->line[number].first < w->line[number].end;

  return (elimination){.envelope = envelope,
                       .row = first,
                       .end = has_line ? w->line[number].first : envelope->part[number + 1],
                       .next = envelope->store + envelope->start[first]};
}

/* A row with one entry beside the pivot, as eliminate does it. */
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
  return is_good(s->pivot, larger(fabs(d), u), fabs(multiplier));
}

/* Returns 0 where the pivot is bad. */
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
  return is_good(s->pivot, largest, multiplier);
}

static inline int is_one(const elimination *s)
{
  return s->row < s->end && s->envelope->length[s->row] == 1;
}

/* Rows of that kind as long as they follow each other, in registers. */
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

/* What is left of those in the store. */
static int eliminate_rest(elimination *s)
{
  int good = 1;

  while (s->row < s->end && good) {
    good = eliminate_next(s) && eliminate_ones(s);
  }
  return good;
}

/* ---- lines ---- */

/* A line while its rows are made. */
typedef struct made_line {
  elimination s;
  ptrdiff_t row; /* the next one, in `rows` */
  double u;      /* what the row before has in the column of the next one */
} made_line;

static made_line begin_line(const work *w, const elimination *s)
{
  return (made_line){
      .s = *s, .row = w->envelope->order[s->row] - w->rows.first, .u = s->next[1]};
}

/* Its next row.  step: that of the line. */
static inline int eliminate_made(const sw_neighbours *rows, made_line *line, int step)
{
  double c[3];

  sw_neighbours_row(rows, line->row, c);
  for (int e = 0; e < 3; e++) {
    rows->c[3 * line->row + e] = c[e];
  }
  const int good = eliminate_one(&line->s, c[1 - step], line->u, c[1]);
  line->u = c[1 + step];
  line->row += step;
  return good;
}

/* Where the elimination goes on behind it, in the store. */
static elimination end_line(const work *w, int number, const made_line *line)
{
  const sw_envelope *envelope = w->envelope;
  const int step = w->line[number].step;
  const int last = envelope->order[line->s.row - 1];
  elimination s = line->s;

  envelope->store[envelope->place[envelope->entry[last] + 1 + step]] = line->u;
  s.end = envelope->part[number + 1];
  return s;
}

static inline int eliminate_line(const work *w, int number, elimination *s, int step)
{
  const sw_neighbours rows = w->rows;
  const int end = w->line[number].end;
  made_line line = begin_line(w, s);
  int good = 1;

  while (line.s.row < end) {
    good &= eliminate_made(&rows, &line, step);
  }
  *s = end_line(w, number, &line);
  return good;
}

/* As far as the shorter one goes. */
static inline int eliminate_lines(const work *w, elimination *of_a, elimination *of_b, int step)
{
  const sw_neighbours rows = w->rows;
  made_line a = begin_line(w, of_a);
  made_line b = begin_line(w, of_b);
  int good = 1;

  while (a.s.row < w->line[0].end && b.s.row < w->line[1].end) {
    good &= eliminate_made(&rows, &a, step) & eliminate_made(&rows, &b, -step);
  }
  *of_a = end_line(w, 0, &a);
  *of_b = end_line(w, 1, &b);
  return good;
}

/* The line, as far as it is not done, and what is behind it. */
static int finish_part(const work *w, int number, elimination *s)
{
  int good = 1;

  if (number < 2 && s->row < w->line[number].end) {
    good = w->line[number].step > 0 ? eliminate_line(w, number, s, 1)
                                    : eliminate_line(w, number, s, -1);
  }
  return good && eliminate_rest(s);
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
  end_part(w, &s, eliminate_rest(&s) && finish_part(w, (int)number, &s));
}

/* The two parts of a border by one thread, which need not wait for the one's division while it does the other. */
static void factor_both(work *w)
{
  elimination a = begin_part(w, 0);
  elimination b = begin_part(w, 1);
  int good = 1;

  while (a.row < a.end && b.row < b.end && good) {
    good = eliminate_next(&a) & eliminate_next(&b) && eliminate_ones_of_both(&a, &b);
  }
  good = good && eliminate_rest(&a) && eliminate_rest(&b);
  if (good && w->line[0].first < w->line[0].end) {
    good = w->line[0].step > 0 ? eliminate_lines(w, &a, &b, 1) : eliminate_lines(w, &a, &b, -1);
  }
  good = good && finish_part(w, 0, &a) && finish_part(w, 1, &b);
  end_part(w, &a, good);
  end_part(w, &b, good);
}

/* Returns 0 where its pivot is bad. */
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
  const int good =
      is_good(*pivot, larger(largest[0], largest[1]), larger(multiplier[0], multiplier[1]));
  atomic_fetch_xor(&w->negative, *pivot < 0.0);
  *pivot = 1.0 / *pivot;
  return good;
}

int sw_envelope_factor(sw_envelope *envelope, const double values[], const sw_row_maker *maker)
{
  work w = {.envelope = envelope, .values = values};

  begin(&w, maker);
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

void sw_envelope_solve(sw_envelope *envelope, double x[])
{
  sw_substitute(envelope, x);
}

int sw_envelope_sign(const sw_envelope *envelope)
{
  return envelope->negative ? -1 : 1;
}
