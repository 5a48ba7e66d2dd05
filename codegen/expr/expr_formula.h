/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr_formula.h -- expressions as formulas for human readers.
 */
#ifndef SIDEWINDER_EXPR_EXPR_FORMULA_H
#define SIDEWINDER_EXPR_EXPR_FORMULA_H

#include "expr/loops.h"
#include "formula/formula.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The formula to print for each input, by space. */
typedef struct ir_names {
  const formula **of[IR_SPACES];
} ir_names;

/* The names of a program's inputs.  Multipliers are lambda, or lambda[1], ... if there are
 * several. */
ir_names ir_program_names(arena *a, spelling s, const ir_program *p);

/* The names of a kernel's inputs.  Its multiplier is lambda. */
ir_names ir_kernel_names(arena *a, spelling s, const ir_kernel *k);

/* The formula of an expression.  It can be exponentially longer than the expression, whose nodes
 * are shared.  The caller must know that the expression is short. */
const formula *ir_formula(arena *a, const ir_names *names, const ir_expr *e);

/* An expression as a list of terms; `scale` multiplies each of them.  The multiple of the node
 * `lead` comes first, unless lead is NULL.  If the first term of the sum is negative, the positive
 * terms precede the negative ones. */
typedef struct ir_terms {
  int n;
  const ir_term *term; /* a NULL coefficient means 1 */
  mpq_srcptr scale;    /* common factor; NULL means 1 */
} ir_terms;

ir_terms ir_terms_of(arena *a, const ir_expr *e, const ir_expr *lead);
const formula *ir_term_formula(arena *a, const ir_names *names, const ir_terms *terms, int i);

/* The expression as one product, with its common factor in front, times `last` (or NULL). */
const formula *ir_product_formula(arena *a, const ir_names *names, const ir_expr *e,
                                  const formula *last);

#ifdef __cplusplus
}
#endif

#endif
