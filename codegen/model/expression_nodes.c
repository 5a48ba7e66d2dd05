/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expression_nodes.c -- constructors of checked formulas from checked parts.
 */
#include "model/formula_checks.h"
#include "model/index_values.h"

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
