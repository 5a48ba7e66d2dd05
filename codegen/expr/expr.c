/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr.c -- nodes, their table, and their order.
 */
#include "expr/expr.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ir_context {
  arena *memory;
  const ir_expr **table; /* open addressing; the size is a power of two, at most half full */
  size_t capacity;
  unsigned count;
  const char *refusal;
  const ir_rule **rules; /* rules, by id of the node */
  unsigned n_rules;      /* size of `rules` */
  mpq_srcptr one;
  const ir_expr
      *spare;   /* the number 1, which new nodes are in a spent attempt; NULL outside of attempts */
  size_t limit; /* bytes of an attempt's arena */
  size_t lookups; /* of nodes in the attempt */
};

static const struct {
  const char *name; /* name in C */
  const char *word; /* name in the model language */
  int arguments;
} calls[IR_CALLS] = {
    [IR_SIN] = {"sin", "sin", 1},
    [IR_COS] = {"cos", "cos", 1},
    [IR_TAN] = {"tan", "tan", 1},
    [IR_ASIN] = {"asin", "asin", 1},
    [IR_ACOS] = {"acos", "acos", 1},
    [IR_ATAN] = {"atan", "atan", 1},
    [IR_ATAN2] = {"atan2", "atan2", 2},
    [IR_SINH] = {"sinh", "sinh", 1},
    [IR_COSH] = {"cosh", "cosh", 1},
    [IR_TANH] = {"tanh", "tanh", 1},
    [IR_EXP] = {"exp", "exp", 1},
    [IR_LOG] = {"log", "log", 1},
    [IR_ABS] = {"fabs", "abs", 1},
    [IR_SIGN] = {"sign_of", "sign", 1},
    [IR_MIN] = {"min_of", "min", 2},
    [IR_MAX] = {"max_of", "max", 2},
    [IR_HOLD] = {"", "", 1},
    [IR_POW] = {"pow", "pow", 2},
    [IR_G0] = {"sw_g0", "G0", 2},
    [IR_G1] = {"sw_g1", "G1", 2},
    [IR_G2] = {"sw_g2", "G2", 2},
    [IR_G3] = {"sw_g3", "G3", 2},
    [IR_INSIDE] = {"sw_inside", "inside", 1},
};

const char *ir_call_name(ir_call call)
{
  return calls[call].name;
}

const char *ir_call_word(ir_call call)
{
  return calls[call].word;
}

int ir_call_arguments(ir_call call)
{
  return calls[call].arguments;
}

static void out_of_room(const char *what)
{
  fprintf(stderr, "sidewinder: %s\n", what);
  exit(3);
}

void *ir_zeros(size_t n, size_t size)
{
  void *items = calloc(n ? n : 1, size);
  if (!items) {
    out_of_room("out of memory");
  }
  return items;
}

void *ir_widen(void *items, size_t n, size_t size)
{
  void *wider = n <= SIZE_MAX / size ? realloc(items, n * size) : NULL;
  if (!wider) {
    out_of_room("out of memory");
  }
  return wider;
}

ir_context *ir_context_create(arena *a)
{
  ir_context *c = ARENA_NEW(a, ir_context);
  c->memory = a;
  c->capacity = 1024;
  c->table = ir_zeros(c->capacity, sizeof *c->table);
  mpq_t one;
  mpq_init(one);
  mpq_set_ui(one, 1, 1);
  c->one = rational_keep(a, one);
  mpq_clear(one);
  return c;
}

void ir_context_free(ir_context *c)
{
  if (c) {
    free(c->table);
    free(c->rules);
    c->table = NULL;
    c->rules = NULL;
    c->n_rules = 0;
  }
}

void ir_give_rule(ir_context *c, const ir_expr *held, const ir_rule *rule)
{
  if (held == c->spare) {
    return;
  }
  if (held->id >= c->n_rules) {
    unsigned room = c->count + c->count / 2 + 1;
    const ir_rule **rules = ir_zeros(room, sizeof(const ir_rule *));
    if (c->n_rules) {
      memcpy(rules, c->rules, c->n_rules * sizeof(const ir_rule *));
    }
    free(c->rules);
    c->rules = rules;
    c->n_rules = room;
  }
  c->rules[held->id] = rule;
}

const ir_rule *ir_rule_of(const ir_context *c, const ir_expr *e)
{
  return e->id < c->n_rules ? c->rules[e->id] : NULL;
}

