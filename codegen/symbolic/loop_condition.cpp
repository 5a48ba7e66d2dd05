// SPDX-License-Identifier: GPL-2.0-or-later
// loop_condition.cpp -- conditions of loops; comparisons of constants are evaluated.
#include <algorithm>

#include "symbolic/index_polynomial.h"
#include "symbolic/term_place.h"

namespace sidewinder
{

static ConditionPointer node(model_condition_kind kind, const ConditionPointer &a,
                             const ConditionPointer &b)
{
  return std::make_shared<const Condition>(Condition{kind, {}, {}, a, b});
}

Filter compared(model_condition_kind kind, const Index &left, const Index &right)
{
  const Polynomial difference = plus(left.value, right.value, -1);
  if (is_constant(difference)) {
    return {nullptr, model_condition_holds(kind, constant_term(difference)) == 0};
  }
  return {std::make_shared<const Condition>(Condition{kind, left, right, nullptr, nullptr})};
}

static Filter comparison(const model_condition &c, const Environment &environment,
                         Variables &variables)
{
  const Index left = index_value(*c.left, environment, variables);
  const Index right = index_value(*c.right, environment, variables);
  try {
    return compared(c.kind, left, right);
  } catch (const IndexTooLarge &) {
    throw ModelError(c.left->where, "this index is too large once its lets are put in");
  }
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
    return {negated(a.condition)};
  }
  Filter b = condition_value(c->b, environment, variables);
  const bool b_always = !b.never && !b.condition;
  if (c->kind == CONDITION_AND) {
    return both(a, b);
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

Filter both(const Filter &a, const Filter &b)
{
  return {both(a.condition, b.condition), a.never || b.never};
}

bool same(const ConditionPointer &a, const ConditionPointer &b)
{
  if (a == b) {
    return true;
  }
  return a && b && a->kind == b->kind && a->left == b->left && a->right == b->right &&
         same(a->a, b->a) && same(a->b, b->b);
}

ConditionPointer substitute(const ConditionPointer &c, const Substitution &by, Variables &variables)
{
  if (!c) {
    return c;
  }
  Condition result = *c;
  result.left.value = variables.substitute(c->left.value, by);
  result.right.value = variables.substitute(c->right.value, by);
  result.a = substitute(c->a, by, variables);
  result.b = substitute(c->b, by, variables);
  return std::make_shared<const Condition>(result);
}

ConditionPointer negated(const ConditionPointer &c)
{
  Condition result = *c;
  result.kind = model_condition_opposite(c->kind);
  if (c->a) {
    result.a = negated(c->a);
    result.b = negated(c->b);
  }
  return std::make_shared<const Condition>(result);
}

Filter between(const Index &at, const Polynomial &lower, const Polynomial &upper)
{
  return both(compared(CONDITION_GE, at, {lower}), compared(CONDITION_LE, at, {upper}));
}

void collect(const ConditionPointer &c, const Variables &variables, std::set<int> &binders)
{
  if (c) {
    variables.collect(c->left.value, binders);
    variables.collect(c->right.value, binders);
    collect(c->a, variables, binders);
    collect(c->b, variables, binders);
  }
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

// p <= bound, or p != bound if `apart`.  p has no constant term.
struct Bound {
  Polynomial p;
  long bound;
  bool apart;
};

static void add_bound(const Polynomial &p, long slack, bool apart, std::vector<Bound> &list)
{
  const long number = constant_term(p);
  list.push_back({plus(p, constant(number), -1),
                  constant_term(plus(constant(-slack), constant(number), -1)), apart});
}

// Lists the bounds of all comparisons that must hold, and the 'or' conditions in `choices`.
// Returns false if a comparison is false.
static bool collect(const ConditionPointer &c, const Substitution &by, Variables &variables,
                    std::vector<Bound> &list, std::vector<ConditionPointer> &choices)
{
  if (!c) {
    return true;
  }
  if (c->kind == CONDITION_OR) {
    choices.push_back(c);
    return true;
  }
  if (c->kind == CONDITION_AND) {
    return collect(c->a, by, variables, list, choices) &&
           collect(c->b, by, variables, list, choices);
  }
  const Polynomial difference = variables.substitute(plus(c->left.value, c->right.value, -1), by);
  const Polynomial opposite = plus({}, difference, -1);
  if (is_constant(difference)) {
    return model_condition_holds(c->kind, constant_term(difference)) != 0;
  }
  const bool strict = c->kind == CONDITION_LT || c->kind == CONDITION_GT;
  if (c->kind == CONDITION_LT || c->kind == CONDITION_LE || c->kind == CONDITION_EQ) {
    add_bound(difference, strict ? 1 : 0, false, list);
  }
  if (c->kind == CONDITION_GT || c->kind == CONDITION_GE || c->kind == CONDITION_EQ) {
    add_bound(opposite, strict ? 1 : 0, false, list);
  }
  if (c->kind == CONDITION_NE) {
    add_bound(difference, 0, true, list);
    add_bound(opposite, 0, true, list);
  }
  return true;
}

// Finds p <= a and -p <= b with a + b < 0, or with a + b = 0 and p != a.
static bool contradict(const std::vector<Bound> &list)
{
  for (const Bound &a : list) {
    for (const Bound &b : list) {
      if (a.apart || b.apart || !plus(a.p, b.p).empty()) {
        continue;
      }
      const long room = constant_term(plus(constant(a.bound), constant(b.bound)));
      if (room < 0) {
        return true;
      }
      if (room == 0 && std::any_of(list.begin(), list.end(), [&](const Bound &c) {
            return c.apart && c.bound == a.bound && c.p == a.p;
          })) {
        return true;
      }
    }
  }
  return false;
}

static void add_parts(const ConditionPointer &c, model_condition_kind kind,
                      std::vector<ConditionPointer> &parts)
{
  if (c && c->kind == kind) {
    add_parts(c->a, kind, parts);
    add_parts(c->b, kind, parts);
  } else if (c) {
    parts.push_back(c);
  }
}

namespace
{

// Searches for a choice of one part of each 'or' without a contradiction.
class Choices
{
public:
  Choices(const Substitution &values, Variables &v) : by(values), variables(v) {}

  bool may_hold(const std::vector<ConditionPointer> &conditions, std::vector<Bound> list);

private:
  const Substitution &by;
  Variables &variables;
  int left = 256; // combinations left to try
};

bool Choices::may_hold(const std::vector<ConditionPointer> &conditions, std::vector<Bound> list)
{
  std::vector<ConditionPointer> choices;
  for (const ConditionPointer &c : conditions) {
    if (!collect(c, by, variables, list, choices)) {
      return false;
    }
  }
  if (contradict(list)) {
    return false;
  }
  // Chooses a part of one 'or', and recurses for the others.  When no combinations are left, each
  // 'or' is tested by itself.
  for (size_t i = 0; i < choices.size(); i++) {
    std::vector<ConditionPointer> parts;
    add_parts(choices[i], CONDITION_OR, parts);
    const bool alone = left <= 0;
    bool possible = false;
    for (const ConditionPointer &part : parts) {
      std::vector<ConditionPointer> next{part};
      if (!alone) {
        next.insert(next.end(), choices.begin() + static_cast<long>(i) + 1, choices.end());
      }
      left--;
      possible = possible || may_hold(next, list);
    }
    if (!possible || !alone) {
      return possible;
    }
  }
  return true;
}

} // namespace

bool may_hold_together(const std::vector<ConditionPointer> &conditions, const Substitution &by,
                       Variables &variables)
{
  return Choices(by, variables).may_hold(conditions, {});
}

// Whether a comparison that must hold bounds one of the loop variables.
static bool bounds(const ConditionPointer &c, const std::set<int> &loops,
                   const Variables &variables)
{
  std::vector<ConditionPointer> parts;
  add_parts(c, CONDITION_AND, parts);
  return std::any_of(parts.begin(), parts.end(), [&](const ConditionPointer &part) {
    if (part->a || part->kind == CONDITION_NE) {
      return false;
    }
    const Polynomial difference = plus(part->left.value, part->right.value, -1);
    return std::any_of(loops.begin(), loops.end(),
                       [&](int v) { return variables.stands_alone(v, difference); });
  });
}

// As alternatives(), with at most `room` parts.
static std::vector<ConditionPointer> taken_apart(const ConditionPointer &c,
                                                 const std::set<int> &loops, size_t room,
                                                 Variables &variables)
{
  std::vector<ConditionPointer> all;
  add_parts(c, CONDITION_AND, all);
  const auto is_bound = [&](const ConditionPointer &part) {
    return bounds(part, loops, variables);
  };
  for (size_t i = 0; i < all.size(); i++) {
    std::vector<ConditionPointer> parts;
    add_parts(all[i], CONDITION_OR, parts);
    if (parts.size() < 2 || parts.size() > room ||
        !std::all_of(parts.begin(), parts.end(), is_bound)) {
      continue;
    }
    std::vector<ConditionPointer> result;
    for (size_t j = 0; j < parts.size(); j++) {
      all[i] = parts[j];
      ConditionPointer chosen;
      for (const ConditionPointer &part : all) {
        chosen = both(chosen, part);
      }
      for (ConditionPointer one : taken_apart(chosen, loops, room / parts.size(), variables)) {
        for (size_t k = 0; k < j; k++) {
          one = may_hold_together({one, parts[k]}, {}, variables) ? both(one, negated(parts[k]))
                                                                  : one;
        }
        if (may_hold_together({one}, {}, variables)) {
          result.push_back(one);
        }
      }
    }
    return result;
  }
  return {c};
}

std::vector<ConditionPointer> alternatives(const ConditionPointer &c, const std::set<int> &loops,
                                           Variables &variables)
{
  static const size_t most = 16;
  return taken_apart(c, loops, most, variables);
}

} // namespace sidewinder
