/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * envelope_substitution.c -- x <- A^{-1} x with the factors of an envelope, part by part.
 */
#include "linear/envelope.h"

#include "common/vectors.h"

/* Data shared by the threads. */
typedef struct right_side {
  sw_envelope *envelope;
  double *x;
  int is_begun; /* 1 if L^{-1} x is already known up to the ends of the lines */
} right_side;

/* The state of a part during forward or backward substitution. */
typedef struct substitution {
  const sw_envelope *envelope;
  const sw_line *line; /* of a part beside a border */
  const int *length;
  const int *order;    /* NULL for the identity */
  const double *given; /* forward: the right-hand side, in the order of A's rows */
  double *outside;     /* backward: the solution, in the order of A's rows */
  double *x;           /* in the order of the envelope's rows */
  int row;             /* forward: the next row; backward: the last complete row */
  int end;             /* forward: the end of the part; backward: its first row */
  const double *at;
  double last; /* the previous component, kept in a register */
  int divided; /* backward: the rows from this one on have been divided by their pivots */
} substitution;

static double *ordered(const right_side *w)
{
  return w->envelope->order ? w->envelope->permuted : w->x;
}

/* Sets the members that both directions use.  They are assigned one by one, since clearing and
 * copying the whole struct would cost as much as several rows. */
static inline void envelope_substitution_begin(substitution *s, const right_side *w, int number)
{
  const sw_envelope *envelope = w->envelope;

  s->envelope = envelope;
  s->line = number < 2 ? &envelope->line[number] : NULL;
  s->length = envelope->length;
  s->order = envelope->order;
  s->given = s->outside = w->x;
  s->x = ordered(w);
}

static inline void begin_forward(substitution *s, const right_side *w, int number)
{
  const sw_envelope *envelope = w->envelope;

  envelope_substitution_begin(s, w, number);
  s->row = w->is_begun ? envelope->begun[number] : envelope->part[number];
  s->end = envelope->part[number + 1];
  s->at = envelope->store + (s->row < s->end ? envelope->start[s->row] : 0);
  s->last = w->is_begun ? s->x[s->row - 1] : 0.0;
}

static inline double given(const substitution *s)
{
  return s->given[s->order ? s->order[s->row] : s->row];
}

/* Substitutes a row with one entry beside the pivot. */
static inline void forward_one(substitution *s)
{
  s->last = given(s) - s->at[0] * s->last;
  s->x[s->row++] = s->last;
  s->at += 3;
}

static void forward_next(substitution *s)
{
  const int i = s->row;
  const int n = s->length[i];
  const double *row = s->at;

  if (n == 1) {
    forward_one(s);
    return;
  }
  if (n == 0) {
    s->last = given(s);
  } else if (n == 2) {
    s->last = (given(s) - row[0] * s->x[i - 2]) - row[1] * s->last;
  } else {
    s->last = given(s) - sw_inner(n, row, s->x + i - n);
  }
  s->x[i] = s->last;
  s->row = i + 1;
  s->at += 2 * n + 1;
}

static inline int is_one_ahead(const substitution *s)
{
  return s->row < s->end && s->length[s->row] == 1;
}

/* Substitutes one row of any kind and the following rows with one entry.  The local copy keeps *of
 * in registers. */
static void forward_some(substitution *of)
{
  forward_next(of);
  substitution s = *of;
  while (is_one_ahead(&s)) {
    forward_one(&s);
  }
  *of = s;
}

/* ---- the lines of both parts beside a border, interleaved, so that neither waits for the products
 * of the other ---- */

/* A position in a line. */
typedef struct walk {
  const double *given;
  double *outside;
  ptrdiff_t step; /* from row to row, in `given` and `outside` */
  double *x;
  const double *at;
  double last;
} walk;

static walk walk_from(const substitution *s, int direction)
{
  const int row = s->order[s->row];

  return (walk){s->given + row, s->outside + row, direction * s->line->step, s->x + s->row,
                s->at,          s->last};
}

static inline void walk_forward(walk *w)
{
  *w->x++ = w->last = *w->given - w->at[0] * w->last;
  w->given += w->step;
  w->at += 3;
}

static inline void walk_backward(walk *w)
{
  *w->outside = w->last;
  w->last = *--w->x * w->at[-4] - w->at[-2] * w->last;
  w->outside += w->step;
  w->at -= 3;
}

static void end_walk(const walk *w, int rows, substitution *s)
{
  s->at = w->at;
  s->last = w->last;
  s->row += rows;
}

static inline int is_in_line(const substitution *s)
{
  return s->row >= s->line->first && s->row < s->line->end;
}

static void forward_lines(substitution *of_a, substitution *of_b)
{
  if (!is_in_line(of_a) || !is_in_line(of_b)) {
    return;
  }
  const int rows = sw_smaller_int(of_a->line->end - of_a->row, of_b->line->end - of_b->row);
  walk a = walk_from(of_a, 1);
  walk b = walk_from(of_b, 1);

  for (int i = 0; i < rows; i++) {
    walk_forward(&a);
    walk_forward(&b);
  }
  end_walk(&a, rows, of_a);
  end_walk(&b, rows, of_b);
}

/* The number of rows of the line that backward_one can process from here. */
static int line_behind(const substitution *s)
{
  return is_in_line(s) && s->row == s->divided ? s->row - sw_larger_int(s->end, s->line->first - 1)
                                               : 0;
}

