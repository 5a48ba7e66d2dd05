/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lowering.h -- expressions as operations; private to expr/code.c, expr/lowering.c and expr/operations.c.
 */
#ifndef SIDEWINDER_EXPR_LOWERING_H
#define SIDEWINDER_EXPR_LOWERING_H

#include "expr/op.h"

/* A power of a node that other formulas may share. */
typedef struct power_entry {
  long exponent; /* at least 2, or a root (lowering.c) */
  ir_op *op;
  struct power_entry *next; /* of the same node */
} power_entry;

typedef struct op_list {
  ir_op **at;
  size_t n;
  size_t capacity;
} op_list;

typedef struct lowering {
  ir_context *context;
  arena *memory;
  int *parents;               /* by node id: how often it is referred to within this function */
  ir_op **done;               /* by node id */
  power_entry **powers;       /* by node id */
  const unsigned char *fixed; /* as for ir_code_create */
  signed char *
      is_fixed; /* by node id: 1 where nothing but fixed inputs is read, -1 where others are, 0: not asked */
  op_list number_roots; /* square roots of literals */
  const char *beyond;   /* ir_code */
} lowering;

ir_op *lowering_op(lowering *b, ir_op_kind kind, int n, ir_op *const args[]);
void lowering_push(lowering *b, op_list *list, ir_op *op);

/* The double next to a number. */
ir_op *lowering_literal(lowering *b, mpq_srcptr value);
ir_op *lowering_integer(lowering *b, mpz_srcptr value);
ir_op *lowering_whole(lowering *b, unsigned long value);

/* Whether a number is one literal, or else a quotient of two. */
int lowering_is_literal(mpq_srcptr q);
ir_op *lowering_number(lowering *b, mpq_srcptr value);
ir_op *lowering_negated(lowering *b, ir_op *op);

/* Any expression, computed once. */
ir_op *lowering_of(lowering *b, const ir_expr *e);

#endif
