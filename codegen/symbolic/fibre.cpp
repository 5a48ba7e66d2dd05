// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/fibre.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace sidewinder
{

using GiNaC::ex_to;
using GiNaC::exmap;
using GiNaC::exvector;

// The flow of one constraint, as what it adds to or makes of each entry of z.
struct Single {
  std::map<int, ex> z; // entries that change, as expressions in z and lambda_i
  std::string kind;
};

static bool reads_only(const Derivatives &of, size_t i, bool positions)
{
  const int d = of.symbols->d;
  const auto wrong = [&](int a) { return positions ? a >= d : a < d; };
  const std::vector<int> states = of.symbols->states(of.g[i]);
  return std::none_of(states.begin(), states.end(), wrong);
}

// g(q): p <- p - lambda g_q.  g(p): q <- q + lambda g_p.
static Single shift(const Derivatives &of, size_t i, bool positions)
{
  const Symbols &s = *of.symbols;
  Single result;
  result.kind = positions ? "holonomic" : "momentum only";
  for (const auto &[a, slope] : of.g_z[i]) {
    const int partner = positions ? a + s.d : a - s.d;
    const ex step = s.lambda[i] * slope;
    result.z[partner] = s.z[static_cast<size_t>(partner)] + (positions ? -step : step);
  }
  return result;
}

// X_g = A z + b for a quadratic g.
struct LinearField {
  std::map<int, std::map<int, ex>> A; // rows
  std::map<int, ex> b;
};

// Nothing where g is not quadratic in z.
static std::optional<LinearField> linear_field(const Derivatives &of, size_t i)
{
  const Symbols &s = *of.symbols;
  LinearField field;
  exmap origin;
  for (const int a : s.states(of.g[i])) {
    origin[s.z[static_cast<size_t>(a)]] = 0;
  }
  for (const auto &[a, slope_raw] : of.g_z[i]) {
    const ex slope = expanded(slope_raw);
    // X_g = (g_p, -g_q): dg/dp_a drives q_a, -dg/dq_a drives p_a.
    const int row = a < s.d ? a + s.d : a - s.d;
    const ex sign = a < s.d ? -1 : 1;
    for (const int j : s.states(slope)) {
      const ex entry = slope.diff(ex_to<GiNaC::symbol>(s.z[static_cast<size_t>(j)]));
      if (!s.states(entry).empty()) {
        return std::nullopt;
      }
      if (!vanishes(entry)) {
        field.A[row][j] = sign * entry;
      }
    }
    const ex rest = slope.subs(origin);
    if (!vanishes(rest)) {
      field.b[row] = sign * rest;
    }
  }
  return field;
}

// Sets of variables that A and its transpose connect: every block is invariant under the flow.
static std::vector<std::vector<int>> blocks(const LinearField &field, int size)
{
  std::vector<int> root(static_cast<size_t>(size));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int a) {
    while (root[static_cast<size_t>(a)] != a) {
      a = root[static_cast<size_t>(a)];
    }
    return a;
  };
  std::map<int, bool> moves;
  for (const auto &[row, entries] : field.A) {
    moves[row] = true;
    for (const auto &[column, value] : entries) {
      const int r = find(row);
      const int c = find(column);
      moves[column] = true;
      root[static_cast<size_t>(std::max(r, c))] = std::min(r, c);
    }
  }
  for (const auto &[row, value] : field.b) {
    moves[row] = true;
  }
  std::map<int, std::vector<int>> members;
  for (const auto &[a, yes] : moves) {
    members[find(a)].push_back(a);
  }
  std::vector<std::vector<int>> result;
  for (const auto &[first, block] : members) {
    result.push_back(block);
  }
  return result;
}

static ex entry(const LinearField &field, int row, int column)
{
  const auto r = field.A.find(row);
  if (r == field.A.end()) {
    return 0;
  }
  const auto e = r->second.find(column);
  return e == r->second.end() ? ex(0) : e->second;
}

// c with A^2 = c I on the block, where there is one.
static std::optional<ex> square(const LinearField &field, const std::vector<int> &block)
{
  std::optional<ex> c;
  for (const int i : block) {
    for (const int j : block) {
      exvector parts;
      for (const int l : block) {
        parts.push_back(entry(field, i, l) * entry(field, l, j));
      }
      const ex value = ex(GiNaC::add(parts));
      if (i != j ? !vanishes(value) : c && !vanishes(value - *c)) {
        return std::nullopt;
      }
      if (i == j && !c) {
        c = expanded(value);
      }
    }
  }
  return c;
}

// exp(t A) = I + (C - 1) I + S A and its integral over 0..t, S I + T A, for A^2 = c I.  Half angles keep
// C - 1 accurate, and what is added to z then has errors relative to itself: cos(wt) z would scale z by
// the rounding error of a cosine, the same in every step of a steady motion.
struct Propagator {
  ex C_minus_1, S, T; // T = (C - 1)/c, or t^2/2
  const char *kind;
};

