/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pivots.h -- L D L^T factorisation of M x = y with a symmetric M of formulas, pivot by pivot.
 *
 * Pivot j with D_j = M_jj subtracts M_ij/D_j y_j from y_i and M_ij M_jk/D_j from M_ik.  y.M^-1 y is
 * the sum of the y_j^2/D_j.
 */
#ifndef SIDEWINDER_PIVOTS_H
#define SIDEWINDER_PIVOTS_H

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "symbolic/derivatives.h"

namespace sidewinder
{

/* A hook for the intermediate values of the elimination.  This class keeps them as nested
 * formulas; subclasses may give them names. */
class Kept
{
public:
  virtual ~Kept() = default;
  virtual ex factor(const ex &e) { return e; }
  virtual ex sum(const ex &before, const ex &change) { return before + change; }
};

/* A pivot eliminates one unknown, or two with zeros on the diagonal.  `rest` holds the couplings
 * to the remaining unknowns. */
struct Pivot {
  int i;
  int j; /* equal to i for a single pivot */
  ex D;  /* M_ii of a single pivot, M_ij of a pair */
  ex y_i;
  ex y_j;
  std::map<int, std::pair<ex, ex>> rest; /* M_ri and M_rj by r */

  bool is_single() const { return i == j; }
  /* The contribution of this pivot to y.M^-1 y/2. */
  ex term() const;
  /* x_i and x_j for the right-hand sides by_i and by_j; x(r) gives the remaining unknowns. */
  std::pair<ex, ex> solved(const ex &by_i, const ex &by_j, const std::function<ex(int)> &x) const;
};

struct LinearSystem {
  std::vector<int> unknowns; /* ascending */
  Matrix M;                  /* both triangles */
  std::map<int, ex> y;
};

class Elimination
{
public:
  /* varies(e) tells whether an entry depends on the state.  `kept` must outlive the elimination. */
  Elimination(LinearSystem of, std::function<bool(const ex &)> varies, Kept &kept)
      : linear_system(std::move(of)), is_varying(std::move(varies)), names(kept)
  {
  }

  bool is_done() const { return linear_system.unknowns.empty(); }
  /* Chooses the next pivot and appends it to `pivots`.  Returns false if M is singular. */
  bool next();
  /* Subtracts the last pivot from the remaining system. */
  void reduce();

  std::vector<Pivot> pivots;

private:
  LinearSystem linear_system; /* the system of the remaining unknowns */
  std::function<bool(const ex &)> is_varying;
  Kept &names;

  ex entry(int i, int j) const { return entry_at(linear_system.M, i, j); }
  void change(int i, int j, const ex &by);
  bool choose_single();
  bool choose_pair();
};

} // namespace sidewinder

#endif
