/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pivots.h -- M x = y with a symmetric M of formulas, eliminated as L D L^T, pivot by pivot.
 *
 * Pivot j with D_j = M_jj takes M_ij/D_j y_j from y_i and M_ij M_jk/D_j from M_ik, and y.M^-1 y is the sum of y_j^2/D_j.
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

/* What elimination makes: left as it is here, so that formulas contain each other. */
class Kept
{
public:
  virtual ~Kept() = default;
  virtual ex factor(const ex &e) { return e; }
  virtual ex sum(const ex &before, const ex &change) { return before + change; }
};

/* The unknowns that it eliminates, one, or two where both have a 0 on the diagonal, and those that are left with what couples
 * them to it. */
struct Pivot {
  int i;
  int j; /* i for one */
  ex D;  /* M_ii, or M_ij */
  ex y_i;
  ex y_j;
  std::map<int, std::pair<ex, ex>> rest; /* M_ri, M_rj */

  bool is_single() const { return i == j; }
  /* Its part of y.M^-1 y/2. */
  ex term() const;
  /* x_i and x_j for right-hand sides y_i and y_j, from the unknowns that are left. */
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
  /* Whether an entry depends on the state is asked. */
  Elimination(LinearSystem of, std::function<bool(const ex &)> varies, Kept &kept)
      : linear_system(std::move(of)), is_varying(std::move(varies)), names(kept)
  {
  }

  bool is_done() const { return linear_system.unknowns.empty(); }
  /* Eliminates with one more; false where M is singular. */
  bool next();
  /* Takes it out of what is left. */
  void reduce();

  std::vector<Pivot> pivots;

private:
  LinearSystem linear_system; /* that are left */
  std::function<bool(const ex &)> is_varying;
  Kept &names;

  ex entry(int i, int j) const { return entry_at(linear_system.M, i, j); }
  void change(int i, int j, const ex &by);
  bool choose_single();
  bool choose_pair();
};

} // namespace sidewinder

#endif
