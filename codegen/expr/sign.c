/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/sign.h"

/* The possible signs of a value, a set of bits. */
enum { NEGATIVE = 1, ZERO = 2, POSITIVE = 4, ANY = 7 };

/* Limit on visited nodes; a shared node counts once per path.  Larger formulas have no known
 * sign. */
enum { MOST_VISITS = 20000 };

typedef struct signs {
  const ir_program *p;
  int visits;
} signs;

static int of_rational(mpq_srcptr q)
{
  return mpq_sgn(q) < 0 ? NEGATIVE : mpq_sgn(q) > 0 ? POSITIVE : ZERO;
}

static int of_parameter(const ir_bounds *b)
{
  if (b->lower && mpq_sgn(b->lower) >= 0) {
    return mpq_sgn(b->lower) > 0 || !b->lower_closed ? POSITIVE : ZERO | POSITIVE;
  }
  if (b->upper && mpq_sgn(b->upper) <= 0) {
    return mpq_sgn(b->upper) < 0 || !b->upper_closed ? NEGATIVE : ZERO | NEGATIVE;
  }
  return ANY;
}

static int sign_of_product(int a, int b)
{
  int s = (a | b) & ZERO;
  s |= (a & POSITIVE && b & POSITIVE) || (a & NEGATIVE && b & NEGATIVE) ? POSITIVE : 0;
  s |= (a & POSITIVE && b & NEGATIVE) || (a & NEGATIVE && b & POSITIVE) ? NEGATIVE : 0;
  return s;
}

/* The signs of x^a where it is defined and real. */
static int sign_of_power(int x, mpq_srcptr a)
{
  int s = mpq_sgn(a) < 0 ? x & ~ZERO : x;
  if (!rational_is_integer(a)) {
    return s & ~NEGATIVE;
  }
  return mpz_even_p(mpq_numref(a)) ? (s & ZERO) | (s & (NEGATIVE | POSITIVE) ? POSITIVE : 0) : s;
}

static int sign_sign_of(signs *k, const ir_expr *e);

static int sign_of_sum(signs *k, const ir_expr *e)
{
  int any = 0;
  int all = ZERO;
  for (int i = 0; i < e->n; i++) {
    int s =
        sign_of_product(of_rational(e->terms[i].coefficient), sign_sign_of(k, e->terms[i].node));
    any |= s;
    all &= s;
  }
  int mixed = any & NEGATIVE && any & POSITIVE;
  return mixed ? ANY : (any & ~ZERO) | all;
}

static int sign_of_call(signs *k, const ir_expr *e)
{
  int s = sign_sign_of(k, e->arguments[0]);
  switch (e->call) {
  case IR_EXP:
  case IR_COSH:
    return POSITIVE;
  case IR_ABS:
    return (s & ZERO) | (s & (NEGATIVE | POSITIVE) ? POSITIVE : 0);
  case IR_SINH:
  case IR_TANH:
  case IR_ATAN:
  case IR_ASIN:
  case IR_SIGN:
  case IR_HOLD:
    return s;
  case IR_MIN: /* one of both arguments */
  case IR_MAX:
    return s | sign_sign_of(k, e->arguments[1]);
  case IR_POW: /* defined for bases above 0; 0 at 0 */
    return s & ~NEGATIVE;
  default:
    return ANY;
  }
}

static int sign_sign_of(signs *k, const ir_expr *e)
{
  int s = POSITIVE;
  if (k->visits++ > MOST_VISITS) {
    return ANY;
  }
  switch (e->kind) {
  case IR_NUMBER:
    return of_rational(e->value);
  case IR_PI:
    return POSITIVE;
  case IR_INPUT:
    return e->space == IR_K ? of_parameter(&k->p->k_bounds[e->index]) : ANY;
  case IR_SUM:
    return sign_of_sum(k, e);
  case IR_PRODUCT:
    for (int i = 0; i < e->n; i++) {
      s = sign_of_product(
          s, sign_of_power(sign_sign_of(k, e->factors[i].base), e->factors[i].exponent));
    }
    return s;
  case IR_CALL:
    return sign_of_call(k, e);
  }
  return ANY;
}

int ir_sign(const ir_program *p, const ir_expr *e)
{
  signs k = {p, 0};
  int sign = sign_sign_of(&k, e);
  return sign == POSITIVE ? 1 : sign == NEGATIVE ? -1 : 0;
}

int ir_may_vanish(const ir_program *p, const ir_expr *e)
{
  signs k = {p, 0};
  return (sign_sign_of(&k, e) & ZERO) != 0;
}

int ir_may_be_negative(const ir_program *p, const ir_expr *e)
{
  signs k = {p, 0};
  return (sign_sign_of(&k, e) & NEGATIVE) != 0;
}

/* ---- domains ---- */

/* Limit on visited nodes; a shared node counts once per path.  Larger formulas count as
 * undecided. */
enum { MOST_DOMAIN_VISITS = 2000 };

/* 1 if the node may be undefined although its operands are defined. */
static int is_narrow(const ir_program *p, const ir_expr *e)
{
  if (e->kind == IR_CALL) {
    switch (e->call) {
    case IR_ASIN:
    case IR_ACOS:
      return 1;
    case IR_LOG:
    case IR_POW:
    case IR_INSIDE: /* undefined for a negative argument */
      return ir_may_be_negative(p, e->arguments[0]);
    default:
      return 0;
    }
  }
  for (int i = 0; e->kind == IR_PRODUCT && i < e->n; i++) {
    const ir_factor *f = &e->factors[i];
    const int is_root = !rational_is_integer(f->exponent);
    const int is_constant = f->base->kind == IR_INPUT && f->base->space == IR_K;
    if ((is_root && ir_may_be_negative(p, f->base)) ||
        (is_constant && mpq_sgn(f->exponent) < 0 && ir_may_vanish(p, f->base))) {
      return 1;
    }
  }
  return 0;
}

static int domain_may_be_undefined(const ir_program *p, const ir_expr *e, int *visits)
{
  int found = (*visits)++ > MOST_DOMAIN_VISITS || is_narrow(p, e);
  for (int i = 0; i < e->n && !found; i++) {
    found = domain_may_be_undefined(p, ir_operand(e, i), visits);
  }
  return found;
}

int ir_may_be_undefined(const ir_program *p, const ir_expr *e)
{
  int visits = 0;
  return domain_may_be_undefined(p, e, &visits);
}
