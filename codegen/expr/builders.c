/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/builders.h"

const ir_expr *ir_plus(ir_context *c, const ir_expr *a, const ir_expr *b)
{
  const ir_expr *parts[2] = {a, b};
  return ir_add(c, 2, parts);
}

const ir_expr *ir_minus(ir_context *c, const ir_expr *a, const ir_expr *b)
{
  return ir_plus(c, a, ir_negated(c, b));
}

const ir_expr *ir_negated(ir_context *c, const ir_expr *a)
{
  return ir_scale(c, ir_integer(c, -1)->value, a);
}

const ir_expr *ir_times(ir_context *c, const ir_expr *a, const ir_expr *b)
{
  const ir_expr *parts[2] = {a, b};
  return ir_mul(c, 2, parts);
}

const ir_expr *ir_mean(ir_context *c, const ir_expr *a, const ir_expr *b)
{
  return ir_times(c, ir_power(c, ir_integer(c, 2), -1, 1), ir_plus(c, a, b));
}

const ir_expr *ir_power(ir_context *c, const ir_expr *a, long numerator, unsigned long denominator)
{
  mpq_t e;
  mpq_init(e);
  mpq_set_si(e, numerator, denominator);
  const ir_expr *r = ir_pow(c, a, e);
  mpq_clear(e);
  return r;
}
