// SPDX-License-Identifier: GPL-2.0-or-later
// sharing.cpp -- equations between indices.
#include "symbolic/sharing.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "symbolic/unroll.h"

namespace sidewinder
{

// Integer equations p = 0 in the variables of loops, solved as far as substitution goes.
class Equations
{
public:
  Equations(LoopModel &m, std::vector<Polynomial> list) : world(m), rest(std::move(list)) {}

  // False where no values of the variables within their sets can satisfy all of them and the conditions.
  bool may_hold(const std::vector<ConditionPointer> &conditions);
  // p with what is known put in.
  Polynomial known(const Polynomial &p) const { return substitute(p, solution); }

private:
  LoopModel &world;
  std::vector<Polynomial> rest;
  Substitution solution;

  bool solve_one();
  std::optional<int> unknown(const Polynomial &p) const;
  Polynomial bound(const model_set &set, bool upper);
  Polynomial extreme(const Polynomial &p, bool upper);
  bool in_range(int v);
};

// The greatest common divisor of the coefficients of terms with a variable; 0 where there is none.
static long common_factor(const Polynomial &p)
{
  long common = 0;
  for (const auto &[m, coefficient] : p) {
    common = m.empty() ? common : std::gcd(common, coefficient);
  }
  return common;
}

// A number that divides every term with a variable must divide the one without.
static bool divisible(const Polynomial &p)
{
  const long common = common_factor(p);
  return common == 0 ? p.empty() : constant_term(p) % common == 0;
}

// A variable of a loop that stands in p once, with the coefficient 1 or -1.
std::optional<int> Equations::unknown(const Polynomial &p) const
{
  for (const auto &[m, coefficient] : p) {
    if (m.size() != 1 || (coefficient != 1 && coefficient != -1) || !world.variables.binder(m[0])) {
      continue;
    }
    int occurrences = 0;
    for (const auto &[other, unused] : p) {
      occurrences += static_cast<int>(std::count(other.begin(), other.end(), m[0]));
    }
    if (occurrences == 1) {
      return m[0];
    }
  }
  return std::nullopt;
}

bool Equations::solve_one()
{
  for (size_t i = 0; i < rest.size(); i++) {
    const long common = common_factor(rest[i]);
    if (common > 1 && divisible(rest[i])) {
      for (auto &[m, coefficient] : rest[i]) {
        coefficient /= common;
      }
    }
    const auto v = unknown(rest[i]);
    if (!v) {
      continue;
    }
    const long sign = rest[i].at({*v});
    const Substitution step{{*v, plus(variable(*v), rest[i], -sign)}};
    rest.erase(rest.begin() + static_cast<long>(i));
    for (Polynomial &p : rest) {
      p = substitute(p, step);
    }
    for (auto &[old, value] : solution) {
      value = substitute(value, step);
    }
    solution.insert(*step.begin());
    return true;
  }
  return false;
}

Polynomial Equations::bound(const model_set &set, bool upper)
{
  if (!set.is_range) {
    return constant(upper ? set.count - 1 : 0);
  }
  return index_value(upper ? *set.upper : *set.lower, {}, world.variables).value;
}

// A bound of p, by those of the variables that stand in it once and alone.
Polynomial Equations::extreme(const Polynomial &p, bool upper)
{
  Polynomial result = p;
  for (const auto &[m, coefficient] : p) {
    if (m.size() != 1 || !world.variables.binder(m[0])) {
      continue;
    }
    const Polynomial end = bound(*world.variables.binder(m[0])->set, upper == (coefficient > 0));
    result = plus(plus(result, variable(m[0]), -coefficient), end, coefficient);
  }
  return result;
}

bool Equations::in_range(int v)
{
  const model_set &set = *world.variables.binder(v)->set;
  const Polynomial below =
      plus(extreme(solution.at(v), true), bound(set, false), -1); // must not be negative
  const Polynomial above = plus(extreme(solution.at(v), false), bound(set, true), -1);
  return !(is_constant(below) && constant_term(below) < 0) &&
         !(is_constant(above) && constant_term(above) > 0);
}

bool Equations::may_hold(const std::vector<ConditionPointer> &conditions)
{
  try {
    while (solve_one()) {
    }
    for (const Polynomial &p : rest) {
      if (!divisible(p)) {
        return false;
      }
    }
    for (const auto &[v, unused] : solution) {
      if (!in_range(v)) {
        return false;
      }
    }
    return may_hold_together(conditions, solution);
  } catch (const IndexTooLarge &) {
    return true;
  }
}

// One equation for each dimension; nothing where one of them is plainly wrong.
static std::optional<std::vector<Polynomial>> differences(const Site &a, const Site &b)
{
  std::vector<Polynomial> result;
  if (a.coordinate != b.coordinate) {
    return std::nullopt;
  }
  for (size_t j = 0; j < a.index.size(); j++) {
    result.push_back(plus(a.index[j].value, b.index[j].value, -1));
    if (is_constant(result.back()) && constant_term(result.back()) != 0) {
      return std::nullopt;
    }
  }
  return result;
}

static void add_twins(LoopModel &m, const Polynomial &p, Substitution &twins)
{
  for (const auto &[factors, unused] : p) {
    for (const int v : factors) {
      if (m.variables.binder(v) && twins.find(v) == twins.end()) {
        twins[v] = variable(m.variables.twin(v));
      }
    }
  }
}

static void add_twins(LoopModel &m, const ConditionPointer &c, Substitution &twins)
{
  if (c) {
    add_twins(m, c->left.value, twins);
    add_twins(m, c->right.value, twins);
    add_twins(m, c->a, twins);
    add_twins(m, c->b, twins);
  }
}

// The family with variables of its own.
static Reach twin(LoopModel &m, const Reach &family, Substitution &twins)
{
  Reach result = family;
  for (Site &site : result.sites) {
    for (Index &index : site.index) {
      add_twins(m, index.value, twins);
      index.value = substitute(index.value, twins);
    }
    add_twins(m, site.condition, twins);
    site.condition = substitute(site.condition, twins);
  }
  return result;
}

// Whether the equations force the binders of two instances of the family to be the same.
static bool binds_alike(LoopModel &m, const Reach &family, const Substitution &twins,
                        const Equations &equations)
{
  for (int j = 0; j < family.family->n_binders; j++) {
    const int v = m.variables.of(family.family->binders[j]);
    const auto other = twins.find(v);
    if (other == twins.end() || equations.known(variable(v)) != equations.known(other->second)) {
      return false;
    }
  }
  return true;
}

static std::string sharing_text(LoopModel &m, const Reach &a, const Reach &b, const Site &shared)
{
  const std::string first = a.family->name;
  const std::string second = b.family->name;
  const std::string entry = shared.coordinate->name + indices_text(shared.index, m.variables);
  const std::string who = a.family == b.family
                              ? "two instances of constraint '" + first + "' can share '"
                              : "constraints '" + first + "' and '" + second + "' can share '";
  return who + entry + "' and its momentum, and then may not commute";
}

// The sentence about the first entry that two different instances can share, "" where there is none.
static std::string shared_by(LoopModel &m, const Reach &a, const Reach &b, const Reach &b_twin,
                             const Substitution &twins)
{
  for (const Site &x : a.sites) {
    for (const Site &y : b_twin.sites) {
      const auto list = differences(x, y);
      if (!list) {
        continue;
      }
      Equations equations(m, *list);
      if (equations.may_hold({x.condition, y.condition}) &&
          !(a.family == b.family && binds_alike(m, a, twins, equations))) {
        return sharing_text(m, a, b, x);
      }
    }
  }
  return "";
}

std::vector<Sharing> find_sharing(LoopModel &m, const std::vector<Reach> &families)
{
  std::vector<Sharing> result;
  for (size_t j = 0; j < families.size(); j++) {
    Substitution twins;
    const Reach &b = families[j];
    const Reach b_twin = twin(m, b, twins);
    for (size_t i = 0; i <= j; i++) {
      const Reach &a = families[i];
      const bool shift = a.fibre == IR_FIBRE_SHIFT_P || a.fibre == IR_FIBRE_SHIFT_Q;
      const bool alike = a.fibre == b.fibre && shift;
      const std::string text = alike ? "" : shared_by(m, a, b, b_twin, twins);
      if (!text.empty()) {
        result.push_back({i, j, text});
      }
    }
  }
  return result;
}

std::pair<int, int> coinciding_sites(LoopModel &m, const Reach &family)
{
  for (size_t i = 0; i < family.sites.size(); i++) {
    for (size_t j = 0; j < i; j++) {
      const Site &x = family.sites[i];
      const Site &y = family.sites[j];
      const auto list = differences(x, y);
      if (list && Equations(m, *list).may_hold({x.condition})) {
        return {static_cast<int>(j), static_cast<int>(i)};
      }
    }
  }
  return {-1, -1};
}

} // namespace sidewinder
