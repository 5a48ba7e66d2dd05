/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expression_nodes.c -- exact constants, and constructors of checked formulas from checked parts.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/formula_checks.h"
#include "model/index_values.h"

mpq_srcptr numbers_from_long(arena *a, long value)
{
  mpq_t number;
  mpq_init(number);
  mpq_set_si(number, value, 1);
  mpq_srcptr kept = rational_keep(a, number);
  mpq_clear(number);
  return kept;
}

/* digits * 10^exponent. */
static mpq_srcptr numbers_decimal(arena *a, const char *digits, long exponent)
{
  mpq_t number;
  mpz_t power;
  mpq_init(number);
  mpz_init(power);
  mpz_set_str(mpq_numref(number), digits, 10);
  mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
  if (exponent >= 0) {
    mpz_mul(mpq_numref(number), mpq_numref(number), power);
  } else {
    mpz_set(mpq_denref(number), power);
  }
  mpq_canonicalize(number);
  mpq_srcptr kept = rational_keep(a, number);
  mpz_clear(power);
  mpq_clear(number);
  return kept;
}

mpq_srcptr numbers_literal(checker *c, const syntax_expr *e)
{
  char digits[SYNTAX_MAX_DIGITS + 1];
  size_t n = 0;
  long exponent = 0;
  int after_point = 0;
  int zero = 1;
  const char *s = e->text;
  double nearest = strtod(e->text, NULL);
  /* The lexer bounds digits and exponent. */
  for (; *s && *s != 'e' && *s != 'E'; s++) {
    if (*s == '.') {
      after_point = 1;
      continue;
    }
    if (n < SYNTAX_MAX_DIGITS) {
      digits[n++] = *s;
    }
    exponent -= after_point;
    zero = zero && *s == '0';
  }
  digits[n] = '\0';
  if (*s) {
    exponent += strtol(s + 1, NULL, 10);
  }
  if (!isfinite(nearest)) {
    diagnostics_error(c->d, e->where, "the number %s is too large for double precision", e->text);
    return NULL;
  }
  if (nearest == 0.0 && !zero) {
    diagnostics_error(c->d, e->where,
                      "the number %s is too small for double precision: it would be 0", e->text);
    return NULL;
  }
  return numbers_decimal(c->memory, digits, zero ? 0 : exponent);
}

long numbers_integer(checker *c, const syntax_expr *e, long most, const char *what)
{
  if (e->kind != SYNTAX_NUMBER || strspn(e->text, "0123456789") != strlen(e->text)) {
    diagnostics_error(c->d, e->where, "%s is a plain integer such as 12", what);
    return -1;
  }
  errno = 0;
  long value = strtol(e->text, NULL, 10);
  if (errno || value > most) {
    diagnostics_error(c->d, e->where, "%s is at most %ld", what, most);
    return -1;
  }
  return value;
}

const char *numbers_text(arena *a, mpq_srcptr number)
{
  return arena_printf(a, "%.15g", rational_double(number));
}

/* ---- constant parts of formulas ---- */

/* The exact value of constant parts of a formula.
 *
 * The checker computes them for two reasons: it reports values that are not real (1/0, sqrt(-1))
 * with their location, and no constant can grow without bound, as 9^9^9^9 would. */

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
  if (!rational_is_integer(b)) {
    if (mpq_sgn(a) >= 0) {
      return 0;
    }
    diagnostics_error(c->d, node->where, "%s to the power %s is not a real number",
                      numbers_text(c->memory, a), numbers_text(c->memory, b));
    return -1;
  }
  const unsigned long n = mpz_get_ui(mpq_numref(b)); /* the magnitude */
  mpz_pow_ui(mpq_numref(result), mpq_numref(a), n);
  mpz_pow_ui(mpq_denref(result), mpq_denref(a), n);
  if (mpq_sgn(b) < 0) {
    mpq_inv(result, result);
  }
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

/* Computes the node's exact value if those of its operands are known.  Reports a value that is
 * not a real number, and then returns 0. */
