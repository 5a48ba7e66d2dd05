// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/legendre.h"

#include <algorithm>
#include <map>
#include <set>

#include "symbolic/derivatives.h"
#include "symbolic/growth.h"

namespace sidewinder
{

#define BY_HAND                                                                                    \
  "L = v.M(q)v/2 + a(q).v - V(q) becomes a Hamiltonian, any other one has to be written as one, "  \
  "'hamiltonian H = ...' with 'coord q momentum p'"

const char *const without_mass =
    "; give it a kinetic energy, or declare a variable without one as 'algebraic'";

const char *const partly_defined =
    "the Lagrangian is not quadratic in the velocities everywhere: this has a root or a logarithm "
    "of them, which is defined for some alone; " BY_HAND;

namespace
{

// A pivot: the velocities that it eliminates, one, or two where both have no mass of their own, and those that are left
// with what couples them to it.
struct Pivot {
  int i;
  int j; // i for one
  ex D;  // M_ii, or M_ij
  ex y_i;
  ex y_j;
  std::map<int, std::pair<ex, ex>> rest; // M_ri, M_rj
};

class Transform
{
public:
  explicit Transform(const Lagrangian &of)
      : L(of), d(of.symbols.d), y(static_cast<size_t>(d)), heavy(static_cast<size_t>(d), span{0, 0})
  {
    result.velocity.assign(static_cast<size_t>(d), 0);
    result.momentum.assign(static_cast<size_t>(d), 0);
    for (const int i : L.moving) {
      at_rest[velocity(i)] = 0;
      number[velocity(i)] = i;
    }
  }

  Legendre made();

private:
  const Lagrangian &L;
  int d;
  GiNaC::exmap at_rest;
  std::map<ex, int, GiNaC::ex_is_less> number; // of a velocity; looked up, never walked
  Matrix M;                                    // both triangles
  std::vector<ex> y;
  std::vector<span> heavy; // the first term of L that gives a velocity its mass
  Legendre result;
  double work = 0; // for the derivatives of the kinetic energy

  const ex &velocity(int i) const { return L.symbols.p(i); }
  ex &y_of(int i) { return y[static_cast<size_t>(i)]; }
  std::vector<int> velocities(const ex &e) const;
  ex still(const ex &e) const { return e.subs(at_rest, GiNaC::subs_options::no_pattern); }
  ex entry(int i, int j) const;
  void add(int i, int j, const ex &e);

