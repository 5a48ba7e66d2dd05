// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/running.h"

#include <algorithm>
#include <climits>

namespace sidewinder
{

// Each sum is the previous one plus a term, except every 64th, which is a base plus 64 terms.  This
// bounds the length of chains of sums.
static const size_t most_behind = 64;

// ---- the variables that a sum reads ----

static void add_index(const model_index *index, std::set<int> &slots)
{
  if (!index) {
    return;
  }
  if (index->kind == INDEX_VARIABLE) {
    slots.insert(index->binder->slot);
  }
  add_index(index->a, slots);
  add_index(index->b, slots);
}

static void add_condition(const model_condition *c, std::set<int> &slots)
{
  if (c) {
    add_index(c->left, slots);
    add_index(c->right, slots);
    add_condition(c->a, slots);
    add_condition(c->b, slots);
  }
}

static void forget(int n, const model_binder *const binders[], std::set<int> &slots)
{
  for (int j = 0; j < n; j++) {
    slots.erase(binders[j]->slot);
  }
}

// Adds the slots of the outer variables that e reads.  Returns false if e reads a real argument of
// an enclosing let, or depends on more than parameters and indices.
static bool add_slots(const model_expr &e, std::set<int> &slots)
{
  std::set<int> own;
  switch (e.kind) {
  case EXPR_ARGUMENT:
  case EXPR_HAMILTONIAN:
  case EXPR_LAGRANGIAN:
  case EXPR_VELOCITY:
  case EXPR_CONSTRAINT:
  case EXPR_BRACKET:
  case EXPR_MULTIPLIER:
    return false;
  case EXPR_LET: {
    for (int i = 0; i < e.let->n_arguments; i++) {
      add_index(e.arguments[i].index, slots);
      if (!e.arguments[i].index && !add_slots(*e.arguments[i].value, slots)) {
        return false;
      }
    }
    add_slots(*e.let->body, own); // the let's own arguments are resolved here
    forget(e.let->n_arguments, e.let->arguments, own);
    break;
  }
  case EXPR_SUM:
  case EXPR_PRODUCT:
    if (!add_slots(*e.a, own)) {
      return false;
    }
    add_condition(e.condition, own);
    for (int j = 0; j < e.n_binders; j++) {
      add_index(e.binders[j]->set->lower, own);
      add_index(e.binders[j]->set->upper, own);
    }
    forget(e.n_binders, e.binders, own);
    break;
  default:
    for (int j = 0; j < e.n_index; j++) {
      add_index(e.index[j], slots);
    }
    return (!e.a || add_slots(*e.a, slots)) && (!e.b || add_slots(*e.b, slots));
  }
  slots.insert(own.begin(), own.end());
  return true;
}

// One bound of the range of a sum's variable.
struct End {
  const model_index *index;
  bool is_lower;
  long shift; // 1 or -1 if the bound is strict
};

// Adds the bounds that a condition sets.  Returns false if the condition has any other form.
static bool add_ends(const model_condition *c, const model_binder *own, std::vector<End> &ends)
{
  if (!c) {
    return true;
  }
  if (c->kind == CONDITION_AND) {
    return add_ends(c->a, own, ends) && add_ends(c->b, own, ends);
  }
  const bool compares = c->left && c->kind != CONDITION_EQ && c->kind != CONDITION_NE;
  if (!compares) {
    return false;
  }
  const bool own_left = c->left->kind == INDEX_VARIABLE && c->left->binder == own;
  const bool own_right = c->right->kind == INDEX_VARIABLE && c->right->binder == own;
  const model_index *other = own_left ? c->right : c->left;
  std::set<int> read;
  add_index(other, read);
  if (own_left == own_right || read.count(own->slot) > 0) {
    return false;
  }
  const bool greater = c->kind == CONDITION_GT || c->kind == CONDITION_GE;
  const bool strict = c->kind == CONDITION_GT || c->kind == CONDITION_LT;
  const bool is_lower = greater == own_left;
  ends.push_back({other, is_lower, !strict ? 0 : is_lower ? 1 : -1});
  return true;
}

// The bounds of a sum over one variable; empty for other sums.
static std::vector<End> ends_of(const model_expr &e)
{
  if (e.kind != EXPR_SUM || e.n_binders != 1 || !e.binders[0]->set->is_range) {
    return {};
  }
  const model_set &set = *e.binders[0]->set;
  std::vector<End> ends{{set.lower, true, 0}, {set.upper, false, 0}};
  return add_ends(e.condition, e.binders[0], ends) ? ends : std::vector<End>{};
}

static bool moves(const std::vector<End> &ends, bool lower)
{
  return std::any_of(ends.begin(), ends.end(), [&](const End &end) {
    return end.is_lower == lower && model_index_has(end.index, INDEX_VARIABLE);
  });
}

bool RunningSums::can_continue(const model_expr &e)
{
  const std::vector<End> ends = ends_of(e);
  if (moves(ends, true) == moves(ends, false)) {
    return false;
  }
  const auto [at, is_new] = slots.insert({&e, std::nullopt});
  std::set<int> read;
  if (is_new && add_slots(*e.a, read)) {
    forget(1, e.binders, read);
    at->second = read;
  }
  return at->second.has_value();
}

// ---- sums ----

// Returns a new symbol for a sum; other values are short enough.
ex RunningSums::named(const ex &value)
{
  if (!GiNaC::is_exactly_a<GiNaC::add>(value)) {
    return value;
  }
  definitions.emplace_back(GiNaC::realsymbol("s"), value);
  return definitions.back().first;
}

ex RunningSums::sum(const model_expr &e, const std::vector<long> &environment,
                    const std::function<ex(long)> &term)
{
  const std::vector<End> ends = ends_of(e);
  const bool forwards = !moves(ends, true);
  long first = LONG_MIN;
  long last = LONG_MAX;
  for (const End &end : ends) {
    const long value = model_index_value(end.index, environment.data()) + end.shift;
    first = end.is_lower ? std::max(first, value) : first;
    last = end.is_lower ? last : std::min(last, value);
  }
  std::vector<long> key{forwards ? first : last};
  for (const int slot : *slots.at(&e)) {
    key.push_back(environment[static_cast<size_t>(slot)]);
  }
  Chain &chain = chains[{&e, key}];
  while (last >= first && static_cast<long>(chain.sums.size()) <= last - first) {
    const long n = static_cast<long>(chain.sums.size());
    const ex next = term(forwards ? first + n : last - n);
    chain.behind.push_back(next);
    if (chain.behind.size() == most_behind) {
      chain.base = named(chain.base + GiNaC::add(chain.behind));
      chain.behind.clear();
      chain.sums.push_back(chain.base);
    } else {
      chain.sums.push_back(named(n == 0 ? next : chain.sums.back() + next));
    }
  }
  return last < first ? ex(0) : chain.sums[static_cast<size_t>(last - first)];
}

} // namespace sidewinder
