/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts_of_h.c -- splits H into parts with exact flows.
 *
 * A term of H that reads at most one half of each pair (q_i, p_i) has an exact flow, because its
 * gradient is constant along the flow.  The same holds for a sum of such terms that read the same
 * halves.  A polynomial of degree 2 whose coefficients read parameters alone also has an exact
 * flow, because its vector field is linear.  All other terms are expanded.
 *
 * The rule: terms are grouped once with a part of degree 2 and once without it.  The division with
 * fewer parts wins, and on a tie the one without.  Terms that read many entries choose first; each
 * term joins the first part with which it agrees.
 */
#include "analysis/examinations.h"
#include "expr/builders.h"
#include "expr/derivative.h"
#include "sidewinder/methods.h"

/* Limits on the terms of the expanded H, and on visited nodes. */
#define MOST_TERMS   1000
#define MOST_VISITED 100000

/* One of the terms of the expanded H. */
typedef struct piece {
  const ir_expr *value;
  int term; /* number of the term of H from which it comes */
} piece;

typedef struct pieces {
  piece *at;
  size_t n;
  size_t room;
} pieces;

/* Terms that agree on the halves of the pairs: 'q', 'p', or 0 if a pair is not read. */
typedef struct group {
  char *half;
  pieces members;
} group;

typedef struct division {
  study *s;
  int d;
  int with_linear; /* 1 if a part of degree 2 is allowed */
  const ir_expr **slopes;
  const ir_expr **second;
  pieces simple; /* pieces that read at most one half of each pair */
  pieces linear;
  pieces stuck;
  int tried;   /* number of examined pieces */
  int visited; /* number of visited nodes of possible polynomials */
  int n;
  group groups[SW_PARTS_MOST];
  int failed; /* 1 if no division was found */
} division;

static void put(division *v, pieces *list, const ir_expr *value, int term)
{
  list->at = arena_grow(v->s->memory, list->at, list->n, &list->room, sizeof *list->at);
  list->at[list->n++] = (piece){value, term};
}

static const ir_expr *parts_of_h_sum_of(division *v, const pieces *list)
{
  const ir_expr **values = ARENA_ARRAY(v->s->memory, list->n + 1, const ir_expr *);
  for (size_t i = 0; i < list->n; i++) {
    values[i] = list->at[i].value;
  }
  return ir_add(v->s->c, (int)list->n, values);
}

/* ---- classification of terms ---- */

/* A pair of which e reads both halves, or -1.  If half is not NULL, also fills the halves and the
 * number of entries. */
static int pair_read(division *v, const ir_expr *e, char half[], int *entries)
{
  int pair = -1;
  ir_gradient(v->s->c, 2 * v->d, e, v->slopes);
  for (int i = 0; i < v->d; i++) {
    int q = !ir_is_zero(v->slopes[i]);
    int p = !ir_is_zero(v->slopes[v->d + i]);
    pair = pair < 0 && q && p ? i : pair;
    if (half) {
      half[i] = (char)(q ? 'q' : p ? 'p' : 0);
      *entries += q + p;
    }
  }
  return pair;
}

/* 1 if e is only a name of another formula.  A node with a rule is not a polynomial, and too long
 * to expand. */
static int is_open(const division *v, const ir_expr *e)
{
  return e->kind == IR_CALL && e->call == IR_HOLD && !ir_rule_of(v->s->c, e);
}

/* 1 if e is a polynomial in z by its form; 0 also if the decision takes too long. */
static int is_polynomial(division *v, const ir_expr *e)
{
  if (v->visited++ >= MOST_VISITED) {
    return 0;
  }
  if (!ir_reads_state(v->s->c, e)) {
    return 1;
  }
  if (e->kind == IR_CALL) {
    return is_open(v, e) && is_polynomial(v, e->arguments[0]);
  }
  int is = e->kind == IR_INPUT || e->kind == IR_SUM || e->kind == IR_PRODUCT;
  for (int i = 0; i < e->n && is; i++) {
    const ir_expr *part = ir_operand(e, i);
    is = is_polynomial(v, part);
    if (e->kind == IR_PRODUCT && is && ir_reads_state(v->s->c, part)) {
      is = mpq_sgn(e->factors[i].exponent) > 0 &&
           mpz_cmp_ui(mpq_denref(e->factors[i].exponent), 1) == 0;
    }
  }
  return is;
}

