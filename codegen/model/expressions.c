/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expressions.c -- formulas: every name looked up, every index checked for its kind.
 *
 * Whether indices lie in their ranges is found later, in ranges.c, where lets are followed.
 */
#include "model/formula_checks.h"
#include "model/index_values.h"

static const checked failed = {NULL, NULL, 0, 0};

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

static checked operation(checker *c, model_expr_kind kind, model_function function, span where,
                         const checked *a, const checked *b)
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
  return operation(c, kind, FUNCTION_SIN, where, a, b);
}

checked expressions_call(checker *c, model_function function, span where, const checked *a,
                         const checked *b)
{
  return operation(c, EXPR_CALL, function, where, a, b);
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
  } else if (excess & USES_ALGEBRAIC_MOMENTUM) {
    diagnostics_error(c->d, where,
                      "%s cannot use '%s', which is or depends on the momentum of an algebraic "
                      "variable: that is 0, and only its own constraint reads it",
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

static int is_binary(syntax_kind kind)
{
  return kind == SYNTAX_ADD || kind == SYNTAX_SUB || kind == SYNTAX_MUL || kind == SYNTAX_DIV ||
         kind == SYNTAX_POW;
}

checked expressions_combine(checker *c, const syntax_expr *e, const checked *a, const checked *b)
{
  static const model_expr_kind kinds[] = {
      [SYNTAX_ADD] = EXPR_ADD, [SYNTAX_SUB] = EXPR_SUB, [SYNTAX_MUL] = EXPR_MUL,
      [SYNTAX_DIV] = EXPR_DIV, [SYNTAX_POW] = EXPR_POW,
  };
  return expressions_operation(c, kinds[e->kind], e->where, a, b);
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

static checked binary(checker *c, const syntax_expr *e, const bound *inner)
{
  int n = 0;
  const syntax_expr **chain = expressions_chain(c, e, is_binary, &n);
  const syntax_expr *leaf = chain[n];
  if (chain[n - 1]->kind == SYNTAX_POW && vectors_set(c, leaf, inner)) {
    diagnostics_error(c->d, chain[n - 1]->where,
                      "a vector has no powers: its square is written dot(u, u)");
    return failed;
  }
  checked result = expressions_check(c, leaf, inner);
  while (n-- > 0) {
    checked right = expressions_check(c, chain[n]->b, inner);
    result = expressions_combine(c, chain[n], &result, &right);
  }
  return result;
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

static checked repeated(checker *c, const syntax_expr *e, const bound *inner)
{
  scope_binders binders;
  if (!scope_binders_check(c, &e->binders, inner, 0, &binders)) {
    return failed;
  }
  checked body = expressions_check(c, e->a, binders.inner);
  return expressions_sum(c, e->kind == SYNTAX_SUM ? EXPR_SUM : EXPR_PRODUCT, &binders, &body,
                         e->where);
}

/* One of two values is 0, a sum over nothing, and is never evaluated where it does not count. */
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

static checked choice(checker *c, const syntax_expr *e, const bound *inner)
{
  const model_condition *condition = indices_condition(c, e->binders.condition, inner);
  checked a = expressions_check(c, e->a, inner);
  checked b = expressions_check(c, e->b, inner);
  return expressions_choice(c, e, condition, &a, &b);
}

static checked bracket(checker *c, const syntax_expr *e, const bound *inner)
{
  unsigned forbidden = c->forbidden;
  if (!expressions_allowed(c, e->where, USES_STATE | USES_MOMENTUM, "bracket")) {
    return failed;
  }
  /* The multipliers are functions of the state that are not known in closed form. */
  c->forbidden |= USES_MULTIPLIER;
  checked a = expressions_check(c, e->a, inner);
  checked b = expressions_check(c, e->b, inner);
  c->forbidden = forbidden;
  checked result = expressions_operation(c, EXPR_BRACKET, e->where, &a, &b);
  result.uses |= USES_STATE | USES_MOMENTUM;
  return result;
}

static checked multiplier(checker *c, const syntax_expr *e, const bound *inner)
{
  const syntax_expr *target = e->a;
  int is_name = target->kind == SYNTAX_NAME || target->kind == SYNTAX_REFERENCE;
  const declared *d = is_name ? names_find(c, target->text) : NULL;
  if (!expressions_allowed(c, e->where, USES_MULTIPLIER, "multiplier")) {
    return failed;
  }
  if (is_name && !d) {
    names_unknown(c, expressions_name_place(target), target->text, 1u << NAME_CONSTRAINT, NULL);
    return failed;
  }
  if (!d || d->kind != NAME_CONSTRAINT) {
    diagnostics_error(c->d, target->where,
                      "multiplier(...) takes a constraint, such as multiplier(length[i])");
    return failed;
  }
  checked result = references_family(c, target, EXPR_MULTIPLIER, d, inner);
  result.uses |= USES_MULTIPLIER;
  return result;
}

checked expressions_check(checker *c, const syntax_expr *e, const bound *inner)
{
  checked a;
  switch (e->kind) {
  case SYNTAX_NUMBER:
    return expressions_number(c, numbers_literal(c, e), e->where);
  case SYNTAX_PI:
    return expressions_node(c, expressions_new(c, EXPR_PI, e->where), NULL, NULL);
  case SYNTAX_NAME:
  case SYNTAX_REFERENCE:
    return references_name(c, e, inner);
  case SYNTAX_CALL:
    return calls_check(c, e, inner);
  case SYNTAX_NEG:
    a = expressions_check(c, e->a, inner);
    return expressions_operation(c, EXPR_NEG, e->where, &a, NULL);
  case SYNTAX_ADD:
  case SYNTAX_SUB:
  case SYNTAX_MUL:
  case SYNTAX_DIV:
  case SYNTAX_POW:
    return binary(c, e, inner);
  case SYNTAX_SUM:
  case SYNTAX_PRODUCT:
    return repeated(c, e, inner);
  case SYNTAX_IF:
    return choice(c, e, inner);
  case SYNTAX_COMPONENT:
    return vectors_of_call(c, e, inner);
  case SYNTAX_BRACKET:
    return bracket(c, e, inner);
  case SYNTAX_MULTIPLIER:
    return multiplier(c, e, inner);
  }
  return failed;
}
