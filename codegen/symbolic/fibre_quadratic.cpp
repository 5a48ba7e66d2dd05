// SPDX-License-Identifier: GPL-2.0-or-later
// fibre_quadratic.cpp -- z' = X(z) = A z + b, block by block.
#include <algorithm>
#include <set>

#include "symbolic/fibre.h"

namespace sidewinder
{

using GiNaC::ex_to;
using GiNaC::exmap;
using GiNaC::exvector;

// X_g = A z + b for a quadratic g.  The member X keeps the derivatives of g unexpanded: they have
// no terms that nearly cancel if g is written about a centre far from the origin.
struct LinearField {
  Matrix A;
  std::map<int, ex> b;
  std::map<int, ex> X;
};

// Returns nothing if g is not quadratic in z.
static std::optional<LinearField> linear_field(const Derivatives &of, size_t i)
{
  const Symbols &s = *of.symbols;
  LinearField field;
  exmap origin;
  for (const int a : s.states(of.g[i])) {
    origin[s.at(a)] = 0;
  }
  for (const auto &[a, slope_raw] : of.g_z[i]) {
    const ex slope = expanded(slope_raw);
    // X_g = (g_p, -g_q): dg/dp_a drives q_a, -dg/dq_a drives p_a.
    const int row = s.partner(a);
    const ex sign = a < s.d ? -1 : 1;
    field.X[row] = sign * slope_raw;
    for (const int j : s.states(slope)) {
      const ex entry = slope.diff(ex_to<GiNaC::symbol>(s.at(j)));
      if (!s.states(entry).empty()) {
        return std::nullopt;
      }
      if (!vanishes(entry)) {
        field.A[{row, j}] = sign * entry;
      }
    }
    const ex rest = slope.subs(origin);
    if (!vanishes(rest)) {
      field.b[row] = sign * rest;
    }
  }
  return field;
}

// The variables in blocks that A and its transpose connect.  Every block is invariant under the
// flow.
static std::vector<std::vector<int>> blocks(const LinearField &field)
{
  std::set<int> moving;
  for (const auto &[place, value] : field.A) {
    moving.insert({place.first, place.second});
  }
  for (const auto &[row, value] : field.b) {
    moving.insert(row);
  }
  return coupled_blocks(field.A, {moving.begin(), moving.end()});
}

// ---- matrices ----

static Matrix restricted(const Matrix &A, const std::vector<int> &block)
{
  Matrix result;
  for (const int i : block) {
    const Row row = row_of(A, i);
    result.insert(row.begin(), row.end());
  }
  return result;
}

static Matrix product(const Matrix &a, const Matrix &b)
{
  std::map<std::pair<int, int>, exvector> parts;
  Matrix result;
  for (const auto &[left, x] : a) {
    for (const auto &[right, y] : row_of(b, left.second)) {
      parts[{left.first, right.second}].push_back(x * y);
    }
  }
  for (const auto &[place, summands] : parts) {
    const ex value = expanded(ex(GiNaC::add(summands)));
    if (!vanishes(value)) {
      result[place] = value;
    }
  }
  return result;
}

static ex trace(const Matrix &A)
{
  exvector diagonal;
  for (const auto &[place, value] : A) {
    if (place.first == place.second) {
      diagonal.push_back(value);
    }
  }
  return expanded(ex(GiNaC::add(diagonal)));
}

// Whether A = c B.
static bool is_multiple(const Matrix &A, const ex &c, const Matrix &B)
{
  for (const Matrix *one : {&A, &B}) {
    for (const auto &[place, value] : *one) {
      const auto [i, j] = place;
      if (!vanishes(entry_at(A, i, j) - c * entry_at(B, i, j))) {
        return false;
      }
    }
  }
  return true;
}

static Matrix identity(const std::vector<int> &block)
{
  Matrix result;
  for (const int i : block) {
    result[{i, i}] = 1;
  }
  return result;
}

// The c with A^3 = c A, if there is one.  A^2 then has the eigenvalue c with the multiplicity
// rank(A), so c is the trace of A^2 divided by the rank.  No symbolic division is needed.
static std::optional<ex> cube(const Matrix &A, const Matrix &square, size_t size)
{
  const Matrix third = product(square, A);
  const ex sum = trace(square);
  for (size_t rank = 1; rank <= size && !vanishes(sum); rank++) {
    const ex c = sum / static_cast<int>(rank);
    if (is_multiple(third, c, A)) {
      return c;
    }
  }
  return std::nullopt;
}

// ---- flows ----

// S = G_1(c,t), T = G_2(c,t) and U = G_3(c,t) of symbols.h.  If A^3 = c A, exp(t A) = I + S A + T
// A^2, and its integral over 0..t is t I + T A + U A^2.  Half angles keep T accurate, so that the
// increment of z has a small relative error.  With cos(wt) z, the rounding error of the cosine
// would scale z by the same factor in every step of a steady motion.
struct Propagator {
  ex S, T, U;
  std::string kind;
};

// Divisions by numbers of this range neither overflow nor underflow.
static bool is_moderate(const ex &c)
{
  const ex size = GiNaC::abs(c.evalf());
  return GiNaC::is_a<GiNaC::numeric>(size) && size > 1e-290 && size < 1e290;
}

static Propagator propagator(const ex &c, const ex &t)
{
  const bool grows = c.info(GiNaC::info_flags::positive);
  const bool turns = (-c).info(GiNaC::info_flags::positive);
  const std::string kind = grows ? "hyperbolic" : turns ? "rotation" : "rotation or hyperbolic";
  const ex U = universal(3, c, t);
  if (!(grows || turns) || !is_moderate(c)) {
    const ex half = universal(1, c, t / 2);
    return {2 * half * universal(0, c, t / 2), 2 * half * half, U, kind};
  }
  const ex w = GiNaC::sqrt(grows ? c : -c);
  const ex half = w * t / 2;
  const ex sine = grows ? GiNaC::sinh(half) : GiNaC::sin(half);
  const ex cosine = grows ? GiNaC::cosh(half) : GiNaC::cos(half);
  return {2 * sine * cosine / w, 2 * sine * sine / (w * w), U, kind};
}

// The flow on a block is z + sum_k affine[k] A^k X(z).  If b = 0, z + sum_k linear[k] A^(k+1) z has
// fewer terms.
struct Series {
  std::vector<Matrix> powers; // A, A^2, ...
  exvector affine;
  exvector linear;
  std::string kind;
};

// A^n = 0: exp(t A) = sum over k < n of t^k A^k / k!.
static std::optional<Series> nilpotent(const Matrix &A, const Matrix &square, size_t size,
                                       const ex &t)
{
  Series result{{A, square}, {t, t * t / 2}, {t, t * t / 2}, "nilpotent"};
  while (!result.powers.back().empty()) {
    if (result.powers.size() >= size || !vanishes(trace(result.powers.back()))) {
      return std::nullopt;
    }
    result.powers.push_back(product(result.powers.back(), A));
    const auto k = static_cast<unsigned>(result.powers.size());
    result.linear.push_back(GiNaC::pow(t, k) / GiNaC::factorial(k));
  }
  result.affine = result.linear;
  return result;
}

// Size limit for the blocks in which A^k = 0 and A^3 = c A are tried.
static constexpr size_t most_powers = 12;

// Tries A^2 = c I, A^n = 0 and A^3 = c A.
static std::optional<Series> series(const LinearField &field, const std::vector<int> &block,
                                    const ex &t)
{
  const Matrix A = restricted(field.A, block);
  const Matrix square = product(A, A);
  if (square.empty()) {
    return Series{{A}, {t, t * t / 2}, {t}, "shear"};
  }
  const ex c = entry_at(square, block[0], block[0]);
  if (is_multiple(square, c, identity(block))) {
    const Propagator by = propagator(c, t);
    return Series{{A, square}, {by.S, by.T}, {by.S, by.T}, by.kind};
  }
  if (block.size() > most_powers) {
    return std::nullopt;
  }
  if (auto found = nilpotent(A, square, block.size(), t)) {
    return found;
  }
  if (const auto factor = cube(A, square, block.size())) {
    const Propagator by = propagator(*factor, t);
    return Series{{A, square}, {t, by.T, by.U}, {by.S, by.T}, by.kind};
  }
  return std::nullopt;
}

// Appends the terms of weight * (row i of the matrix) . v.
static void add_row(const ex &weight, const Matrix &matrix, int i, const std::map<int, ex> &v,
                    exvector &parts)
{
  for (const auto &[place, value] : row_of(matrix, i)) {
    const auto factor = v.find(place.second);
    if (factor != v.end()) {
      parts.push_back(weight * value * factor->second);
    }
  }
}

static void move(const Symbols &s, const LinearField &field, const std::vector<int> &block,
                 const Series &by, Single &result)
{
  std::map<int, ex> z;
  bool is_linear = true;
  for (const int i : block) {
    z[i] = s.at(i);
    is_linear = is_linear && field.b.count(i) == 0;
  }
  for (const int i : block) {
    exvector parts{z[i]};
    if (is_linear) {
      for (size_t k = 0; k < by.linear.size(); k++) {
        add_row(by.linear[k], by.powers[k], i, z, parts);
      }
    } else {
      const auto own = field.X.find(i);
      parts.push_back(own == field.X.end() ? ex(0) : by.affine[0] * own->second);
      for (size_t k = 1; k < by.affine.size(); k++) {
        add_row(by.affine[k], by.powers[k - 1], i, field.X, parts);
      }
    }
    result.z[i] = ex(GiNaC::add(parts));
  }
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
  std::vector<std::string> kinds;
  for (const std::vector<int> &block : blocks(*field)) {
    const auto by = series(*field, block, t);
    if (!by) {
      reason = "it is quadratic, but on a block its field A satisfies none of A^2 = c, A^3 = c A, "
               "A^k = 0";
      return std::nullopt;
    }
    move(s, *field, block, *by, result);
    kinds.push_back(by->kind);
  }
  result.kind = "quadratic" + (kinds.empty() ? "" : ": " + each_once(kinds, ", "));
  return result;
}

} // namespace sidewinder
