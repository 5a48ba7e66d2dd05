/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quantity.h -- symbols for formulas of the state, with their own rules of differentiation.
 *
 * GiNaC differentiates trees.  If a formula is long but its derivatives have a simpler form, as for
 * the solution of linear equations, the derivatives are written in such symbols.  The formula
 * itself is traversed only when it is lowered.
 */
#ifndef SIDEWINDER_QUANTITY_H
#define SIDEWINDER_QUANTITY_H

#include <ginac/ginac.h>

#include <utility>
#include <vector>

namespace sidewinder
{

using GiNaC::ex;

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

class Quantity : public GiNaC::realsymbol
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

} // namespace sidewinder

#endif
