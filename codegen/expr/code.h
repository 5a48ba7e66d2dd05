/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code.h -- straight-line code: the operations of one function, with shared ones in temporaries.
 *
 * An expression node defines a value; this module chooses the operations.  Powers become products
 * of powers, negative powers become quotients, and half-integer powers become square roots.  A
 * common factor is multiplied into a sum that is used only once.  A value that is used twice gets a
 * temporary.  Temporaries are numbered in the order of first use.
 */
#ifndef SIDEWINDER_EXPR_CODE_H
#define SIDEWINDER_EXPR_CODE_H

#include "expr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The operations of straight-line code. */
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

typedef struct ir_code {
  int n_outputs;
  ir_op **outputs;
  int n_temporaries;
  ir_op **temporaries; /* in order; each reads only earlier ones */
  int additions;       /* number of additions and subtractions */
  int products;
  int quotients;
  int calls;                      /* calls of sqrt and elementary functions */
  unsigned char *used[IR_SPACES]; /* used[s][i]: input i of space s is read */
  const char *beyond;             /* the first number outside the range of a double, or NULL */
} ir_code;

/* Code for n expressions, allocated in the context's arena.  size[s] is the number of inputs of
 * space s; if size is NULL, `used` is not filled.  fixed[i] is 1 if input i of IR_K has the same
 * value in all iterations of the surrounding loop; NULL outside loops. */
ir_code *ir_code_create(ir_context *c, int n, const ir_expr *const outputs[],
                        const int size[IR_SPACES], const unsigned char fixed[]);

/* The same in the caller's arena, for short-lived code. */
ir_code *ir_code_create_in(arena *memory, ir_context *c, int n, const ir_expr *const outputs[],
                           const int size[IR_SPACES], const unsigned char fixed[]);

#ifdef __cplusplus
}
#endif

#endif
