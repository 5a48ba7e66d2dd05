/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/code.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/rational.h"
#include "expr/lowering.h"

void lowering_push(lowering *b, op_list *list, ir_op *op)
{
  list->at = arena_grow(b->memory, list->at, list->n, &list->capacity, sizeof *list->at);
  list->at[list->n++] = op;
}

ir_op *lowering_op(lowering *b, ir_op_kind kind, int n, ir_op *const args[])
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

static const char *decimal(lowering *b, mpq_srcptr value)
{
  char text[64];
  mpf_t f;
  mpf_init2(f, 64);
  mpf_set_q(f, value);
  gmp_snprintf(text, sizeof text, "%.3Fe", f);
  mpf_clear(f);
  return arena_printf(b->memory, "%s", text);
}

ir_op *lowering_literal(lowering *b, mpq_srcptr value)
{
  ir_op *op = lowering_op(b, OP_LITERAL, 0, NULL);
  op->value = rational_double(value);
  if (!b->beyond && mpq_sgn(value) != 0 && !isnormal(op->value)) {
    b->beyond = decimal(b, value);
  }
  return op;
}

ir_op *lowering_integer(lowering *b, mpz_srcptr value)
{
  mpq_t q;
  mpq_init(q);
  mpq_set_z(q, value);
  ir_op *op = lowering_literal(b, q);
  mpq_clear(q);
  return op;
}

/* Without its factors 2. */
static void odd_part(mpz_ptr odd, mpz_srcptr value)
{
  mpz_set(odd, value);
  if (mpz_sgn(value) != 0) {
    mpz_fdiv_q_2exp(odd, value, mpz_scan1(value, 0));
  }
}

/* Whether q is written as one literal: a decimal whose denominator has few factors but 2 and 5, or a
 * quotient of numbers that are no doubles themselves.  Else it is numerator / denominator.  Powers of two do not
 * count, so that a model in other units that are such powers rounds as it did. */
int lowering_is_literal(mpq_srcptr q)
{
  mpz_t above;
  mpz_t below;
  mpz_t five;
  mpz_init(above);
  mpz_init(below);
  mpz_init_set_ui(five, 5);
  odd_part(above, mpq_numref(q));
  odd_part(below, mpq_denref(q));
  int long_parts = mpz_sizeinbase(above, 2) > 53 || mpz_sizeinbase(below, 2) > 53;
  size_t fives = mpz_remove(below, below, five);
  int short_decimal = mpz_cmp_ui(below, 1) == 0 && fives <= 60;
  mpz_clear(above);
  mpz_clear(below);
  mpz_clear(five);
  return short_decimal || long_parts;
}

ir_op *lowering_whole(lowering *b, unsigned long value)
{
  mpz_t z;
  mpz_init_set_ui(z, value);
  ir_op *op = lowering_integer(b, z);
  mpz_clear(z);
  return op;
}

static ir_op *negated(lowering *b, ir_op *op)
{
  return op->kind == OP_NEG ? op->arg[0] : lowering_op(b, OP_NEG, 1, &op);
}

ir_op *lowering_number(lowering *b, mpq_srcptr value)
{
  mpq_t size;
  mpq_init(size);
  mpq_abs(size, value);
  ir_op *op = NULL;
  if (lowering_is_literal(size)) {
    op = lowering_literal(b, size);
  } else {
    ir_op *parts[2] = {lowering_integer(b, mpq_numref(size)),
                       lowering_integer(b, mpq_denref(size))};
    op = lowering_op(b, OP_DIV, 2, parts);
  }
  mpq_clear(size);
  return mpq_sgn(value) < 0 ? negated(b, op) : op;
}

/* ---- sums ---- */

/* coefficient * node, signed. */
static ir_op *lower_term(lowering *b, mpq_srcptr coefficient, const ir_expr *node)
{
  mpq_t size;
  mpq_t one;
  mpq_init(size);
  mpq_init(one);
  mpq_abs(size, coefficient);
  mpq_set_ui(one, 1, 1);
  ir_factor alone = {node, one};
  const ir_expr product = {.kind = IR_PRODUCT, .n = 1, .factors = &alone};
  int is_own = node->kind == IR_PRODUCT && b->parents[node->id] == 1;
  ir_op *op = node->kind == IR_NUMBER
                  ? lowering_number(b, size) /* the constant term: its node is 1 */
              : mpq_equal(size, one) ? lowering_of(b, node)
                                     : lowering_product(b, size, is_own ? node : &product);
  mpq_clear(size);
  mpq_clear(one);
  return mpq_sgn(coefficient) < 0 ? negated(b, op) : op;
}

/* common * (sum of terms), the factor multiplied into the terms; a positive term goes first. */
static ir_op *lower_terms(lowering *b, mpq_srcptr common, const ir_expr *sum)
{
  op_list list = {0};
  mpq_t q;
  mpq_init(q);
  for (int i = 0; i < sum->n; i++) {
    mpq_mul(q, common, sum->terms[i].coefficient);
    lowering_push(b, &list, lower_term(b, q, sum->terms[i].node));
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
  return lowering_op(b, OP_ADD, (int)list.n, list.at);
}

static ir_op *lower_sum(lowering *b, const ir_expr *e)
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

static ir_op *compute(lowering *b, const ir_expr *e)
{
  ir_op *op = NULL;
  ir_op *args[2] = {NULL, NULL};
  mpq_t one;
  switch (e->kind) {
  case IR_NUMBER:
    return lowering_number(b, e->value);
  case IR_PI:
    return lowering_op(b, OP_PI, 0, NULL);
  case IR_INPUT:
    op = lowering_op(b, OP_INPUT, 0, NULL);
    op->space = e->space;
    op->index = e->index;
    return op;
  case IR_SUM:
    return lower_sum(b, e);
  case IR_PRODUCT:
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    op = lowering_product(b, one, e);
    mpq_clear(one);
    return op;
  case IR_CALL:
    for (int i = 0; i < e->n; i++) {
      args[i] = lowering_of(b, e->arguments[i]);
    }
    if (e->call == IR_HOLD) {
      return args[0];
    }
    op = lowering_op(b, OP_CALL, e->n, args);
    op->call = e->call;
    return op;
  }
  return op;
}

ir_op *lowering_of(lowering *b, const ir_expr *e)
{
  if (!b->done[e->id]) {
    b->done[e->id] = compute(b, e);
  }
  return b->done[e->id];
}

/* ---- counting ---- */

static void count_parents(lowering *b, const ir_expr *e)
{
  if (b->parents[e->id]++ > 0) {
    return;
  }
  for (int i = 0; i < e->n; i++) {
    count_parents(b, ir_operand(e, i));
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
static void collect(lowering *b, ir_code *code, ir_op *op, op_list *temporaries)
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
    lowering_push(b, temporaries, op);
  }
}

ir_code *ir_code_create(ir_context *c, int n, const ir_expr *const outputs[],
                        const int size[IR_SPACES])
{
  lowering b = {.context = c, .memory = ir_context_arena(c)};
  unsigned nodes = ir_context_size(c);
  /* Not in the arena, which never gives back what a step with thousands of formulas would take. */
  b.parents = ir_zeros(nodes, sizeof *b.parents);
  b.done = ir_zeros(nodes, sizeof *b.done);
  b.powers = ir_zeros(nodes, sizeof *b.powers);
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
    code->outputs[i] = lowering_of(&b, outputs[i]);
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
  code->beyond = b.beyond;
  free(b.parents);
  free(b.done);
  free(b.powers);
  return code;
}
