/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mass_block.h -- the elimination of coupled velocities: L D L^T factorisation of M x = y, pivot by
 * pivot, with a symmetric M of formulas.
 *
 * Pivot j with D_j = M_jj subtracts M_ij/D_j y_j from y_i and M_ij M_jk/D_j from M_ik.  y.M^-1 y is
 * the sum of the y_j^2/D_j.
 */
#ifndef SIDEWINDER_SYMBOLIC_MASS_BLOCK_H
#define SIDEWINDER_SYMBOLIC_MASS_BLOCK_H

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "symbolic/derivatives.h"
#include "symbolic/symbols.h"

namespace sidewinder
{

/* A hook for the intermediate values of the elimination.  This class keeps them as nested
 * formulas; subclasses may give them names. */
class Kept
{
public:
  virtual ~Kept() = default;
  virtual ex factor(const ex &e) { return e; }
  virtual ex sum(const ex &before, const ex &change) { return before + change; }
};

/* A pivot eliminates one unknown, or two with zeros on the diagonal.  `rest` holds the couplings
 * to the remaining unknowns. */
struct Pivot {
  int i;
  int j; /* equal to i for a single pivot */
  ex D;  /* M_ii of a single pivot, M_ij of a pair */
  ex y_i;
  ex y_j;
  std::map<int, std::pair<ex, ex>> rest; /* M_ri and M_rj by r */

  bool is_single() const { return i == j; }
  /* The contribution of this pivot to y.M^-1 y/2. */
  ex term() const;
  /* x_i and x_j for the right-hand sides by_i and by_j; x(r) gives the remaining unknowns. */
  std::pair<ex, ex> solved(const ex &by_i, const ex &by_j, const std::function<ex(int)> &x) const;
};

struct LinearSystem {
  std::vector<int> unknowns; /* ascending */
  Matrix M;                  /* both triangles */
  std::map<int, ex> y;
};

class Elimination
{
public:
  /* varies(e) tells whether an entry depends on the state.  `kept` must outlive the elimination. */
  Elimination(LinearSystem of, std::function<bool(const ex &)> varies, Kept &kept)
      : linear_system(std::move(of)), is_varying(std::move(varies)), names(kept)
  {
  }

  bool is_done() const { return linear_system.unknowns.empty(); }
  /* Chooses the next pivot and appends it to `pivots`.  Returns false if M is singular. */
  bool next();
  /* Subtracts the last pivot from the remaining system. */
  void reduce();

  std::vector<Pivot> pivots;

private:
  LinearSystem linear_system; /* the system of the remaining unknowns */
  std::function<bool(const ex &)> is_varying;
  Kept &names;

  ex entry(int i, int j) const { return entry_at(linear_system.M, i, j); }
  void change(int i, int j, const ex &by);
  bool choose_single();
  bool choose_pair();
};

/* Velocities that a mass matrix couples, if formulas of v = M^-1 y would be too long.  The C solves
 * for v at each state; y = p - a(q).
 *
 * The elimination is the one above, but intermediate values have names, so the C computes them as
 * numbers.  Their derivatives do not differentiate the elimination.  With T = y.M^-1 y/2, W =
 * M^-1 and L = v.M v/2 + a.v, which depends on (q,v) and on algebraic variables, which are treated
 * like q,
 *
 *   T_p = v,  T_q = -L_q,  v_p = W,  v_q = -W L_vq,  (L_q)' = L_qq + L_qv v_q,  W_q = -W M_q W. */
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
  exmap to_velocities;
  /* derivatives of items, by item number and entry of z */
  std::map<std::pair<int, int>, ex> slopes;
  std::map<std::pair<int, int>, ex> coupled;             /* L_vq, by row and column */
  std::map<int, Matrix> mass_slopes;                     /* M_q, by entry of z */
  std::map<std::pair<int, int>, std::map<int, ex>> rows; /* rows of W M_q */
  Solution solved = {};
  exmap point;
  std::map<ex, Number, ex_is_less> numbers; /* used for lookups only */

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
