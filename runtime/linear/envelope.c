/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope.c -- LU factorisation within the envelope of a matrix, without row exchanges.
 *
 * All numbers that belong to row and column i stand together: row i of L, column i of U, each of
 * length[i] = i - first[i] values, and the reciprocal of the pivot.  So a factorisation and a solve
 * walk through memory once, and inner products run over contiguous pieces of rows of L and columns of U.
 */
#include "linear/envelope.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear/ordering.h"

/* No multiplier may be larger: a pivot has to be at least a thousandth of what stands below it. */
static const double largest_multiplier = 1e3;

/* A pivot that is smaller than this part of its column has lost too many digits to judge it here.  With
 * multipliers up to 1e3 the entries before the elimination can be some 1e4 times those after it, so
 * every column that sw_lu_factor would refuse is caught, and what is left is clear (linear_solver.h). */
static const double smallest_pivot = 1e-10;

/* And no column may grow by more: multipliers that are allowed one by one could still pile up. */
static const double largest_growth = 1e6;

struct sw_envelope {
  int n;
  int entries;
  int size;      /* of store */
  int negative;  /* 1 where an odd number of pivots is negative */
  int *length;   /* n: entries of row i of L, and of column i of U */
  int *start;    /* n: where row i of L starts in store; column i of U and the pivot follow */
  int *place;    /* entries: where each of them belongs in store */
  int *order;    /* n: row i of the envelope is row order[i] of A; NULL where they are the same */
  double *store; /* size */
  double *permuted; /* n, NULL where order is */
};

/* 1 where every diagonal entry is in the pattern. */
static int has_diagonal(const sw_pattern *A)
{
  int count = 0;

  for (int e = 0; e < A->entries; e++) {
    count += A->row[e] == A->col[e];
  }
  return count == A->rows;
}

/* Lays out rows that begin at length[i], which becomes their length. */
static void lay_out(sw_envelope *envelope)
{
  int at = 0;

  for (int i = 0; i < envelope->n; i++) {
    envelope->length[i] = i - envelope->length[i];
    envelope->start[i] = at;
    at += 2 * envelope->length[i] + 1;
  }
  envelope->size = at;
}

static void place_entries(sw_envelope *envelope, const sw_pattern *A, const int place[])
{
  for (int e = 0; e < A->entries; e++) {
    const int i = place ? place[A->row[e]] : A->row[e];
    const int j = place ? place[A->col[e]] : A->col[e];
    const int k = i > j ? i : j;
    const int other = i > j ? j : i;
    /* From the diagonal backwards: the entry of L, or of U, or the pivot. */
    const int at = envelope->start[k] + envelope->length[k] - (k - other);

    envelope->place[e] = i > j ? at : at + envelope->length[k];
  }
}

/* Decides, and fills in everything but the numbers.  place: n values of scratch.  Returns 0 where the
 * envelope is too large. */
static int plan(sw_envelope *envelope, const sw_pattern *A, const sw_graph *graph, int place[])
{
  const size_t n = (size_t)A->rows;
  const size_t entries = (size_t)graph->start[A->rows] + n;
  const size_t natural = sw_graph_envelope(graph, NULL, NULL);
  const size_t ordered = sw_graph_envelope(graph, place, NULL);
  const size_t best = natural <= ordered ? natural : ordered;

  if (2 * best + n > 4 * entries + 8 * n || 2 * best + n > INT_MAX) {
    return 0;
  }
  if (natural <= ordered) {
    free(envelope->order);
    free(envelope->permuted);
    envelope->order = NULL;
    envelope->permuted = NULL;
  } else {
    for (int v = 0; v < A->rows; v++) {
      envelope->order[place[v]] = v;
    }
  }
  const int *used = envelope->order ? place : NULL;
  (void)sw_graph_envelope(graph, used, envelope->length);
  lay_out(envelope);
  place_entries(envelope, A, used);
  return 1;
}

static sw_envelope *allocate(const sw_pattern *A)
{
  const size_t n = (size_t)A->rows;
  sw_envelope *envelope = calloc(1, sizeof *envelope);

  if (!envelope) {
    return NULL;
  }
  envelope->n = A->rows;
  envelope->entries = A->entries;
  envelope->length = calloc(n, sizeof *envelope->length);
  envelope->start = calloc(n, sizeof *envelope->start);
  envelope->place = calloc((size_t)A->entries, sizeof *envelope->place);
  envelope->order = calloc(n, sizeof *envelope->order);
  envelope->permuted = calloc(n, sizeof *envelope->permuted);
  if (!envelope->length || !envelope->start || !envelope->place || !envelope->order ||
      !envelope->permuted) {
    sw_envelope_free(envelope);
    return NULL;
  }
  return envelope;
}

