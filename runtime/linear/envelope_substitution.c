/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * envelope_substitution.c -- x <- A^{-1} x with the factors of an envelope, part by part.
 */
#include "common/vectors.h"
#include "linear/envelope.h"

/* The vectors of a solve, shared by its parts and threads. */
typedef struct right_side {
  const sw_envelope *envelope;
  const int *length;
  const int *order; /* NULL for the identity */
  double *outside;  /* the right-hand side, then the solution, in the order of A's rows */
  double *x;        /* in the order of the envelope's rows */
} right_side;

/* The state of a part during forward or backward substitution. */
typedef struct substitution {
  int row; /* forward: the next row; backward: the last complete row */
  int end; /* forward: the end of the part; backward: its first row */
  const double *at;
  double last; /* the previous component, kept in a register */
  int divided; /* backward: the rows from this one on have been divided by their pivots */
} substitution;

static inline double *outside(const right_side *w, int row)
{
  return &w->outside[w->order ? w->order[row] : row];
}

/* ---- forward ---- */

static substitution begin_forward(const right_side *w, int number)
{
  const sw_envelope *envelope = w->envelope;
  const int row = envelope->part[number];

  return (substitution){row, envelope->part[number + 1], envelope->store + envelope->start[row],
                        0.0, 0};
}

static inline void forward_next(const right_side *w, substitution *s)
{
  const int i = s->row;
  const int n = w->length[i];
  const double *row = s->at;
  const double given = *outside(w, i);

  if (n == 1) {
    s->last = given - row[0] * s->last;
  } else if (n == 2) {
    s->last = (given - row[0] * w->x[i - 2]) - row[1] * s->last;
  } else {
    s->last = n == 0 ? given : given - sw_inner(n, row, w->x + i - n);
  }
  w->x[i] = s->last;
  s->row = i + 1;
  s->at += 2 * n + 1;
}

static void forward_rest(const right_side *w, substitution s)
{
  while (s.row < s.end) {
    forward_next(w, &s);
  }
}

/* Forward substitution up to the border. */
static void solve_forward(void *context, long number, int worker)
{
  (void)worker;
  forward_rest(context, begin_forward(context, (int)number));
}

/* ---- backward ---- */

/* x <- D^{-1} x, backwards down to row `first`. */
static inline void divide_down_to(const right_side *w, substitution *s, int first)
{
  const sw_envelope *envelope = w->envelope;

  while (s->divided > first) {
    const int i = --s->divided;
    w->x[i] *= envelope->store[envelope->start[i] + 2 * envelope->length[i]];
  }
}

/* Starts a part: subtracts the border's component from the end of the part. */
static substitution begin_backward(const right_side *w, int number)
{
  const sw_envelope *envelope = w->envelope;
  const int end = envelope->part[number + 1];
  const int reach = envelope->rows < envelope->n ? envelope->reach[number] : 0;
  const double *at = envelope->store + envelope->start[end - 1] + 2 * envelope->length[end - 1] + 1;
  substitution s = {end - 1, envelope->part[number], at, 0.0, end};

  divide_down_to(w, &s, end - (reach > 1 ? reach : 1));
  for (int i = 0; i < reach; i++) {
    const int before = number == 1 ? 2 * envelope->reach[0] : 0;
    const double *column = envelope->store + envelope->start[envelope->rows] + before + reach;
    w->x[end - reach + i] -= column[i] * w->x[envelope->rows];
  }
  s.last = w->x[end - 1];
  return s;
}

/* Writes the last complete component to the solution, and substitutes its column. */
static inline void backward_next(const right_side *w, substitution *s)
{
  const int i = s->row;
  const int n = w->length[i];
  double *x = w->x;

  *outside(w, i) = s->last;
  if (n == 1 && s->divided == i) {
    s->last = x[i - 1] * s->at[-4] - s->at[-2] * s->last;
    s->divided = i - 1;
  } else {
    divide_down_to(w, s, i - (n > 1 ? n : 1));
    const double *column = s->at - n - 1;
    double before = x[i - 1];
    for (int t = 0; t < n - 1; t++) {
      x[i - n + t] -= column[t] * s->last;
    }
    if (n > 0) {
      before -= column[n - 1] * s->last;
    }
    s->last = before;
  }
  s->row = i - 1;
  s->at -= 2 * n + 1;
}

static void backward_rest(const right_side *w, substitution s)
{
  while (s.row > s.end) {
    backward_next(w, &s);
  }
  *outside(w, s.row) = s.last;
}

static void solve_backward(void *context, long number, int worker)
{
  (void)worker;
  backward_rest(context, begin_backward(context, (int)number));
}

/* ---- both ---- */

/* Both substitutions, for a part without a border. */
static void solve_part(void *context, long number, int worker)
{
  solve_forward(context, number, worker);
  solve_backward(context, number, worker);
}

/* Computes the component of the border, between both substitutions. */
static void solve_border(const right_side *w)
{
  const sw_envelope *envelope = w->envelope;
  const double *at = envelope->store + envelope->start[envelope->rows];
  double *result = outside(w, envelope->rows);

  for (int side = 0; side < 2; side++) {
    const int n = envelope->reach[side];
    *result -= sw_inner(n, at, w->x + envelope->part[side + 1] - n);
    at += 2 * n;
  }
  *result *= *at;
  w->x[envelope->rows] = *result;
}

/* The two parts beside a border on one thread, interleaved as in factor_both. */
static void solve_both(const right_side *of)
{
  const right_side w = *of;
  substitution a = begin_forward(&w, 0);
  substitution b = begin_forward(&w, 1);

  while (a.row < a.end && b.row < b.end) {
    forward_next(&w, &a);
    forward_next(&w, &b);
  }
  forward_rest(&w, a);
  forward_rest(&w, b);
  solve_border(&w);
  a = begin_backward(&w, 0);
  b = begin_backward(&w, 1);
  while (a.row > a.end && b.row > b.end) {
    backward_next(&w, &a);
    backward_next(&w, &b);
  }
  backward_rest(&w, a);
  backward_rest(&w, b);
}

void sw_envelope_solve(sw_envelope *envelope, double x[])
{
  right_side w = {envelope, envelope->length, envelope->order, x,
                  envelope->order ? envelope->permuted : x};

  if (envelope->rows == envelope->n) {
    sw_along_parts(envelope, solve_part, &w);
  } else if (sw_parts_alone(envelope)) {
    solve_both(&w);
  } else {
    sw_along_parts(envelope, solve_forward, &w);
    solve_border(&w);
    sw_along_parts(envelope, solve_backward, &w);
  }
}