static void backward_lines(substitution *of_a, substitution *of_b)
{
  const int rows = sw_smaller_int(line_behind(of_a), line_behind(of_b));

  if (rows <= 0) {
    return;
  }
  walk a = walk_from(of_a, -1);
  walk b = walk_from(of_b, -1);

  for (int i = 0; i < rows; i++) {
    walk_backward(&a);
    walk_backward(&b);
  }
  end_walk(&a, -rows, of_a);
  end_walk(&b, -rows, of_b);
  of_a->divided = of_a->row;
  of_b->divided = of_b->row;
}

/* ---- backward ---- */

/* x <- D^{-1} x, backwards down to row `first`. */
static void envelope_substitution_divide(substitution *s, int first)
{
  const sw_envelope *envelope = s->envelope;

  while (s->divided > first) {
    const int i = --s->divided;
    s->x[i] *= envelope->store[envelope->start[i] + 2 * envelope->length[i]];
  }
}

/* Starts a part: subtracts the border's component from the end of the part. */
static inline void begin_backward(substitution *s, const right_side *w, int number)
{
  const sw_envelope *envelope = w->envelope;
  const int end = envelope->part[number + 1];
  const int reach = envelope->rows < envelope->n ? envelope->reach[number] : 0;

  envelope_substitution_begin(s, w, number);
  s->row = end - 1;
  s->end = envelope->part[number];
  s->divided = end;
  s->at = envelope->store + envelope->start[end - 1] + 2 * envelope->length[end - 1] + 1;
  envelope_substitution_divide(s, end - (reach > 1 ? reach : 1));
  for (int i = 0; i < reach; i++) {
    const int before = number == 1 ? 2 * envelope->reach[0] : 0;
    const double *column = envelope->store + envelope->start[envelope->rows] + before + reach;
    s->x[end - reach + i] -= column[i] * s->x[envelope->rows];
  }
  s->last = s->x[end - 1];
}

/* Writes the last complete component to the solution. */
static inline void put(const substitution *s)
{
  s->outside[s->order ? s->order[s->row] : s->row] = s->last;
}

/* Substitutes a column with one entry.  This completes the component before, which has not been
 * divided yet. */
static inline void backward_one(substitution *s)
{
  const double divided = s->x[s->row - 1] * s->at[-4];

  put(s);
  s->last = divided - s->at[-2] * s->last;
  s->divided = --s->row;
  s->at -= 3;
}

static void backward_next(substitution *s)
{
  const int i = s->row;
  const int n = s->length[i];
  double *x = s->x;

  envelope_substitution_divide(s, i - (n > 1 ? n : 1));
  put(s);
  s->at -= 2 * n + 1;
  const double *column = s->at + n;
  double before = x[i - 1];
  for (int t = 0; t < n - 1; t++) {
    x[i - n + t] -= column[t] * s->last;
  }
  if (n > 0) {
    before -= column[n - 1] * s->last;
  }
  s->row = i - 1;
  s->last = before;
}

/* Returns 1 if backward_one can process the next row. */
static inline int is_one_behind(const substitution *s)
{
  return s->row > s->end && s->row == s->divided && s->length[s->row] == 1;
}

static void backward_some(substitution *of)
{
  backward_next(of);
  substitution s = *of;
  while (is_one_behind(&s)) {
    backward_one(&s);
  }
  *of = s;
}

/* Substitutes the remaining rows of a part. */
static void forward_rest(substitution *s)
{
  while (s->row < s->end) {
    forward_some(s);
  }
}

static void backward_rest(substitution *s)
{
  while (s->row > s->end) {
    backward_some(s);
  }
  put(s);
}

double sw_envelope_solve_up_to(sw_envelope *envelope, const double b[], int part, int row)
{
  const right_side w = {.envelope = envelope};
  substitution s;

  begin_forward(&s, &w, part);
  s.given = b;
  s.end = row;
  forward_rest(&s);
  return s.last;
}

/* Forward substitution up to the border. */
static void solve_forward(void *context, long number, int worker)
{
  substitution s;

  (void)worker;
  begin_forward(&s, context, (int)number);
  forward_rest(&s);
}

static void solve_backward(void *context, long number, int worker)
{
  const right_side *w = context;

  (void)worker;
  substitution s;
  begin_backward(&s, w, (int)number);
  backward_rest(&s);
}

/* Substitutes the two parts beside a border on one thread, interleaved as in factor_both. */
static void forward_both(const right_side *w)
{
  substitution a;
  substitution b;

  begin_forward(&a, w, 0);
  begin_forward(&b, w, 1);
  while (a.row < a.end && b.row < b.end) {
    forward_next(&a);
    forward_next(&b);
    forward_lines(&a, &b);
  }
  forward_rest(&a);
  forward_rest(&b);
}

static void backward_both(const right_side *w)
{
  substitution a;
  substitution b;

  begin_backward(&a, w, 0);
  begin_backward(&b, w, 1);
  while (a.row > a.end && b.row > b.end) {
    backward_next(&a);
    backward_next(&b);
    backward_lines(&a, &b);
  }
  backward_rest(&a);
  backward_rest(&b);
}

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

void sw_envelope_solve(sw_envelope *envelope, double x[])
{
  right_side w = {envelope, x, x == envelope->right};

  envelope->right = NULL; /* the first solve overwrites x */
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
