// SPDX-License-Identifier: GPL-2.0-or-later
// fibre_quadratic.cpp -- z' = A z + b, block by block.
#include <algorithm>
#include <numeric>

#include "symbolic/fibre_single.h"

namespace sidewinder
{

using GiNaC::ex_to;
using GiNaC::exmap;
using GiNaC::exvector;

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

// Blocks up to this size are searched for A^k = 0 and A^3 = c A.
static constexpr size_t most_powers = 12;

using Dense = std::vector<exvector>;

static Dense dense(const LinearField &field, const std::vector<int> &block)
{
  Dense A(block.size(), exvector(block.size()));
  for (size_t i = 0; i < block.size(); i++) {
    for (size_t j = 0; j < block.size(); j++) {
      A[i][j] = entry(field, block[i], block[j]);
    }
  }
  return A;
}

static Dense product(const Dense &a, const Dense &b)
{
  Dense result(a.size(), exvector(a.size()));
  for (size_t i = 0; i < a.size(); i++) {
    for (size_t j = 0; j < a.size(); j++) {
      exvector parts;
      for (size_t l = 0; l < a.size(); l++) {
        if (!a[i][l].is_zero() && !b[l][j].is_zero()) {
          parts.push_back(a[i][l] * b[l][j]);
        }
      }
      result[i][j] = expanded(ex(GiNaC::add(parts)));
    }
  }
  return result;
}

static bool is_zero(const Dense &a)
{
  return std::all_of(a.begin(), a.end(), [](const exvector &row) {
    return std::all_of(row.begin(), row.end(), [](const ex &e) { return vanishes(e); });
  });
}

// c with A^3 = c A, where there is one.  A^2 then has the eigenvalue c as often as the rank of A says, so
// c is the trace of A^2 by that number: no division by more than an integer is needed.
static std::optional<ex> cube(const Dense &A, const Dense &square_of)
{
  const Dense third = product(square_of, A);
  exvector diagonal;
  for (size_t i = 0; i < A.size(); i++) {
    diagonal.push_back(square_of[i][i]);
  }
  const ex trace = expanded(ex(GiNaC::add(diagonal)));
  for (size_t rank = 1; rank <= A.size() && !vanishes(trace); rank++) {
    const ex c = trace / static_cast<int>(rank);
    bool holds = true;
    for (size_t i = 0; i < A.size() && holds; i++) {
      for (size_t j = 0; j < A.size() && holds; j++) {
        holds = vanishes(third[i][j] - c * A[i][j]);
      }
    }
    if (holds) {
      return c;
    }
  }
  return std::nullopt;
}

// z + sum_k (weight[k] A^k z + integral[k] A^k b), of which weight[0] is 0: the ones are z itself.
struct Series {
  std::vector<Dense> powers; // A, A^2, ...
  exvector weight;           // weight[k] of A^k
  exvector integral;         // integral[k] of A^k, its integral over 0..t
  const char *kind;
};

// A^n = 0: exp(t A) = sum over k < n of t^k A^k / k!.
static std::optional<Series> nilpotent(const Dense &A, const ex &t)
{
  Series result{{A}, {0, t}, {t, t * t / 2}, "nilpotent"};
  while (result.powers.size() < A.size()) {
    const Dense next = product(result.powers.back(), A);
    if (is_zero(next)) {
      return result;
    }
    result.powers.push_back(next);
    const auto k = static_cast<unsigned>(result.powers.size());
    result.weight.push_back(GiNaC::pow(t, k) / GiNaC::factorial(k));
    result.integral.push_back(GiNaC::pow(t, k + 1) / GiNaC::factorial(k + 1));
  }
  return std::nullopt;
}

// A^3 = c A: exp(t A) = 1 + S A + T A^2, as for A^2 = c, and the integral of T is (S - t)/c.
static std::optional<Series> cubic(const Dense &A, const ex &t)
{
  const Dense square_of = product(A, A);
  const std::optional<ex> c = cube(A, square_of);
  if (!c) {
    return std::nullopt;
  }
  const auto by = propagator(*c, t);
  if (!by) {
    return std::nullopt;
  }
  return Series{{A, square_of}, {0, by->S, by->T}, {t, by->T, (by->S - t) / *c}, by->kind};
}

static void move_by_series(const Symbols &s, const LinearField &field,
                           const std::vector<int> &block, const Series &by, Single &result)
{
  for (size_t i = 0; i < block.size(); i++) {
    const auto own = field.b.find(block[i]);
    exvector parts{s.z[static_cast<size_t>(block[i])]};
    if (own != field.b.end()) {
      parts.push_back(by.integral[0] * own->second);
    }
    for (size_t k = 0; k < by.powers.size(); k++) {
      for (size_t j = 0; j < block.size(); j++) {
        const ex &a = by.powers[k][i][j];
        const auto b = field.b.find(block[j]);
        parts.push_back(by.weight[k + 1] * a * s.z[static_cast<size_t>(block[j])]);
        if (b != field.b.end()) {
          parts.push_back(by.integral[k + 1] * a * b->second);
        }
      }
    }
    result.z[block[i]] = ex(GiNaC::add(parts));
  }
}

// What the block's flow is called; nothing, and the reason, where there is none.
static std::optional<std::string> move(const Symbols &s, const LinearField &field,
                                       const std::vector<int> &block, const ex &t, Single &result,
                                       std::string &reason)
{
  if (const auto c = square(field, block)) {
    if (const auto by = propagator(*c, t)) {
      move_block(s, field, block, *by, result);
      return by->kind;
    }
    reason =
        "it rotates or grows, as the sign of a parameter says; bounds such as 'in (0, inf)' would "
        "tell";
    return std::nullopt;
  }
  if (block.size() <= most_powers) {
    const Dense A = dense(field, block);
    std::optional<Series> by = nilpotent(A, t);
    by = by ? by : cubic(A, t);
    if (by) {
      move_by_series(s, field, block, *by, result);
      return by->kind;
    }
  }
  reason =
      "it is quadratic, but on a block its field A satisfies none of A^2 = c, A^3 = c A, A^k = 0";
  return std::nullopt;
}

std::optional<Single> quadratic_flow(const Derivatives &of, size_t i, const ex &t,
                                     std::string &reason)
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
    const auto kind = move(s, *field, block, t, result, reason);
    if (!kind) {
      return std::nullopt;
    }
    if (result.kind.find(*kind) == std::string::npos) {
      result.kind += std::string(result.kind == "quadratic" ? ": " : ", ") + *kind;
    }
  }
  return result;
}

} // namespace sidewinder
