/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running.h -- sums that continue each other: sum(j in 1 .. i-1: a[j]) for i = 1, 2, 3, ... is the last sum and one
 * term more.
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
  /* A symbol and the value that it stands for, which contains earlier symbols only. */
  using Definition = std::pair<ex, ex>;
  std::vector<Definition> definitions;

  /* Whether e is a sum over one variable, of whose range one end alone depends on others, be it by its
   * condition, of what can be continued. */
  bool can_continue(const model_expr &e);

  /* The sum, where term(j) is what j adds: a symbol, or a value that is as short.  The environment has the
   * values of the variables that e reads. */
  ex sum(const model_expr &e, const std::vector<long> &environment,
         const std::function<ex(long)> &term);

private:
  /* The sums of 1, 2, 3, ... terms from one end on; a base, and the terms behind it. */
  struct Chain {
    std::vector<ex> sums;
    ex base = 0;
    GiNaC::exvector behind;
  };
  using Slots = std::optional<std::set<int>>;
  std::map<const model_expr *, Slots> slots; /* looked up, never walked, and so is the other one */
  std::map<std::pair<const model_expr *, std::vector<long>>, Chain> chains;

  ex named(const ex &value);
};

} // namespace sidewinder

#endif
