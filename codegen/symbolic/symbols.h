/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h -- the GiNaC symbols in formulas, and the input that each symbol denotes.
 *
 * GiNaC treats two symbols with the same name as different, so each entry of z, k and lambda has
 * exactly one symbol.  Positive parameters are possymbols and everything else realsymbols, so that
 * sqrt(a^2) and the like simplify when valid.
 */
#ifndef SIDEWINDER_SYMBOLIC_SYMBOLS_H
#define SIDEWINDER_SYMBOLIC_SYMBOLS_H

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "expr/expr.h"
#include "model/model.h"

namespace sidewinder
{

using GiNaC::ex;
using GiNaC::ex_is_less;
using GiNaC::ex_to;
using GiNaC::exmap;
using GiNaC::exvector;
using GiNaC::info_flags;
using GiNaC::is_a;
using GiNaC::is_exactly_a;
using GiNaC::numeric;
using GiNaC::realsymbol;

/* ---- Quantities: symbols for formulas of the state, with their own rules of differentiation ----
 *
 * GiNaC differentiates trees.  If a formula is long but its derivatives have a simpler form, as for
 * the solution of linear equations, the derivatives are written in such symbols.  The formula
 * itself is traversed only when it is lowered. */

/* M v = y with W = M^-1. */
struct Solution {
  int n;
  std::vector<ex> M;
  std::vector<ex> W;
  std::vector<ex> v;
  std::vector<ex> y;
};

/* The definitions of quantities, by number.  Must outlive the quantities. */
class Meaning
{
public:
  enum Kind {
    NAME,    /* a part of other quantities; has no derivatives */
    SHORT,   /* short enough for identity proofs to use its formula */
    LONG,    /* too long for identity proofs to use its formula */
    UNKNOWN, /* too long; an entry of the solution v of a linear system */
    INVERSE, /* too long; an entry of the inverse W */
  };

  virtual ~Meaning() = default;
  /* The index of a symbol in the state z, or -1. */
  virtual int entry_of(const GiNaC::symbol &symbol) const = 0;
  /* The formula, in the state, parameters and other quantities. */
  virtual ex formula(int number) const = 0;
  /* The entries of the state that the quantity depends on, ascending. */
  virtual const std::vector<int> &reads(int number) const = 0;
  virtual Kind kind(int number) const = 0;
  /* The derivative with respect to entry i of the state. */
  virtual ex slope(int number, int i) = 0;
  virtual const Solution &solution() = 0;
  /* Row and column in W; row in v for an UNKNOWN. */
  virtual std::pair<int, int> place(int number) const = 0;
};

class Quantity : public realsymbol
{
public:
  Quantity(Meaning &m, int i) : meaning(&m), number(i) {}
  Quantity *duplicate() const override;

  ex formula() const { return meaning->formula(number); }
  const std::vector<int> &reads() const { return meaning->reads(number); }
  Meaning::Kind kind() const { return meaning->kind(number); }
  ex slope(int i) const { return meaning->slope(number, i); }
  const Solution &solution() const { return meaning->solution(); }
  std::pair<int, int> place() const { return meaning->place(number); }

protected:
  ex derivative(const GiNaC::symbol &by) const override;

private:
  Meaning *meaning;
  int number;
};

/* e as a quantity, or nullptr if it is none. */
const Quantity *quantity(const ex &e);

/* |x| for real x, with derivative x/|x|.  GiNaC's own abs differentiates into conjugates. */
DECLARE_FUNCTION_1P(modulus)
/* -1, 0 or 1 for real x, with derivative 0; and the minimum and maximum of two real numbers. */
DECLARE_FUNCTION_1P(sign_of)
DECLARE_FUNCTION_2P(smaller_of)
DECLARE_FUNCTION_2P(larger_of)

/* G_k(c, t) = sum over j >= 0 of c^j t^(2j+k)/(2j+k)!, k = 0, 1, 2, 3 (sidewinder/functions.h).
 * At c = 0 it is t^k/k!.  It is differentiated in the IR only (expr/derivative.c). */
DECLARE_FUNCTION_3P(universal)

/* Whether the parameter's bounds imply that it is positive. */
bool is_positive(const model_parameter &parameter);

struct Symbols {
  std::vector<ex> z;       /* 2d: q then p */
  std::vector<ex> k;       /* parameters */
  std::vector<ex> lambda;  /* multipliers of the fibre flow */
  std::vector<ex> impulse; /* of the constraints, if observables read them */
  int d = 0;

