/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ir/code.h"

#include <stdlib.h>

#include "ir/evaluate.h"

/* A power of a node that other formulas may share. */
typedef struct power_entry {
  const ir_expr *base;
  long exponent; /* 0: the square root */
  ir_op *op;
} power_entry;

typedef struct builder {
  ir_context *context;
  arena *memory;
  int *parents; /* by node id: how often it is referred to within this function */
  ir_op **done; /* by node id */
  power_entry *powers;
  size_t n_powers;
  size_t powers_capacity;
} builder;

typedef struct op_list {
  ir_op **at;
  size_t n;
  size_t capacity;
} op_list;

static ir_op *lower(builder *b, const ir_expr *e);

static void push(builder *b, op_list *list, ir_op *op)
{
  list->at = arena_grow(b->memory, list->at, list->n, &list->capacity, sizeof *list->at);
  list->at[list->n++] = op;
}

static ir_op *make(builder *b, ir_op_kind kind, int n, ir_op *const args[])
{
  ir_op *op = ARENA_NEW(b->memory, ir_op);
  op->kind = kind;
  op->n = n;
  op->temporary = -1;
  op->arg = ARENA_ARRAY(b->memory, n ? n : 1, ir_op *);
  for (int i = 0; i < n; i++) {
    op->arg[i] = args[i];
  }
  return op;
}

static ir_op *literal(builder *b, mpq_srcptr value)
{
  ir_op *op = make(b, OP_LITERAL, 0, NULL);
  op->value = ir_rational_value(value);
  return op;
}

static ir_op *integer(builder *b, mpz_srcptr value)
{
  mpq_t q;
  mpq_init(q);
  mpq_set_z(q, value);
  ir_op *op = literal(b, q);
  mpq_clear(q);
  return op;
}

/* Whether q is written as one literal: a decimal whose denominator has few factors but 2 and 5, or a
 * quotient of numbers that are no doubles themselves.  Else it is numerator / denominator. */
static int is_literal(mpq_srcptr q)
{
  mpz_t rest;
  mpz_t five;
  mpz_init(rest);
  mpz_init_set_ui(five, 5);
  size_t twos = mpz_scan1(mpq_denref(q), 0);
  mpz_fdiv_q_2exp(rest, mpq_denref(q), twos);
  size_t fives = mpz_remove(rest, rest, five);
  int short_decimal = mpz_cmp_ui(rest, 1) == 0 && twos <= 60 && fives <= 60;
  int long_parts = mpz_sizeinbase(mpq_numref(q), 2) > 53 || mpz_sizeinbase(mpq_denref(q), 2) > 53;
  mpz_clear(rest);
  mpz_clear(five);
  return short_decimal || long_parts;
}

static ir_op *negated(builder *b, ir_op *op)
{
  return op->kind == OP_NEG ? op->arg[0] : make(b, OP_NEG, 1, &op);
}

static ir_op *number(builder *b, mpq_srcptr value)
{
  mpq_t size;
  mpq_init(size);
  mpq_abs(size, value);
  ir_op *op = NULL;
  if (is_literal(size)) {
    op = literal(b, size);
  } else {
    ir_op *parts[2] = {integer(b, mpq_numref(size)), integer(b, mpq_denref(size))};
    op = make(b, OP_DIV, 2, parts);
  }
  mpq_clear(size);
  return mpq_sgn(value) < 0 ? negated(b, op) : op;
}

static ir_op *product_of(builder *b, const op_list *list)
{
  return list->n == 1 ? list->at[0] : make(b, OP_MUL, (int)list->n, list->at);
}

/* ---- powers ---- */

static ir_op **find_power(builder *b, const ir_expr *base, long exponent)
{
  for (size_t i = 0; i < b->n_powers; i++) {
    if (b->powers[i].base == base && b->powers[i].exponent == exponent) {
      return &b->powers[i].op;
    }
  }
  b->powers = arena_grow(b->memory, b->powers, b->n_powers, &b->powers_capacity, sizeof *b->powers);
  b->powers[b->n_powers] = (power_entry){base, exponent, NULL};
  return &b->powers[b->n_powers++].op;
}

static ir_op *square_root(builder *b, const ir_expr *base)
{
  ir_op *op = *find_power(b, base, 0);
  if (!op) {
    ir_op *argument = lower(b, base);
    op = make(b, OP_SQRT, 1, &argument);
    *find_power(b, base, 0) = op;
  }
  return op;
}

/* base^n for n >= 1 by repeated squaring, every intermediate power shared. */
static ir_op *integer_power(builder *b, const ir_expr *base, long n)
{
  if (n == 1) {
    return lower(b, base);
  }
  ir_op *op = *find_power(b, base, n);
  if (!op) {
    long half = n / 2;
    ir_op *parts[3] = {integer_power(b, base, half), integer_power(b, base, half), NULL};
    int count = 2;
    if (n % 2) {
      parts[count++] = lower(b, base);
    }
    op = make(b, OP_MUL, count, parts);
    *find_power(b, base, n) = op;
  }
  return op;
}

