// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/derivatives.h"

namespace sidewinder
{

using GiNaC::ex_to;
using GiNaC::exvector;

using Parts = std::map<std::pair<int, int>, exvector>;

std::vector<std::vector<int>> coupled_blocks(const Matrix &M, const std::vector<int> &unknowns)
{
  std::map<int, int> root;
  for (const int i : unknowns) {
    root[i] = i;
  }
  const auto find = [&](int i) {
    while (root.at(i) != i) {
      i = root.at(i);
    }
    return i;
  };
  for (const auto &[place, value] : M) {
    const int r = find(place.first);
    const int c = find(place.second);
    root[std::max(r, c)] = std::min(r, c);
  }
  std::map<int, std::vector<int>> members;
  for (const int i : unknowns) {
    members[find(i)].push_back(i);
  }
  std::vector<std::vector<int>> result;
  for (const auto &[first, block] : members) {
    result.push_back(block);
  }
  return result;
}

static ex derivative(const Symbols &symbols, const ex &e, int i)
{
  return e.diff(ex_to<GiNaC::symbol>(symbols.at(i)));
}

Gradient gradient(const Symbols &symbols, const ex &e)
{
  Gradient result;
  for (const int i : symbols.states(e)) {
    const ex slope = derivative(symbols, e, i);
    if (!slope.is_zero()) {
      result[i] = slope;
    }
  }
  return result;
}

ex contract(const Symbols &symbols, const Gradient &a, const Gradient &b)
{
  const int d = symbols.d;
  exvector parts;
  for (const auto &[i, slope] : a) {
    const auto partner = b.find(symbols.partner(i));
    if (partner != b.end()) {
      parts.push_back(i < d ? slope * partner->second : -slope * partner->second);
    }
  }
  return ex(GiNaC::add(parts));
}

ex bracket(const Symbols &symbols, const ex &a, const ex &b)
{
  const Gradient a_z = gradient(symbols, a);
  Gradient b_z;
  for (const auto &[i, slope] : a_z) {
    const int partner = symbols.partner(i);
    b_z[partner] = derivative(symbols, b, partner);
  }
  return contract(symbols, a_z, b_z);
}

// Adds factor * (lower triangle of the Hessian of e).
static void add_hessian(const Symbols &symbols, const Gradient &e_z, const ex &factor, Parts &parts)
{
  for (const auto &[i, slope] : e_z) {
    for (const int j : symbols.states(slope)) {
      if (j > i) {
        continue;
      }
      const ex second = derivative(symbols, slope, j);
      if (!second.is_zero()) {
        parts[{i, j}].push_back(factor * second);
      }
    }
  }
}

static Matrix add_up(const Parts &parts)
{
  Matrix result;
  for (const auto &[at, summands] : parts) {
    const ex entry = ex(GiNaC::add(summands));
    if (!entry.is_zero()) {
      result[at] = entry;
    }
  }
  return result;
}

static void differentiate_H(Derivatives &result)
{
  const Symbols &symbols = *result.symbols;
  std::map<int, exvector> slopes;
  Parts second;
  for (const ex &term : result.H_terms) {
    const Gradient term_z = gradient(symbols, term);
    for (const auto &[i, slope] : term_z) {
      slopes[i].push_back(slope);
    }
    add_hessian(symbols, term_z, 1, second);
  }
  for (const auto &[i, parts] : slopes) {
    const ex slope = ex(GiNaC::add(parts));
    if (!slope.is_zero()) {
      result.H_z[i] = slope;
    }
  }
  result.H_zz = add_up(second);
}

static void differentiate_g(Derivatives &result)
{
  const Symbols &symbols = *result.symbols;
  Parts second;
  for (size_t i = 0; i < result.g.size(); i++) {
    result.g_z.push_back(gradient(symbols, result.g[i]));
    add_hessian(symbols, result.g_z[i], symbols.lambda[i], second);
    result.rho.push_back(contract(symbols, result.g_z[i], result.H_z));
    result.rho_z.push_back(gradient(symbols, result.rho[i]));
  }
  result.lambda_g_zz = add_up(second);
}

Derivatives differentiate(const Symbols &symbols, const std::vector<ex> &H_terms,
                          const std::vector<ex> &g)
{
  Derivatives result;
  result.symbols = &symbols;
  result.H_terms = H_terms;
  result.H = ex(GiNaC::add(H_terms));
  result.g = g;
  differentiate_H(result);
  differentiate_g(result);
  const int m = static_cast<int>(g.size());
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      const Gradient &g_j = result.g_z[static_cast<size_t>(j)];
      const ex c = contract(symbols, result.g_z[static_cast<size_t>(i)], g_j);
      if (i != j && !vanishes(c)) {
        result.C[{i, j}] = c;
      }
      const ex n = contract(symbols, result.rho_z[static_cast<size_t>(i)], g_j);
      if (!n.is_zero()) {
        result.N[{i, j}] = n;
      }
    }
  }
  return result;
}

ir_function lowered(arena *memory, Lowering &lower, int rows, int cols, const Matrix &entries,
                    const std::function<span(int)> &place)
{
  ir_function f{rows, cols, 0, ARENA_ARRAY(memory, entries.size() + 1, ir_entry)};
  for (const auto &[at, value] : entries) {
    const ir_expr *e = lower.at(value, place(at.first));
    if (!ir_is_zero(e)) {
      f.entries[f.n++] = {at.first, at.second, e};
    }
  }
  return f;
}

ir_function lowered(arena *memory, Lowering &lower, const std::vector<ex> &values,
                    const std::function<span(int)> &place)
{
  const int n = static_cast<int>(values.size());
  ir_function f{n, 0, n, ARENA_ARRAY(memory, n + 1, ir_entry)};
  for (int i = 0; i < n; i++) {
    f.entries[i] = {i, 0, lower.at(values[static_cast<size_t>(i)], place(i))};
  }
  return f;
}

} // namespace sidewinder
