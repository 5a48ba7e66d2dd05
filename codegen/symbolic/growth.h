/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * growth.h -- bounds of the work that it takes to differentiate a formula.
 */
#ifndef SIDEWINDER_GROWTH_H
#define SIDEWINDER_GROWTH_H

#include <map>
#include <string>
#include <vector>

#include "symbolic/symbols.h"

namespace sidewinder
{

/* GiNaC differentiates expression trees, so a shared part is differentiated once for each use.
 * Thirty lets that each use the previous one twice have 2^30 parts, and a product of n factors
 * has second derivatives of n^3 parts.  This class bounds the tree nodes of all derivatives
 * before anything is differentiated; it visits each shared part once. */
class Growth
{
public:
  explicit Growth(const Symbols &s) : symbols(s) {}

  /* Bounds of the tree nodes of the gradient and of the Hessian of e. */
  double slopes(const ex &e) { return size(e).slopes; }
  double work(const ex &e) { return size(e).seconds; }

private:
  struct Size {
    double nodes;
    double slopes;
    double seconds;
    double pairs;           /* number of possibly nonzero entries of the Hessian */
    std::vector<int> reads; /* indices into z, ascending */
  };
  const Symbols &symbols;
  std::map<ex, Size, GiNaC::ex_is_less> known; /* used for lookups only */

  static double all_pairs(const Size &of)
  {
    return static_cast<double>(of.reads.size()) * static_cast<double>(of.reads.size());
  }
  const Size &size(const ex &e);
  Size computed(const ex &e);
  Size product(const ex &e, const Size &sums);
};

/* Limit of all Hessians together, in nodes: about five seconds. */
constexpr double max_work = 1e7;

/* A constraint needs its Hessian, rho, the derivative of rho, and N; so it costs four times its
 * Hessian. */
constexpr double work_of_constraint = 4;

/* Adds work to the total.  Throws ModelError at `where` if the total exceeds max_work; `what`
 * names the work in the message. */
void spend_work(double &total, double work, const std::string &what, span where);

/* Limit of the gradients of all invariants together, in nodes. */
constexpr double max_work_of_slopes = 2e7;

} // namespace sidewinder

#endif
