// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/legendre.h"

#include <algorithm>
#include <map>

#include "symbolic/derivatives.h"
#include "symbolic/mass_block.h"

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

// Most velocities of a block whose M depends on the state, if it is eliminated by formulas in a
// looped model; and most velocities of a block that is solved numerically.
constexpr size_t most_in_loops = 2;
constexpr size_t most_solved = 20;

class Transform
{
public:
  explicit Transform(const Lagrangian &of)
      : L(of), d(of.symbols.d), heavy(static_cast<size_t>(d), span{0, 0})
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
  exmap at_rest;
  std::map<ex, int, ex_is_less> number; // of a velocity; used for lookups only
  Matrix M;                             // both triangles
  std::map<int, ex> y;
  // by degree of freedom: the first term of L that gives the velocity a mass
  std::vector<span> heavy;
  Legendre result;
  double work = 0; // for the derivatives of the kinetic energy

  const ex &velocity(int i) const { return L.symbols.p(i); }
  std::vector<int> velocities(const ex &e) const;
  ex still(const ex &e) const { return replaced(e, at_rest); }
  void add(int i, int j, const ex &e);

  void read(const PlacedTerm &term);
  void read_mass(const PlacedTerm &term, int i, const ex &slope);
  void drop_zeros();
  LinearSystem linear_system(const std::vector<int> &block) const;
  ex moving_part(const std::vector<int> &block) const;
  bool is_short(const ex &term, double &sum) const;
  bool is_for_formulas(const std::vector<int> &block) const;
  bool eliminate(const std::vector<int> &block);
  void check_size(const std::vector<int> &block) const;
  void solve(const std::vector<int> &block);
  span place_of(const std::vector<int> &block) const;
  std::string size_of(const std::vector<int> &block) const;
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

void Transform::add(int i, int j, const ex &e)
{
  const ex sum = entry_at(M, i, j) + e;
  M[{i, j}] = sum;
  M[{j, i}] = sum;
}

void Transform::refuse_degree(const PlacedTerm &term, int i) const
{
  throw ModelError(
      term.where, "the Lagrangian is not quadratic in the velocities: in this term it is not in '" +
                      L.name(i) + "'; " BY_HAND);
}

// Adds the contributions of velocity i, and of those from i on, to row i of M.
void Transform::read_mass(const PlacedTerm &term, int i, const ex &slope)
{
  for (const int j : velocities(slope)) {
    const ex mass = derivative(slope, velocity(j));
    for (const int k : velocities(mass)) {
      if (!vanishes(derivative(mass, velocity(k)))) {
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
    const ex slope = derivative(term.value, velocity(i));
    at_place(term.where, [&] {
      read_mass(term, i, slope);
      result.momentum[static_cast<size_t>(i)] += slope;
      y[i] -= still(slope);
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

void Transform::refuse_singular(const std::vector<int> &block) const
{
  const std::string first = L.name(block[0]);
  if (block.size() == 1) {
    const std::string what = "the mass matrix of the Lagrangian is singular: no term is quadratic "
                             "in the velocity '" +
                             first + "'";
    if (!L.is_unrolled) {
      throw LoopError(L.place(block[0]),
                      what + " in the sums over the sets of this one, to which a model with loops "
                             "adds no others",
                      "write both over one set");
    }
    throw ModelError(L.place(block[0]), what + without_mass);
  }
  std::string names = first;
  for (size_t i = 1; i < block.size() && i < 4; i++) {
    names += ", " + L.name(block[i]);
  }
  throw ModelError(place_of(block),
                   "the mass matrix of the Lagrangian is singular: the kinetic energy of the "
                   "velocities " +
                       names + (block.size() > 4 ? ", ..." : "") +
                       " does not depend on all of them; choose as many coordinates as there are "
                       "degrees of freedom");
}

span Transform::place_of(const std::vector<int> &block) const
{
  const span first = heavy[static_cast<size_t>(block[0])];
  return first.end ? first : L.place(block[0]);
}

std::string Transform::size_of(const std::vector<int> &block) const
{
  return "the mass matrix couples " + std::to_string(block.size()) + " velocities, from '" +
         L.name(block.front()) + "' to '" + L.name(block.back()) + "', ";
}

// GiNaC differentiates trees, so the parts that pivots share count once for each use.
bool Transform::is_short(const ex &term, double &sum) const
{
  Growth growth(L.symbols);
  sum += growth.work(L.plain(term));
  return sum < max_work;
}

LinearSystem Transform::linear_system(const std::vector<int> &block) const
{
  LinearSystem own{block, {}, {}};
  for (const int i : block) {
    own.y[i] = y.at(i);
    const Row row = row_of(M, i);
    own.M.insert(row.begin(), row.end());
  }
  return own;
}

// Cancellation in state-dependent pivots makes the magnitudes of formulas (expr/magnitude.h) grow
// by a factor with each pivot.  After three pivots, the magnitude of rho can be 1e30 times its
// value, and the residual test accepts anything.
bool Transform::is_for_formulas(const std::vector<int> &block) const
{
  const LinearSystem system = linear_system(block);
  return block.size() <= (L.is_unrolled ? 1 : most_in_loops) ||
         std::all_of(system.M.begin(), system.M.end(), [&](const auto &entry) {
           return L.symbols.states(L.plain(entry.second)).empty();
         });
}

// Eliminates a block by formulas.  Returns false if the formulas become too long.
bool Transform::eliminate(const std::vector<int> &block)
{
  Kept as_they_are;
  const auto varies = [&](const ex &e) { return !L.symbols.states(L.plain(e)).empty(); };
  Elimination by_formulas(linear_system(block), varies, as_they_are);
  double sum = work;
  std::vector<PlacedTerm> terms;
  while (!by_formulas.is_done()) {
    if (!by_formulas.next()) {
      refuse_singular(block);
    }
    const Pivot &pivot = by_formulas.pivots.back();
    if (!is_short(pivot.term(), sum)) {
      return false;
    }
    const span own = heavy[static_cast<size_t>(pivot.i)];
    terms.push_back({pivot.term(), own.end ? own : L.terms[0].where});
    by_formulas.reduce();
  }
  work = sum;
  result.kinetic.insert(result.kinetic.end(), terms.begin(), terms.end());
  const auto velocity_of = [&](int i) -> ex & { return result.velocity[static_cast<size_t>(i)]; };
  for (auto pivot = by_formulas.pivots.rbegin(); pivot != by_formulas.pivots.rend(); ++pivot) {
    const auto [v_i, v_j] = pivot->solved(pivot->y_i, pivot->y_j, velocity_of);
    velocity_of(pivot->i) = v_i;
    velocity_of(pivot->j) = v_j;
  }
  return true;
}

void Transform::check_size(const std::vector<int> &block) const
{
  const char *const otherwise = "; take coordinates that couple fewer, such as Cartesian ones with "
                                "constraints";
  if (!L.is_unrolled) {
    throw LoopError(place_of(block),
                    size_of(block) + "which a model with loops takes for at most " +
                        std::to_string(most_in_loops) + " if it depends on positions",
                    "take coordinates that couple fewer, such as Cartesian ones with constraints");
  }
  if (block.size() > most_solved) {
    throw ModelError(place_of(block), size_of(block) +
                                          "and is factorised in straight-line C, for "
                                          "at most " +
                                          std::to_string(most_solved) + " of them" + otherwise);
  }
}

// v.M v/2 + a.v of this block: as written in L, unless a term also has velocities of other blocks.
ex Transform::moving_part(const std::vector<int> &block) const
{
  const auto is_in = [&](int i) { return std::binary_search(block.begin(), block.end(), i); };
  exvector written;
  exvector made;
  bool is_alone = true;
  for (const PlacedTerm &term : L.terms) {
    const std::vector<int> read = velocities(term.value);
    if (std::any_of(read.begin(), read.end(), is_in)) {
      is_alone = is_alone && std::all_of(read.begin(), read.end(), is_in);
      written.push_back(term.value - still(term.value));
    }
  }
  for (const int i : block) {
    made.push_back((velocity(i) - y.at(i)) * velocity(i));
    for (const auto &[place, mass] : row_of(M, i)) {
      made.push_back(mass * velocity(i) * velocity(place.second) / 2);
    }
  }
  return sum_of(is_alone ? written : made);
}

// Defines the velocities of a block as the solution of a linear system at each state.
void Transform::solve(const std::vector<int> &block)
{
  check_size(block);
  LinearSystem plain = linear_system(block);
  for (auto &[place, e] : plain.M) {
    e = L.plain(e);
  }
  for (auto &[i, e] : plain.y) {
    e = L.plain(e);
  }
  const auto made = std::make_shared<MassBlock>(L.symbols, plain, L.plain(moving_part(block)));
  if (!made->solve()) {
    refuse_singular(block);
  }
  result.blocks.push_back(made);
  result.solved = std::max(result.solved, element_count(block));
  result.kinetic.push_back({made->kinetic(), place_of(block)});
  for (const int i : block) {
    result.velocity[static_cast<size_t>(i)] = made->velocity(i);
  }
}

Legendre Transform::made()
{
  for (const int i : L.moving) {
    y[i] = velocity(i); // the symbol denotes a momentum from here on
  }
  for (const PlacedTerm &term : L.terms) {
    read(term);
  }
  drop_zeros();
  for (const std::vector<int> &block : coupled_blocks(M, L.moving)) {
    result.coupled = std::max(result.coupled, element_count(block));
    if (!is_for_formulas(block) || !eliminate(block)) {
      solve(block);
    }
  }
  return std::move(result);
}

} // namespace

Legendre legendre(const Lagrangian &L)
{
  Growth growth(L.symbols);
  for (const PlacedTerm &term : L.terms) {
    double alone = 0;
    spend_work(alone, growth.work(L.plain(term.value)), "the derivatives of this formula",
               term.where);
  }
  return Transform(L).made();
}

} // namespace sidewinder