/* Appends |exponent|-th power of base: copies up to the third, shared powers above. */
static void push_power(builder *b, op_list *list, const ir_expr *base, mpq_srcptr exponent)
{
  mpq_t size;
  mpq_init(size);
  mpq_abs(size, exponent);
  long n = mpz_get_si(mpq_numref(size));
  if (mpz_cmp_ui(mpq_denref(size), 2) == 0) {
    if (n > 1) {
      push(b, list, integer_power(b, base, n / 2));
    }
    push(b, list, square_root(b, base));
  } else if (mpz_cmp_ui(mpq_denref(size), 1) != 0) {
    ir_op *args[2] = {lower(b, base), number(b, size)};
    ir_op *op = make(b, OP_CALL, 2, args);
    op->call = IR_POW;
    push(b, list, op);
  } else if (n > 3) {
    push(b, list, integer_power(b, base, n));
  } else {
    for (long i = 0; i < n; i++) {
      push(b, list, lower(b, base));
    }
  }
  mpq_clear(size);
}

/* coefficient (positive) times the product e, as numerator and denominator. */
static ir_op *lower_product(builder *b, mpq_srcptr coefficient, const ir_expr *e)
{
  op_list above = {0};
  op_list below = {0};
  int literally = is_literal(coefficient);
  if (literally && mpq_cmp_ui(coefficient, 1, 1) != 0) {
    push(b, &above, literal(b, coefficient));
  } else if (!literally && mpz_cmp_ui(mpq_numref(coefficient), 1) != 0) {
    push(b, &above, integer(b, mpq_numref(coefficient)));
  }
  for (int i = 0; i < e->n; i++) {
    const ir_factor *f = &e->factors[i];
    push_power(b, mpq_sgn(f->exponent) > 0 ? &above : &below, f->base, f->exponent);
  }
  if (!literally) {
    push(b, &below, integer(b, mpq_denref(coefficient)));
  }
  if (above.n == 0) {
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    push(b, &above, literal(b, one));
    mpq_clear(one);
  }
  if (below.n == 0) {
    return product_of(b, &above);
  }
  ir_op *parts[2] = {product_of(b, &above), product_of(b, &below)};
  return make(b, OP_DIV, 2, parts);
}

/* ---- sums ---- */

/* coefficient * node, signed. */
static ir_op *lower_term(builder *b, mpq_srcptr coefficient, const ir_expr *node)
{
  mpq_t size;
  mpq_init(size);
  mpq_abs(size, coefficient);
  ir_op *op = NULL;
  if (node->kind == IR_NUMBER) { /* the constant term: its node is 1 */
    op = number(b, size);
  } else if (mpq_cmp_ui(size, 1, 1) == 0) {
    op = lower(b, node);
  } else if (node->kind == IR_PRODUCT && b->parents[node->id] == 1) {
    op = lower_product(b, size, node);
  } else if (is_literal(size)) {
    ir_op *parts[2] = {literal(b, size), lower(b, node)};
    op = make(b, OP_MUL, 2, parts);
  } else {
    int whole = mpz_cmp_ui(mpq_numref(size), 1) == 0;
    ir_op *parts[2] = {integer(b, mpq_numref(size)), lower(b, node)};
    ir_op *quotient[2] = {whole ? parts[1] : make(b, OP_MUL, 2, parts),
                          integer(b, mpq_denref(size))};
    op = make(b, OP_DIV, 2, quotient);
  }
  mpq_clear(size);
  return mpq_sgn(coefficient) < 0 ? negated(b, op) : op;
}

/* common * (sum of terms), the factor multiplied into the terms; a positive term goes first. */
static ir_op *lower_terms(builder *b, mpq_srcptr common, const ir_expr *sum)
{
  op_list list = {0};
  mpq_t q;
  mpq_init(q);
  for (int i = 0; i < sum->n; i++) {
    mpq_mul(q, common, sum->terms[i].coefficient);
    push(b, &list, lower_term(b, q, sum->terms[i].node));
  }
  mpq_clear(q);
  size_t first = 0;
  while (first < list.n && list.at[first]->kind == OP_NEG) {
    first++;
  }
  if (first < list.n) {
    ir_op *lead = list.at[first];
    for (size_t i = first; i > 0; i--) {
      list.at[i] = list.at[i - 1];
    }
    list.at[0] = lead;
  }
  return make(b, OP_ADD, (int)list.n, list.at);
}

