/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/domain.h"

#include "expr/sign.h"

/* Limit on visited nodes; a shared node counts once per path.  Larger formulas count as
 * undecided. */
enum { MOST_VISITS = 2000 };

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
    const int is_root = mpz_cmp_ui(mpq_denref(f->exponent), 1) != 0;
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
  if ((*visits)++ > MOST_VISITS || is_narrow(p, e)) {
    return 1;
  }
  int found = 0;
  switch (e->kind) {
  case IR_SUM:
    for (int i = 0; i < e->n && !found; i++) {
      found = domain_may_be_undefined(p, e->terms[i].node, visits);
    }
    return found;
  case IR_PRODUCT:
    for (int i = 0; i < e->n && !found; i++) {
      found = domain_may_be_undefined(p, e->factors[i].base, visits);
    }
    return found;
  case IR_CALL:
    for (int i = 0; i < e->n && !found; i++) {
      found = domain_may_be_undefined(p, e->arguments[i], visits);
    }
    return found;
  default:
    return 0;
  }
}

int ir_may_be_undefined(const ir_program *p, const ir_expr *e)
{
  int visits = 0;
  return domain_may_be_undefined(p, e, &visits);
}
