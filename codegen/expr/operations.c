/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * operations.c -- constructors of operations, and numbers as literals.
 */
#include <math.h>

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
  op->wait = -1;
  op->arg = ARENA_ARRAY(b->memory, n ? n : 1, ir_op *);
  for (int i = 0; i < n; i++) {
    op->arg[i] = args[i];
  }
  return op;
}

static const char *operations_decimal(lowering *b, mpq_srcptr value)
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
    b->beyond = operations_decimal(b, value);
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

/* An integer without its factors of 2. */
static void odd_part(mpz_ptr odd, mpz_srcptr value)
{
  mpz_set(odd, value);
  if (mpz_sgn(value) != 0) {
    mpz_fdiv_q_2exp(odd, value, mpz_scan1(value, 0));
  }
}

/* 1 if q is written as one literal, 0 if it is written as numerator / denominator.  Literals are
 * short decimals, whose denominators have only factors 2 and at most 60 factors 5, and quotients
 * whose parts are not doubles.  Powers of two are ignored, so that a change of units by a power of
 * two keeps the rounding. */
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

ir_op *lowering_negated(lowering *b, ir_op *op)
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
  return mpq_sgn(value) < 0 ? lowering_negated(b, op) : op;
}
