/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope.c -- LU factorisation within the envelope of a matrix, part by part, without row
 * exchanges.
 */
#include "linear/envelope.h"

#include <math.h>
#include <stdatomic.h>

#include "common/shared_vectors.h"
#include "linear/envelope_elimination.h"
#include "linear/envelope_lines.h"
#include "linear/envelope_substitution.h"

/* Limit of a column's growth during elimination.  Multipliers that are acceptable one by one could
 * still accumulate. */
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

/* Data shared by the threads that factorise parts. */
typedef struct work {
  sw_envelope *envelope;
  const double *values;
  sw_lines lines; /* rows that are produced when the elimination reaches them */
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

  w->lines = sw_lines_of(envelope, maker);
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
  sw_lines_others(envelope, &w->lines, first, end);
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
    before = sw_larger_size(before, a);
    after = sw_larger_size(after, u);
    steepest = sw_larger_size(steepest, l * inverse);
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
static sw_elimination begin_part(const work *w, int number)
{
  const sw_envelope *envelope = w->envelope;
  const int first = envelope->part[number];
  const sw_line line = number < 2 ? w->lines.of[number] : (sw_line){0, 0, 0};

  return (sw_elimination){.envelope = envelope,
                          .row = first,
                          .end = line.first < line.end ? line.first : envelope->part[number + 1],
                          .next = envelope->store + envelope->start[first]};
}

/* Eliminates the next row.  Returns 0 if its pivot is bad. */
static int eliminate_next(sw_elimination *s)
{
  const int i = s->row;
  const int n = s->envelope->length[i];
  double *next = s->next;
  double multiplier = 0.0;
  double largest;

  if (n == 1) {
    return sw_eliminate_one(s, next[0], next[1], next[2]);
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
  return sw_pivot_is_good(s->pivot, largest, multiplier);
}

static inline int is_one(const sw_elimination *s)
{
  return s->row < s->end && s->envelope->length[s->row] == 1;
}

/* Eliminates consecutive rows with one entry beside the pivot.  The local copy keeps *of in
 * registers. */
static int eliminate_ones(sw_elimination *of)
{
  sw_elimination s = *of;
  int good = 1;

  while (is_one(&s)) {
    good &= sw_eliminate_one(&s, s.next[0], s.next[1], s.next[2]);
  }
  *of = s;
  return good;
}

static int eliminate_ones_of_both(sw_elimination *of_a, sw_elimination *of_b)
{
  sw_elimination a = *of_a;
  sw_elimination b = *of_b;
  int good = 1;

  while (is_one(&a) && is_one(&b)) {
    good &= sw_eliminate_one(&a, a.next[0], a.next[1], a.next[2]) &
            sw_eliminate_one(&b, b.next[0], b.next[1], b.next[2]);
  }
  *of_a = a;
  *of_b = b;
  return good;
}

/* Eliminates the remaining rows that are in the store. */
static int eliminate_rest(sw_elimination *s)
{
  int good = 1;

  while (s->row < s->end && good) {
    good = eliminate_next(s) && eliminate_ones(s);
  }
  return good;
}

/* Eliminates the rows up to the line and, if there is one, computes L^{-1} b up to the line. */
static int envelope_begin_line(const work *w, int number, sw_elimination *s)
{
  const int good = eliminate_rest(s);

  if (good && number < 2 && w->lines.of[number].first < w->lines.of[number].end) {
    s->last = sw_substitute_up_to(w->envelope, w->lines.maker->right, number, s->row);
  }
  return good;
}

/* Eliminates the rest of the line and the rows behind it. */
static int finish_part(const work *w, int number, sw_elimination *s)
{
  return (number > 1 || sw_eliminate_line(&w->lines, number, s)) && eliminate_rest(s);
}

static void end_part(work *w, const sw_elimination *s, int good)
{
  if (!good) {
    atomic_store(&w->is_bad, 1);
  }
  atomic_fetch_xor(&w->negative, s->negative);
}

static void factor_part(void *context, long number, int worker)
{
  work *w = context;
  sw_elimination s = begin_part(w, (int)number);

  (void)worker;
  end_part(w, &s, envelope_begin_line(w, (int)number, &s) && finish_part(w, (int)number, &s));
}

/* Factorises the two parts beside a border on one thread, interleaved, so that the divisions of one
 * part overlap with the work of the other. */
static void factor_both(work *w)
{
  sw_elimination a = begin_part(w, 0);
  sw_elimination b = begin_part(w, 1);
  int good = 1;

  while (a.row < a.end && b.row < b.end && good) {
    good = eliminate_next(&a) & eliminate_next(&b) && eliminate_ones_of_both(&a, &b);
  }
  good = good && envelope_begin_line(w, 0, &a) && envelope_begin_line(w, 1, &b);
  if (good && w->lines.of[0].first < w->lines.of[0].end) {
    good = sw_eliminate_lines(&w->lines, &a, &b);
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
  const int good = sw_pivot_is_good(*pivot, sw_larger_size(largest[0], largest[1]),
                                    sw_larger_size(multiplier[0], multiplier[1]));
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

void sw_envelope_solve(sw_envelope *envelope, double x[])
{
  sw_substitute(envelope, x);
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
