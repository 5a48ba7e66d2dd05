/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * equations.c -- nodes that are unknowns of linear equations.
 */
#include "expr/builders.h"

const ir_equations *ir_solved_by(const ir_context *c, const ir_expr *e, int *row)
{
  const ir_rule *rule = ir_rule_of(c, e);
  int is_unknown = rule && rule->equations && rule->column < 0;
  if (is_unknown) {
    *row = rule->row;
  }
  return is_unknown ? rule->equations : NULL;
}

const ir_equations *ir_solve(ir_context *c, const ir_equations *of, const ir_expr *const y[])
{
  arena *a = ir_context_arena(c);
  const int n = of->n;
  ir_equations *result = ARENA_NEW(a, ir_equations);
  *result = *of;
  result->y = ARENA_ARRAY(a, n, const ir_expr *);
  result->v = ARENA_ARRAY(a, n, const ir_expr *);
  const ir_expr **parts = ARENA_ARRAY(a, n, const ir_expr *);
  for (int i = 0; i < n; i++) {
    result->y[i] = y[i];
    for (int j = 0; j < n; j++) {
      parts[j] = ir_times(c, of->W[i * n + j], y[j]);
    }
    result->v[i] = ir_held(c, ir_add(c, n, parts));
    if (result->v[i]->kind == IR_CALL && !ir_rule_of(c, result->v[i])) {
      ir_rule *rule = ARENA_NEW(a, ir_rule);
      *rule = (ir_rule){0, NULL, result, i, -1};
      ir_give_rule(c, result->v[i], rule);
    }
  }
  return result;
}