/* 1 if e has degree 2 in z at most. */
static int is_linear(division *v, const ir_expr *e)
{
  ir_context *c = v->s->c;
  if (!is_polynomial(v, e)) {
    return 0;
  }
  const ir_expr **slopes = ARENA_ARRAY(v->s->memory, 2 * v->d, const ir_expr *);
  ir_gradient(c, 2 * v->d, e, slopes);
  for (int i = 0; i < 2 * v->d; i++) {
    if (ir_reads_state(c, slopes[i])) {
      ir_gradient(c, 2 * v->d, slopes[i], v->second);
      for (int j = 0; j < 2 * v->d; j++) {
        if (ir_reads_state(c, v->second[j])) {
          return 0;
        }
      }
    }
  }
  return 1;
}

/* ---- expansion ---- */

static void parts_of_h_take(division *v, const ir_expr *e, int term);

/* The index of a factor that is a sum with an exponent that allows expansion; -1 if there is
 * none. */
static int sum_among(const division *v, const ir_expr *product)
{
  for (int i = 0; i < product->n; i++) {
    const ir_factor *f = &product->factors[i];
    if ((f->base->kind == IR_SUM || is_open(v, f->base)) && ir_reads_state(v->s->c, f->base) &&
        mpq_sgn(f->exponent) > 0 && mpz_cmp_ui(mpq_denref(f->exponent), 1) == 0) {
      return i;
    }
  }
  return -1;
}

/* Expands factor * e over the terms of its factor S^n.  Each term of S is multiplied by S^(n-1) and
 * the other factors. */
static void take_product(division *v, mpq_srcptr factor, const ir_expr *e, int chosen, int term)
{
  ir_context *c = v->s->c;
  const ir_expr **rest = ARENA_ARRAY(v->s->memory, e->n + 1, const ir_expr *);
  const ir_expr *base = e->factors[chosen].base;
  for (int i = 0; i < e->n; i++) {
    rest[i] = ir_pow(c, e->factors[i].base, e->factors[i].exponent);
  }
  mpq_t power;
  mpq_init(power);
  mpq_set_si(power, -1, 1);
  mpq_add(power, power, e->factors[chosen].exponent);
  rest[chosen] = ir_pow(c, base, power);
  mpq_clear(power);
  const ir_expr *others = ir_scale(c, factor, ir_mul(c, e->n, rest));
  if (base->kind == IR_CALL) {
    parts_of_h_take(v, ir_times(c, base->arguments[0], others), term);
    return;
  }
  for (int i = 0; i < base->n; i++) {
    const ir_expr *one = ir_scale(c, base->terms[i].coefficient, base->terms[i].node);
    parts_of_h_take(v, ir_times(c, one, others), term);
  }
}

/* Expands factor * e once; returns 0 if that is impossible. */
static int multiply_out(division *v, mpq_srcptr factor, const ir_expr *e, int term)
{
  ir_context *c = v->s->c;
  int chosen = e->kind == IR_PRODUCT ? sum_among(v, e) : -1;
  if (chosen >= 0) {
    take_product(v, factor, e, chosen, term);
    return 1;
  }
  if (is_open(v, e)) {
    parts_of_h_take(v, ir_scale(c, factor, e->arguments[0]), term);
    return 1;
  }
  for (int i = 0; i < e->n && e->kind == IR_SUM; i++) {
    mpq_t product;
    mpq_init(product);
    mpq_mul(product, factor, e->terms[i].coefficient);
    /* a sum of one term is a multiple of another node */
    int is_done = e->n == 1 && multiply_out(v, product, e->terms[i].node, term);
    if (e->n > 1) {
      parts_of_h_take(v, ir_scale(c, product, e->terms[i].node), term);
      is_done = 1;
    }
    mpq_clear(product);
    if (!is_done) {
      return 0;
    }
  }
  return e->kind == IR_SUM;
}

