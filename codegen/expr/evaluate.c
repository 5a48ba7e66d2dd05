/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/evaluate.h"

#include <math.h>
#include <stdlib.h>

#include "sidewinder/functions.h"

struct ir_evaluator {
  const ir_context *c;
  unsigned size;
  unsigned pass;
  unsigned *seen; /* the pass that computed the value */
  double *value;
  ir_values inputs;
};

/* Reallocates the tables for twice the present number of nodes.  All values are forgotten and
 * computed again. */
static void evaluate_grow(ir_evaluator *e)
{
  free(e->seen);
  free(e->value);
  e->size = 2 * ir_context_size(e->c) + 1;
  e->seen = ir_zeros(e->size, sizeof *e->seen);
  e->value = ir_zeros(e->size, sizeof *e->value);
}

ir_evaluator *ir_evaluator_create(const ir_context *c)
{
  ir_evaluator *e = ir_zeros(1, sizeof *e);
  e->c = c;
  evaluate_grow(e);
  return e;
}

void ir_evaluator_free(ir_evaluator *e)
{
  if (e) {
    free(e->seen);
    free(e->value);
    free(e);
  }
}

void ir_evaluator_begin(ir_evaluator *e, const ir_values *values)
{
  e->pass++;
  e->inputs = *values;
}

static double evaluate_power(double base, mpq_srcptr exponent)
{
  if (rational_is_integer(exponent) && mpz_fits_sint_p(mpq_numref(exponent))) {
    long n = mpz_get_si(mpq_numref(exponent));
    double result = 1;
    double square = base;
    for (unsigned long k = (unsigned long)labs(n); k; k >>= 1) {
      result *= k & 1 ? square : 1;
      square *= square;
    }
    return n < 0 ? 1 / result : result;
  }
  if (mpq_cmp_ui(exponent, 1, 2) == 0) {
    return sqrt(base);
  }
  return pow(base, rational_double(exponent));
}

static double evaluate_call(ir_call f, double a, double b)
{
  switch (f) {
  case IR_SIN:
    return sin(a);
  case IR_COS:
    return cos(a);
  case IR_TAN:
    return tan(a);
  case IR_ASIN:
    return asin(a);
  case IR_ACOS:
    return acos(a);
  case IR_ATAN:
    return atan(a);
  case IR_ATAN2:
    return atan2(a, b);
  case IR_SINH:
    return sinh(a);
  case IR_COSH:
    return cosh(a);
  case IR_TANH:
    return tanh(a);
  case IR_EXP:
    return exp(a);
  case IR_LOG:
    return log(a);
  case IR_ABS:
    return fabs(a);
  case IR_SIGN:
    return a > 0 ? 1 : a < 0 ? -1 : a;
  case IR_MIN:
    return a < b || isnan(a) ? a : b;
  case IR_MAX:
    return a > b || isnan(a) ? a : b;
  case IR_HOLD:
    return a;
  case IR_POW:
    return pow(a, b);
  case IR_G0:
    return sw_g0(a, b);
  case IR_G1:
    return sw_g1(a, b);
  case IR_G2:
    return sw_g2(a, b);
  case IR_G3:
    return sw_g3(a, b);
  case IR_INSIDE:
    return sw_inside(a);
  case IR_CALLS:
    break;
  }
  return (double)NAN;
}

static double evaluate_compute(ir_evaluator *e, const ir_expr *node)
{
  double v = 0;
  switch (node->kind) {
  case IR_NUMBER:
    return rational_double(node->value);
  case IR_PI:
    return 3.14159265358979323846;
  case IR_INPUT:
    return e->inputs.in[node->space][node->index];
  case IR_CALL:
    return evaluate_call(node->call, ir_evaluator_value(e, node->arguments[0]),
                         node->n == 2 ? ir_evaluator_value(e, node->arguments[1]) : 0);
  case IR_SUM:
    for (int i = 0; i < node->n; i++) {
      v += rational_double(node->terms[i].coefficient) * ir_evaluator_value(e, node->terms[i].node);
    }
    return v;
  case IR_PRODUCT:
    v = 1;
    for (int i = 0; i < node->n; i++) {
      v *= evaluate_power(ir_evaluator_value(e, node->factors[i].base), node->factors[i].exponent);
    }
    return v;
  }
  return (double)NAN;
}

double ir_evaluator_value(ir_evaluator *e, const ir_expr *node)
{
  if (node->id >= e->size) {
    evaluate_grow(e);
  }
  if (e->seen[node->id] != e->pass) {
    double v = evaluate_compute(e, node);
    e->value[node->id] = v;
    e->seen[node->id] = e->pass;
  }
  return e->value[node->id];
}
