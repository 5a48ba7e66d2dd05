// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/growth.h"

#include <algorithm>

namespace sidewinder
{

Growth::Size Growth::size(const ex &e)
{
  const auto found = known.find(e);
  if (found != known.end()) {
    return found->second;
  }
  Size result{1, 1};
  for (size_t i = 0; i < e.nops(); i++) {
    const Size part = size(e.op(i));
    result.nodes += part.nodes;
    result.depth = std::max(result.depth, part.depth + 1);
  }
  known[e] = result;
  return result;
}

double Growth::work(const ex &e)
{
  if (GiNaC::is_exactly_a<GiNaC::add>(e)) { // whose terms are differentiated one by one
    double total = 0;
    for (size_t i = 0; i < e.nops(); i++) {
      total += work(e.op(i));
    }
    return total;
  }
  const Size tree = size(e);
  const double variables = static_cast<double>(symbols.states(e).size());
  return tree.nodes * tree.depth * tree.depth * variables * variables;
}

double Growth::work_of_slopes(const ex &e)
{
  return size(e).nodes * static_cast<double>(symbols.states(e).size());
}

} // namespace sidewinder