/* Sorts a term, or the terms of its expansion, into the lists. */
static void parts_of_h_take(division *v, const ir_expr *e, int term)
{
  if (!ir_reads_state(v->s->c, e) || v->failed) {
    return;
  }
  mpq_srcptr one = ir_integer(v->s->c, 1)->value;
  int is_sum = e->kind == IR_SUM && (e->n > 1 || e->terms[0].node->kind == IR_SUM);
  if (v->tried++ >= MOST_TERMS) {
    v->failed = 1;
  } else if (is_sum) {
    (void)multiply_out(v, one, e, term);
  } else if (v->with_linear && is_linear(v, e)) {
    put(v, &v->linear, e, term);
  } else if (pair_read(v, e, NULL, NULL) < 0) {
    put(v, &v->simple, e, term);
  } else if (!multiply_out(v, one, e, term)) {
    put(v, &v->stuck, e, term);
  }
}

/* 1 if the sum contains a multiple of the term. */
static int has_term(const ir_expr *sum, const ir_expr *term)
{
  const ir_expr *node = ir_primitive(term);
  sum = ir_primitive(sum);
  int has = sum == node;
  for (int i = 0; sum->kind == IR_SUM && i < sum->n && !has; i++) {
    has = sum->terms[i].node == node;
  }
  return has;
}

/* Terms without an exact flow may cancel.  If some remain, puts the first of them in front.  If
 * there were too many terms, none is named. */
static void settle(division *v)
{
  const ir_expr *left = parts_of_h_sum_of(v, &v->stuck);
  if (v->failed || ir_is_zero(left)) {
    v->stuck.n = 0;
    return;
  }
  v->failed = 1;
  size_t i = 0;
  while (i + 1 < v->stuck.n && !has_term(left, v->stuck.at[i].value)) {
    i++;
  }
  v->stuck.at[0] = v->stuck.at[i];
}

/* Appends the terms of factor * e, a sum that may have a common factor, to the list. */
static void put_terms(division *v, pieces *list, const ir_expr *factor, const ir_expr *e)
{
  ir_context *c = v->s->c;
  for (int i = 0; i < e->n && e->kind == IR_SUM; i++) {
    const ir_expr *number = ir_scale(c, e->terms[i].coefficient, factor);
    put_terms(v, list, number, e->terms[i].node);
  }
  if (e->kind != IR_SUM) {
    put(v, list, ir_times(c, factor, e), 0);
  }
}

/* Replaces the simple terms by the terms of their sum, because they may cancel, too. */
static void parts_of_h_collect(division *v)
{
  const ir_expr *sum = parts_of_h_sum_of(v, &v->simple);
  v->simple.n = 0;
  put_terms(v, &v->simple, ir_integer(v->s->c, 1), sum);
}

/* ---- grouping ---- */

/* 1 if the term agrees with the group on all halves. */
static int agrees(const division *v, const group *g, const char half[])
{
  for (int i = 0; i < v->d; i++) {
    if (half[i] && g->half[i] && half[i] != g->half[i]) {
      return 0;
    }
  }
  return 1;
}

static void join(division *v, const piece *of, const char half[])
{
  int i = 0;
  while (i < v->n && !agrees(v, &v->groups[i], half)) {
    i++;
  }
  if (i == v->n) {
    if (v->n + v->with_linear >= SW_PARTS_MOST) {
      v->failed = 1;
      return;
    }
    v->groups[v->n++] = (group){.half = ARENA_ARRAY(v->s->memory, v->d, char)};
  }
  for (int j = 0; j < v->d; j++) {
    if (half[j]) {
      v->groups[i].half[j] = half[j];
    }
  }
  put(v, &v->groups[i].members, of->value, of->term);
}