sw_status sw_envelope_create(const sw_pattern *A, sw_envelope **envelope)
{
  sw_graph graph = {0};
  sw_envelope *made = NULL;
  sw_status status = SW_ERR_MEMORY;

  *envelope = NULL;
  if (A->entries > INT_MAX / 2 || !has_diagonal(A)) {
    return SW_OK;
  }
  int *place = calloc((size_t)A->rows, sizeof *place);
  if (place && sw_graph_create(A, &graph) == SW_OK &&
      sw_graph_cuthill_mckee(&graph, place) == SW_OK && (made = allocate(A)) != NULL) {
    status = SW_OK;
    if (!plan(made, A, &graph, place)) {
      sw_envelope_free(made);
      made = NULL;
    } else if (!(made->store = calloc((size_t)made->size + 1, sizeof *made->store))) {
      sw_envelope_free(made);
      made = NULL;
      status = SW_ERR_MEMORY;
    }
  }
  sw_graph_free(&graph);
  free(place);
  *envelope = made;
  return status;
}

void sw_envelope_free(sw_envelope *envelope)
{
  if (!envelope) {
    return;
  }
  free(envelope->length);
  free(envelope->start);
  free(envelope->place);
  free(envelope->order);
  free(envelope->permuted);
  free(envelope->store);
  free(envelope);
}

static void scatter(sw_envelope *envelope, const double values[])
{
  double *restrict store = envelope->store;
  const int *restrict place = envelope->place;

  if (envelope->size != envelope->entries) {
    memset(store, 0, (size_t)envelope->size * sizeof *store);
  }
  for (int e = 0; e < envelope->entries; e++) {
    store[place[e]] = values[e];
  }
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

/* Row i of L and column i of U, of n >= 2 entries, from the rows and columns before.  Writes the largest
 * multiplier and the largest entry of the column, and returns the pivot: NaN where the column grew. */
static double eliminate(const sw_envelope *envelope, int i, double *multiplier, double *largest)
{
  const int n = envelope->length[i];
  double *lower = envelope->store + envelope->start[i];
  double *upper = lower + n;
  double pivot = upper[n];
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

int sw_envelope_factor(sw_envelope *envelope, const double values[])
{
  double *next = envelope->store;
  double inverse = 0.0; /* of the last pivot */
  double pivot = 0.0;
  int negative = 0;

  scatter(envelope, values);
  for (int i = 0; i < envelope->n; i++) {
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
      pivot = eliminate(envelope, i, &multiplier, &largest);
    }
    /* What is not a number fails, too. */
    if (!(fabs(pivot) > smallest_pivot * largest) || !(multiplier <= largest_multiplier)) {
      return 1;
    }
    inverse = 1.0 / pivot;
    negative ^= pivot < 0.0;
    next += 2 * n;
    *next++ = inverse;
  }
  envelope->negative = negative;
  return 0;
}

/* x <- L^{-1} x, then D^{-1} x. */
static void forward(const sw_envelope *envelope, double x[])
{
  const int *length = envelope->length;
  const double *at = envelope->store;
  double last = 0.0; /* the component before, which need not come from memory again */

  for (int i = 0; i < envelope->n; i++) {
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
  at = envelope->store;
  for (int i = 0; i < envelope->n; i++) {
    at += 2 * length[i];
    x[i] *= *at++;
  }
}

/* x <- U^{-1} x. */
static void backward(const sw_envelope *envelope, double x[])
{
  const double *at = envelope->store + envelope->size;
  double value = x[envelope->n - 1];

  for (int i = envelope->n - 1; i > 0; i--) {
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

void sw_envelope_solve(sw_envelope *envelope, double x[])
{
  const int *order = envelope->order;
  double *permuted = envelope->permuted;

  if (!order) {
    forward(envelope, x);
    backward(envelope, x);
    return;
  }
  for (int i = 0; i < envelope->n; i++) {
    permuted[i] = x[order[i]];
  }
  forward(envelope, permuted);
  backward(envelope, permuted);
  for (int i = 0; i < envelope->n; i++) {
    x[order[i]] = permuted[i];
  }
}

int sw_envelope_sign(const sw_envelope *envelope)
{
  return envelope->negative ? -1 : 1;
}
