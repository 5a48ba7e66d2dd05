// SPDX-License-Identifier: GPL-2.0-or-later
// fibre.cpp -- the supported forms, their names, and the product of the single flows.
#include "symbolic/fibre.h"

#include <algorithm>
#include <optional>

#include "expr/expr.h"

namespace sidewinder
{

std::string fibre_summary(const std::vector<std::string> &kinds, bool several)
{
  return "closed form: " + each_once(kinds, "; ") + (several ? "; the flows commute" : "");
}

std::string fibre_numerical(const std::string &constraint)
{
  return "numerical, Gauss-Legendre of order 8, 16 or 24: no closed form for '" + constraint + "'";
}

// The flow of g(q) is p <- p - lambda g_q; the flow of g(p) is q <- q + lambda g_p.
static Single shift(const Derivatives &of, size_t i, const ex &t, bool positions)
{
  const Symbols &s = *of.symbols;
  Single result;
  result.kind = positions ? "holonomic" : "momentum only";
  for (const auto &[a, slope] : of.g_z[i]) {
    const int partner = s.partner(a);
    const ex step = t * slope;
    result.z[partner] = s.at(partner) + (positions ? -step : step);
  }
  return result;
}

// Size limit for the closed form of a flow, in nodes of its expression tree.
static constexpr int most_nodes = 20000;

static bool is_short(const ex &e, int &left)
{
  for (size_t i = 0; i < e.nops() && left > 0; i++) {
    is_short(e.op(i), left);
  }
  return --left > 0;
}

static bool is_short(const ex &e)
{
  int left = most_nodes;
  return is_short(e, left);
}

// Returns true if the formula is short, and if the nodes left for all formulas of an attempt
// suffice for it.  Subtracts its nodes from `left`.
static bool spend(const ex &e, int &left)
{
  int here = std::min(left, most_nodes);
  const int before = here;
  const bool enough = is_short(e, here);
  left -= before - here;
  return enough;
}

// The integral over s = 0..t of a polynomial f(s): the sum of f^(k)(0) t^(k+1)/(k+1)!.  The
// derivatives are not expanded, because an expanded (q - a)^3 has terms that nearly cancel.
static std::optional<ex> integral(const ex &f, const GiNaC::symbol &s, const ex &t, int &left)
{
  static constexpr unsigned most_terms = 40;
  if (!f.is_polynomial(s)) {
    return std::nullopt;
  }
  exvector parts;
  ex slope = f;
  for (unsigned k = 1; k <= most_terms && spend(slope, left); k++) {
    parts.push_back(slope.subs(s == 0) * GiNaC::pow(t, k) / GiNaC::factorial(k));
    slope = slope.diff(s);
    if (vanishes(slope)) {
      return sum_of(parts);
    }
  }
  return std::nullopt;
}

// g = f.p + c(q) with a constant f, the lift of a translation: q <- q + t f, and p <- p minus the
// integral of c_q(q + s f).  With positions and momenta exchanged, g = f.q + c(p): p <- p - t f,
// and q <- q plus the integral of c_p(p - s f).
static std::optional<Single> translation(const Derivatives &of, size_t i, const ex &t,
                                         bool positions, int &left)
{
  const Symbols &s = *of.symbols;
  const GiNaC::symbol time;
  Single result;
  result.kind = "lift of a translation";
  exmap moved;
  for (const auto &[a, slope] : of.g_z[i]) {
    if ((a < s.d) != positions) {
      const int to = s.partner(a);
      const ex &z = s.at(to);
      const ex f = a < s.d ? -expanded(slope) : expanded(slope);
      if (!s.states(f).empty()) {
        return std::nullopt;
      }
      moved[z] = z + time * f;
      result.z[to] = z + t * f;
    }
  }
  for (const auto &[a, slope] : of.g_z[i]) {
    if ((a < s.d) == positions) {
      const int to = s.partner(a);
      const auto sum = integral(replaced(slope, moved), time, t, left);
      if (!sum) {
        return std::nullopt;
      }
      result.z[to] = s.at(to) + (a < s.d ? -*sum : *sum);
    }
  }
  return result;
}

// g = l(q,p) + c(q) with a quadratic l and {l,c} = 0, such as the lift of a rotation plus an
// invariant of that rotation.  The flow is that of c (a shift), then that of l.  The case c(p) is
// treated in the same manner.
static std::optional<Single> split(const Derivatives &of, size_t i, const ex &t, bool positions)
{
  const Symbols &s = *of.symbols;
  exmap origin;
  for (int a = 0; a < s.d; a++) {
    origin[positions ? s.p(a) : s.q(a)] = 0;
  }
  ex alone;
  try {
    alone = replaced(of.g[i], origin);
  } catch (const std::exception &) {
    return std::nullopt; // a pole
  }
  Derivatives parts;
  parts.symbols = &s;
  parts.g = {expanded(of.g[i] - alone), alone};
  parts.g_z = {gradient(s, parts.g[0]), gradient(s, parts.g[1])};
  std::string unread;
  std::optional<Single> result;
  if (!parts.g_z[0].empty() && vanishes(contract(s, parts.g_z[0], parts.g_z[1]))) {
    result = quadratic_flow(parts, 0, t, unread);
  }
  if (!result) {
    return std::nullopt;
  }
  const Single first = shift(parts, 1, t, positions);
  exmap before;
  for (const auto &[a, value] : first.z) {
    before[s.at(a)] = value;
    result->z.try_emplace(a, s.at(a));
  }
  for (auto &[a, value] : result->z) {
    value = replaced(value, before);
  }
  result->kind += positions ? " and holonomic" : " and momentum only";
  return result;
}

// Nodes of all formulas that are tried for the flow of one constraint: a node of GiNaC takes about
// 100 bytes, so that these are as many bytes as another attempt has (expr.h).
static constexpr int most_tried = (IR_ATTEMPT_MIB << 20) / 100;

static std::optional<Single> single_flow(const Derivatives &of, size_t i, std::string &reason)
{
  int left = most_tried;
  const ex &t = of.symbols->lambda[i];
  for (const bool positions : {true, false}) {
    if (reads_only(*of.symbols, of.g[i], positions)) {
      return shift(of, i, t, positions);
    }
  }
  if (has_quantities(of.g[i])) {
    reason = "it reads velocities that are solved for at each state";
    return std::nullopt;
  }
  std::optional<Single> result = quadratic_flow(of, i, t, reason);
  for (const bool positions : {true, false}) {
    result = result ? result : translation(of, i, t, positions, left);
    result = result ? result : split(of, i, t, positions);
  }
  if (!result && left <= 0) {
    reason =
        "the formulas of its closed form need more than " + std::to_string(IR_ATTEMPT_MIB) + " MiB";
  }
  return result;
}

Fibre find_fibre(const Derivatives &of)
{
  const Symbols &s = *of.symbols;
  Fibre result;
  std::vector<ex> z = s.z;
  for (size_t i = 0; i < of.g.size(); i++) {
    std::string reason;
    const auto flow = single_flow(of, i, reason);
    result.kinds.push_back(flow ? flow->kind : "numerical");
    if (!flow && result.numerical < 0) {
      result.numerical = static_cast<int>(i);
      result.reason = reason;
    }
    if (result.numerical >= 0 || !of.C.empty()) {
      continue;
    }
    exmap before;
    for (const int a : s.states(of.g[i])) {
      before[s.at(a)] = z[static_cast<size_t>(a)];
    }
    for (const auto &[a, value] : flow->z) {
      before[s.at(a)] = z[static_cast<size_t>(a)];
    }
    std::vector<ex> after = z;
    for (const auto &[a, value] : flow->z) {
      after[static_cast<size_t>(a)] = replaced(value, before);
      if (result.numerical < 0 && !is_short(after[static_cast<size_t>(a)])) {
        result.numerical = static_cast<int>(i);
        result.reason = "its closed form, behind those of other constraints, is too long";
      }
    }
    z = after;
  }
  if (!of.C.empty()) {
    result.numerical = of.C.begin()->first.first;
    result.reason = "its bracket with another constraint is not 0 as an identity, so their flows "
                    "do not commute";
  }
  if (result.numerical < 0) {
    result.flow = z;
    result.summary = fibre_summary(result.kinds, result.kinds.size() > 1);
  }
  return result;
}

} // namespace sidewinder
