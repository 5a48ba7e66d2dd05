// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/named.h"

#include <set>
#include <string>

namespace sidewinder
{

// Whether e is a polynomial of degree 1 or 2 in the state.
bool Named::is_at_most_quadratic(const ex &e) const
{
  const std::vector<ex> read = states(e);
  const double degree = read.empty() ? -1 : degree_in(e, read);
  return degree >= 0 && degree <= 2;
}

ex Named::of(const ex &value)
{
  const ex definition = plain(value);
  if (!is_at_most_quadratic(definition)) {
    return value;
  }
  const ex key = expanded(definition);
  const auto found = known.find(key);
  if (found != known.end()) {
    return found->second;
  }
  ex symbol = GiNaC::realsymbol("pi" + std::to_string(symbols.size()));
  symbols.push_back(symbol);
  definitions[symbol] = definition;
  known[key] = symbol;
  return symbol;
}

std::vector<ex> Named::in(const ex &e) const
{
  std::vector<ex> result;
  for (const ex &symbol : symbols) {
    if (e.has(symbol)) {
      result.push_back(symbol);
    }
  }
  return result;
}

std::vector<const ir_expr *> Named::lowered(const std::vector<ex> &names, int first,
                                            Lowering &lower, span where) const
{
  std::vector<const ir_expr *> values;
  for (const ex &symbol : names) {
    values.push_back(lower.at(plain(symbol), where));
    lower.name(symbol, first + static_cast<int>(values.size()) - 1);
  }
  return values;
}

} // namespace sidewinder
