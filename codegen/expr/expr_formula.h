/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr_formula.h -- expressions as formulas that one reads.
 */
#ifndef SIDEWINDER_EXPR_EXPR_FORMULA_H
#define SIDEWINDER_EXPR_EXPR_FORMULA_H

#include "expr/loops.h"
#include "formula/formula.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What stands for the inputs of each space. */
typedef struct ir_names {
  const formula **of[IR_SPACES];
} ir_names;

/* The names of a program's inputs; m multipliers are lambda, or lambda[1] ... */
ir_names ir_program_names(arena *a, spelling s, const ir_program *p);

/* Those of the entries that a kernel reads; its multiplier is lambda. */
ir_names ir_kernel_names(arena *a, spelling s, const ir_kernel *k);

/* Written out, an expression can be exponentially longer than it is: its nodes are shared.  Callers know that this
 * one is not too long. */
const formula *ir_formula(arena *a, const ir_names *names, const ir_expr *e);

/* An expression as a list of terms, a factor in front of all of them multiplied in.  Where the first term has a
 * minus, those without one come first; and before all, the multiple of a node `lead`, which may be NULL. */
typedef struct ir_terms {
  int n;
  const ir_term *term; /* coefficient NULL: 1 */
  mpq_srcptr scale;    /* of all of them; NULL: 1 */
} ir_terms;

ir_terms ir_terms_of(arena *a, const ir_expr *e, const ir_expr *lead);
const formula *ir_term_formula(arena *a, const ir_names *names, const ir_terms *terms, int i);

/* The expression as one product, its common factor in front, times `last`, which may be NULL. */
const formula *ir_product_formula(arena *a, const ir_names *names, const ir_expr *e,
                                  const formula *last);

#ifdef __cplusplus
}
#endif

#endif
