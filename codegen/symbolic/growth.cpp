// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/growth.h"

#include <algorithm>
#include <iterator>

#include "symbolic/quantity.h"
#include "symbolic/term_place.h"

namespace sidewinder
{

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
  if (GiNaC::is_a<GiNaC::symbol>(e)) {
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
  if (GiNaC::is_exactly_a<GiNaC::add>(e)) {
    sums.pairs = std::min(sums.pairs, all_pairs(sums));
    return sums;
  }
  if (GiNaC::is_exactly_a<GiNaC::mul>(e)) {
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

} // namespace sidewinder