unsigned ir_context_size(const ir_context *c)
{
  return c->count;
}

void ir_context_refuse(ir_context *c, const char *reason)
{
  c->refusal = c->refusal ? c->refusal : reason;
}

const char *ir_context_refusal(const ir_context *c)
{
  return c->refusal;
}

arena *ir_context_arena(const ir_context *c)
{
  return c->memory;
}

static size_t mix(size_t h, size_t v)
{
  return (h ^ v) * (size_t)0x9e3779b97f4a7c15ULL + (h >> 29);
}

static size_t hash_rational(mpq_srcptr q)
{
  size_t h = (size_t)(mpq_sgn(q) + 2);
  h = mix(h, mpz_get_ui(mpq_numref(q)));
  return mix(h, mpz_get_ui(mpq_denref(q)));
}

/* The coefficient of term i or the exponent of factor i. */
static mpq_srcptr expr_weight(const ir_expr *e, int i)
{
  return e->kind == IR_SUM ? e->terms[i].coefficient : e->factors[i].exponent;
}

static size_t hash_node(const ir_expr *e)
{
  size_t h = mix(17, (size_t)e->kind);
  switch (e->kind) {
  case IR_NUMBER:
    return mix(h, hash_rational(e->value));
  case IR_PI:
    return h;
  case IR_INPUT:
    return mix(mix(h, (size_t)e->space), (size_t)e->index);
  case IR_CALL:
    h = mix(h, (size_t)e->call);
    for (int i = 0; i < e->n; i++) {
      h = mix(h, e->arguments[i]->hash);
    }
    return h;
  case IR_SUM:
  case IR_PRODUCT:
    for (int i = 0; i < e->n; i++) {
      h = mix(mix(h, hash_rational(expr_weight(e, i))), ir_operand(e, i)->hash);
    }
    return h;
  }
  return h;
}

static int same_node(const ir_expr *a, const ir_expr *b)
{
  if (a->hash != b->hash || a->kind != b->kind || a->n != b->n) {
    return 0;
  }
  switch (a->kind) {
  case IR_NUMBER:
    return mpq_equal(a->value, b->value);
  case IR_PI:
    return 1;
  case IR_INPUT:
    return a->space == b->space && a->index == b->index;
  case IR_CALL:
    return a->call == b->call && a->arguments[0] == b->arguments[0] &&
           a->arguments[1] == b->arguments[1];
  case IR_SUM:
  case IR_PRODUCT:
    for (int i = 0; i < a->n; i++) {
      if (ir_operand(a, i) != ir_operand(b, i) ||
          !mpq_equal(expr_weight(a, i), expr_weight(b, i))) {
        return 0;
      }
    }
    return 1;
  }
  return 0;
}

/* Moves the first `count` nodes to a table of this capacity. */
static void move_to_table(ir_context *c, size_t capacity, unsigned count)
{
  const ir_expr **table = ir_zeros(capacity, sizeof *table);
  for (size_t i = 0; i < c->capacity; i++) {
    if (c->table[i] && c->table[i]->id < count) {
      size_t at = c->table[i]->hash & (capacity - 1);
      while (table[at]) {
        at = (at + 1) & (capacity - 1);
      }
      table[at] = c->table[i];
    }
  }
  free(c->table);
  c->table = table;
  c->capacity = capacity;
}

/* A copy in the arena; 1, the most frequent value, is stored once. */
static mpq_srcptr keep_rational(ir_context *c, mpq_srcptr number)
{
  if (!rational_is_one(number)) {
    return rational_keep(c->memory, number);
  }
  return c->one;
}

/* Copies a candidate and its parts, which may be on the caller's stack, into the arena. */
static const ir_expr *keep_node(ir_context *c, const ir_expr *candidate)
{
  ir_expr *e = ARENA_COPY(c->memory, ir_expr, candidate);
  e->id = c->count++;
  if (e->kind == IR_NUMBER) {
    e->value = rational_keep(c->memory, e->value);
  } else if (e->kind == IR_SUM) {
    ir_term *terms = ARENA_ARRAY(c->memory, e->n, ir_term);
    for (int i = 0; i < e->n; i++) {
      terms[i].node = e->terms[i].node;
      terms[i].coefficient = keep_rational(c, e->terms[i].coefficient);
    }
    e->terms = terms;
  } else if (e->kind == IR_PRODUCT) {
    ir_factor *factors = ARENA_ARRAY(c->memory, e->n, ir_factor);
    for (int i = 0; i < e->n; i++) {
      factors[i].base = e->factors[i].base;
      factors[i].exponent = keep_rational(c, e->factors[i].exponent);
    }
    e->factors = factors;
  }
  return e;
}

