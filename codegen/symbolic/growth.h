/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * growth.h -- how much work the derivatives of a formula are.
 */
#ifndef SIDEWINDER_GROWTH_H
#define SIDEWINDER_GROWTH_H

#include <map>
#include <string>
#include <vector>

#include "symbolic/symbols.h"

namespace sidewinder
{

/* GiNaC differentiates trees: a part that a formula uses twice is differentiated twice, so that thirty lets
 * that each use the last one twice are 2^30 parts, and a product of n factors has second derivatives of n^3
 * parts.  How many nodes the trees of all derivatives have is found here with memory, before anything is
 * differentiated. */
class Growth
{
public:
  explicit Growth(const Symbols &s) : symbols(s) {}

  /* Bounds of the nodes of its gradient and of its Hessian, by the variables that e reads. */
  double slopes(const ex &e) { return size(e).slopes; }
  double work(const ex &e) { return size(e).seconds; }

private:
  struct Size {
    double nodes;
    double slopes;
    double seconds;
    double pairs;           /* entries of the Hessian that may not be 0 */
    std::vector<int> reads; /* indices into z, ascending */
  };
  const Symbols &symbols;
  std::map<ex, Size, GiNaC::ex_is_less> known; /* looked up, never walked */

  static double all_pairs(const Size &of)
  {
    return static_cast<double>(of.reads.size()) * static_cast<double>(of.reads.size());
  }
  const Size &size(const ex &e);
  Size computed(const ex &e);
  Size product(const ex &e, const Size &sums);
};

/* Nodes of Hessians that are still made, in all: some five seconds. */
constexpr double max_work = 1e7;

/* Of a constraint there are rho, its derivative and N besides the Hessian. */
constexpr double work_of_constraint = 4;

/* Adds work to the total; ModelError, at `where`, where that is beyond what is made: `what` says which work it is. */
void spend_work(double &total, double work, const std::string &what, span where);

/* Likewise of the gradients of all invariants together. */
constexpr double max_work_of_slopes = 2e7;

} // namespace sidewinder

#endif
