/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exact.h -- conversion of GiNaC expressions to the IR, and of exact numbers in both directions.
 */
#ifndef SIDEWINDER_SYMBOLIC_EXACT_H
#define SIDEWINDER_SYMBOLIC_EXACT_H

#include <gmp.h>

#include <functional>
#include <map>
#include <vector>

#include "symbolic/symbols.h"
#include "symbolic/term_place.h"

namespace sidewinder
{

/* The rational as a GiNaC number. */
ex exact(mpq_srcptr value);

/* The names of elementary functions in the model language, in GiNaC and in the IR.
 * FUNCTION_COUNT marks a function that the language lacks.  GiNaC writes square roots as powers. */
constexpr struct {
  model_function function;
  const char *name;
  ir_call call;
} elementary[] = {{FUNCTION_SIN, "sin", IR_SIN},        {FUNCTION_COS, "cos", IR_COS},
                  {FUNCTION_TAN, "tan", IR_TAN},        {FUNCTION_ASIN, "asin", IR_ASIN},
                  {FUNCTION_ACOS, "acos", IR_ACOS},     {FUNCTION_ATAN, "atan", IR_ATAN},
                  {FUNCTION_ATAN2, "atan2", IR_ATAN2},  {FUNCTION_SINH, "sinh", IR_SINH},
                  {FUNCTION_COSH, "cosh", IR_COSH},     {FUNCTION_TANH, "tanh", IR_TANH},
                  {FUNCTION_EXP, "exp", IR_EXP},        {FUNCTION_LOG, "log", IR_LOG},
                  {FUNCTION_ABS, "modulus", IR_ABS},    {FUNCTION_SIGN, "sign_of", IR_SIGN},
                  {FUNCTION_MIN, "smaller_of", IR_MIN}, {FUNCTION_MAX, "larger_of", IR_MAX},
                  {FUNCTION_COUNT, "inside", IR_INSIDE}};

/* Converts GiNaC expressions to the IR, in normal form.  Conversions are cached, so shared parts
 * are converted once.  Throws std::domain_error if an expression is not real or has no
 * counterpart in the IR. */
class Lowering
{
public:
  Lowering(ir_context *target, const Symbols &s) : c(target), symbols(s) {}
  const ir_expr *operator()(const ex &e);

  /* As operator(), but throws ModelError at `where`. */
  const ir_expr *at(const ex &e, span where)
  {
    return at_place(where, [&] { return (*this)(e); });
  }

  /* Makes a symbol the name of a value that the C computes once. */
  void define(const ex &symbol, const ex &value);

  /* Makes a symbol entry i of IR_Z; i lies beyond the entries of the state. */
  void name(const ex &symbol, int i) { done[symbol] = ir_input(c, IR_Z, i); }

private:
  ir_context *c;
  const Symbols &symbols;
  std::map<ex, const ir_expr *, ex_is_less> done;             /* used for lookups only */
  std::map<const Solution *, const ir_equations *> solutions; /* used for lookups only */

  const ir_expr *convert(const ex &e);
  const ir_expr *number(const numeric &n);
  const ir_equations *lowered(const Solution &of);
  const ir_expr *held(const ex &e, const Quantity &known);
  const ir_expr *power(const ex &base, const ex &exponent);
  const ir_expr *function(const ex &e);
};

/* Symbols for the values of lets that are at most quadratic in the state.
 *
 * A discrete gradient (expr/discrete_gradient.h) is not determined by the function alone; it
 * depends on the names in which the function is written. */
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
  ex plain(const ex &e) const { return replaced(e, definitions); }

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
  exmap definitions;
  std::map<ex, ex, ex_is_less> known; /* used for lookups only */

  bool is_at_most_quadratic(const ex &e) const;
};

} // namespace sidewinder

#endif
