/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * domain.h -- where formulas are defined, which simplification forgets.
 *
 * exp(log(x)), sqrt(x)^2 and log(x) - log(x) + x become x, which is defined for all x.  So every function of the syntax
 * tree that is not defined everywhere is noted before GiNaC sees it, as an expression u with the condition u >= 0:
 *   log(u), u^r with a rational r that is no integer          u
 *   asin(v), acos(v)                                          1 - v^2
 *   v^w with a w that is no number                            |v^w|, for it is NaN where v^w is no real number
 * Conditions that can be seen to hold always, such as x^2 + y^2 >= 0, are dropped.  Those of a formula that no function
 * in its simplified form asks for any more are kept as factors inside(u), which are 1 where u >= 0 and NaN elsewhere;
 * they stay in all derivatives.  Sets without volume, such as x = 0 for x/x, do not count.
 */
#ifndef SIDEWINDER_DOMAIN_H
#define SIDEWINDER_DOMAIN_H

#include <set>
#include <vector>

#include "model/model.h"
#include "symbolic/exact.h"

namespace sidewinder
{

/* 1 where its argument is not negative, NaN elsewhere; its derivative is 0. */
DECLARE_FUNCTION_1P(inside)

/* u >= 0 for each; walked for products alone, which have no order. */
using Conditions = std::set<ex, GiNaC::ex_is_less>;

/* The conditions of what is being evaluated. */
class Domain
{
public:
  /* Note what base^exponent and function(x) ask for; throw ModelError, at `where`, for constants that are not in the
   * domain. */
  void power(const ex &base, const ex &exponent, span where);
  void function(model_function f, const ex &x, span where);

  /* Between begin and end the conditions of one part are listed; they belong to what is around it, too, unless they
   * are dropped. */
  void begin();
  Conditions end();
  Conditions drop();
  void note(const Conditions &conditions);

private:
  std::vector<Conditions> lists{1};

  void need(const ex &u, span where, const char *message);
};

/* What formulas ask for in their last form, which is that of our own expressions: these simplify, too. */
class Sight
{
public:
  Sight(ir_context *target, Lowering &lowering) : c(target), lower(lowering) {}

  /* Adds what the functions in a formula ask for. */
  void see(const ex &formula);

  /* The formula, with a factor for each condition that was not seen; it then is. */
  ex keep(const ex &formula, const Conditions &conditions);

private:
  ir_context *c;
  Lowering &lower;
  std::set<unsigned> visited;
  std::set<const ir_expr *> seen;           /* inside(u); looked up, never walked */
  std::vector<const ir_expr *> open_powers; /* v^w */

  void see_node(const ir_expr *e);
  void see_call(const ir_expr *e);
  void ask(const ir_expr *u);
  bool is_seen(const ir_expr *condition) const;
};

/* keep() for a formula that stands alone; ModelError, at `where`, where it is not real. */
ex kept_inside(const ex &formula, const Conditions &conditions, ir_context *c, Lowering &lower,
               span where);

} // namespace sidewinder

#endif
