// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/structure.h"

#include <algorithm>
#include <limits>

namespace sidewinder
{

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

bool is_holonomic(const Derivatives &of)
{
  const int d = of.symbols->d;
  return std::all_of(of.g.begin(), of.g.end(), [&](const ex &g) {
    const std::vector<int> states = of.symbols->states(g);
    return states.empty() || states.back() < d;
  });
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
  GiNaC::exvector rest;
  for (const ex &term : of.H_terms) {
    const ex b = contract(*of.symbols, I_z, gradient(*of.symbols, term));
    if (!is_proved_zero(b, left)) {
      rest.push_back(b);
    }
    if (left <= 0) {
      return false;
    }
  }
  return is_proved_zero(ex(GiNaC::add(rest)), left);
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
