/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * op.h -- the operations of straight-line code.
 */
#ifndef SIDEWINDER_EXPR_OP_H
#define SIDEWINDER_EXPR_OP_H

#include "expr/expr.h"

typedef enum ir_op_kind {
  OP_LITERAL, /* value */
  OP_PI,
  OP_INPUT, /* space, index */
  OP_ADD,   /* arg[0] + ...; an argument OP_NEG is subtracted */
  OP_MUL,   /* arg[0] * ... */
  OP_DIV,   /* arg[0] / arg[1] */
  OP_NEG,   /* -arg[0] */
  OP_SQRT,  /* sqrt(arg[0]) */
  OP_CALL   /* call of arg[0] (and arg[1]) */
} ir_op_kind;

typedef struct ir_op ir_op;

struct ir_op {
  ir_op_kind kind;
  double value;
  ir_space space;
  int index;
  ir_call call;
  int n;
  ir_op **arg;
  int uses;
  int temporary; /* number of its temporary, or -1 */
  int visited;
  int wait; /* used by emit/step_block.c; -1 at first */
};

#endif