/* Groups the simple terms; terms that read many entries come first. */
static void group_terms(division *v)
{
  char **half = ARENA_ARRAY(v->s->memory, v->simple.n + 1, char *);
  int *entries = ARENA_ARRAY(v->s->memory, v->simple.n + 1, int);
  for (size_t i = 0; i < v->simple.n; i++) {
    half[i] = ARENA_ARRAY(v->s->memory, v->d, char);
    (void)pair_read(v, v->simple.at[i].value, half[i], &entries[i]);
  }
  for (int count = v->d; count > 0; count--) {
    for (size_t i = 0; i < v->simple.n && !v->failed; i++) {
      if (entries[i] == count) {
        join(v, &v->simple.at[i], half[i]);
      }
    }
  }
}

static division parts_of_h_divide(study *s, int with_linear)
{
  division v = {.s = s, .d = s->p->nq, .with_linear = with_linear};
  v.slopes = ARENA_ARRAY(s->memory, s->n, const ir_expr *);
  v.second = ARENA_ARRAY(s->memory, s->n, const ir_expr *);
  for (int i = 0; i < s->p->n_terms; i++) {
    parts_of_h_take(&v, s->p->terms[i].value, i);
  }
  settle(&v);
  if (!v.failed) {
    parts_of_h_collect(&v);
    group_terms(&v);
  }
  return v;
}

/* ---- the parts ---- */

static int parts_of_h_parts_of(const division *v)
{
  return v->n + (v->linear.n > 0);
}

static record_flow flow_of(const division *v, const group *g)
{
  int q = 0;
  int p = 0;
  for (int i = 0; i < v->d; i++) {
    q += g->half[i] == 'q';
    p += g->half[i] == 'p';
  }
  return q == 0 ? FLOW_DRIFT : p == 0 ? FLOW_KICK : FLOW_MIXED;
}

static record_part parts_of_h_part_of(division *v, record_flow flow, const pieces *members)
{
  study *s = v->s;
  record_part part = {.flow = flow, .value = parts_of_h_sum_of(v, members)};
  const ir_expr **slopes = ARENA_ARRAY(s->memory, s->n, const ir_expr *);
  ir_gradient(s->c, s->n, part.value, slopes);
  part.grad = ir_vector(s->c, s->n, slopes);
  part.hess = ir_jacobian(s->c, &part.grad, IR_Z, s->n);
  ir_keep_lower(&part.hess);
  return part;
}

/* Orders the parts: kicks, mixed parts, drifts, and last the part of degree 2.  The last part,
 * whose flow costs most, is in the middle of the symmetric step. */
static void make_parts(division *v, record_splitting *found)
{
  record_part *parts = ARENA_ARRAY(v->s->memory, parts_of_h_parts_of(v) + 1, record_part);
  for (record_flow flow = FLOW_KICK; flow <= FLOW_DRIFT; flow++) {
    for (int i = 0; i < v->n; i++) {
      if (flow_of(v, &v->groups[i]) == flow) {
        parts[found->n++] = parts_of_h_part_of(v, flow, &v->groups[i].members);
      }
    }
  }
  if (v->linear.n > 0) {
    parts[found->n++] = parts_of_h_part_of(v, FLOW_LINEAR, &v->linear);
  }
  found->parts = parts;
}

record_splitting divide_H(study *s)
{
  record_splitting found = {.division = record_division_by_form(&s->p->structure), .term = -1};
  if (found.division != DIVISION_NONE) {
    found.n = found.division == DIVISION_WHOLE ? 1 : 2;
    return found;
  }
  division without = parts_of_h_divide(s, 0);
  division with = parts_of_h_divide(s, 1);
  division *best =
      without.failed || (!with.failed && parts_of_h_parts_of(&with) < parts_of_h_parts_of(&without))
          ? &with
          : &without;
  if (!best->failed) {
    found.division = DIVISION_PARTS;
    make_parts(best, &found);
  } else if (best->stuck.n > 0) {
    found.stuck = best->stuck.at[0].value;
    found.term = best->stuck.at[0].term;
    found.pair = pair_read(best, found.stuck, NULL, NULL);
  }
  return found;
}
