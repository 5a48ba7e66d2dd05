/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h -- the one owner of all GiNaC symbols of a model.
 *
 * Two symbols of one name are two symbols to GiNaC, so each entry of z, k and lambda is made here,
 * once.  Positive parameters become possymbol, everything else realsymbol, so that sqrt(a^2) and the
 * like simplify where they may.
 */
#ifndef SIDEWINDER_SYMBOLS_H
#define SIDEWINDER_SYMBOLS_H

#include <ginac/ginac.h>

#include <map>
#include <set>
#include <vector>

#include "ir/expr.h"
#include "model/model.h"

namespace sidewinder
{

using GiNaC::ex;

/* |x| for real x, with derivative x/|x|.  GiNaC's own abs differentiates into conjugates. */
DECLARE_FUNCTION_1P(modulus)

struct Symbols {
  std::vector<ex> z;      /* 2d: q then p */
  std::vector<ex> k;      /* parameters */
  std::vector<ex> lambda; /* multipliers of the fibre flow */
  int d = 0;

  explicit Symbols(const model &m);

  const ex &q(int i) const { return z[static_cast<size_t>(i)]; }
  const ex &p(int i) const { return z[static_cast<size_t>(d) + static_cast<size_t>(i)]; }

  /* Which input a symbol is; throws std::logic_error for a stranger. */
  struct Input {
    ir_space space;
    int index;
  };
  Input input(const ex &symbol) const;

  /* Indices into z of the state's entries that e contains, ascending. */
  std::vector<int> states(const ex &e) const;

private:
  std::map<ex, Input, GiNaC::ex_is_less> inputs; /* looked up, never walked */
};

/* e.expand(), or e itself where that would make very many terms. */
ex expanded(const ex &e);

/* Yes or no: is e zero as an identity?  Tries what is cheap first; "no" may mean "not proved". */
bool vanishes(const ex &e);

} // namespace sidewinder

#endif
