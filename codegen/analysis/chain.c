/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/examinations.h"

#include <math.h>
#include <string.h>

#include "analysis/ideal.h"
#include "expr/builders.h"
#include "expr/derivative.h"

#define MAX_LEVELS      10
#define MAX_LINKS       32
#define MAX_MULTIPLIERS 8
#define MAX_ENTRIES     64
#define MAX_NODES       300000u /* limit on new nodes */

/* Number of points of the surface, and of starting points. */
#define POINTS 8
#define ROUNDS 48
/* Limit on the distance of points, relative to the start. */
#define FARTHEST 100.0

typedef enum answer { NO, YES, UNDECIDED } answer;

/* {f, H} + sum_i lambda_i {f, g_i} = 0, after elimination of multipliers that other rows
 * determine. */
typedef struct row {
  const ir_expr *by_lambda[MAX_MULTIPLIERS];
  const ir_expr *rest;
  int pivot; /* multiplier that this row determines, or -1 */
} row;

typedef struct chain {
  study *s;
  ir_context *c;
  int m;
  int n;                     /* 2d */
  const ir_expr *const *H_z; /* gradient of H, n entries */
  const ir_expr *const *g_z; /* gradients of g, m x n */
  record_link links[MAX_LINKS];
  certify_generator generators[MAX_LINKS];
  const ir_expr *values[MAX_LINKS]; /* of the links */
  int in_level[MAX_LEVELS + 1];
  int n_links;
  row rows[MAX_MULTIPLIERS];
  int n_rows; /* number of rows, each of which determines a multiplier */
  points points;
  unsigned nodes; /* size of the context at the start */
  int exact;      /* 1 if all decisions so far are exact */
  int undecided;
} chain;

static answer chain_vanishes(chain *w, const ir_expr *e)
{
  if (ir_is_zero(e)) {
    return YES;
  }
  if (e->kind == IR_NUMBER) {
    return NO;
  }
  if (certify(&w->s->k, e, w->n_links, w->generators, 0)) {
    return YES;
  }
  sample_answer found;
  sample_decide(w->s, &w->points, w->points.n, 1, &e, &found);
  if (found.answer == BALL_NOT_ZERO) {
    return NO;
  }
  if (found.answer == BALL_ZERO) {
    w->exact = 0;
    return YES;
  }
  w->undecided = 1;
  return UNDECIDED;
}

static void find_points(chain *w, double farthest)
{
  const surface *f = surface_create(w->s, w->n_links, w->values);
  w->points = sample_surface(w->s, f, &w->s->settings[0], POINTS, ROUNDS, farthest);
}

/* For a product, the product of its bases that can vanish, each once, such as q for q^2/m.  Sets
 * *repeated if one had another exponent. */
static const ir_expr *square_free(chain *w, const ir_expr *e, int *repeated)
{
  const ir_expr *primitive = ir_primitive(e);
  if (primitive->kind != IR_PRODUCT) {
    return primitive;
  }
  const ir_expr **bases = ARENA_ARRAY(w->s->memory, primitive->n, const ir_expr *);
  int n = 0;
  for (int i = 0; i < primitive->n; i++) {
    const ir_factor *f = &primitive->factors[i];
    int never_zero = mpq_sgn(f->exponent) < 0 || !ir_reads_state(w->c, f->base) ||
                     (f->base->kind == IR_CALL && f->base->call == IR_EXP);
    if (!never_zero) {
      *repeated |= mpq_cmp_ui(f->exponent, 1, 1) != 0;
      bases[n++] = f->base;
    }
  }
  return n > 0 ? ir_mul(w->c, n, bases) : primitive;
}

/* Adds a constraint; returns 0 if there are too many. */
static int add_link(chain *w, int level, const ir_expr *e)
{
  if (w->n_links == MAX_LINKS) {
    return 0;
  }
  record_link *link = &w->links[w->n_links];
  link->level = level;
  link->repeated = 0;
  link->value = e;
  if (level > 0) {
    const ir_expr *rest = reduced_modulo(w->c, e, w->n_links, w->generators);
    link->value = square_free(w, rest, &link->repeated);
  }
  w->generators[w->n_links] = (certify_generator){level, w->in_level[level]++, link->value};
  w->values[w->n_links++] = link->value;
  return 1;
}

/* The condition that the constraint f = 0 is preserved. */
static row chain_condition(chain *w, const ir_expr *f)
{
  const ir_expr *f_z[MAX_ENTRIES];
  row r = {.pivot = -1};
  int d = w->s->p->nq;
  ir_gradient(w->c, w->n, f, f_z);
  r.rest = ir_bracket(w->c, d, f_z, w->H_z);
  for (int i = 0; i < w->m; i++) {
    r.by_lambda[i] = ir_bracket(w->c, d, f_z, w->g_z + (size_t)i * (size_t)w->n);
  }
  return r;
}

/* r = b_pivot r - r_pivot b. */
static void chain_eliminate(chain *w, row *r, const row *b)
{
  const ir_expr *of_b = b->by_lambda[b->pivot];
  const ir_expr *of_r = r->by_lambda[b->pivot];
  for (int i = 0; i < w->m; i++) {
    r->by_lambda[i] = ir_minus(w->c, ir_times(w->c, of_b, r->by_lambda[i]),
                               ir_times(w->c, of_r, b->by_lambda[i]));
  }
  r->rest = ir_minus(w->c, ir_times(w->c, of_b, r->rest), ir_times(w->c, of_r, b->rest));
  r->by_lambda[b->pivot] = ir_integer(w->c, 0);
}

/* Removes the multipliers of a row that other rows determine, and those whose coefficients vanish.
 * The first remaining multiplier becomes its pivot. */