const ir_expr *ir_intern(ir_context *c, const ir_expr *candidate)
{
  ir_expr probe = *candidate;
  probe.hash = hash_node(&probe);
  c->lookups++;
  size_t at = probe.hash & (c->capacity - 1);
  while (c->table[at]) {
    if (same_node(c->table[at], &probe)) {
      return c->table[at];
    }
    at = (at + 1) & (c->capacity - 1);
  }
  if (c->count >= IR_NODE_LIMIT) {
    out_of_room("the model unrolls to too many operations");
  }
  if (c->spare && ir_is_spent(c) && probe.n > 0) {
    return c->spare;
  }
  const ir_expr *e = keep_node(c, &probe);
  c->table[at] = e;
  if (2 * (size_t)c->count > c->capacity) {
    move_to_table(c, 2 * c->capacity, c->count);
  }
  return e;
}

const ir_expr *ir_plain_call(ir_context *c, ir_call call, const ir_expr *a, const ir_expr *b)
{
  ir_expr candidate = {.kind = IR_CALL, .call = call, .n = b ? 2 : 1, .arguments = {a, b}};
  return ir_intern(c, &candidate);
}

/* ---- attempts ---- */

ir_attempt ir_attempt_begin(ir_context *c, size_t bytes)
{
  c->spare = ir_intern(c, &(ir_expr){.kind = IR_NUMBER, .value = c->one});
  ir_attempt attempt = {c, c->memory, c->count, c->refusal};
  c->memory = arena_create();
  c->limit = bytes;
  c->lookups = 0;
  return attempt;
}

static size_t most_lookups(const ir_context *c)
{
  return c->limit / IR_ATTEMPT_SHARE;
}

int ir_is_spent(const ir_context *c)
{
  return c->spare && (arena_size(c->memory) > c->limit || c->lookups > most_lookups(c));
}

const char *ir_attempt_excess(arena *a, const ir_context *c)
{
  return !ir_is_spent(c) ? NULL
         : arena_size(c->memory) > c->limit
             ? arena_printf(a, "need more than %zu MiB", c->limit >> 20)
             : arena_printf(a, "take more than %zu look-ups of common parts", most_lookups(c));
}

static void end_attempt(ir_attempt *attempt)
{
  attempt->context->memory = attempt->outer;
  attempt->context->spare = NULL;
}

void ir_attempt_keep(ir_attempt *attempt)
{
  arena_take(attempt->outer, attempt->context->memory);
  end_attempt(attempt);
}

void ir_attempt_drop(ir_attempt *attempt)
{
  ir_context *c = attempt->context;
  move_to_table(c, c->capacity, attempt->count);
  for (unsigned id = attempt->count; id < c->n_rules; id++) {
    c->rules[id] = NULL;
  }
  c->count = attempt->count;
  c->refusal = attempt->refusal;
  arena_free(c->memory);
  end_attempt(attempt);
}

int ir_attempt_settle(ir_attempt *attempt, int good)
{
  good = good && !ir_is_spent(attempt->context);
  if (good) {
    ir_attempt_keep(attempt);
  } else {
    ir_attempt_drop(attempt);
  }
  return good;
}

/* ---- order ---- */

/* The factors of any node; a node x that is not a product counts as x^1. */
static int factor_count(const ir_expr *e)
{
  return e->kind == IR_PRODUCT ? e->n : 1;
}

static const ir_expr *factor_base(const ir_expr *e, int i)
{
  return e->kind == IR_PRODUCT ? e->factors[i].base : e;
}

/* 1 for numbers and their roots, such as 2 or 2^(1/2).  Numeric factors come last in a product. */
static int is_numeric(const ir_expr *e)
{
  return factor_base(e, 0)->kind == IR_NUMBER;
}

/* The number of factors that are not numbers. */
static int count_without_numbers(const ir_expr *e)
{
  int n = factor_count(e);
  while (n > 0 && factor_base(e, n - 1)->kind == IR_NUMBER) {
    n--;
  }
  return n;
}

