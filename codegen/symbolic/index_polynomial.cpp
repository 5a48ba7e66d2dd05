// SPDX-License-Identifier: GPL-2.0-or-later
// index_polynomial.cpp -- polynomials in the variables of loops, to and from the index trees of the
// model.
#include "symbolic/index_polynomial.h"
#include "symbolic/term_place.h"

#include <algorithm>

#include "model/index_nodes.h"
#include "model/index_text.h"

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
  const auto [at, is_new] = known.insert({key, static_cast<int>(all.size())});
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
  return static_cast<int>(all.size()) - 1;
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
  const auto [at, is_new] = known_made.insert(
      {{static_cast<int>(kind), indices, left, right}, static_cast<int>(all.size())});
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

Index index_value(const model_index &index, const Environment &environment, Variables &variables)
{
  if (index.kind == INDEX_VARIABLE && !environment.empty()) {
    return environment[static_cast<size_t>(index.binder->slot)];
  }
  try {
    return {polynomial(index, environment, variables),
            index.kind == INDEX_LABEL ? index.set : nullptr};
  } catch (const IndexTooLarge &) {
    throw ModelError(index.where, "this index is too large once its lets are put in");
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

} // namespace sidewinder