static void chain_reduce(chain *w, row *r)
{
  for (int b = 0; b < w->n_rows; b++) {
    if (chain_vanishes(w, r->by_lambda[w->rows[b].pivot]) == NO) {
      chain_eliminate(w, r, &w->rows[b]);
    }
    r->by_lambda[w->rows[b].pivot] = ir_integer(w->c, 0);
  }
  for (int i = 0; i < w->m; i++) {
    if (chain_vanishes(w, r->by_lambda[i]) == YES) {
      r->by_lambda[i] = ir_integer(w->c, 0);
    } else if (r->pivot < 0) {
      r->pivot = i;
    }
  }
}

/* Adds a row without multipliers as a constraint of the level.  Returns 0 if the chain ends
 * here. */
static int chain_add_condition(chain *w, int level, const ir_expr *e, chain_end *end)
{
  if (w->undecided || chain_vanishes(w, e) != NO) {
    return !w->undecided;
  }
  if (!add_link(w, level, e)) {
    return 0;
  }
  if (!ir_may_vanish(w->s->p, w->values[w->n_links - 1]) ||
      certify(&w->s->k, ir_integer(w->c, 1), w->n_links, w->generators, 0) ||
      ideal_is_empty(w->s, w->n_links, w->values)) {
    *end = CHAIN_CONTRADICTORY;
    return 0;
  }
  find_points(w, FARTHEST);
  if (w->points.n == 0) {
    w->exact = 0;
    find_points(w, (double)INFINITY);
    *end = w->points.n == 0 ? CHAIN_CONTRADICTORY : CHAIN_TOO_LONG;
    return 0;
  }
  return 1;
}

/* Follows the conditions of all constraints of a level; returns 0 if the chain ends here. */
static int next_level(chain *w, int level, chain_end *end)
{
  int n_links = w->n_links;
  for (int i = 0; i < n_links; i++) {
    if (w->links[i].level != level) {
      continue;
    }
    row r = chain_condition(w, w->links[i].value);
    chain_reduce(w, &r);
    if (w->undecided || ir_context_size(w->c) - w->nodes > MAX_NODES) {
      return 0;
    }
    if (r.pivot >= 0) {
      w->rows[w->n_rows++] = r;
    } else if (!chain_add_condition(w, level + 1, r.rest, end)) {
      return 0;
    }
  }
  return 1;
}

/* 1 if all pivots are nonzero on the final surface, too.  They were examined on larger ones. */
static int pivots_hold(chain *w)
{
  for (int i = 0; i < w->n_rows; i++) {
    if (chain_vanishes(w, w->rows[i].by_lambda[w->rows[i].pivot]) != NO) {
      return 0;
    }
  }
  return 1;
}

/* The constraint whose gradient is parallel to that of H everywhere, or -1. */
static int energy_constraint(chain *w)
{
  int first = 0;
  while (first < w->n && ir_is_zero(w->H_z[first])) {
    first++;
  }
  for (int i = 0; i < w->m && first < w->n; i++) {
    const ir_expr *const *g_z = w->g_z + (size_t)i * (size_t)w->n;
    int parallel = 1;
    for (int j = 0; j < w->n && parallel; j++) {
      const ir_expr *minor = ir_minus(w->c, ir_times(w->c, g_z[j], w->H_z[first]),
                                      ir_times(w->c, g_z[first], w->H_z[j]));
      parallel = ir_is_zero(minor) || certify(&w->s->k, minor, 0, NULL, 0) != NULL;
    }
    if (parallel) {
      return i;
    }
  }
  return -1;
}

static void chain_begin(chain *w)
{
  w->H_z = study_gradients(w->s);
  w->g_z = w->H_z + w->n;
  for (int i = 0; i < w->m; i++) {
    add_link(w, 0, w->s->g[i]);
  }
  find_points(w, FARTHEST);
}

static void fill(const chain *w, record_chain *found)
{
  record_link *links = ARENA_ARRAY(w->s->memory, w->n_links, record_link);
  memcpy(links, w->links, (size_t)w->n_links * sizeof *links);
  found->links = links;
  found->n_links = w->n_links;
  found->levels = links[w->n_links - 1].level + 1;
  found->evidence = w->exact ? EVIDENCE_CERTIFICATE : EVIDENCE_SAMPLED;
  found->constant_on_fibres = found->levels == 1 && found->end == CHAIN_FREE;
  found->index = found->end == CHAIN_CLOSED ? found->levels + 1 : 0;
  int *rest = ARENA_ARRAY(w->s->memory, w->m, int);
  for (int i = 0; i < w->m && found->end == CHAIN_FREE; i++) {
    int determined = 0;
    for (int j = 0; j < w->n_rows; j++) {
      determined |= w->rows[j].pivot == i;
    }
    if (!determined) {
      rest[found->n_free++] = i;
    }
  }
  found->free = rest;
}

record_chain follow_chain(study *s)
{
  record_chain found = {.energy = -1};
  if (s->p->nc == 0 || s->p->nc > MAX_MULTIPLIERS || s->n > MAX_ENTRIES) {
    return found;
  }
  chain *w = ARENA_NEW(s->memory, chain);
  w->s = s;
  w->c = s->c;
  w->m = s->p->nc;
  w->n = s->n;
  w->nodes = ir_context_size(s->c);
  w->exact = 1;
  chain_begin(w);
  found.energy = energy_constraint(w);
  found.end = CHAIN_TOO_LONG;
  int going = w->points.n > 0;
  int level = 0;
  while (going && level < MAX_LEVELS - 1 && w->in_level[level] > 0) {
    going = next_level(w, level++, &found.end);
  }
  if (going && w->in_level[level] == 0 && pivots_hold(w)) {
    found.end = w->n_rows == w->m ? CHAIN_CLOSED : CHAIN_FREE;
  }
  fill(w, &found);
  return found;
}
