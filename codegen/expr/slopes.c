/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/slopes.h"

#include <stdlib.h>

void ir_slopes_release(ir_slopes *s)
{
  free(s->seen);
  free(s->slope);
}

void ir_slopes_begin(ir_slopes *s)
{
  if (s->size < ir_context_size(s->c)) {
    ir_slopes_release(s);
    s->size = 2 * ir_context_size(s->c);
    s->seen = ir_zeros(s->size, sizeof *s->seen);
    s->slope = ir_zeros(s->size, sizeof(const ir_expr *));
  }
  s->pass++;
}

static const ir_expr *slopes_of_sum(ir_slopes *s, const ir_expr *e)
{
  const ir_expr **parts = ir_zeros((size_t)e->n, sizeof *parts);
  for (int i = 0; i < e->n; i++) {
    parts[i] = ir_scale(s->c, e->terms[i].coefficient, ir_slope_of(s, e->terms[i].node));
  }
  const ir_expr *sum = ir_add(s->c, e->n, parts);
  free(parts);
  return sum;
}

const ir_expr *ir_slope_of(ir_slopes *s, const ir_expr *e)
{
  if (s->seen[e->id] == s->pass) {
    return s->slope[e->id];
  }
  const ir_expr *r = NULL;
  switch (e->kind) {
  case IR_INPUT:
    r = s->seed && e->space == s->space ? s->seed[e->index]
                                        : ir_integer(s->c, ir_is_input(e, s->space, s->index));
    break;
  case IR_CALL:
    r = s->of_call(s, e);
    break;
  case IR_SUM:
    r = slopes_of_sum(s, e);
    break;
  case IR_PRODUCT:
    r = s->of_product(s, e);
    break;
  case IR_NUMBER:
  case IR_PI:
    r = ir_integer(s->c, 0);
    break;
  }
  s->seen[e->id] = s->pass;
  s->slope[e->id] = r;
  return r;
}
