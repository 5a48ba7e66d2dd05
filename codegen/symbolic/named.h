/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * named.h -- symbols for the values of lets that are at most quadratic in the state.
 *
 * A discrete gradient (expr/discrete_gradient.h) is not determined by the function alone; it
 * depends on the names in which the function is written.
 */
#ifndef SIDEWINDER_NAMED_H
#define SIDEWINDER_NAMED_H

#include <functional>
#include <map>
#include <vector>

#include "symbolic/exact.h"

namespace sidewinder
{

class Named
{
public:
  /* The state symbols in an expression without names. */
  using States = std::function<std::vector<ex>(const ex &)>;

  explicit Named(States s) : states(std::move(s)) {}

  /* The symbol for the value of a let, which may contain other such symbols.  Returns the value
   * itself if it is constant or more than quadratic.  Values with equal expansions share one
   * symbol. */
  ex of(const ex &value);

  /* An expression with all names replaced by their definitions. */
  ex plain(const ex &e) const { return e.subs(definitions, GiNaC::subs_options::no_pattern); }

  /* all() lists all names, in(e) those in e, in the order of their definition. */
  const std::vector<ex> &all() const { return symbols; }
  std::vector<ex> in(const ex &e) const;

  /* Lowers the definitions of these names, and makes the names entries first, first + 1, ... of
   * IR_Z, as ir_discrete requires. */
  std::vector<const ir_expr *> lowered(const std::vector<ex> &names, int first, Lowering &lower,
                                       span where) const;

private:
  States states;
  std::vector<ex> symbols;
  GiNaC::exmap definitions;
  std::map<ex, ex, GiNaC::ex_is_less> known; /* used for lookups only */

  bool is_at_most_quadratic(const ex &e) const;
};

} // namespace sidewinder

#endif