  void read(const PlacedTerm &term);
  void read_mass(const PlacedTerm &term, int i, const ex &slope);
  void drop_zeros();
  std::vector<std::vector<int>> blocks() const;
  void eliminate(const std::vector<int> &block);
  Pivot choose(const std::vector<int> &left, const std::vector<int> &block) const;
  void reduce(Pivot &pivot, const std::vector<int> &left);
  void check_growth(const ex &term, size_t made, const std::vector<int> &block);
  void go_back(const Pivot &pivot);
  [[noreturn]] void refuse_degree(const PlacedTerm &term, int i) const;
  [[noreturn]] void refuse_singular(const std::vector<int> &block) const;
};

std::vector<int> Transform::velocities(const ex &e) const
{
  std::vector<int> found;
  for (const ex &symbol : symbols_in(e)) {
    const auto at = number.find(symbol);
    if (at != number.end()) {
      found.push_back(at->second);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

ex Transform::entry(int i, int j) const
{
  const auto found = M.find({i, j});
  return found == M.end() ? ex(0) : found->second;
}

void Transform::add(int i, int j, const ex &e)
{
  const ex sum = entry(i, j) + e;
  M[{i, j}] = sum;
  M[{j, i}] = sum;
}

void Transform::refuse_degree(const PlacedTerm &term, int i) const
{
  throw ModelError(
      term.where, "the Lagrangian is not quadratic in the velocities: in this term it is not in '" +
                      L.name(i) + "'; " BY_HAND);
}

// What a velocity contributes to M with the others behind it.
void Transform::read_mass(const PlacedTerm &term, int i, const ex &slope)
{
  for (const int j : velocities(slope)) {
    const ex mass = slope.diff(GiNaC::ex_to<GiNaC::symbol>(velocity(j)));
    for (const int k : velocities(mass)) {
      if (!vanishes(mass.diff(GiNaC::ex_to<GiNaC::symbol>(velocity(k))))) {
        refuse_degree(term, k);
      }
    }
    if (j >= i) {
      add(i, j, still(mass));
    }
    span &first = heavy[static_cast<size_t>(i)];
    first = i == j && first.end == 0 ? term.where : first;
  }
}

void Transform::read(const PlacedTerm &term)
{
  for (const int i : velocities(term.value)) {
    const ex slope = term.value.diff(GiNaC::ex_to<GiNaC::symbol>(velocity(i)));
    at_place(term.where, [&] {
      read_mass(term, i, slope);
      result.momentum[static_cast<size_t>(i)] += slope;
      y_of(i) -= still(slope);
      return 0;
    });
  }
  const ex V = at_place(term.where, [&] { return -still(term.value); });
  if (!V.is_zero()) {
    result.potential.push_back({V, term.where});
  }
}

void Transform::drop_zeros()
{
  for (auto at = M.begin(); at != M.end();) {
    at = vanishes(at->second) ? M.erase(at) : std::next(at);
  }
}

// Velocities that M couples, in the order of their first ones.
std::vector<std::vector<int>> Transform::blocks() const
{
  std::vector<std::vector<int>> result_blocks;
  std::set<int> done;
  for (const int first : L.moving) {
    if (!done.insert(first).second) {
      continue;
    }
    std::vector<int> block{first};
    for (size_t next = 0; next < block.size(); next++) {
      for (auto at = M.lower_bound({block[next], 0});
           at != M.end() && at->first.first == block[next]; ++at) {
        if (done.insert(at->first.second).second) {
          block.push_back(at->first.second);
        }
      }
    }
    std::sort(block.begin(), block.end());
    result_blocks.push_back(block);
  }
  return result_blocks;
}

void Transform::refuse_singular(const std::vector<int> &block) const
{
  const std::string first = L.name(block[0]);
  if (block.size() == 1) {
    throw ModelError(L.place(block[0]),
                     "the mass matrix of the Lagrangian is singular: no term is quadratic in the "
                     "velocity '" +
                         first + "'" + L.massless);
  }
  std::string names = first;
  for (size_t i = 1; i < block.size() && i < 4; i++) {
    names += ", " + L.name(block[i]);
  }
  throw ModelError(heavy[static_cast<size_t>(block[0])].end ? heavy[static_cast<size_t>(block[0])]
                                                            : L.place(block[0]),
                   "the mass matrix of the Lagrangian is singular: the kinetic energy of the "
                   "velocities " +
                       names + (block.size() > 4 ? ", ..." : "") +
                       " does not depend on all of them; choose as many coordinates as there are "
                       "degrees of freedom");
}

// A velocity with a mass of its own: one that reads no state rather than another, one that few are coupled to, the first.
// Where none has one, two that are coupled.
Pivot Transform::choose(const std::vector<int> &left, const std::vector<int> &block) const
{
  std::pair<int, int> best_cost;
  int best = -1;
  for (const int i : left) {
    const ex D = entry(i, i);
    if (D.is_zero() || vanishes(D)) {
      continue;
    }
    const auto couples = [&](int j) { return !entry(i, j).is_zero(); };
    const int couplings = static_cast<int>(std::count_if(left.begin(), left.end(), couples));
    const std::pair<int, int> cost{!L.symbols.states(L.plain(D)).empty(), couplings};
    if (best < 0 || cost < best_cost) {
      best = i;
      best_cost = cost;
    }
  }
  if (best >= 0) {
    return {
        best, best, entry(best, best), y[static_cast<size_t>(best)], y[static_cast<size_t>(best)],
        {}};
  }
  for (const int i : left) {
    for (const int j : left) {
      if (i < j && !vanishes(entry(i, j))) {
        return {i, j, entry(i, j), y[static_cast<size_t>(i)], y[static_cast<size_t>(j)], {}};
      }
    }
  }
  refuse_singular(block);
}

// Takes the pivot out of what is left.
void Transform::reduce(Pivot &pivot, const std::vector<int> &left)
{
  for (const int r : left) {
    const ex to_i = entry(r, pivot.i);
    const ex to_j = entry(r, pivot.j);
    if (!to_i.is_zero() || !to_j.is_zero()) {
      pivot.rest[r] = {to_i, to_j};
    }
  }
  for (const auto &[r, to] : pivot.rest) {
    if (pivot.i == pivot.j) {
      y_of(r) -= to.first / pivot.D * pivot.y_i;
    } else {
      y_of(r) -= (to.second * pivot.y_i + to.first * pivot.y_j) / pivot.D;
    }
    for (const auto &[k, other] : pivot.rest) {
      if (k >= r) {
        add(r, k,
            pivot.i == pivot.j ? -to.first * other.first / pivot.D
                               : -(to.second * other.first + to.first * other.second) / pivot.D);
      }
    }
  }
}

// GiNaC differentiates trees, in which what pivots share is not shared.
void Transform::check_growth(const ex &term, size_t made, const std::vector<int> &block)
{
  Growth growth(L.symbols);
  work += growth.work(L.plain(term));
  if (work < max_work) {
    return;
  }
  throw ModelError(heavy[static_cast<size_t>(block[0])].end ? heavy[static_cast<size_t>(block[0])]
                                                            : L.place(block[0]),
                   "the mass matrix couples " + std::to_string(block.size()) +
                       " velocities, from '" + L.name(block.front()) + "' to '" +
                       L.name(block.back()) + "', and is eliminated in formulas: after " +
                       std::to_string(made) +
                       " of them these are too large to differentiate.  Take coordinates that "
                       "couple fewer, such "
                       "as Cartesian ones with constraints");
}

// v_j = (y_j - sum_r M_jr v_r)/D, with the velocities that were eliminated later.
void Transform::go_back(const Pivot &pivot)
{
  const auto velocity_of = [&](int i) -> ex & { return result.velocity[static_cast<size_t>(i)]; };
  ex by_i = pivot.y_i;
  ex by_j = pivot.y_j;
  for (const auto &[r, to] : pivot.rest) {
    by_i -= to.first * velocity_of(r);
    by_j -= to.second * velocity_of(r);
  }
  velocity_of(pivot.i) = (pivot.i == pivot.j ? by_i : by_j) / pivot.D;
  if (pivot.i != pivot.j) {
    velocity_of(pivot.j) = by_i / pivot.D;
  }
}

void Transform::eliminate(const std::vector<int> &block)
{
  std::vector<int> left = block;
  std::vector<Pivot> pivots;
  while (!left.empty()) {
    Pivot pivot = choose(left, block);
    left.erase(std::remove_if(left.begin(), left.end(),
                              [&](int i) { return i == pivot.i || i == pivot.j; }),
               left.end());
    const ex term = pivot.i == pivot.j ? GiNaC::pow(pivot.y_i, 2) / (2 * pivot.D)
                                       : pivot.y_i * pivot.y_j / pivot.D;
    check_growth(term, block.size() - left.size(), block);
    const span own = heavy[static_cast<size_t>(pivot.i)];
    result.kinetic.push_back({term, own.end ? own : L.terms[0].where});
    reduce(pivot, left);
    pivots.push_back(pivot);
  }
  for (auto pivot = pivots.rbegin(); pivot != pivots.rend(); ++pivot) {
    go_back(*pivot);
  }
}

Legendre Transform::made()
{
  for (const int i : L.moving) {
    y_of(i) = velocity(i); // which is a momentum from here on
  }
  for (const PlacedTerm &term : L.terms) {
    read(term);
  }
  drop_zeros();
  for (const std::vector<int> &block : blocks()) {
    result.coupled = std::max(result.coupled, static_cast<int>(block.size()));
    eliminate(block);
  }
  return std::move(result);
}

} // namespace

Legendre legendre(const Lagrangian &L)
{
  Growth growth(L.symbols);
  for (const PlacedTerm &term : L.terms) {
    if (!(growth.work(L.plain(term.value)) < max_work)) {
      throw ModelError(term.where, too_much_work("the derivatives of this formula"));
    }
  }
  return Transform(L).made();
}

} // namespace sidewinder
