/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * constants.c -- the exact value of constant parts of a formula.
 *
 * The checker computes them for two reasons: it reports values that are not real (1/0, sqrt(-1))
 * with their location, and no constant can grow without bound, as 9^9^9^9 would.
 */
#include "model/formula_checks.h"

static int constants_too_large(mpq_srcptr number)
{
  return mpz_sizeinbase(mpq_numref(number), 2) > MODEL_MAX_BITS ||
         mpz_sizeinbase(mpq_denref(number), 2) > MODEL_MAX_BITS;
}

/* base^exponent; |exponent| is at most MODEL_MAX_EXPONENT. */
static void integer_power(mpq_ptr result, mpq_srcptr base, long exponent)
{
  unsigned long n = (unsigned long)(exponent < 0 ? -exponent : exponent);
  mpz_pow_ui(mpq_numref(result), mpq_numref(base), n);
  mpz_pow_ui(mpq_denref(result), mpq_denref(base), n);
  if (exponent < 0) {
    mpq_inv(result, result);
  }
}

/* Checks a^b.  Returns 1 and sets `result` if there is an exact value, 0 if there is none, -1
 * after an error. */
static int constants_power(checker *c, const model_expr *node, mpq_srcptr a, mpq_srcptr b,
                           mpq_ptr result)
{
  if (b &&
      (mpq_cmp_si(b, MODEL_MAX_EXPONENT, 1) > 0 || mpq_cmp_si(b, -MODEL_MAX_EXPONENT, 1) < 0)) {
    diagnostics_error(c->d, node->b->where,
                      "the exponent is %s; constant exponents lie between %d and %d",
                      numbers_text(c->memory, b), -MODEL_MAX_EXPONENT, MODEL_MAX_EXPONENT);
    return -1;
  }
  if (b && mpz_cmp_si(mpq_denref(b), MODEL_MAX_ROOT) > 0) {
    diagnostics_error(c->d, node->b->where, "the exponent is %s; its denominator is at most %ld",
                      mpq_get_str(ARENA_ARRAY(c->memory, 2 * MODEL_MAX_BITS, char), 10, b),
                      MODEL_MAX_ROOT);
    return -1;
  }
  if (!a || !b) {
    return 0;
  }
  if (mpq_sgn(a) == 0 && mpq_sgn(b) <= 0) {
    diagnostics_error(c->d, node->where, "0^%s has no value", numbers_text(c->memory, b));
    return -1;
  }
  if (mpz_cmp_ui(mpq_denref(b), 1) != 0) {
    if (mpq_sgn(a) >= 0) {
      return 0;
    }
    diagnostics_error(c->d, node->where, "%s to the power %s is not a real number",
                      numbers_text(c->memory, a), numbers_text(c->memory, b));
    return -1;
  }
  integer_power(result, a, mpz_get_si(mpq_numref(b)));
  return 1;
}

/* Reports an argument outside the domain of an elementary function.  Returns 1 if it is inside. */
static int in_domain(checker *c, const model_expr *node, mpq_srcptr a, mpq_srcptr b)
{
  int good = 1;
  switch (node->function) {
  case FUNCTION_SQRT:
    good = mpq_sgn(a) >= 0;
    break;
  case FUNCTION_LOG:
    good = mpq_sgn(a) > 0;
    break;
  case FUNCTION_ASIN:
  case FUNCTION_ACOS:
    good = mpq_cmp_si(a, 1, 1) <= 0 && mpq_cmp_si(a, -1, 1) >= 0;
    break;
  case FUNCTION_ATAN2:
    good = !b || mpq_sgn(a) != 0 || mpq_sgn(b) != 0;
    break;
  default:
    break;
  }
  if (!good) {
    diagnostics_error(c->d, node->where, "%s(%s%s) is not a real number",
                      model_function_name(node->function), numbers_text(c->memory, a),
                      node->function == FUNCTION_ATAN2 ? ", 0" : "");
  }
  return good;
}

/* Evaluates functions with exact values.  Returns as power(). */
static int constants_call(model_function function, mpq_srcptr a, mpq_srcptr b, mpq_ptr result)
{
  switch (function) {
  case FUNCTION_ABS:
    mpq_abs(result, a);
    return 1;
  case FUNCTION_SIGN:
    mpq_set_si(result, mpq_sgn(a), 1);
    return 1;
  case FUNCTION_MIN:
  case FUNCTION_MAX:
    if (b) {
      mpq_set(result, (mpq_cmp(a, b) < 0) == (function == FUNCTION_MIN) ? a : b);
    }
    return b != NULL;
  default:
    return 0;
  }
}

/* Evaluates a node of any kind.  Returns as power(). */
static int constants_evaluate(checker *c, const model_expr *node, mpq_srcptr a, mpq_srcptr b,
                              mpq_ptr result)
{
  if (node->kind == EXPR_POW) {
    return constants_power(c, node, a, b, result);
  }
  if (node->kind == EXPR_CALL) {
    return !a ? 0 : in_domain(c, node, a, b) ? constants_call(node->function, a, b, result) : -1;
  }
  if (node->kind == EXPR_DIV && b && mpq_sgn(b) == 0) {
    diagnostics_error(c->d, node->b->where, "division by zero: the value of this is 0");
    return -1;
  }
  if (!a || (node->b && !b)) {
    return 0;
  }
  switch (node->kind) {
  case EXPR_NEG:
    mpq_neg(result, a);
    return 1;
  case EXPR_ADD:
    mpq_add(result, a, b);
    return 1;
  case EXPR_SUB:
    mpq_sub(result, a, b);
    return 1;
  case EXPR_MUL:
    mpq_mul(result, a, b);
    return 1;
  case EXPR_DIV:
    mpq_div(result, a, b);
    return 1;
  default:
    return 0;
  }
}

int constants_fold(checker *c, checked *node, const checked *a, const checked *b)
{
  mpq_t result;
  mpq_init(result);
  int known =
      constants_evaluate(c, node->expr, a ? a->constant : NULL, b ? b->constant : NULL, result);
  if (known > 0 && constants_too_large(result)) {
    diagnostics_error(c->d, node->expr->where,
                      "this constant has more than %d bits; round it to a few digits",
                      MODEL_MAX_BITS);
    known = -1;
  }
  if (known > 0) {
    node->constant = rational_keep(c->memory, result);
  }
  mpq_clear(result);
  return known >= 0;
}