static int compare_exponents(const ir_expr *a, const ir_expr *b, int i)
{
  if (a->kind == IR_PRODUCT && b->kind == IR_PRODUCT) {
    return mpq_cmp(b->factors[i].exponent, a->factors[i].exponent);
  }
  if (a->kind == IR_PRODUCT) {
    return -mpq_cmp_ui(a->factors[i].exponent, 1, 1);
  }
  if (b->kind == IR_PRODUCT) {
    return mpq_cmp_ui(b->factors[i].exponent, 1, 1);
  }
  return 0;
}

/* Compares a/b with c/d for positive b and d, by the sign of a d - c b. */
static int compare_quotients(mpq_srcptr a, mpq_srcptr b, mpq_srcptr c, mpq_srcptr d)
{
  mpq_t left;
  mpq_t right;
  mpq_init(left);
  mpq_init(right);
  mpq_mul(left, a, d);
  mpq_mul(right, c, b);
  int order = mpq_cmp(left, right);
  mpq_clear(left);
  mpq_clear(right);
  return order;
}

/* Compares nodes first, then coefficients relative to the first one, which is positive.  The order
 * of 1 + 2 x^2 and 1 + 3 x^2 is therefore the same in every unit of x. */
static int compare_sums(const ir_expr *a, const ir_expr *b)
{
  for (int i = 0; i < a->n && i < b->n; i++) {
    int by_node = ir_compare(a->terms[i].node, b->terms[i].node);
    if (by_node) {
      return by_node;
    }
  }
  if (a->n != b->n) {
    return a->n - b->n;
  }
  for (int i = 1; i < a->n; i++) {
    int by_coefficient = compare_quotients(b->terms[i].coefficient, b->terms[0].coefficient,
                                           a->terms[i].coefficient, a->terms[0].coefficient);
    if (by_coefficient) {
      return by_coefficient;
    }
  }
  return mpq_cmp(b->terms[0].coefficient, a->terms[0].coefficient);
}

/* Compares two nodes, neither of which is a product. */
static int compare_atoms(const ir_expr *a, const ir_expr *b)
{
  if (a->kind != b->kind) {
    return (int)a->kind - (int)b->kind;
  }
  switch (a->kind) {
  case IR_INPUT:
    return a->space != b->space ? (int)a->space - (int)b->space : a->index - b->index;
  case IR_CALL:
    if (a->call != b->call) {
      return (int)a->call - (int)b->call;
    }
    for (int i = 0; i < a->n; i++) {
      int order = ir_compare(a->arguments[i], b->arguments[i]);
      if (order) {
        return order;
      }
    }
    return 0;
  case IR_SUM:
    return compare_sums(a, b);
  case IR_NUMBER:
    return mpq_cmp(a->value, b->value);
  case IR_PI:
  case IR_PRODUCT:
    return 0;
  }
  return 0;
}

int ir_compare(const ir_expr *a, const ir_expr *b)
{
  if (a == b) {
    return 0;
  }
  if (is_numeric(a) != is_numeric(b)) {
    return is_numeric(a) ? 1 : -1;
  }
  if ((a->kind == IR_NUMBER) != (b->kind == IR_NUMBER)) { /* a number sorts after 2^(1/2), too */
    return a->kind == IR_NUMBER ? 1 : -1;
  }
  if (a->kind != IR_PRODUCT && b->kind != IR_PRODUCT) {
    return compare_atoms(a, b);
  }
  /* Numbers decide last: a factor such as 2^(1/2) depends on the units and must not reorder a
   * sum. */
  int order = count_without_numbers(a) - count_without_numbers(b);
  int na = factor_count(a);
  int nb = factor_count(b);
  for (int i = 0; i < na && i < nb; i++) {
    if (order && i == (order < 0 ? count_without_numbers(a) : count_without_numbers(b))) {
      return order;
    }
    const ir_expr *x = factor_base(a, i);
    const ir_expr *y = factor_base(b, i);
    /* The recursion ends: a product is never its own only base. */
    int by_base = x == a && y == b ? compare_atoms(x, y) : ir_compare(x, y);
    if (by_base) {
      return by_base;
    }
    int by_exponent = compare_exponents(a, b, i);
    if (by_exponent) {
      return by_exponent;
    }
  }
  return order ? order : na - nb;
}
