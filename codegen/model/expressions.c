/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expressions.c -- formulas: looks up every name and checks the kind of every index.
 *
 * ranges.c later checks that indices are in range, with lets expanded.
 */
#include "model/formula_checks.h"
#include "model/index_values.h"

static int is_binary(syntax_kind kind)
{
  return kind == SYNTAX_ADD || kind == SYNTAX_SUB || kind == SYNTAX_MUL || kind == SYNTAX_DIV ||
         kind == SYNTAX_POW;
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

static checked expressions_bracket(checker *c, const syntax_expr *e, const bound *inner)
{
  unsigned forbidden = c->forbidden;
  if (!expressions_allowed(c, e->where, USES_STATE | USES_MOMENTUM, "bracket")) {
    return failed;
  }
  /* Multipliers are functions of the state without a closed form, and impulses are functions of a
   * step, so they have no bracket. */
  c->forbidden |= USES_LAMBDA;
  checked a = expressions_check(c, e->a, inner);
  checked b = expressions_check(c, e->b, inner);
  c->forbidden = forbidden;
  checked result = expressions_operation(c, EXPR_BRACKET, e->where, &a, &b);
  result.uses |= USES_STATE | USES_MOMENTUM;
  return result;
}

/* multiplier(c) or impulse(c). */
static checked expressions_lambda(checker *c, const syntax_expr *e, const bound *inner)
{
  const int is_impulse = e->kind == SYNTAX_IMPULSE;
  const char *word = is_impulse ? "impulse" : "multiplier";
  const unsigned uses = is_impulse ? USES_IMPULSE : USES_MULTIPLIER;
  const syntax_expr *target = e->a;
  int is_name = target->kind == SYNTAX_NAME || target->kind == SYNTAX_REFERENCE;
  const declared *d = is_name ? names_find(c, target->text) : NULL;
  if (!expressions_allowed(c, e->where, uses, word)) {
    return failed;
  }
  if (is_name && !d) {
    names_unknown(c, expressions_name_place(target), target->text, 1u << NAME_CONSTRAINT, NULL);
    return failed;
  }
  if (!d || d->kind != NAME_CONSTRAINT) {
    diagnostics_error(c->d, target->where, "%s(...) takes a constraint, such as %s(length[i])",
                      word, word);
    return failed;
  }
  checked result =
      references_family(c, target, is_impulse ? EXPR_IMPULSE : EXPR_MULTIPLIER, d, inner);
  result.uses |= uses;
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
    return vectors_repeated(c, e, inner, NULL);
  case SYNTAX_IF:
    return vectors_choice(c, e, inner, NULL);
  case SYNTAX_COMPONENT:
    return vectors_of_call(c, e, inner);
  case SYNTAX_BRACKET:
    return expressions_bracket(c, e, inner);
  case SYNTAX_MULTIPLIER:
  case SYNTAX_IMPULSE:
    return expressions_lambda(c, e, inner);
  }
  return failed;
}
