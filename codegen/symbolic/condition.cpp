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
  Filter a = condition_value(c->a, environment, variables);
  const bool a_always = !a.never && !a.condition;
  if (c->kind == CONDITION_NOT) {
    if (a.never || a_always) {
      return {nullptr, a_always};
    }
    return {node(CONDITION_NOT, a.condition, nullptr)};
  }
  Filter b = condition_value(c->b, environment, variables);
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

// p <= bound, where p has no term without variables.
struct Bound {
  Polynomial p;
  long bound;
};

static void add_bound(const Polynomial &p, long slack, std::vector<Bound> &list)
{
  const long number = constant_term(p);
  list.push_back(
      {plus(p, constant(number), -1), constant_term(plus(constant(-slack), constant(number), -1))});
}

// What the comparisons that must all hold say; false where one of them does not.
static bool collect(const ConditionPointer &c, const Substitution &by, std::vector<Bound> &list)
{
  if (!c || c->kind == CONDITION_OR || c->kind == CONDITION_NOT) {
    return true;
  }
  if (c->kind == CONDITION_AND) {
    return collect(c->a, by, list) && collect(c->b, by, list);
  }
  const Polynomial difference = substitute(plus(c->left.value, c->right.value, -1), by);
  const Polynomial opposite = plus({}, difference, -1);
  if (is_constant(difference)) {
    return holds(c->kind, constant_term(difference));
  }
  const bool strict = c->kind == CONDITION_LT || c->kind == CONDITION_GT;
  if (c->kind == CONDITION_LT || c->kind == CONDITION_LE || c->kind == CONDITION_EQ) {
    add_bound(difference, strict ? 1 : 0, list);
  }
  if (c->kind == CONDITION_GT || c->kind == CONDITION_GE || c->kind == CONDITION_EQ) {
    add_bound(opposite, strict ? 1 : 0, list);
  }
  return true;
}

bool may_hold_together(const std::vector<ConditionPointer> &conditions, const Substitution &by)
{
  std::vector<Bound> list;
  for (const ConditionPointer &c : conditions) {
    if (!collect(c, by, list)) {
      return false;
    }
  }
  for (const Bound &a : list) {
    for (const Bound &b : list) {
      const Polynomial sum = plus(a.p, b.p);
      if (sum.empty() && constant_term(plus(constant(a.bound), constant(b.bound))) < 0) {
        return false;
      }
    }
  }
  return true;
}

} // namespace sidewinder
