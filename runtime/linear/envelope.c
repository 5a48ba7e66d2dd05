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

static void scatter(work *w)
{
  const sw_envelope *envelope = w->envelope;

  if (envelope->size != envelope->entries) {
    sw_share_fill(envelope->team, envelope->store, 0.0, (size_t)envelope->size);
  }
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
  int end;
  double *next;   /* where its numbers stand */
  double inverse; /* of the last pivot */
  double pivot;
  int negative;
} elimination;

static elimination begin_part(const sw_envelope *envelope, int number)
{
  const int first = envelope->part[number];

  return (elimination){.envelope = envelope,
                       .row = first,
                       .end = envelope->part[number + 1],
                       .next = envelope->store + envelope->start[first]};
}

/* A row with one entry beside the pivot: as eliminate does it, but the next pivot waits for one division only. */
static inline int eliminate_one(elimination *s)
{
  double *next = s->next;
  const double l = next[0];
  const double u = next[1];
  const double d = next[2];
  const double multiplier = l * s->inverse;

  s->pivot = d - l * u / s->pivot;
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
    return eliminate_one(s);
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
    good &= eliminate_one(&s);
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
    good &= eliminate_one(&a) & eliminate_one(&b);
  }
  *of_a = a;
  *of_b = b;
  return good;
}

/* What is left of a part. */
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
  elimination s = begin_part(w->envelope, (int)number);

  (void)worker;
  end_part(w, &s, eliminate_rest(&s));
}

/* The two parts of a border by one thread, which need not wait for the one's division while it does the other. */
static void factor_both(work *w)
{
  elimination a = begin_part(w->envelope, 0);
  elimination b = begin_part(w->envelope, 1);
  int good = 1;

  while (a.row < a.end && b.row < b.end && good) {
    good = eliminate_next(&a) & eliminate_next(&b) && eliminate_ones_of_both(&a, &b);
  }
  good = good && eliminate_rest(&a) && eliminate_rest(&b);
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

int sw_envelope_factor(sw_envelope *envelope, const double values[])
{
  work w = {.envelope = envelope, .values = values};

  scatter(&w);
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
