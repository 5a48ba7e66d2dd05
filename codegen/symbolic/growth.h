/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * growth.h -- how much work the derivatives of a formula are.
 */
#ifndef SIDEWINDER_GROWTH_H
#define SIDEWINDER_GROWTH_H

#include <map>
#include <utility>

#include "symbolic/symbols.h"

namespace sidewinder
{

/* GiNaC differentiates trees: a part that a formula uses twice is differentiated twice, so that thirty lets
 * that each use the last one twice are 2^30 parts.  The work for second derivatives is about
 *   (nodes of the tree) * (its depth)^2 * (variables that it reads)^2
 * for each term of a sum, found here with memory, before anything is differentiated. */
class Growth
{
public:
  explicit Growth(const Symbols &s) : symbols(s) {}

  double work(const ex &e);

  /* The same for first derivatives: nodes * variables. */
  double work_of_slopes(const ex &e);

private:
  struct Size {
    double nodes;
    double depth;
  };
  const Symbols &symbols;
  std::map<ex, Size, GiNaC::ex_is_less> known; /* looked up, never walked */

  Size size(const ex &e);
};

/* Work that is still differentiated: some ten seconds. */
constexpr double max_work = 1e8;

/* Likewise of the slopes of all invariants together. */
constexpr double max_work_of_slopes = 5e8;

} // namespace sidewinder

#endif
