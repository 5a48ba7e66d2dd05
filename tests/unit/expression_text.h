/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * expression_text.h -- an expression as a model file would have it, for comparisons in tests.
 */
#ifndef SIDEWINDER_TESTS_EXPRESSION_TEXT_H
#define SIDEWINDER_TESTS_EXPRESSION_TEXT_H

#include "expr/expr_formula.h"

static inline const char *expression_text(arena *a, const ir_program *p, const ir_expr *e)
{
  const ir_names names = ir_program_names(a, SPELL_ASCII, p);
  return formula_text(a, SPELL_ASCII, ir_formula(a, &names, e));
}

#endif
