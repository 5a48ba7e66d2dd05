// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/structure.h"

#include <algorithm>

namespace sidewinder
{

using GiNaC::exmap;

int polynomial_degree(const Symbols &symbols, const std::vector<ex> &expressions)
{
  const GiNaC::realsymbol t("t");
  int degree = 0;
  for (const ex &e : expressions) {
    exmap scaled;
    GiNaC::lst variables;
    for (const int i : symbols.states(e)) {
      const ex &z = symbols.z[static_cast<size_t>(i)];
      scaled[z] = t * z;
      variables.append(z);
    }
    if (variables.nops() > 0 && !e.is_polynomial(variables)) {
      return -1;
    }
    degree = std::max(degree, expanded(e.subs(scaled, GiNaC::subs_options::no_pattern)).degree(t));
  }
  return degree;
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

// {I,H} vanishes.  Tried for each term of H alone first: the sum of all may be too large to normalise.
static bool commutes_with_H(const Derivatives &of, const Gradient &I_z)
{
  GiNaC::exvector rest;
  for (const ex &term : of.H_terms) {
    const ex b = contract(*of.symbols, I_z, gradient(*of.symbols, term));
    if (!vanishes(b)) {
      rest.push_back(b);
    }
  }
  return vanishes(ex(GiNaC::add(rest)));
}

bool is_conserved(const Derivatives &of, const ex &I)
{
  const Gradient I_z = gradient(*of.symbols, I);
  if (!vanishes(bracket_with_H(of, I_z)) && !commutes_with_H(of, I_z)) {
    return false;
  }
  for (size_t i = 0; i < of.g.size(); i++) {
    const ex b = contract(*of.symbols, I_z, of.g_z[i]);
    if (!vanishes(b) && !vanishes(b + of.rho[i])) {
      return false;
    }
  }
  return true;
}

} // namespace sidewinder
