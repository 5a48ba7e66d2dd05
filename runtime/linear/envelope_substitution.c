/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/envelope_substitution.h"

/* What the threads know. */
typedef struct right_side {
  sw_envelope *envelope;
  double *x;
} right_side;

/* A part while x <- L^{-1} x or x <- U^{-1} x is made of its components. */
typedef struct substitution {
  int row; /* the next one; backward, the last one that is complete */
  int end; /* forward; backward, the first one */
  const double *at;
  double last; /* the component before, which need not come from memory again */
} substitution;

static substitution begin_forward(const sw_envelope *envelope, int number)
{
  const int first = envelope->part[number];

  return (substitution){first, envelope->part[number + 1], envelope->store + envelope->start[first],
                        0.0};
}

static inline void forward_next(const sw_envelope *envelope, substitution *s, double x[])
{
  const int i = s->row++;
  const int n = envelope->length[i];
  const double *row = s->at;

  if (n == 1) {
    s->last = x[i] - row[0] * s->last;
  } else if (n == 0) {
    s->last = x[i];
  } else if (n == 2) {
    s->last = (x[i] - row[0] * x[i - 2]) - row[1] * s->last;
  } else {
    s->last = x[i] - sw_inner(n, row, x + i - n);
  }
  x[i] = s->last;
  s->at += 2 * n + 1;
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

static substitution begin_backward(const sw_envelope *envelope, int number, const double x[])
{
  const int last = envelope->part[number + 1] - 1;

  return (substitution){last, envelope->part[number],
                        envelope->store + envelope->start[last] + 2 * envelope->length[last] + 1,
                        x[last]};
}

static inline void backward_next(const sw_envelope *envelope, substitution *s, double x[])
{
  const int i = s->row--;
  const int n = envelope->length[i];

  s->at -= 2 * n + 1;
  const double *column = s->at + n;
  /* The component before is the next to be complete. */
  double before = x[i - 1];
  for (int t = 0; t < n - 1; t++) {
    x[i - n + t] -= column[t] * s->last;
  }
  if (n > 0) {
    before -= column[n - 1] * s->last;
    x[i - 1] = before;
  }
  s->last = before;
}

static double *ordered(const right_side *w)
{
  return w->envelope->order ? w->envelope->permuted : w->x;
}

/* In the order of the rows, and back. */
static void gather(const right_side *w, int first, int end)
{
  const int *order = w->envelope->order;
  double *x = ordered(w);

  for (int i = first; i < end && order; i++) {
    x[i] = w->x[order[i]];
  }
}

static void spread(const right_side *w, int first, int end)
{
  const int *order = w->envelope->order;
  const double *x = ordered(w);

  for (int i = first; i < end && order; i++) {
    w->x[order[i]] = x[i];
  }
}

/* Up to the border. */
static void solve_forward(void *context, long number, int worker)
{
  const right_side *w = context;
  const sw_envelope *envelope = w->envelope;
  substitution s = begin_forward(envelope, (int)number);
  double *x = ordered(w);

  (void)worker;
  gather(w, s.row, s.end);
  while (s.row < s.end) {
    forward_next(envelope, &s, x);
  }
}

/* D, and what the component of the border adds to the end of a part. */
static void pass_border(const sw_envelope *envelope, long number, double x[])
{
  const int end = envelope->part[number + 1];

  divide(envelope, envelope->part[number], end, x);
  if (envelope->rows < envelope->n) {
    const int n = envelope->reach[number];
    const double *column = envelope->store + envelope->start[envelope->rows] +
                           (number == 1 ? 2 * envelope->reach[0] : 0) + n;
    for (int s = 0; s < n; s++) {
      x[end - n + s] -= column[s] * x[envelope->rows];
    }
  }
}

static void solve_backward(void *context, long number, int worker)
{
  const right_side *w = context;
  const sw_envelope *envelope = w->envelope;
  double *x = ordered(w);

  (void)worker;
  pass_border(envelope, number, x);
  substitution s = begin_backward(envelope, (int)number, x);
  while (s.row > s.end) {
    backward_next(envelope, &s, x);
  }
  spread(w, envelope->part[number], envelope->part[number + 1]);
}

/* Both parts of a border by one thread, as factor_both. */
static void forward_both(const right_side *w)
{
  const sw_envelope *envelope = w->envelope;
  substitution a = begin_forward(envelope, 0);
  substitution b = begin_forward(envelope, 1);
  double *x = ordered(w);

  gather(w, 0, envelope->rows);
  while (a.row < a.end && b.row < b.end) {
    forward_next(envelope, &a, x);
    forward_next(envelope, &b, x);
  }
  while (a.row < a.end) {
    forward_next(envelope, &a, x);
  }
  while (b.row < b.end) {
    forward_next(envelope, &b, x);
  }
}

static void backward_both(const right_side *w)
{
  const sw_envelope *envelope = w->envelope;
  double *x = ordered(w);

  pass_border(envelope, 0, x);
  pass_border(envelope, 1, x);
  substitution a = begin_backward(envelope, 0, x);
  substitution b = begin_backward(envelope, 1, x);
  while (a.row > a.end && b.row > b.end) {
    backward_next(envelope, &a, x);
    backward_next(envelope, &b, x);
  }
  while (a.row > a.end) {
    backward_next(envelope, &a, x);
  }
  while (b.row > b.end) {
    backward_next(envelope, &b, x);
  }
  spread(w, 0, envelope->rows);
}

/* All of it for a part that has nothing to do with others. */
static void solve_part(void *context, long number, int worker)
{
  solve_forward(context, number, worker);
  solve_backward(context, number, worker);
}

/* The component of the border, between both. */
static void solve_border(const right_side *w)
{
  const sw_envelope *envelope = w->envelope;
  const double *at = envelope->store + envelope->start[envelope->rows];
  double *x = envelope->permuted;
  double value = w->x[envelope->order[envelope->rows]];

  for (int side = 0; side < 2; side++) {
    const int n = envelope->reach[side];
    value -= sw_inner(n, at, x + envelope->part[side + 1] - n);
    at += 2 * n;
  }
  x[envelope->rows] = value * *at;
  w->x[envelope->order[envelope->rows]] = x[envelope->rows];
}

void sw_substitute(sw_envelope *envelope, double x[])
{
  right_side w = {envelope, x};

  if (envelope->rows == envelope->n) {
    sw_along_parts(envelope, solve_part, &w);
  } else if (sw_parts_alone(envelope)) {
    forward_both(&w);
    solve_border(&w);
    backward_both(&w);
  } else {
    sw_along_parts(envelope, solve_forward, &w);
    solve_border(&w);
    sw_along_parts(envelope, solve_backward, &w);
  }
}