static ir_op *lower_sum(builder *b, const ir_expr *e)
{
  mpq_t one;
  mpq_init(one);
  mpq_set_ui(one, 1, 1);
  ir_op *op = NULL;
  if (e->n > 1) {
    op = lower_terms(b, one, e);
  } else if (e->terms[0].node->kind == IR_SUM && b->parents[e->terms[0].node->id] == 1) {
    op = lower_terms(b, e->terms[0].coefficient, e->terms[0].node);
  } else {
    op = lower_term(b, e->terms[0].coefficient, e->terms[0].node);
  }
  mpq_clear(one);
  return op;
}

static ir_op *compute(builder *b, const ir_expr *e)
{
  ir_op *op = NULL;
  ir_op *args[2] = {NULL, NULL};
  mpq_t one;
  switch (e->kind) {
  case IR_NUMBER:
    return number(b, e->value);
  case IR_PI:
    return make(b, OP_PI, 0, NULL);
  case IR_INPUT:
    op = make(b, OP_INPUT, 0, NULL);
    op->space = e->space;
    op->index = e->index;
    return op;
  case IR_SUM:
    return lower_sum(b, e);
  case IR_PRODUCT:
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    op = lower_product(b, one, e);
    mpq_clear(one);
    return op;
  case IR_CALL:
    for (int i = 0; i < e->n; i++) {
      args[i] = lower(b, e->arguments[i]);
    }
    if (e->call == IR_HOLD) {
      return args[0];
    }
    op = make(b, OP_CALL, e->n, args);
    op->call = e->call;
    return op;
  }
  return op;
}

static ir_op *lower(builder *b, const ir_expr *e)
{
  if (!b->done[e->id]) {
    b->done[e->id] = compute(b, e);
  }
  return b->done[e->id];
}

/* ---- counting ---- */

static void count_parents(builder *b, const ir_expr *e)
{
  if (b->parents[e->id]++ > 0) {
    return;
  }
  for (int i = 0; i < e->n; i++) {
    count_parents(b, e->kind == IR_SUM       ? e->terms[i].node
                     : e->kind == IR_PRODUCT ? e->factors[i].base
                                             : e->arguments[i]);
  }
}

static void count_uses(ir_op *op)
{
  if (op->uses++ > 0) {
    return;
  }
  for (int i = 0; i < op->n; i++) {
    count_uses(op->arg[i]);
  }
}

static int is_trivial(const ir_op *op)
{
  return op->kind == OP_LITERAL || op->kind == OP_PI || op->kind == OP_INPUT ||
         (op->kind == OP_NEG && is_trivial(op->arg[0]));
}

static void count_operations(ir_code *code, const ir_op *op)
{
  switch (op->kind) {
  case OP_ADD:
    code->additions += op->n - 1;
    break;
  case OP_MUL:
    code->products += op->n - 1;
    break;
  case OP_DIV:
    code->quotients++;
    break;
  case OP_SQRT:
  case OP_CALL:
    code->calls++;
    break;
  case OP_LITERAL:
  case OP_PI:
  case OP_INPUT:
  case OP_NEG:
    break;
  }
}

/* Post-order: a temporary comes after those that it needs. */
static void collect(builder *b, ir_code *code, ir_op *op, op_list *temporaries)
{
  if (op->visited) {
    return;
  }
  op->visited = 1;
  for (int i = 0; i < op->n; i++) {
    collect(b, code, op->arg[i], temporaries);
  }
  count_operations(code, op);
  if (op->kind == OP_INPUT) {
    code->used[op->space][op->index] = 1;
  }
  if (op->uses > 1 && !is_trivial(op)) {
    op->temporary = (int)temporaries->n;
    push(b, temporaries, op);
  }
}

ir_code *ir_code_create(ir_context *c, int n, const ir_expr *const outputs[],
                        const int size[IR_SPACES])
{
  builder b = {.context = c, .memory = ir_context_arena(c)};
  unsigned nodes = ir_context_size(c);
  b.parents = ARENA_ARRAY(b.memory, nodes, int);
  b.done = ARENA_ARRAY(b.memory, nodes, ir_op *);
  ir_code *code = ARENA_NEW(b.memory, ir_code);
  code->n_outputs = n;
  code->outputs = ARENA_ARRAY(b.memory, n ? n : 1, ir_op *);
  for (int s = 0; s < IR_SPACES; s++) {
    code->used[s] = ARENA_ARRAY(b.memory, size[s] + 1, unsigned char);
  }
  for (int i = 0; i < n; i++) {
    count_parents(&b, outputs[i]);
  }
  for (int i = 0; i < n; i++) {
    code->outputs[i] = lower(&b, outputs[i]);
  }
  for (int i = 0; i < n; i++) {
    count_uses(code->outputs[i]);
  }
  op_list temporaries = {0};
  for (int i = 0; i < n; i++) {
    collect(&b, code, code->outputs[i], &temporaries);
  }
  code->n_temporaries = (int)temporaries.n;
  code->temporaries = temporaries.at;
  return code;
}
