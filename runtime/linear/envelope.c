/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope.c -- LU factorisation within the envelope of a matrix, without row exchanges, part by part.
 */
#include "linear/envelope.h"

#include <math.h>
#include <stdatomic.h>

#include "common/shared_vectors.h"
#include "linear/envelope_layout.h"

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

/* What the threads know that do the same with all parts. */
typedef struct work {
  sw_envelope *envelope;
  const double *values;
  double *x;
  atomic_int is_bad;
  atomic_int negative;
} work;

static void along_parts(work *w, sw_team_job *job)
{
  const sw_envelope *envelope = w->envelope;

  if (envelope->team && envelope->parts > 1) {
    sw_team_run(envelope->team, job, w, envelope->parts);
  } else {
    for (int p = 0; p < envelope->parts; p++) {
      job(w, p, 0);
    }
  }
}

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

static inline double dot(int n, const double x[], const double y[])
{
  double sum = 0.0;

  for (int i = 0; i < n; i++) {
    sum += x[i] * y[i];
  }
  return sum;
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
    const double l = lower[s] - dot(common, lower + s - common, row + m);
    const double u = a - dot(common, row, upper + s - common);
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

static void factor_part(void *context, long number, int worker)
{
  work *w = context;
  sw_envelope *envelope = w->envelope;
  const int first = envelope->part[number];
  const int end = envelope->part[number + 1];
  double *next = envelope->store + envelope->start[first];
  double inverse = 0.0; /* of the last pivot */
  double pivot = 0.0;
  int negative = 0;

  (void)worker;
  for (int i = first; i < end; i++) {
    const int n = envelope->length[i];
    double multiplier = 0.0;
    double largest;

    if (n == 0) {
      pivot = next[0];
      largest = fabs(pivot);
    } else if (n == 1) {
      /* As eliminate does it, but the next pivot waits for one division only. */
      const double l = next[0];
      const double u = next[1];
      const double d = next[2];
      next[0] = l * inverse;
      next[1] = u * inverse;
      multiplier = fabs(next[0]);
      largest = larger(fabs(d), u);
      pivot = d - l * u / pivot;
    } else {
      pivot = eliminate(envelope, i, n, next, next[2 * n], &multiplier, &largest);
    }
    if (!is_good(pivot, largest, multiplier)) {
      atomic_store(&w->is_bad, 1);
      return;
    }
    inverse = 1.0 / pivot;
    negative ^= pivot < 0.0;
    next += 2 * n;
    *next++ = inverse;
  }
  atomic_fetch_xor(&w->negative, negative);
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
  along_parts(&w, factor_part);
  if (atomic_load(&w.is_bad) || (envelope->rows < envelope->n && !factor_border(&w))) {
    return 1;
  }
  envelope->negative = atomic_load(&w.negative);
  return 0;
}

/* ---- solution ---- */

/* x <- L^{-1} x for the rows of a part. */
static void forward(const sw_envelope *envelope, int first, int end, double x[])
{
  const int *length = envelope->length;
  const double *at = envelope->store + envelope->start[first];
  double last = 0.0; /* the component before, which need not come from memory again */

  for (int i = first; i < end; i++) {
    const int n = length[i];
    const double *row = at;
    if (n == 0) {
      last = x[i];
    } else if (n == 1) {
      last = x[i] - row[0] * last;
    } else if (n == 2) {
      last = (x[i] - row[0] * x[i - 2]) - row[1] * last;
    } else {
      last = x[i] - dot(n, row, x + i - n);
    }
    x[i] = last;
    at += 2 * n + 1;
  }
}

/* x <- D^{-1} x. */
static void divide(const sw_envelope *envelope, int first, int end, double x[])
{
  const double *at = envelope->store + envelope->start[first];

  for (int i = first; i < end; i++) {
    at += 2 * envelope->length[i];
    x[i] *= *at++;
  }
}

/* x <- U^{-1} x. */
static void backward(const sw_envelope *envelope, int first, int end, double x[])
{
  const double *at = envelope->store + envelope->start[end - 1] + 2 * envelope->length[end - 1] + 1;
  double value = x[end - 1];

  for (int i = end - 1; i > first; i--) {
    const int n = envelope->length[i];
    at -= 2 * n + 1;
    const double *column = at + n;
    /* The component before is the next to be complete, and need not come from memory again. */
    double before = x[i - 1];
    for (int s = 0; s < n - 1; s++) {
      x[i - n + s] -= column[s] * value;
    }
    if (n > 0) {
      before -= column[n - 1] * value;
      x[i - 1] = before;
    }
    value = before;
  }
}

static double *ordered(const work *w)
{
  return w->envelope->order ? w->envelope->permuted : w->x;
}

/* Up to the border. */
static void solve_forward(void *context, long number, int worker)
{
  const work *w = context;
  const sw_envelope *envelope = w->envelope;
  const int *order = envelope->order;
  const int first = envelope->part[number];
  const int end = envelope->part[number + 1];
  double *x = ordered(w);

  (void)worker;
  for (int i = first; i < end && order; i++) {
    x[i] = w->x[order[i]];
  }
  forward(envelope, first, end, x);
}

static void solve_backward(void *context, long number, int worker)
{
  const work *w = context;
  const sw_envelope *envelope = w->envelope;
  const int *order = envelope->order;
  const int first = envelope->part[number];
  const int end = envelope->part[number + 1];
  double *x = ordered(w);

  (void)worker;
  divide(envelope, first, end, x);
  if (envelope->rows < envelope->n) {
    const int n = envelope->reach[number];
    const double *column = envelope->store + envelope->start[envelope->rows] +
                           (number == 1 ? 2 * envelope->reach[0] : 0) + n;
    for (int s = 0; s < n; s++) {
      x[end - n + s] -= column[s] * x[envelope->rows];
    }
  }
  backward(envelope, first, end, x);
  for (int i = first; i < end && order; i++) {
    w->x[order[i]] = x[i];
  }
}

/* All of it for a part that has nothing to do with others. */
static void solve_part(void *context, long number, int worker)
{
  solve_forward(context, number, worker);
  solve_backward(context, number, worker);
}

/* The component of the border, between both. */
static void solve_border(const work *w)
{
  const sw_envelope *envelope = w->envelope;
  const double *at = envelope->store + envelope->start[envelope->rows];
  double *x = envelope->permuted;
  double value = w->x[envelope->order[envelope->rows]];

  for (int side = 0; side < 2; side++) {
    const int n = envelope->reach[side];
    value -= dot(n, at, x + envelope->part[side + 1] - n);
    at += 2 * n;
  }
  x[envelope->rows] = value * *at;
  w->x[envelope->order[envelope->rows]] = x[envelope->rows];
}

void sw_envelope_solve(sw_envelope *envelope, double x[])
{
  work w = {.envelope = envelope, .x = x};

  if (envelope->rows == envelope->n) {
    along_parts(&w, solve_part);
  } else {
    along_parts(&w, solve_forward);
    solve_border(&w);
    along_parts(&w, solve_backward);
  }
}

int sw_envelope_sign(const sw_envelope *envelope)
{
  return envelope->negative ? -1 : 1;
}
