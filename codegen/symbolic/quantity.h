/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quantity.h -- symbols that stand for formulas of the state, and know their own derivatives.
 *
 * GiNaC differentiates trees.  Where a formula is long and its derivatives have a simpler form than it, such as the solution of
 * linear equations, its derivatives are written down with such symbols, and nothing walks the formula before it is lowered.
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

/* What quantities stand for, by their numbers; outlives them. */
class Meaning
{
public:
  enum Kind {
    NAME,    /* for a part of others, whose derivatives are not asked for */
    SHORT,   /* so short that questions about identities are to look into it */
    LONG,    /* so long that they are not */
    UNKNOWN, /* likewise, v of the solution of equations, */
    INVERSE, /* and W */
  };

  virtual ~Meaning() = default;
  /* The entry of the state that a symbol is, or -1. */
  virtual int entry_of(const GiNaC::symbol &symbol) const = 0;
  /* In the state, parameters and other quantities. */
  virtual ex formula(int number) const = 0;
  /* Entries of the state that it depends on, ascending. */
  virtual const std::vector<int> &reads(int number) const = 0;
  virtual Kind kind(int number) const = 0;
  /* The derivative by entry i of the state. */
  virtual ex slope(int number, int i) = 0;
  virtual const Solution &solution() = 0;
  /* Row and column in W, or row in v. */
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

/* The quantity that e is, or nullptr. */
const Quantity *quantity(const ex &e);

} // namespace sidewinder

#endif
