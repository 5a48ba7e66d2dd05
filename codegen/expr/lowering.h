/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lowering.h -- expressions as operations; private to code.c, lowering.c and operations.c in expr/.
 */
#ifndef SIDEWINDER_EXPR_LOWERING_H
#define SIDEWINDER_EXPR_LOWERING_H

#include "expr/op.h"

/* A power of a node, which several formulas may share. */
typedef struct power_entry {
  long exponent; /* at least 2, or a code for a root (lowering.c) */
  ir_op *op;
  struct power_entry *next; /* the next power of the same node */
} power_entry;

typedef struct op_list {
  ir_op **at;
  size_t n;
  size_t capacity;
} op_list;

typedef struct lowering {
  ir_context *context;
  arena *memory;
  int *parents;               /* by node id: number of references within this function */
  ir_op **done;               /* operations, by node id */
  power_entry **powers;       /* known powers, by node id */
  const unsigned char *fixed; /* as for ir_code_create */
  /* by node id: 1 if the node reads fixed inputs only, -1 if it reads others, 0 if unknown */
  signed char *is_fixed;
  op_list number_roots; /* square roots of literals */
  const char *beyond;   /* as in ir_code */
} lowering;

ir_op *lowering_op(lowering *b, ir_op_kind kind, int n, ir_op *const args[]);
void lowering_push(lowering *b, op_list *list, ir_op *op);

/* The double nearest to a number. */
ir_op *lowering_literal(lowering *b, mpq_srcptr value);
ir_op *lowering_integer(lowering *b, mpz_srcptr value);
ir_op *lowering_whole(lowering *b, unsigned long value);

/* 1 if a number is written as one literal; 0 if it is a quotient of two. */
int lowering_is_literal(mpq_srcptr q);
ir_op *lowering_number(lowering *b, mpq_srcptr value);
ir_op *lowering_negated(lowering *b, ir_op *op);

/* The operation for any expression, created once per node. */
ir_op *lowering_of(lowering *b, const ir_expr *e);

#endif
