/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running.h -- running sums: sum(j in 1 .. i-1: a[j]) for i = 1, 2, 3, ... adds one term to the
 * previous sum.
 */
#ifndef SIDEWINDER_RUNNING_H
#define SIDEWINDER_RUNNING_H

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "symbolic/symbols.h"

namespace sidewinder
{

class RunningSums
{
public:
  /* A symbol and its value, which contains earlier symbols only. */
  using Definition = std::pair<ex, ex>;
  std::vector<Definition> definitions;

  /* Whether e is a running sum: a sum over one variable, with one bound that depends on outer
   * variables, and a body that does not.  A condition may set the bound. */
  bool can_continue(const model_expr &e);

  /* The sum e.  term(j) is the summand, as a symbol or a short value.  The environment gives the
   * values of the variables that e reads. */
  ex sum(const model_expr &e, const std::vector<long> &environment,
         const std::function<ex(long)> &term);

private:
  /* The partial sums of 1, 2, 3, ... terms from the fixed bound on; the last one equals `base`
   * plus the terms in `behind`. */
  struct Chain {
    std::vector<ex> sums;
    ex base = 0;
    GiNaC::exvector behind;
  };
  using Slots = std::optional<std::set<int>>;
  std::map<const model_expr *, Slots> slots; /* used for lookups only, as is `chains` */
  std::map<std::pair<const model_expr *, std::vector<long>>, Chain> chains;

  ex named(const ex &value);
};

} // namespace sidewinder

#endif
