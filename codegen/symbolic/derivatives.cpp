// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/derivatives.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "symbolic/symbols.h"
#include "symbolic/term_place.h"

namespace sidewinder
{

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

Gradient gradient(const Symbols &symbols, const ex &e)
{
  Gradient result;
  for (const int i : symbols.states(e)) {
    const ex slope = derivative(e, symbols.at(i));
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
  return sum_of(parts);
}

ex bracket(const Symbols &symbols, const ex &a, const ex &b)
{
  const Gradient a_z = gradient(symbols, a);
  Gradient b_z;
  for (const auto &[i, slope] : a_z) {
    const int partner = symbols.partner(i);
    b_z[partner] = derivative(b, symbols.at(partner));
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
      const ex second = derivative(slope, symbols.at(j));
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
    const ex entry = sum_of(summands);
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
    const ex slope = sum_of(parts);
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
  result.H = sum_of(H_terms);
  result.g = g;
  differentiate_H(result);
  differentiate_g(result);
  const int m = element_count(g);
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
  const int n = element_count(values);
  ir_function f{n, 0, n, ARENA_ARRAY(memory, n + 1, ir_entry)};
  for (int i = 0; i < n; i++) {
    f.entries[i] = {i, 0, lower.at(values[static_cast<size_t>(i)], place(i))};
  }
  return f;
}

// (f_1 ... f_n)' is the sum of all f_1 ... f_i' ... f_n.  (f_1 ... f_n)'' is the sum of all f_1 ...
// f_i'' ... f_n and f_1 ... f_i' ... f_j' ... f_n.
Growth::Size Growth::product(const ex &e, const Size &sums)
{
  Size result = sums;
  double variables = 0; // sum over the factors of their numbers n of variables
  double squares = 0;
  double mixed = 0; // sum of n * (slopes of the factor)
  double own = 0;   // sums of n * (nodes of the factor), and of pairs * nodes
  double own_pairs = 0;
  int reading = 0; // number of factors that depend on z
  for (size_t i = 0; i < e.nops(); i++) {
    const Size &factor = size(e.op(i));
    const double n = static_cast<double>(factor.reads.size());
    variables += n;
    squares += n * n;
    mixed += n * factor.slopes;
    own += n * factor.nodes;
    own_pairs += factor.pairs * factor.nodes;
    reading += n > 0 ? 1 : 0;
  }
  result.slopes += variables * sums.nodes - own;
  result.seconds += 2 * (variables * sums.slopes - mixed) + sums.pairs * sums.nodes - own_pairs +
                    (variables * variables - squares) * sums.nodes;
  result.pairs = reading > 1 ? all_pairs(result) : sums.pairs;
  return result;
}

Growth::Size Growth::computed(const ex &e)
{
  if (const Quantity *named = quantity(e)) { // its derivatives are short
    const double n = static_cast<double>(named->reads().size());
    return {1, n, n * n, n * n, named->reads()};
  }
  if (is_a<GiNaC::symbol>(e)) {
    const Symbols::Input input = symbols.input(e);
    return input.space == IR_Z ? Size{1, 1, 1, 0, {input.index}} : Size{1, 0, 0, 0, {}};
  }
  Size sums{1, 0, 0, 0, {}};
  for (size_t i = 0; i < e.nops(); i++) {
    const Size &part = size(e.op(i));
    sums.nodes += part.nodes;
    sums.slopes += part.slopes;
    sums.seconds += part.seconds;
    sums.pairs += part.pairs;
    std::vector<int> both;
    std::set_union(sums.reads.begin(), sums.reads.end(), part.reads.begin(), part.reads.end(),
                   std::back_inserter(both));
    sums.reads.swap(both);
  }
  if (is_exactly_a<GiNaC::add>(e)) {
    sums.pairs = std::min(sums.pairs, all_pairs(sums));
    return sums;
  }
  if (is_exactly_a<GiNaC::mul>(e)) {
    return product(e, sums);
  }
  // f(u)' = f'(u) u' and f(u)'' = f''(u) u' u' + f'(u) u''.
  const double n = static_cast<double>(sums.reads.size());
  sums.seconds += 2 * n * sums.slopes + 2 * n * n * sums.nodes;
  sums.slopes += n * sums.nodes;
  sums.pairs = all_pairs(sums);
  return sums;
}

const Growth::Size &Growth::size(const ex &e)
{
  const auto found = known.find(e);
  if (found != known.end()) {
    return found->second;
  }
  Size result = computed(e);
  return known[e] = std::move(result);
}

void spend_work(double &total, double work, const std::string &what, span where)
{
  total += work;
  if (!(total < max_work)) {
    throw ModelError(where,
                     what + " would be too large; is it a product of many factors, a sum of very "
                            "many terms, or a let that uses another several times, again and "
                            "again?");
  }
}

int polynomial_degree(const Symbols &symbols, const std::vector<ex> &expressions, span where)
{
  double degree = 0;
  for (const ex &e : expressions) {
    const double own = has_quantities(e) ? -1 : degree_in(e, symbols.state_symbols(e));
    if (own < 0) {
      return -1;
    }
    degree = std::max(degree, own);
  }
  if (degree > std::numeric_limits<int>::max()) {
    throw ModelError(where, "the degree of this polynomial is beyond 2147483647");
  }
  return static_cast<int>(degree);
}

bool is_separable(const Derivatives &of)
{
  const int d = of.symbols->d;
  return std::all_of(of.H_zz.begin(), of.H_zz.end(), [&](const auto &entry) {
    const auto [row, column] = entry.first;
    return row < d || column >= d || vanishes(entry.second);
  });
}

bool reads_only(const Symbols &symbols, const ex &e, bool positions)
{
  const std::vector<int> states = symbols.states(e);
  return std::all_of(states.begin(), states.end(),
                     [&](int i) { return (i < symbols.d) == positions; });
}

bool is_holonomic(const Derivatives &of)
{
  return std::all_of(of.g.begin(), of.g.end(),
                     [&](const ex &g) { return reads_only(*of.symbols, g, true); });
}

ir_mass mass_matrix(const Derivatives &of)
{
  const int d = of.symbols->d;
  ir_mass mass = IR_MASS_CONSTANT_DIAGONAL;
  for (const auto &[at, entry] : of.H_zz) {
    if (at.first < d || at.second < d || vanishes(entry)) {
      continue;
    }
    if (!of.symbols->states(expanded(entry)).empty()) {
      return IR_MASS_GENERAL;
    }
    if (at.first != at.second) {
      mass = IR_MASS_CONSTANT;
    }
  }
  return mass;
}

// vanishes(e), if its effort is within the budget `left`; otherwise false.
static bool is_proved_zero(const ex &e, double &left)
{
  if (e.is_zero()) {
    return true;
  }
  left -= effort(e);
  return left > 0 && vanishes(e);
}

// Whether {I,H} vanishes.  First tests each term of H by itself: the whole sum may be too large to
// normalise.
static bool commutes_with_H(const Derivatives &of, const Gradient &I_z, double &left)
{
  exvector rest;
  for (const ex &term : of.H_terms) {
    const ex b = contract(*of.symbols, I_z, gradient(*of.symbols, term));
    if (!is_proved_zero(b, left)) {
      rest.push_back(b);
    }
    if (left <= 0) {
      return false;
    }
  }
  return is_proved_zero(sum_of(rest), left);
}

bool is_conserved(const Derivatives &of, const ex &I, double &left)
{
  if (left <= 0) {
    return false;
  }
  const Gradient I_z = gradient(*of.symbols, I);
  if (!is_proved_zero(contract(*of.symbols, I_z, of.H_z), left) &&
      !commutes_with_H(of, I_z, left)) {
    return false;
  }
  for (size_t i = 0; i < of.g.size(); i++) {
    const ex b = contract(*of.symbols, I_z, of.g_z[i]);
    if (!is_proved_zero(b, left) && !is_proved_zero(b + of.rho[i], left)) {
      return false;
    }
  }
  return true;
}

} // namespace sidewinder
