/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code.h -- straight-line code: the operations of one function, shared ones in temporaries.
 *
 * A node of the expression DAG says what is computed; here it is decided how: powers become products
 * of powers, negative ones quotients, half-integer ones square roots; a common factor is multiplied
 * into a sum that is used only once; what is used twice gets a temporary, numbered in the order in
 * which it is first needed.
 */
#ifndef SIDEWINDER_EXPR_CODE_H
#define SIDEWINDER_EXPR_CODE_H

#include "expr/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ir_code {
  int n_outputs;
  ir_op **outputs;
  int n_temporaries;
  ir_op **temporaries; /* in order; each uses only earlier ones */
  int additions;       /* operation counts */
  int products;
  int quotients;
  int calls;                      /* sqrt and elementary functions */
  unsigned char *used[IR_SPACES]; /* used[s][i]: input i of space s is read */
  const char *beyond; /* the first number that is too large or too small for a double, or NULL */
} ir_code;

/* Code for n expressions; size[s] is the number of inputs of space s; NULL: `used` is not recorded.  fixed[i]: whether input i of IR_K is the same in all iterations of
 * the loop that the code stands in; NULL: it stands in none.  Everything is allocated in the context's arena. */
ir_code *ir_code_create(ir_context *c, int n, const ir_expr *const outputs[],
                        const int size[IR_SPACES], const unsigned char fixed[]);

/* The same in an arena of the caller's, for code that is needed for a short time. */
ir_code *ir_code_create_in(arena *memory, ir_context *c, int n, const ir_expr *const outputs[],
                           const int size[IR_SPACES], const unsigned char fixed[]);

#ifdef __cplusplus
}
#endif

#endif
