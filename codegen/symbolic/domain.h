/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * domain.h -- powers and functions, and their domains, which simplification would enlarge.
 *
 * GiNaC simplifies exp(log(x)), sqrt(x)^2 and log(x) - log(x) + x to x, which is defined for all x.
 * So every partial function of the syntax tree is recorded before GiNaC sees it, as an expression u
 * with the condition u >= 0:
 *   log(u), and u^r with a rational non-integer r             u
 *   asin(v), acos(v)                                          1 - v^2
 *   v^w with an exponent w that is no number                |v^w|, which is NaN if v^w is not real
 * Conditions that always hold, such as x^2 + y^2 >= 0, are dropped.  If no function in the
 * simplified formula checks a condition, the formula gets the factor inside(u), which is 1 if u >=
 * 0 and NaN otherwise, and which stays in all derivatives.  Sets of measure zero, such as x = 0 for
 * x/x, are ignored.
 */
#ifndef SIDEWINDER_SYMBOLIC_DOMAIN_H
#define SIDEWINDER_SYMBOLIC_DOMAIN_H

#include <set>
#include <vector>

#include "model/model.h"
#include "symbolic/exact.h"

namespace sidewinder
{

/* 1 if the argument is not negative, NaN otherwise; the derivative is 0. */
DECLARE_FUNCTION_1P(inside)

/* The conditions u >= 0 for all members.  The order of iteration is not deterministic, so it may
 * be used for products only. */
using Conditions = std::set<ex, ex_is_less>;

/* Collects the domain conditions of the expression that is being evaluated. */
class Domain
{
public:
  /* Record the conditions of base^exponent and of function(x).  Throw ModelError at `where` if a
   * constant is outside the domain. */
  void power(const ex &base, const ex &exponent, span where);
  void function(model_function f, const ex &x, span where);

  /* begin() opens a list for one part of the expression.  end() closes the list, returns it and
   * adds it to the enclosing one; drop() closes and returns it without adding it. */
  void begin();
  Conditions end();
  Conditions drop();
  void note(const Conditions &conditions);

private:
  std::vector<Conditions> lists{1};

  void need(const ex &u, span where, const char *message);
};

/* The conditions that simplified formulas still check, found in the IR because the IR simplifies
 * further than GiNaC. */
class Sight
{
public:
  Sight(ir_context *target, Lowering &lowering) : c(target), lower(lowering) {}

  /* Adds the conditions that the functions of a formula check. */
  void see(const ex &formula);

  /* The formula times inside(u) for each condition that has not been seen.  These conditions
   * then count as seen. */
  ex keep(const ex &formula, const Conditions &conditions);

private:
  ir_context *c;
  Lowering &lower;
  std::set<unsigned> visited;
  std::set<const ir_expr *> seen;           /* inside(u); used for lookups only */
  std::vector<const ir_expr *> open_powers; /* powers v^w with a variable exponent */

  void see_node(const ir_expr *e);
  void see_call(const ir_expr *e);
  void ask(const ir_expr *u);
  bool is_seen(const ir_expr *condition) const;
};

/* Sight::keep() for a single formula.  Throws ModelError at `where` if the formula is not real. */
ex kept_inside(const ex &formula, const Conditions &conditions, ir_context *c, Lowering &lower,
               span where);

/* ---- Powers and elementary functions, within the limits of exact arithmetic ---- */

/* Throws ModelError if an exponent in the value has a numerator or denominator beyond this
 * limit, as in ((((x^100)^100)^100)^100)^100.  Later stages store degrees and exponents in ints
 * and doubles. */
constexpr long max_exponent = 2147483647;
void check_exponents(const ex &value, span where);

/* The power or the function call `e` with these operands; y is the second argument of a binary
 * function. Records their domain conditions. */
ex power_of(const model_expr &e, const ex &base, const ex &exponent, Domain &domain);
ex function_of(const model_expr &e, const ex &x, const ex &y, Domain &domain);

} // namespace sidewinder

#endif
