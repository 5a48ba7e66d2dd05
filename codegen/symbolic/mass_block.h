/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mass_block.h -- velocities that a mass matrix couples, if formulas of v = M^-1 y would be too
 * long.  The C solves for v at each state; y = p - a(q).
 *
 * The elimination is that of pivots.h, but intermediate values have names, so the C computes them
 * as numbers.  Their derivatives do not differentiate the elimination.  With T = y.M^-1 y/2, W =
 * M^-1 and L = v.M v/2 + a.v, which depends on (q,v) and on algebraic variables, which are treated
 * like q,
 *
 *   T_p = v,  T_q = -L_q,  v_p = W,  v_q = -W L_vq,  (L_q)' = L_qq + L_qv v_q,  W_q = -W M_q W.
 */
#ifndef SIDEWINDER_MASS_BLOCK_H
#define SIDEWINDER_MASS_BLOCK_H

#include <algorithm>

#include "symbolic/pivots.h"
#include "symbolic/quantity.h"

namespace sidewinder
{

class MassBlock : public Meaning, public Kept
{
public:
  /* M v = y for the degrees of freedom of one block.  `lagrangian` is the part of L with their
   * velocities.  The symbols of the momenta denote velocities in both. */
  MassBlock(const Symbols &s, LinearSystem of, ex lagrangian);

  /* Returns false if M is singular. */
  bool solve();

  const ex &kinetic() const { return at(T).symbol; }
  const ex &velocity(int i) const { return at(v.at(i)).symbol; }

  int entry_of(const GiNaC::symbol &symbol) const override { return symbols.entry(symbol); }
  ex formula(int number) const override { return at(number).formula; }
  const std::vector<int> &reads(int number) const override { return at(number).reads; }
  Kind kind(int number) const override;
  ex slope(int number, int i) override;
  const Solution &solution() override;
  std::pair<int, int> place(int number) const override;

  ex factor(const ex &e) override;
  ex sum(const ex &before, const ex &change) override;

private:
  enum Role { INNER, KINETIC, VELOCITY, ENTRY, FORCE };
  struct Item {
    Role role;
    int i; /* degree of freedom of a velocity, row of W, or entry of z */
    int j; /* column of W */
    ex symbol;
    ex formula;
    std::vector<int> reads;
  };
  /* An entry at the test point, and the sum of the sizes of its terms.  If there is no value at
   * the point, both members are symbolic. */
  struct Number {
    ex value;
    ex size;
  };

  const Symbols &symbols;
  LinearSystem given;
  ex L;
  std::vector<Item> items;
  int T = -1;
  std::map<int, int> v; /* numbers of the velocities' items, by degree of freedom */
  std::map<std::pair<int, int>, int> W;
  std::map<int, int> forces; /* numbers of the items -L_z, by entry of z */
  GiNaC::exmap to_velocities;
  /* derivatives of items, by item number and entry of z */
  std::map<std::pair<int, int>, ex> slopes;
  std::map<std::pair<int, int>, ex> coupled;             /* L_vq, by row and column */
  std::map<int, Matrix> mass_slopes;                     /* M_q, by entry of z */
  std::map<std::pair<int, int>, std::map<int, ex>> rows; /* rows of W M_q */
  Solution solved = {};
  GiNaC::exmap point;
  std::map<ex, Number, GiNaC::ex_is_less> numbers; /* used for lookups only */

  const Item &at(int number) const { return items[static_cast<size_t>(number)]; }
  int make(Role role, int i, int j, const ex &formula);
  const ex &entry(int i, int j) const { return at(W.at({std::min(i, j), std::max(i, j)})).symbol; }
  void set_inverse(int i, int j, const ex &formula);
  void make_inverse(const Pivot &pivot, const std::vector<int> &later);
  bool is_momentum(int k) const; // of one of the velocities
  void make_forces();
  ex by_state(const ex &e, int i) const;
  ex at_velocities(const ex &e) const;
  const ex &momentum_slope(int i, int k);
  ex velocity_slope(int i, int k);
  const Matrix &mass_slope(int k);
  const std::map<int, ex> &entry_times_slope(int i, int k);
  ex entry_slope(const Item &of, int k);
  ex computed_slope(const Item &of, int k);
  Number number(const ex &e);
};

} // namespace sidewinder

#endif
