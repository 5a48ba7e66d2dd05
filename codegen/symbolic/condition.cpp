// SPDX-License-Identifier: GPL-2.0-or-later
// condition.cpp -- conditions of loops, with what is known in them decided.
#include <stdexcept>

#include "symbolic/index.h"
#include "symbolic/unroll.h"

namespace sidewinder
{

static ConditionPointer node(model_condition_kind kind, const ConditionPointer &a,
                             const ConditionPointer &b)
{
  return std::make_shared<const Condition>(Condition{kind, {}, {}, a, b});
}

static bool holds(model_condition_kind kind, long difference)
{
  switch (kind) {
  case CONDITION_EQ:
    return difference == 0;
  case CONDITION_NE:
    return difference != 0;
  case CONDITION_LT:
    return difference < 0;
  case CONDITION_LE:
    return difference <= 0;
  case CONDITION_GT:
    return difference > 0;
  case CONDITION_GE:
    return difference >= 0;
  default:
    throw std::logic_error("no comparison");
  }
}

static Filter comparison(const model_condition &c, const Environment &environment,
                         Variables &variables)
{
  const Index left = index_value(*c.left, environment, variables);
  const Index right = index_value(*c.right, environment, variables);
  try {
    const Polynomial difference = plus(left.value, right.value, -1);
    if (is_constant(difference)) {
      return {nullptr, !holds(c.kind, constant_term(difference))};
    }
  } catch (const IndexTooLarge &) {
    throw ModelError(c.left->where, "this index is too large once its lets are put in");
  }
  return {std::make_shared<const Condition>(Condition{c.kind, left, right, nullptr, nullptr})};
}

Filter condition_value(const model_condition *c, const Environment &environment,
                       Variables &variables)
{
  if (!c) {
    return {};
  }
  if (c->left) {
    return comparison(*c, environment, variables);
  }
  const Filter a = condition_value(c->a, environment, variables);
  const bool a_always = !a.never && !a.condition;
  if (c->kind == CONDITION_NOT) {
    if (a.never || a_always) {
      return {nullptr, a_always};
    }
    return {node(CONDITION_NOT, a.condition, nullptr)};
  }
  const Filter b = condition_value(c->b, environment, variables);
  const bool b_always = !b.never && !b.condition;
  if (c->kind == CONDITION_AND) {
    return {both(a.condition, b.condition), a.never || b.never};
  }
  if (a.never || b_always) {
    return b;
  }
  if (b.never || a_always) {
    return a;
  }
  return {node(CONDITION_OR, a.condition, b.condition)};
}

ConditionPointer both(const ConditionPointer &a, const ConditionPointer &b)
{
  if (!a || !b) {
    return a ? a : b;
  }
  return same(a, b) ? a : node(CONDITION_AND, a, b);
}

bool same(const ConditionPointer &a, const ConditionPointer &b)
{
  if (a == b) {
    return true;
  }
  return a && b && a->kind == b->kind && a->left == b->left && a->right == b->right &&
         same(a->a, b->a) && same(a->b, b->b);
}

ConditionPointer substitute(const ConditionPointer &c, const Substitution &by)
{
  if (!c) {
    return c;
  }
  Condition result = *c;
  result.left.value = substitute(c->left.value, by);
  result.right.value = substitute(c->right.value, by);
  result.a = substitute(c->a, by);
  result.b = substitute(c->b, by);
  return std::make_shared<const Condition>(result);
}

const model_condition *condition_tree(arena *a, const ConditionPointer &c,
                                      const Variables &variables)
{
  if (!c) {
    return nullptr;
  }
  model_condition *tree = ARENA_NEW(a, model_condition);
  tree->kind = c->kind;
  if (c->a) {
    tree->a = condition_tree(a, c->a, variables);
    tree->b = condition_tree(a, c->b, variables);
  } else {
    tree->left = index_tree(a, c->left, variables, {0, 0});
    tree->right = index_tree(a, c->right, variables, {0, 0});
  }
  return tree;
}

// p - c is a number, or p + c is one: with `bound` such that c <= bound (or c != 0 where `equal` is asked).
static bool bounded_away(const Polynomial &c, long bound, const Polynomial &p)
{
  const Polynomial shift = plus(p, c, -1);
  if (is_constant(shift) && constant_term(shift) < -bound) {
    return true;
  }
  const Polynomial mirrored = plus(p, c);
  return is_constant(mirrored) && constant_term(mirrored) > bound;
}

bool excludes_zero(const ConditionPointer &c, const Polynomial &p)
{
  if (!c) {
    return false;
  }
  if (c->kind == CONDITION_AND) {
    return excludes_zero(c->a, p) || excludes_zero(c->b, p);
  }
  if (c->a) {
    return false;
  }
  const Polynomial difference = plus(c->left.value, c->right.value, -1);
  switch (c->kind) {
  case CONDITION_NE:
    return p == difference || p == plus({}, difference, -1);
  case CONDITION_LT:
    return bounded_away(difference, -1, p);
  case CONDITION_LE:
    return bounded_away(difference, 0, p);
  case CONDITION_GT:
    return bounded_away(plus({}, difference, -1), -1, p);
  case CONDITION_GE:
    return bounded_away(plus({}, difference, -1), 0, p);
  default:
    return false;
  }
}

} // namespace sidewinder
