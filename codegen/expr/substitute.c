/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/substitute.h"

#include <stdlib.h>

#include "expr/builders.h"

const ir_expr *ir_rebuilt(ir_context *c, const ir_expr *e,
                          const ir_expr *(*made)(void *data, const ir_expr *part), void *data)
{
  if (e->n == 0) {
    return e;
  }
  if (e->kind == IR_CALL) {
    const ir_expr *x = made(data, e->arguments[0]);
    const ir_expr *y = e->n == 2 ? made(data, e->arguments[1]) : NULL;
    return ir_apply(c, e->call, x, y);
  }
  const ir_expr **terms = ir_zeros((size_t)e->n, sizeof *terms);
  const ir_expr *product = ir_integer(c, 1);
  for (int i = 0; i < e->n; i++) {
    const ir_expr *part = made(data, ir_operand(e, i));
    if (e->kind == IR_SUM) {
      terms[i] = ir_scale(c, e->terms[i].coefficient, part);
    } else {
      product = ir_times(c, product, ir_pow(c, part, e->factors[i].exponent));
    }
  }
  const ir_expr *result = e->kind == IR_SUM ? ir_add(c, e->n, terms) : product;
  free(terms);
  return result;
}

/* Results by node id.  All parts of e exist at the start. */
struct ir_substitution {
  ir_context *c;
  ir_space space;
  const ir_expr *const *values;
  const ir_expr **done;
};

static const ir_expr *substituted(void *substitution, const ir_expr *e)
{
  ir_substitution *m = substitution;
  if (!m->done[e->id]) {
    m->done[e->id] = e->kind == IR_INPUT && e->space == m->space
                         ? m->values[e->index]
                         : ir_rebuilt(m->c, e, substituted, m);
  }
  return m->done[e->id];
}

const ir_expr *ir_substituted(ir_substitution *m, const ir_expr *e)
{
  return substituted(m, e);
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
