// SPDX-License-Identifier: GPL-2.0-or-later
// index_polynomial.cpp -- polynomials in the variables of loops, to and from the index trees of the
// model.
#include "symbolic/parts.h"

#include <algorithm>

#include "model/index_nodes.h"
#include "symbolic/term_place.h"

namespace sidewinder
{

static const size_t most_terms = 64;
static const size_t most_factors = 16;

Polynomial constant(long value)
{
  Polynomial p;
  if (value != 0) {
    p[{}] = value;
  }
  return p;
}

Polynomial variable(int number)
{
  return {{{number}, 1}};
}

static void add_term(Polynomial &p, const Monomial &m, long coefficient)
{
  long &at = p[m];
  if (__builtin_add_overflow(at, coefficient, &at)) {
    throw IndexTooLarge{};
  }
  if (at == 0) {
    p.erase(m);
  }
  if (p.size() > most_terms) {
    throw IndexTooLarge{};
  }
}

static long product(long a, long b)
{
  long result = 0;
  if (__builtin_mul_overflow(a, b, &result)) {
    throw IndexTooLarge{};
  }
  return result;
}

Polynomial plus(const Polynomial &a, const Polynomial &b, long factor)
{
  Polynomial sum = a;
  for (const auto &[m, coefficient] : b) {
    add_term(sum, m, product(factor, coefficient));
  }
  return sum;
}

Polynomial times(const Polynomial &a, const Polynomial &b)
{
  Polynomial result;
  for (const auto &[m, x] : a) {
    for (const auto &[n, y] : b) {
      Monomial both(m.size() + n.size());
      std::merge(m.begin(), m.end(), n.begin(), n.end(), both.begin());
      if (both.size() > most_factors) {
        throw IndexTooLarge{};
      }
      add_term(result, both, product(x, y));
    }
  }
  return result;
}

bool is_constant(const Polynomial &p)
{
  return p.empty() || (p.size() == 1 && p.begin()->first.empty());
}

long constant_term(const Polynomial &p)
{
  const auto at = p.find({});
  return at == p.end() ? 0 : at->second;
}

int Variables::number(const void *key, const Variable &v)
{
  const auto [at, is_new] = known.insert({key, element_count(all)});
  if (is_new) {
    all.push_back(v);
  }
  return at->second;
}

int Variables::of(const model_binder *binder)
{
  Variable v;
  v.binder = binder;
  return number(binder, v);
}

int Variables::of(const model_size *size)
{
  Variable v;
  v.size = size;
  return number(size, v);
}

int Variables::twin(int number)
{
  const Variable copy = at(number);
  all.push_back(copy);
  return element_count(all) - 1;
}

// p minus a multiple of n, for mod(p, n).  A constant n reduces all coefficients; otherwise the
// multiple eliminates the leading monomial of n, if that has the coefficient 1 or -1.
static Polynomial reduced(const Polynomial &p, const Polynomial &n)
{
  if (is_constant(n)) {
    Polynomial rest;
    for (const auto &[m, coefficient] : p) {
      add_term(rest, m, model_index_modulo(coefficient, constant_term(n)));
    }
    return rest;
  }
  const auto &[leading, factor] = *n.rbegin();
  const auto found = p.find(leading);
  const bool divides = found != p.end() && (factor == 1 || factor == -1);
  return divides ? plus(p, n, product(-factor, found->second)) : p;
}

Polynomial Variables::made(model_index_kind kind, const Polynomial &a, const Polynomial &b)
{
  const Polynomial left = kind == INDEX_MOD ? reduced(a, b) : a;
  const Polynomial difference = plus(a, b, -1);
  if (kind == INDEX_MOD && is_constant(left) && is_constant(b)) {
    return constant(model_index_modulo(constant_term(left), constant_term(b)));
  }
  if (kind != INDEX_MOD && is_constant(difference)) {
    return (constant_term(difference) < 0) == (kind == INDEX_MIN) ? a : b;
  }
  return kept(kind, nullptr, left, b);
}

Polynomial Variables::entry(const model_indices *indices, const Polynomial &at)
{
  return kept(INDEX_ENTRY, indices, at, {});
}

// The variable of this function value; a new variable on its first occurrence.
Polynomial Variables::kept(model_index_kind kind, const model_indices *indices,
                           const Polynomial &left, const Polynomial &right)
{
  const auto [at, is_new] =
      known_made.insert({{static_cast<int>(kind), indices, left, right}, element_count(all)});
  if (is_new) {
    Variable v;
    v.kind = kind;
    v.indices = indices;
    v.left = left;
    v.right = right;
    all.push_back(v);
  }
  return variable(at->second);
}

Polynomial Variables::substitute(const Polynomial &p, const Substitution &by)
{
  Polynomial result;
  for (const auto &[m, coefficient] : p) {
    Polynomial term = constant(coefficient);
    for (const int v : m) {
      const auto found = by.find(v);
      if (found != by.end()) {
        term = times(term, found->second);
      } else if (is_made(v)) {
        const Variable function = at(v);
        const Polynomial left = substitute(function.left, by);
        term = times(term, function.indices
                               ? entry(function.indices, left)
                               : made(function.kind, left, substitute(function.right, by)));
      } else {
        term = times(term, variable(v));
      }
    }
    result = plus(result, term);
  }
  return result;
}

void Variables::collect(const Polynomial &p, std::set<int> &binders) const
{
  for (const auto &[m, unused] : p) {
    for (const int v : m) {
      if (binder(v)) {
        binders.insert(v);
      } else if (is_made(v)) {
        collect(left(v), binders);
        collect(right(v), binders);
      }
    }
  }
}

bool Variables::stands_alone(int v, const Polynomial &p) const
{
  Polynomial others = p;
  std::set<int> binders;
  const auto own = p.find({v});
  if (own == p.end() || (own->second != 1 && own->second != -1)) {
    return false;
  }
  others.erase({v});
  collect(others, binders);
  return binders.count(v) == 0;
}

static Polynomial polynomial(const model_index &index, const Environment &environment,
                             Variables &variables)
{
  const auto part = [&](const model_index *p) { return polynomial(*p, environment, variables); };
  switch (index.kind) {
  case INDEX_INTEGER:
  case INDEX_LABEL:
    return constant(index.value);
  case INDEX_SIZE:
    return variable(variables.of(index.size));
  case INDEX_VARIABLE:
    return environment.empty() ? variable(variables.of(index.binder))
                               : environment[static_cast<size_t>(index.binder->slot)].value;
  case INDEX_ADD:
    return plus(part(index.a), part(index.b));
  case INDEX_SUB:
    return plus(part(index.a), part(index.b), -1);
  case INDEX_MUL:
    return times(part(index.a), part(index.b));
  case INDEX_NEG:
    return plus({}, part(index.a), -1);
  case INDEX_MOD:
  case INDEX_MIN:
  case INDEX_MAX:
    return variables.made(index.kind, part(index.a), part(index.b));
  case INDEX_ENTRY:
    return variables.entry(index.indices, part(index.a));
  }
  throw std::logic_error("unknown kind of index");
}

static const char *const too_large = "this index is too large once its lets are put in";

Index index_value(const model_index &index, const Environment &environment, Variables &variables)
{
  if (index.kind == INDEX_VARIABLE && !environment.empty()) {
    return environment[static_cast<size_t>(index.binder->slot)];
  }
  try {
    return {polynomial(index, environment, variables),
            index.kind == INDEX_LABEL ? index.set : nullptr};
  } catch (const IndexTooLarge &) {
    throw ModelError(index.where, too_large);
  }
}

Polynomial plain_value(const model_index &index, Variables &variables)
{
  return index_value(index, {}, variables).value;
}

// The terms in the order in which they are printed: positive terms, negative terms, the constant.
// If no variable term is positive, a positive constant comes first.
static std::vector<std::pair<Monomial, long>> written(const Polynomial &p)
{
  std::vector<std::pair<Monomial, long>> terms(p.begin(), p.end());
  const bool adds = std::any_of(terms.begin(), terms.end(), [](const auto &term) {
    return !term.first.empty() && term.second > 0;
  });
  const auto rank = [&](const std::pair<Monomial, long> &term) {
    if (term.first.empty()) {
      return !adds && term.second > 0 ? 0 : 3;
    }
    return term.second > 0 ? 1 : 2;
  };
  std::stable_sort(terms.begin(), terms.end(),
                   [&](const auto &a, const auto &b) { return rank(a) < rank(b); });
  return terms;
}

static const model_index *variable_tree(arena *a, int v, const Variables &variables, span where)
{
  if (const model_indices *indices = variables.indices(v)) {
    const Index at{variables.left(v), indices->set->is_range ? nullptr : indices->set};
    return indices_entry(a, indices, index_tree(a, at, variables, where), where);
  }
  if (variables.is_made(v)) {
    return indices_operation(a, variables.kind(v),
                             index_tree(a, {variables.left(v)}, variables, where),
                             index_tree(a, {variables.right(v)}, variables, where), where);
  }
  return variables.size(v) ? indices_size(a, variables.size(v), where)
                           : indices_variable(a, variables.binder(v), where);
}

// The absolute value of a term.
static const model_index *term_tree(arena *a, const Monomial &m, long coefficient,
                                    const Variables &variables, span where)
{
  const model_index *tree = nullptr;
  if (m.empty() || (coefficient != 1 && coefficient != -1)) {
    tree = indices_integer(a, coefficient < 0 ? product(-1, coefficient) : coefficient, where);
  }
  for (const int v : m) {
    const model_index *factor = variable_tree(a, v, variables, where);
    tree = tree ? indices_operation(a, INDEX_MUL, tree, factor, where) : factor;
  }
  return tree;
}

const model_index *index_tree(arena *a, const Index &index, const Variables &variables, span where)
{
  if (is_constant(index.value)) {
    const long value = constant_term(index.value);
    return index.labels ? indices_label(a, index.labels, value, where)
                        : indices_integer(a, value, where);
  }
  const model_index *tree = nullptr;
  for (const auto &[m, coefficient] : written(index.value)) {
    const model_index *term = term_tree(a, m, coefficient, variables, where);
    if (tree) {
      tree = indices_operation(a, coefficient < 0 ? INDEX_SUB : INDEX_ADD, tree, term, where);
    } else {
      tree = coefficient < 0 ? indices_operation(a, INDEX_NEG, term, nullptr, where) : term;
    }
  }
  return tree;
}

std::string index_text(arena *a, const Index &index, const Variables &variables)
{
  return text_index(a, index_tree(a, index, variables, {0, 0}), 0);
}

/* ---- Conditions of loops; comparisons of constants are evaluated ---- */

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

Filter condition_value(const model_condition *c, const Environment &environment,
                       Variables &variables)
{
  if (!c) {
    return {};
  }
  if (c->left) {
    const Index left = index_value(*c->left, environment, variables);
    const Index right = index_value(*c->right, environment, variables);
    try {
      return compared(c->kind, left, right);
    } catch (const IndexTooLarge &) {
      throw ModelError(c->left->where, too_large);
    }
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

// Searches for a choice of one part of each 'or' without a contradiction, beside the bounds in the
// list.  `left` counts the combinations left to try.
static bool has_choice(const std::vector<ConditionPointer> &conditions, std::vector<Bound> list,
                       const Substitution &by, Variables &variables, int &left)
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
      possible = possible || has_choice(next, list, by, variables, left);
    }
    if (!possible || !alone) {
      return possible;
    }
  }
  return true;
}

bool may_hold_together(const std::vector<ConditionPointer> &conditions, const Substitution &by,
                       Variables &variables)
{
  int left = 256;
  return has_choice(conditions, {}, by, variables, left);
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

std::vector<ConditionPointer> alternatives(const ConditionPointer &c, const std::set<int> &loops,
                                           Variables &variables, size_t most)
{
  std::vector<ConditionPointer> all;
  add_parts(c, CONDITION_AND, all);
  const auto is_bound = [&](const ConditionPointer &part) {
    return bounds(part, loops, variables);
  };
  for (size_t i = 0; i < all.size(); i++) {
    std::vector<ConditionPointer> parts;
    add_parts(all[i], CONDITION_OR, parts);
    if (parts.size() < 2 || parts.size() > most ||
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
      for (ConditionPointer one : alternatives(chosen, loops, variables, most / parts.size())) {
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

} // namespace sidewinder
