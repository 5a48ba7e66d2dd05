/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mass_block.h -- velocities that a mass matrix couples, where an elimination in formulas would be too long: v = M^-1 y is computed
 * at each state, y = p - a(q).
 *
 * The elimination is the same, but what it makes has names, so that the C computes with numbers, and what is differentiated is
 * not the elimination.  With T = y.M^-1 y/2, W = M^-1 and L = v.M v/2 + a.v, which depends on (q,v) and on algebraic variables, which
 * are treated like q,
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
  /* M v = y of some degrees of freedom, and what L has of their velocities; both in the symbols of the momenta. */
  MassBlock(const Symbols &s, LinearSystem of, ex lagrangian);

  /* False where M is singular. */
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
    int i; /* of the velocity, row of W, or entry of z */
    int j; /* column of W */
    ex symbol;
    ex formula;
    std::vector<int> reads;
  };
  /* The value where elimination is tried, and that of the terms that it is the sum of; no numbers where there is no value. */
  struct Number {
    ex value;
    ex size;
  };

  const Symbols &symbols;
  LinearSystem given;
  ex L;
  std::vector<Item> items;
  int T = -1;
  std::map<int, int> v; /* numbers of items, by degree of freedom, */
  std::map<std::pair<int, int>, int> W;
  std::map<int, int> forces; /* and by entry of z: -L_z */
  GiNaC::exmap to_velocities;
  std::map<std::pair<int, int>, ex> slopes;              /* by number and entry of z, */
  std::map<std::pair<int, int>, ex> coupled;             /* L_vq, */
  std::map<int, Matrix> mass_slopes;                     /* M_q by entry of z, */
  std::map<std::pair<int, int>, std::map<int, ex>> rows; /* and rows of W M_q */
  Solution solved = {};
  GiNaC::exmap point;
  std::map<ex, Number, GiNaC::ex_is_less> numbers; /* looked up, never walked */

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
