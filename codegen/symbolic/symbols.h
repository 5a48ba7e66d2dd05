/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h -- the GiNaC symbols that a formula may contain, and which input each of them is.
 *
 * Two symbols of one name are two symbols to GiNaC, so each entry of z, k and lambda is made once.
 * Positive parameters become possymbol, everything else realsymbol, so that sqrt(a^2) and the like
 * simplify where they may.
 */
#ifndef SIDEWINDER_SYMBOLS_H
#define SIDEWINDER_SYMBOLS_H

#include <ginac/ginac.h>

#include <map>
#include <set>
#include <vector>

#include "expr/expr.h"
#include "model/model.h"

namespace sidewinder
{

using GiNaC::ex;

/* |x| for real x, with derivative x/|x|.  GiNaC's own abs differentiates into conjugates. */
DECLARE_FUNCTION_1P(modulus)
/* -1, 0 or 1 for real x, with derivative 0; and the smaller and the larger of two real numbers. */
DECLARE_FUNCTION_1P(sign_of)
DECLARE_FUNCTION_2P(smaller_of)
DECLARE_FUNCTION_2P(larger_of)

/* G_k(c, t) = sum over j >= 0 of c^j t^(2j+k)/(2j+k)!, k = 0, 1, 2, 3, of sidewinder/functions.h, and its t^k/k! where
 * c = 0; differentiated in our own expressions alone (expr/derivative.c). */
DECLARE_FUNCTION_3P(universal)

/* Whether its bounds say that a parameter is positive. */
bool is_positive(const model_parameter &parameter);

struct Symbols {
  std::vector<ex> z;      /* 2d: q then p */
  std::vector<ex> k;      /* parameters */
  std::vector<ex> lambda; /* multipliers of the fibre flow */
  int d = 0;

  /* Of a model that is unrolled. */
  explicit Symbols(const model &m);

  /* Of a kernel, from symbols that exist; as many momenta as positions. */
  Symbols(const std::vector<ex> &positions, const std::vector<ex> &momenta,
          const std::vector<ex> &values, const std::vector<ex> &multipliers);

  const ex &at(int i) const { return z[static_cast<size_t>(i)]; } /* of z */
  const ex &q(int i) const { return at(i); }
  const ex &p(int i) const { return at(d + i); }
  /* The momentum of a position, and the position of a momentum. */
  int partner(int i) const { return i < d ? i + d : i - d; }

  /* Which input a symbol is; throws std::logic_error for a stranger. */
  struct Input {
    ir_space space;
    int index;
  };
  Input input(const ex &symbol) const;

  /* Index into z, or -1 for any other symbol. */
  int entry(const GiNaC::symbol &symbol) const;

  /* Indices into z of the state's entries that e depends on, ascending. */
  std::vector<int> states(const ex &e) const;
  std::vector<ex> state_symbols(const ex &e) const;

private:
  void add_inputs(ir_space space, const std::vector<ex> &symbols);
  std::map<ex, Input, GiNaC::ex_is_less> inputs; /* looked up, never walked */
};

/* All symbols that e contains, in no order that means anything. */
std::vector<ex> symbols_in(const ex &e);

/* Whether e contains a quantity that depends on the state (quantity.h). */
bool has_quantities(const ex &e);

/* e, with the formulas of those quantities that are short. */
ex unfolded(const ex &e);

/* e.expand(), or e itself where that would make very many terms. */
ex expanded(const ex &e);

/* Total degree of e in these symbols, in all where there is none; of what is no polynomial, the largest in any part of
 * it, poles counted like powers.  At least the degree, and the degree itself where nothing cancels. */
double degree_bound(const ex &e, const std::set<ex, GiNaC::ex_is_less> *in);

/* The degree of e in these symbols, once it is expanded; -1 where it is no polynomial in them. */
double degree_in(const ex &e, const std::vector<ex> &symbols);

/* Yes or no: is the formula zero as an identity?  Tries what is cheap first; "no" may mean "not proved". */
bool vanishes(const ex &folded);

/* How much work vanishes(e) is: terms of the fraction that it makes, ten terms of an expansion counting as
 * one. */
double effort(const ex &e);

} // namespace sidewinder

#endif
