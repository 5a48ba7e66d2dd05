/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/substitute.h"

#include <stdlib.h>

/* Results so far, by the ids of nodes, which are parts of e and so are there at the start. */
struct ir_substitution {
  ir_context *c;
  ir_space space;
  const ir_expr *const *values;
  const ir_expr **done;
};

static const ir_expr *sum(ir_substitution *m, const ir_expr *e)
{
  const ir_expr **terms = ir_zeros((size_t)e->n, sizeof *terms);
  for (int i = 0; i < e->n; i++) {
    terms[i] = ir_scale(m->c, e->terms[i].coefficient, ir_substituted(m, e->terms[i].node));
  }
  const ir_expr *result = ir_add(m->c, e->n, terms);
  free(terms);
  return result;
}

static const ir_expr *product(ir_substitution *m, const ir_expr *e)
{
  const ir_expr *result = ir_integer(m->c, 1);
  for (int i = 0; i < e->n; i++) {
    const ir_expr *parts[] = {
        result, ir_pow(m->c, ir_substituted(m, e->factors[i].base), e->factors[i].exponent)};
    result = ir_mul(m->c, 2, parts);
  }
  return result;
}

static const ir_expr *call(ir_substitution *m, const ir_expr *e)
{
  const ir_expr *x = ir_substituted(m, e->arguments[0]);
  const ir_expr *y = e->n == 2 ? ir_substituted(m, e->arguments[1]) : NULL;
  return e->call == IR_POW && y && y->kind == IR_NUMBER ? ir_pow(m->c, x, y->value)
                                                        : ir_apply(m->c, e->call, x, y);
}

static const ir_expr *compute(ir_substitution *m, const ir_expr *e)
{
  switch (e->kind) {
  case IR_NUMBER:
  case IR_PI:
    return e;
  case IR_INPUT:
    return e->space == m->space ? m->values[e->index] : e;
  case IR_SUM:
    return sum(m, e);
  case IR_PRODUCT:
    return product(m, e);
  case IR_CALL:
    return call(m, e);
  }
  return e;
}

const ir_expr *ir_substituted(ir_substitution *m, const ir_expr *e)
{
  if (!m->done[e->id]) {
    m->done[e->id] = compute(m, e);
  }
  return m->done[e->id];
}

ir_substitution *ir_substitution_create(ir_context *c, ir_space space,
                                        const ir_expr *const values[])
{
  ir_substitution *m = ir_zeros(1, sizeof *m);
  *m = (ir_substitution){c, space, values, ir_zeros(ir_context_size(c), sizeof *m->done)};
  return m;
}

void ir_substitution_free(ir_substitution *m)
{
  if (m) {
    free(m->done);
    free(m);
  }
}

const ir_expr *ir_substitute(ir_context *c, ir_space space, const ir_expr *const values[],
                             const ir_expr *e)
{
  ir_substitution *m = ir_substitution_create(c, space, values);
  const ir_expr *result = ir_substituted(m, e);
  ir_substitution_free(m);
  return result;
}