  /* The symbols of an unrolled model. */
  explicit Symbols(const model &m);

  /* The symbols of a kernel, which exist already.  There must be as many momenta as positions. */
  Symbols(const std::vector<ex> &positions, const std::vector<ex> &momenta,
          const std::vector<ex> &values, const std::vector<ex> &multipliers);

  const ex &at(int i) const { return z[static_cast<size_t>(i)]; }
  const ex &q(int i) const { return at(i); }
  const ex &p(int i) const { return at(d + i); }
  /* The momentum of a position, and the position of a momentum. */
  int partner(int i) const { return i < d ? i + d : i - d; }

  /* The input that a symbol denotes.  Throws std::logic_error for an unknown symbol. */
  struct Input {
    ir_space space;
    int index;
  };
  Input input(const ex &symbol) const;

  /* Index into z, or -1 for any other symbol. */
  int entry(const GiNaC::symbol &symbol) const;

  /* Indices into z of the state variables in e, ascending. */
  std::vector<int> states(const ex &e) const;
  std::vector<ex> state_symbols(const ex &e) const;

private:
  void add_inputs(ir_space space, const std::vector<ex> &symbols, size_t first = 0);
  std::map<ex, Input, ex_is_less> inputs; /* used for lookups only */
};

/* e with symbols replaced by their values. */
inline ex replaced(const ex &e, const exmap &by)
{
  return e.subs(by, GiNaC::subs_options::no_pattern);
}

/* The derivative of e by a symbol. */
inline ex derivative(const ex &e, const ex &symbol)
{
  return e.diff(ex_to<GiNaC::symbol>(symbol));
}

/* The sum of all terms. It is built at once, since adding one term at a time copies the sum each
 * time. */
inline ex sum_of(const std::vector<ex> &terms)
{
  return GiNaC::add(terms);
}

/* The number of elements as an int, as the tables in C have it. */
template <class List> int element_count(const List &list)
{
  return static_cast<int>(list.size());
}

/* A copy in the arena. */
template <class T> T *kept(arena *memory, const std::vector<T> &list)
{
  T *copy = ARENA_ARRAY(memory, list.size() + 1, T);
  std::copy(list.begin(), list.end(), copy);
  return copy;
}

/* All symbols in e.  Their order is not deterministic. */
std::vector<ex> symbols_in(const ex &e);

/* Whether e contains a quantity that depends on the state. */
bool has_quantities(const ex &e);

/* e.expand(), or e itself if the expansion would have too many terms. */
ex expanded(const ex &e);

/* An upper bound of the total degree of e in the symbols `in`, or in all symbols if `in` is
 * NULL; exact unless terms cancel.  If e is no polynomial, the largest bound of any part of e;
 * poles count like powers. */
double degree_bound(const ex &e, const std::set<ex, ex_is_less> *in);

/* The exact degree of e in these symbols, after expansion; -1 if e is no polynomial in them. */
double degree_in(const ex &e, const std::vector<ex> &symbols);

/* Returns true only if e is proved to be identically zero.  Cheap tests come first. */
bool vanishes(const ex &folded);

/* The work of vanishes(e), as the estimated number of terms of the normalised fraction; ten
 * terms of an expansion count as one. */
double effort(const ex &e);

} // namespace sidewinder

#endif
