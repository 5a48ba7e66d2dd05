/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expression_nodes.c -- constructors of checked formulas from checked parts.
 */
#include "model/formula_checks.h"
#include "model/index_values.h"

/* The exact value of constant parts of a formula.
 *
 * The checker computes them for two reasons: it reports values that are not real (1/0, sqrt(-1))
 * with their location, and no constant can grow without bound, as 9^9^9^9 would. */

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

/* Computes the node's exact value if those of its operands are known.  Reports a value that is
 * not a real number, and then returns 0. */
static int constants_fold(checker *c, checked *node, const checked *a, const checked *b)
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
  if (excess & USES_MULTIPLIER) {
    diagnostics_error(c->d, where,
                      "%s cannot use multipliers: only an observable ('observe') can, "
                      "outside brackets",
                      c->what);
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
  model_condition *otherwise = ARENA_NEW(c->memory, model_condition);
  if (!condition || !a->expr || !b->expr) {
    return failed;
  }
  *otherwise = (model_condition){.kind = CONDITION_NOT, .a = condition};
  const scope_binders where_holds = {0, none, condition, NULL};
  const scope_binders where_fails = {0, none, otherwise, NULL};
  checked first = expressions_sum(c, EXPR_SUM, &where_holds, a, a->expr->where);
  checked second = expressions_sum(c, EXPR_SUM, &where_fails, b, b->expr->where);
  return expressions_operation(c, EXPR_ADD, e->where, &first, &second);
}
