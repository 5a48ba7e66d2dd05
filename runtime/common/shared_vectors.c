/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/shared_vectors.h"

#include "common/processor.h"
#include "sidewinder/acceptance.h"

typedef struct arrays {
  double *to;
  const double *from;
  double factor;
  sw_most most;
} arrays;

static void shared_vectors_copy(void *context, size_t first, size_t end)
{
  const arrays *a = context;

  memcpy(a->to + first, a->from + first, (end - first) * sizeof *a->to);
}

void sw_share_out_copy(sw_team *team, double to[], const double from[], size_t n)
{
  arrays a = {.to = to, .from = from};

  sw_team_share(team, n, shared_vectors_copy, &a);
}

static void shared_vectors_fill(void *context, size_t first, size_t end)
{
  const arrays *a = context;

  sw_fill(a->to + first, a->factor, end - first);
}

void sw_share_out_fill(sw_team *team, double values[], double with, size_t n)
{
  arrays a = {.to = values, .factor = with};

  sw_team_share(team, n, shared_vectors_fill, &a);
}

SW_FOR_EACH_PROCESSOR static void add_scaled(void *context, size_t first, size_t end)
{
  const arrays *a = context;
  const double factor = a->factor;
  const double *from = a->from;
  double *restrict to = a->to;

  for (size_t i = first; i < end; i++) {
    to[i] += factor * from[i];
  }
}

void sw_share_add_scaled(sw_team *team, size_t n, double a, const double x[], double y[])
{
  arrays all = {.to = y, .from = x, .factor = a};

  sw_team_share(team, n, add_scaled, &all);
}

/* Four quarters in parallel, so that no maximum waits for another one. */
SW_FOR_EACH_PROCESSOR static uint64_t most_bits(size_t n, const double x[])
{
  const size_t quarter = n / 16 * 4;
  uint64_t most[4] = {0};

  for (size_t i = 0; i < quarter; i++) {
    for (size_t k = 0; k < 4; k++) {
      most[k] = sw_larger_bits(most[k], sw_size_bits(x[k * quarter + i]));
    }
  }
  for (size_t i = 4 * quarter; i < n; i++) {
    most[0] = sw_larger_bits(most[0], sw_size_bits(x[i]));
  }
  return sw_larger_bits(sw_larger_bits(most[0], most[1]), sw_larger_bits(most[2], most[3]));
}

static void find_largest(void *context, size_t first, size_t end)
{
  arrays *a = context;

  sw_most_meet(&a->most, most_bits(end - first, a->from + first));
}

double sw_long_max_abs(size_t n, const double x[])
{
  const uint64_t most = most_bits(n, x);
  double largest;

  memcpy(&largest, &most, sizeof largest);
  return largest;
}

double sw_share_out_max_abs(sw_team *team, size_t n, const double x[])
{
  arrays a = {.from = x, .most = sw_most_by(team)};

  sw_team_share(team, n, find_largest, &a);
  return sw_most_of(&a.most);
}

/* ---- acceptance ---- */

typedef struct comparison {
  const sw_size_limits *of;
  atomic_int is_beyond;
} comparison;

SW_FOR_EACH_PROCESSOR static void look(void *context, size_t first, size_t end)
{
  comparison *c = context;
  const double *f = c->of->f;
  const double *a = c->of->a;
  const double *b = c->of->b;
  const double by_a = c->of->by_a;
  const double by_b = c->of->by_b;
  int within = 1;

  for (size_t i = first; i < end; i++) {
    within &= SW_ACCEPTS(f[i], a[i], by_a) | SW_ACCEPTS(f[i], b[i], by_b);
  }
  if (!within) {
    atomic_store(&c->is_beyond, 1);
  }
}

int sw_share_within(sw_team *team, size_t n, const sw_size_limits *of)
{
  comparison c = {of, 0};

  sw_team_share(team, n, look, &c);
  return !atomic_load(&c.is_beyond);
}

/* ---- parts ---- */

typedef struct parts {
  sw_part_job *of;
  const void *context;
  size_t n;
  size_t length;
  double *part;
} parts;

static void find_part(void *context, long piece, int worker)
{
  const parts *p = context;
  const size_t first = (size_t)piece * p->length;
  const size_t end = p->n - first < p->length ? p->n : first + p->length;

  (void)worker;
  p->part[piece] = p->of(p->context, first, end);
}

int sw_share_out_parts(sw_team *team, size_t n, sw_part_job *of, const void *context,
                       double part[SW_TEAM_RANGES])
{
  parts p = {of, context, n, sw_team_range(n), part};
  const long pieces = (long)((n - 1) / p.length + 1);

  if (team && pieces > 1) {
    sw_team_run(team, find_part, &p, pieces);
  } else {
    for (long piece = 0; piece < pieces; piece++) {
      find_part(&p, piece, 0);
    }
  }
  return (int)pieces;
}

typedef struct two {
  const double *a;
  const double *b;
  atomic_int differ;
} two;

static void shared_vectors_compare(void *context, size_t first, size_t end)
{
  two *t = context;

  if (memcmp(t->a + first, t->b + first, (end - first) * sizeof *t->a) != 0) {
    atomic_store(&t->differ, 1);
  }
}

int sw_share_is_same(sw_team *team, size_t n, const double a[], const double b[])
{
  two t = {a, b, 0};

  sw_team_share(team, n, shared_vectors_compare, &t);
  return !atomic_load(&t.differ);
}
