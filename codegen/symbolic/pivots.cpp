// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/pivots.h"

#include <algorithm>

namespace sidewinder
{

ex Pivot::term() const
{
  return is_single() ? GiNaC::pow(y_i, 2) / (2 * D) : y_i * y_j / D;
}

// x_i = (y_i - sum_r M_ri x_r)/D.  For a pair: M_ij x_j = y_i - sum_r M_ri x_r, and the same with i
// and j exchanged.
std::pair<ex, ex> Pivot::solved(const ex &by_i, const ex &by_j,
                                const std::function<ex(int)> &x) const
{
  ex rest_i = by_i;
  ex rest_j = by_j;
  for (const auto &[r, to] : rest) {
    rest_i -= to.first * x(r);
    rest_j -= to.second * x(r);
  }
  return is_single() ? std::pair<ex, ex>{rest_i / D, rest_i / D}
                     : std::pair<ex, ex>{rest_j / D, rest_i / D};
}

void Elimination::change(int i, int j, const ex &by)
{
  const ex after = names.sum(entry(i, j), by);
  linear_system.M[{i, j}] = after;
  linear_system.M[{j, i}] = after;
}

// Chooses a pivot with a nonzero diagonal entry.  Prefers entries that do not depend on the state,
// then few couplings, then the smallest index.
bool Elimination::choose_single()
{
  const std::vector<int> &left = linear_system.unknowns;
  std::pair<int, int> best_cost;
  int best = -1;
  for (const int i : left) {
    const ex D = entry(i, i);
    if (D.is_zero() || vanishes(D)) {
      continue;
    }
    const auto couples = [&](int j) { return !entry(i, j).is_zero(); };
    const int couplings = static_cast<int>(std::count_if(left.begin(), left.end(), couples));
    const std::pair<int, int> cost{is_varying(D), couplings};
    if (best < 0 || cost < best_cost) {
      best = i;
      best_cost = cost;
    }
  }
  if (best >= 0) {
    pivots.push_back(
        {best, best, entry(best, best), linear_system.y.at(best), linear_system.y.at(best), {}});
  }
  return best >= 0;
}

// Chooses a coupled pair if all diagonal entries are zero.
bool Elimination::choose_pair()
{
  for (const int i : linear_system.unknowns) {
    for (const int j : linear_system.unknowns) {
      if (i < j && !vanishes(entry(i, j))) {
        pivots.push_back({i, j, entry(i, j), linear_system.y.at(i), linear_system.y.at(j), {}});
        return true;
      }
    }
  }
  return false;
}

bool Elimination::next()
{
  if (!choose_single() && !choose_pair()) {
    return false;
  }
  Pivot &pivot = pivots.back();
  std::vector<int> &left = linear_system.unknowns;
  left.erase(
      std::remove_if(left.begin(), left.end(), [&](int i) { return i == pivot.i || i == pivot.j; }),
      left.end());
  for (const int r : left) {
    const ex to_i = entry(r, pivot.i);
    const ex to_j = entry(r, pivot.j);
    if (!to_i.is_zero() || !to_j.is_zero()) {
      pivot.rest[r] = {to_i, to_j};
    }
  }
  return true;
}

void Elimination::reduce()
{
  const Pivot &pivot = pivots.back();
  for (const auto &[r, to] : pivot.rest) {
    // D^-1 M_Pr: M_ri/D for a single pivot.  For a pair D is off-diagonal, so the two entries are
    // exchanged.
    const ex by_i = names.factor((pivot.is_single() ? to.first : to.second) / pivot.D);
    const ex by_j = pivot.is_single() ? ex(0) : names.factor(to.first / pivot.D);
    ex &right = linear_system.y[r];
    right = names.sum(right, -(by_i * pivot.y_i + by_j * pivot.y_j));
    for (const auto &[k, other] : pivot.rest) {
      if (k >= r) {
        change(r, k, -(by_i * other.first + by_j * other.second));
      }
    }
  }
}

} // namespace sidewinder