static int constants_fold(checker *c, checked *node, const checked *a, const checked *b)
{
  mpq_t result;
  mpq_init(result);
  int known =
      constants_evaluate(c, node->expr, a ? a->constant : NULL, b ? b->constant : NULL, result);
  if (known > 0 && (mpz_sizeinbase(mpq_numref(result), 2) > MODEL_MAX_BITS ||
                    mpz_sizeinbase(mpq_denref(result), 2) > MODEL_MAX_BITS)) {
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

span expressions_name_place(const syntax_expr *e)
{
  return e->kind == SYNTAX_NAME ? e->where : e->name_where;
}

model_expr *expressions_new(checker *c, model_expr_kind kind, span where)
{
  model_expr *node = ARENA_NEW(c->memory, model_expr);
  node->kind = kind;
  node->where = where;
  return node;
}

checked expressions_node(checker *c, model_expr *node, const checked *a, const checked *b)
{
  checked result = {node, NULL, 0, 1};
  if (a) {
    result.uses |= a->uses;
    result.depth = a->depth + 1;
  }
  if (b) {
    result.uses |= b->uses;
    result.depth = b->depth >= result.depth ? b->depth + 1 : result.depth;
  }
  if (result.depth > MODEL_MAX_DEPTH) {
    diagnostics_error(c->d, node->where,
                      "this formula is more than %d levels deep, with the lets that it uses",
                      MODEL_MAX_DEPTH);
    return failed;
  }
  return result;
}

static checked expression_nodes_operation(checker *c, model_expr_kind kind, model_function function,
                                          span where, const checked *a, const checked *b)
{
  if (!a->expr || (b && !b->expr)) {
    return failed;
  }
  model_expr *node = expressions_new(c, kind, where);
  node->function = function;
  node->a = a->expr;
  node->b = b ? b->expr : NULL;
  checked result = expressions_node(c, node, a, b);
  return result.expr && constants_fold(c, &result, a, b) ? result : failed;
}

checked expressions_operation(checker *c, model_expr_kind kind, span where, const checked *a,
                              const checked *b)
{
  return expression_nodes_operation(c, kind, FUNCTION_SIN, where, a, b);
}

checked expressions_combine(checker *c, const syntax_expr *e, const checked *a, const checked *b)
{
  static const model_expr_kind kinds[] = {
      [SYNTAX_ADD] = EXPR_ADD, [SYNTAX_SUB] = EXPR_SUB, [SYNTAX_MUL] = EXPR_MUL,
      [SYNTAX_DIV] = EXPR_DIV, [SYNTAX_POW] = EXPR_POW,
  };
  return expressions_operation(c, kinds[e->kind], e->where, a, b);
}

checked expressions_call(checker *c, model_function function, span where, const checked *a,
                         const checked *b)
{
  return expression_nodes_operation(c, EXPR_CALL, function, where, a, b);
}

checked expressions_number(checker *c, mpq_srcptr value, span where)
{
  if (!value) {
    return failed;
  }
  model_expr *node = expressions_new(c, EXPR_NUMBER, where);
  node->number = value;
  checked result = expressions_node(c, node, NULL, NULL);
  result.constant = value;
  return result;
}

checked expressions_index(checker *c, const model_index *index)
{
  long number = 0;
  if (!index) {
    return failed;
  }
  model_expr *node = expressions_new(c, EXPR_INDEX, index->where);
  const model_index **indices = ARENA_ARRAY(c->memory, 1, const model_index *);
  indices[0] = index;
  node->n_index = 1;
  node->index = indices;
  checked result = expressions_node(c, node, NULL, NULL);
  if (reach_constant(index, &number)) {
    result.constant = numbers_from_long(c->memory, number);
  }
  return result;
}

int expressions_allowed(checker *c, span where, unsigned uses, const char *name)
{
  unsigned excess = uses & c->forbidden;
  if (excess & USES_LAMBDA) {
    diagnostics_error(c->d, where,
                      "%s cannot use %ss: only an observable ('observe') can, "
                      "outside brackets",
                      c->what, excess & USES_IMPULSE ? "impulse" : "multiplier");
  } else if (excess & USES_INPUT) {
    diagnostics_error(
        c->d, where,
        "%s cannot use '%s', which is or depends on an input: inputs may change from "
        "step to step, and only forces, events and observables read them; use a 'param'",
        c->what, name);
  } else if (excess & USES_STATE) {
    diagnostics_error(c->d, where,
                      "%s cannot use '%s', which is or depends on a coordinate or a momentum",
                      c->what, name);
  } else if (excess & USES_ALGEBRAIC) {
    diagnostics_error(
        c->d, where,
        "%s cannot use '%s', which is or depends on an algebraic variable: it would not "
        "commute with that variable's own constraint; H may use it",
        c->what, name);
  } else if (excess & USES_ALGEBRAIC_POSITION) {
    diagnostics_error(c->d, where,
                      "%s cannot use '%s', which is or depends on the position conjugate to an "
                      "algebraic variable: that is 0, and only its own constraint reads it",
                      c->what, name);
  } else if (excess & USES_MOMENTUM) {
    diagnostics_error(c->d, where,
                      "%s cannot use '%s', which is or depends on a momentum: it is a function of "
                      "positions and velocities",
                      c->what, name);
  } else if (excess & USES_VELOCITY) {
    diagnostics_error(c->d, where,
                      "%s cannot use '%s', which is or depends on a velocity: where g(q,p) = 0 "
                      "reads momenta its multiplier moves positions, unlike the force of a rolling "
                      "(nonholonomic) contact; write it in momenta if that is what is meant",
                      c->what, name);
  } else if (excess) {
    diagnostics_error(c->d, where,
                      "%s cannot use '%s', which is or depends on a parameter; use a let", c->what,
                      name);
  }
  return !excess;
}

int expressions_declared_before(checker *c, span where, const declared *d)
{
  if (d->order < c->order) {
    return 1;
  }
  if (d->order == c->order) {
    diagnostics_error(c->d, where, "'%s' is used in its own definition", d->name);
    return 0;
  }
  diagnostics_error(c->d, where,
                    "'%s' is used before its declaration; move this statement below it", d->name);
  diagnostics_note(c->d, d->where, "'%s' is declared here", d->name);
  return 0;
}

const syntax_expr **expressions_chain(checker *c, const syntax_expr *e, int (*is_link)(syntax_kind),
                                      int *n)
{
  *n = 0;
  for (const syntax_expr *leaf = e; is_link(leaf->kind); leaf = leaf->a) {
    ++*n;
  }
  const syntax_expr **links = ARENA_ARRAY(c->memory, *n + 1, const syntax_expr *);
  for (int i = 0; i <= *n; i++) {
    links[i] = e;
    e = e->a;
  }
  return links;
}

checked expressions_sum(checker *c, model_expr_kind kind, const scope_binders *binders,
                        const checked *body, span where)
{
  if (!body->expr) {
    return failed;
  }
  model_expr *node = expressions_new(c, kind, where);
  node->n_binders = binders->n;
  node->binders = binders->binders;
  node->condition = binders->condition;
  node->a = body->expr;
  return expressions_node(c, node, body, NULL);
}

/* `if` becomes the sum of two sums without variables, under opposite conditions.  The value
 * whose condition is false is an empty sum, and is never evaluated. */
checked expressions_choice(checker *c, const syntax_expr *e, const model_condition *condition,
                           const checked *a, const checked *b)
{
  const model_binder **none = ARENA_ARRAY(c->memory, 1, const model_binder *);
  const model_condition otherwise = {.kind = CONDITION_NOT, .a = condition};
  if (!condition || !a->expr || !b->expr) {
    return failed;
  }
  const scope_binders where_holds = {0, none, condition, NULL};
  const scope_binders where_fails = {0, none, ARENA_COPY(c->memory, model_condition, &otherwise),
                                     NULL};
  checked first = expressions_sum(c, EXPR_SUM, &where_holds, a, a->expr->where);
  checked second = expressions_sum(c, EXPR_SUM, &where_fails, b, b->expr->where);
  return expressions_operation(c, EXPR_ADD, e->where, &first, &second);
}