static std::optional<Propagator> propagator(const ex &c, const ex &t)
{
  if (vanishes(c)) {
    return Propagator{0, t, t * t / 2, "shear"};
  }
  const bool grows = c.info(GiNaC::info_flags::positive);
  if (!grows && !(-c).info(GiNaC::info_flags::positive)) {
    return std::nullopt;
  }
  const ex w = GiNaC::sqrt(grows ? c : -c);
  const ex half = w * t / 2;
  const ex sine = grows ? GiNaC::sinh(half) : GiNaC::sin(half);
  const ex cosine = grows ? GiNaC::cosh(half) : GiNaC::cos(half);
  const ex double_square = 2 * sine * sine;
  return Propagator{grows ? double_square : -double_square, 2 * sine * cosine / w,
                    double_square / (w * w), grows ? "hyperbolic" : "rotation"};
}

static void move_block(const Symbols &s, const LinearField &field, const std::vector<int> &block,
                       const Propagator &by, Single &result)
{
  for (const int i : block) {
    const ex &z = s.z[static_cast<size_t>(i)];
    exvector parts{z, by.C_minus_1 * z};
    for (const int j : block) {
      const ex a = entry(field, i, j);
      const auto b = field.b.find(j);
      parts.push_back(by.S * a * s.z[static_cast<size_t>(j)]);
      if (b != field.b.end()) {
        parts.push_back((i == j ? by.S + by.T * a : by.T * a) * b->second);
      }
    }
    result.z[i] = ex(GiNaC::add(parts));
  }
}

static std::optional<Single> quadratic(const Derivatives &of, size_t i, std::string &reason)
{
  const Symbols &s = *of.symbols;
  const auto field = linear_field(of, i);
  if (!field) {
    reason =
        "it is neither holonomic, nor a function of the momenta alone, nor quadratic in (q, p)";
    return std::nullopt;
  }
  Single result;
  result.kind = "quadratic";
  for (const std::vector<int> &block : blocks(*field, 2 * s.d)) {
    const auto c = square(*field, block);
    if (!c) {
      reason = "it is quadratic, but the square of its linear field is no multiple of the identity "
               "on an invariant block";
      return std::nullopt;
    }
    const auto by = propagator(*c, s.lambda[i]);
    if (!by) {
      reason = "it is quadratic, but whether its flow rotates or grows depends on the sign of a "
               "parameter; give the parameter bounds, such as 'in (0, inf)'";
      return std::nullopt;
    }
    move_block(s, *field, block, *by, result);
    if (result.kind.find(by->kind) == std::string::npos) {
      result.kind += std::string(result.kind == "quadratic" ? ": " : ", ") + by->kind;
    }
  }
  return result;
}

static std::optional<Single> single_flow(const Derivatives &of, size_t i, std::string &reason)
{
  if (reads_only(of, i, true)) {
    return shift(of, i, true);
  }
  if (reads_only(of, i, false)) {
    return shift(of, i, false);
  }
  return quadratic(of, i, reason);
}

std::string fibre_summary(const std::vector<std::string> &kinds, bool several)
{
  std::vector<std::string> seen;
  for (const std::string &kind : kinds) {
    if (std::find(seen.begin(), seen.end(), kind) == seen.end()) {
      seen.push_back(kind);
    }
  }
  std::string text = "closed form: ";
  for (size_t i = 0; i < seen.size(); i++) {
    text += (i ? "; " : "") + seen[i];
  }
  return text + (several ? "; the flows commute" : "");
}

Fibre find_fibre(const Derivatives &of)
{
  const Symbols &s = *of.symbols;
  Fibre result;
  if (!of.C.empty()) {
    result.refused = of.C.begin()->first.first;
    result.reason =
        "its bracket with another constraint is not zero as an identity, so their flows do "
        "not commute";
    return result;
  }
  std::vector<ex> z = s.z;
  for (size_t i = 0; i < of.g.size(); i++) {
    const auto flow = single_flow(of, i, result.reason);
    if (!flow) {
      result.refused = static_cast<int>(i);
      return result;
    }
    result.kinds.push_back(flow->kind);
    exmap before;
    for (const int a : s.states(of.g[i])) {
      before[s.z[static_cast<size_t>(a)]] = z[static_cast<size_t>(a)];
    }
    for (const auto &[a, value] : flow->z) {
      before[s.z[static_cast<size_t>(a)]] = z[static_cast<size_t>(a)];
    }
    std::vector<ex> after = z;
    for (const auto &[a, value] : flow->z) {
      after[static_cast<size_t>(a)] = value.subs(before, GiNaC::subs_options::no_pattern);
    }
    z = after;
  }
  result.flow = z;
  result.summary = fibre_summary(result.kinds, result.kinds.size() > 1);
  return result;
}

} // namespace sidewinder
