// SPDX-License-Identifier: GPL-2.0-or-later
// sharing.cpp -- decides whether the indices of two instances can be equal.
#include "symbolic/sharing.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/index_form.h"
#include "model/index_nodes.h"

namespace sidewinder
{

/* ---- Equations between the indices of two instances ---- */

// Integer equations p = 0 in loop variables, solved by substitution where possible.
class Equations
{
public:
  Equations(LoopModel &m, std::vector<Polynomial> list) : world(m), rest(std::move(list)) {}

  // Returns false only if no values of the variables within their sets satisfy all equations and
  // conditions.
  bool may_hold(const std::vector<ConditionPointer> &conditions);
  // p with the solved variables substituted.
  Polynomial known(const Polynomial &p) const { return world.variables.substitute(p, solution); }

private:
  LoopModel &world;
  std::vector<Polynomial> rest;
  Substitution solution;

  bool solve_one();
  void same_remainder(Polynomial &p);
  std::optional<int> unknown(const Polynomial &p) const;
  Polynomial end_of(const model_set &set, bool upper);
  std::optional<Polynomial> bound(int v, bool upper);
  std::optional<Polynomial> extreme(const Polynomial &p, bool upper);
  bool is_below(const Polynomial &p, const Polynomial &limit);
  bool in_range(int v);
};

// The greatest common divisor of the coefficients of all terms with a variable; 0 without such
// terms.
static long common_factor(const Polynomial &p)
{
  long common = 0;
  for (const auto &[m, coefficient] : p) {
    common = m.empty() ? common : std::gcd(common, coefficient);
  }
  return common;
}

// Solvability test: the gcd of the other coefficients must divide the constant term.
static bool divisible(const Polynomial &p)
{
  const long common = common_factor(p);
  return common == 0 ? p.empty() : constant_term(p) % common == 0;
}

// A loop variable that occurs in p exactly once, with the coefficient 1 or -1.
std::optional<int> Equations::unknown(const Polynomial &p) const
{
  for (const auto &[m, unused] : p) {
    if (m.size() == 1 && world.variables.binder(m[0]) && world.variables.stands_alone(m[0], p)) {
      return m[0];
    }
  }
  return std::nullopt;
}

// Replaces mod(x, n) = mod(y, n) by x = y if |x - y| < n.
void Equations::same_remainder(Polynomial &p)
{
  if (p.size() != 2 || p.begin()->first.size() != 1 || p.rbegin()->first.size() != 1 ||
      p.begin()->second != -p.rbegin()->second) {
    return;
  }
  const int a = p.begin()->first[0];
  const int b = p.rbegin()->first[0];
  const Variables &v = world.variables;
  if (!v.is_made(a) || !v.is_made(b) || v.kind(a) != INDEX_MOD || v.kind(b) != INDEX_MOD ||
      v.right(a) != v.right(b)) {
    return;
  }
  const Polynomial difference = plus(v.left(a), v.left(b), -1);
  const Polynomial divisor = v.right(a);
  if (is_below(difference, divisor) && is_below(plus({}, difference, -1), divisor)) {
    p = difference;
  }
}

bool Equations::solve_one()
{
  for (size_t i = 0; i < rest.size(); i++) {
    same_remainder(rest[i]);
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
      p = world.variables.substitute(p, step);
    }
    for (auto &[old, value] : solution) {
      value = world.variables.substitute(value, step);
    }
    solution.insert(*step.begin());
    return true;
  }
  return false;
}

Polynomial Equations::end_of(const model_set &set, bool upper)
{
  return set.is_range ? plain_value(upper ? *set.upper : *set.lower, world.variables)
                      : constant(upper ? set.count - 1 : 0);
}

// The upper or lower bound of a variable, in sizes and other variables; nothing if it is unknown.
std::optional<Polynomial> Equations::bound(int v, bool upper)
{
  const Variables &variables = world.variables;
  if (variables.indices(v)) {
    return end_of(*variables.indices(v)->target, upper);
  }
  if (variables.is_made(v)) {
    const bool is_mod = variables.kind(v) == INDEX_MOD;
    return !is_mod
               ? std::nullopt
               : std::optional(upper ? plus(variables.right(v), constant(1), -1) : Polynomial{});
  }
  if (!variables.binder(v)) {
    return std::nullopt;
  }
  const model_set &set = *variables.binder(v)->set;
  const Polynomial end = end_of(set, upper);
  // The bounds of a dependent set contain variables that may belong to another instance.
  return set.is_dependent ? extreme(end, upper) : end;
}

// A bound of p in sizes, by the bounds of its variables; nothing if it is unknown.
std::optional<Polynomial> Equations::extreme(const Polynomial &p, bool upper)
{
  Polynomial result = p;
  for (const auto &[m, coefficient] : p) {
    if (std::all_of(m.begin(), m.end(),
                    [&](int v) { return world.variables.size(v) != nullptr; })) {
      continue;
    }
    const auto end = m.size() == 1 ? bound(m[0], upper == (coefficient > 0)) : std::nullopt;
    if (!end) {
      return std::nullopt;
    }
    result = plus(plus(result, {{m, 1}}, -coefficient), *end, coefficient);
  }
  return result;
}

// Returns true only if bounds prove p < limit for all values of the variables.
bool Equations::is_below(const Polynomial &p, const Polynomial &limit)
{
  const auto most = extreme(plus(p, limit, -1), true);
  return most && is_constant(*most) && constant_term(*most) < 0;
}

bool Equations::in_range(int v)
{
  const auto first = bound(v, false);
  const auto last = bound(v, true);
  const Polynomial &value = solution.at(v);
  return !(first && is_below(value, *first)) &&
         !(last && is_below(plus({}, value, -1), plus({}, *last, -1)));
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
    return may_hold_together(conditions, solution, world.variables);
  } catch (const IndexTooLarge &) {
    return true;
  }
}

// One equation for each dimension.  Returns nothing if the sites have different coordinates, or a
// dimension has different constants.
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

// The family with renamed variables.
static Reach twin(LoopModel &m, const Reach &family, Substitution &twins)
{
  Reach result = family;
  for (Site &site : result.sites) {
    std::set<int> binders;
    for (const Index &index : site.index) {
      m.variables.collect(index.value, binders);
    }
    collect(site.condition, m.variables, binders);
    for (const int v : binders) {
      if (twins.find(v) == twins.end()) {
        twins[v] = variable(m.variables.twin(v));
      }
    }
    for (Index &index : site.index) {
      index.value = m.variables.substitute(index.value, twins);
    }
    site.condition = substitute(site.condition, twins, m.variables);
  }
  return result;
}

// Whether the equations imply that two instances of the family are the same instance.
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
  const std::string entry = shared.coordinate->name + indices_text(shared.index, m);
  const std::string who = a.family == b.family
                              ? "two instances of constraint '" + first + "' can share '"
                              : "constraints '" + first + "' and '" + second + "' can share '";
  return who + entry + "' and its momentum, and then may not commute";
}

// A sentence about the first entry that two different instances can share; "" if there is none.
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
