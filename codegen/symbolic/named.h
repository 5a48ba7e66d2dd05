/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * named.h -- functions of the state, at most quadratic, that a model gives names to with `let`: symbols of their own.
 *
 * What a discrete derivative is made of (expr/discrete_gradient.h) does not follow from a function alone, but from the names in which it is
 * written.
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
  /* The symbols of the state that an expression without names contains. */
  using States = std::function<std::vector<ex>(const ex &)>;

  explicit Named(States s) : states(std::move(s)) {}

  /* The symbol of what a let stands for, which may contain such symbols; or that itself, where it is constant or more than
   * quadratic.  What is equal once it is expanded has one symbol. */
  ex of(const ex &value);

  /* An expression with what the names stand for. */
  ex plain(const ex &e) const { return e.subs(definitions, GiNaC::subs_options::no_pattern); }

  /* All names, and those in e, in the order in which they were given. */
  const std::vector<ex> &all() const { return symbols; }
  std::vector<ex> in(const ex &e) const;

  /* Lowers what these names stand for, and makes them entries first, first + 1, ... of IR_Z, as ir_discrete asks for. */
  std::vector<const ir_expr *> lowered(const std::vector<ex> &names, int first, Lowering &lower,
                                       span where) const;

private:
  States states;
  std::vector<ex> symbols;
  GiNaC::exmap definitions;
  std::map<ex, ex, GiNaC::ex_is_less> known; /* looked up, never walked */

  bool is_at_most_quadratic(const ex &e) const;
};

} // namespace sidewinder

#endif
