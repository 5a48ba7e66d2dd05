// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/mass_block.h"

#include <algorithm>

namespace sidewinder
{

ex Pivot::term() const
{
  return is_single() ? GiNaC::pow(y_i, 2) / (2 * D) : y_i * y_j / D;
}

// x_i = (y_i - sum_r M_ri x_r)/D.  For a pair: M_ij x_j = y_i - sum_r M_ri x_r, and the same with i
// and j exchanged.
std::pair<ex, ex> Pivot::solved(const ex &by_i, const ex &by_j,
                                const std::function<ex(int)> &x) const
{
  ex rest_i = by_i;
  ex rest_j = by_j;
  for (const auto &[r, to] : rest) {
    rest_i -= to.first * x(r);
    rest_j -= to.second * x(r);
  }
  return is_single() ? std::pair<ex, ex>{rest_i / D, rest_i / D}
                     : std::pair<ex, ex>{rest_j / D, rest_i / D};
}

void Elimination::change(int i, int j, const ex &by)
{
  const ex after = names.sum(entry(i, j), by);
  linear_system.M[{i, j}] = after;
  linear_system.M[{j, i}] = after;
}

// Chooses a pivot with a nonzero diagonal entry.  Prefers entries that do not depend on the state,
// then few couplings, then the smallest index.
bool Elimination::choose_single()
{
  const std::vector<int> &left = linear_system.unknowns;
  std::pair<int, int> best_cost;
  int best = -1;
  for (const int i : left) {
    const ex D = entry(i, i);
    if (D.is_zero() || vanishes(D)) {
      continue;
    }
    const auto couples = [&](int j) { return !entry(i, j).is_zero(); };
    const int couplings = static_cast<int>(std::count_if(left.begin(), left.end(), couples));
    const std::pair<int, int> cost{is_varying(D), couplings};
    if (best < 0 || cost < best_cost) {
      best = i;
      best_cost = cost;
    }
  }
  if (best >= 0) {
    pivots.push_back(
        {best, best, entry(best, best), linear_system.y.at(best), linear_system.y.at(best), {}});
  }
  return best >= 0;
}

// Chooses a coupled pair if all diagonal entries are zero.
bool Elimination::choose_pair()
{
  for (const int i : linear_system.unknowns) {
    for (const int j : linear_system.unknowns) {
      if (i < j && !vanishes(entry(i, j))) {
        pivots.push_back({i, j, entry(i, j), linear_system.y.at(i), linear_system.y.at(j), {}});
        return true;
      }
    }
  }
  return false;
}

bool Elimination::next()
{
  if (!choose_single() && !choose_pair()) {
    return false;
  }
  Pivot &pivot = pivots.back();
  std::vector<int> &left = linear_system.unknowns;
  left.erase(
      std::remove_if(left.begin(), left.end(), [&](int i) { return i == pivot.i || i == pivot.j; }),
      left.end());
  for (const int r : left) {
    const ex to_i = entry(r, pivot.i);
    const ex to_j = entry(r, pivot.j);
    if (!to_i.is_zero() || !to_j.is_zero()) {
      pivot.rest[r] = {to_i, to_j};
    }
  }
  return true;
}

void Elimination::reduce()
{
  const Pivot &pivot = pivots.back();
  for (const auto &[r, to] : pivot.rest) {
    // D^-1 M_Pr: M_ri/D for a single pivot.  For a pair D is off-diagonal, so the two entries are
    // exchanged.
    const ex by_i = names.factor((pivot.is_single() ? to.first : to.second) / pivot.D);
    const ex by_j = pivot.is_single() ? ex(0) : names.factor(to.first / pivot.D);
    ex &right = linear_system.y[r];
    right = names.sum(right, -(by_i * pivot.y_i + by_j * pivot.y_j));
    for (const auto &[k, other] : pivot.rest) {
      if (k >= r) {
        change(r, k, -(by_i * other.first + by_j * other.second));
      }
    }
  }
}

// Entries are tested for zero numerically: `digits` is the precision, 10^-smallest the bound for an
// entry relative to its terms.  Entries are analytic, so a nonzero entry vanishes only on a set of
// measure zero.
static const long digits = 80;
static const int smallest = 50;

// Arbitrary rationals, to avoid points with special symmetries.
static ex number_there(size_t i)
{
  const int any = static_cast<int>((i * 7919 + 1409) % 9973);
  return numeric(1, 3) + numeric(any, 9973);
}

namespace
{

// Sets GiNaC's global precision, and restores it.
class Precision
{
public:
  Precision() : before(GiNaC::Digits) { GiNaC::Digits = digits; }
  ~Precision() { GiNaC::Digits = before; }
  Precision(const Precision &) = delete;
  Precision &operator=(const Precision &) = delete;

private:
  long before;
};

} // namespace

MassBlock::MassBlock(const Symbols &s, LinearSystem of, ex lagrangian)
    : symbols(s), given(std::move(of)), L(std::move(lagrangian))
{
  size_t i = 0;
  for (const std::vector<ex> *all : {&s.z, &s.k}) {
    for (const ex &symbol : *all) {
      point[symbol] = number_there(i++);
    }
  }
}

int MassBlock::make(Role role, int i, int j, const ex &formula)
{
  const int number = element_count(items);
  items.push_back({role, i, j, Quantity(*this, number), formula, symbols.states(formula)});
  return number;
}

// ---- elimination with named intermediate values ----

MassBlock::Number MassBlock::number(const ex &e)
{
  const auto found = numbers.find(e);
  if (found != numbers.end()) {
    return found->second;
  }
  try {
    exmap values = point;
    for (const ex &symbol : symbols_in(e)) {
      if (quantity(symbol)) {
        values[symbol] = numbers.at(symbol).value;
      }
    }
    const ex value = replaced(e, values).evalf();
    return {value, is_a<numeric>(value) ? ex(GiNaC::abs(value)) : value};
  } catch (const std::exception &) { // undefined at this point
    return {e, e};
  }
}

ex MassBlock::factor(const ex &e)
{
  if (is_a<numeric>(e)) {
    return e;
  }
  const Precision more;
  const Number there = number(e);
  ex symbol = at(make(INNER, 0, 0, e)).symbol;
  numbers[symbol] = there;
  return symbol;
}

ex MassBlock::sum(const ex &before, const ex &change)
{
  ex e = before + change;
  if (is_a<numeric>(e)) {
    return e;
  }
  const Precision more;
  const Number of_before = number(before);
  const Number of_change = number(change);
  const Number there{of_before.value + of_change.value, of_before.size + of_change.size};
  const ex excess = is_a<numeric>(there.value)
                        ? ex(GiNaC::abs(there.value) - there.size / GiNaC::pow(ex(10), smallest))
                        : ex(1);
  if (excess.info(info_flags::negative) || excess.is_zero()) {
    return 0;
  }
  ex symbol = at(make(INNER, 0, 0, e)).symbol;
  numbers[symbol] = there;
  return symbol;
}

// Computes the entries of W in the columns of the pivot from those of later pivots.
void MassBlock::make_inverse(const Pivot &pivot, const std::vector<int> &later)
{
  std::vector<int> columns = later;
  columns.push_back(pivot.i);
  if (!pivot.is_single()) {
    columns.push_back(pivot.j);
  }
  for (const int c : columns) {
    const auto of_later = [&](int r) { return entry(r, c); };
    const auto [x_i, x_j] = pivot.solved(c == pivot.i, c == pivot.j, of_later);
    set_inverse(pivot.i, c, x_i);
    set_inverse(pivot.j, c, x_j);
  }
}

void MassBlock::set_inverse(int i, int j, const ex &formula)
{
  const std::pair<int, int> place{std::min(i, j), std::max(i, j)};
  if (W.count(place) == 0) {
    W[place] = make(ENTRY, place.first, place.second, formula);
  }
}

bool MassBlock::solve()
{
  const auto varies = [&](const ex &e) { return !symbols.states(e).empty(); };
  Elimination by_names(given, varies, *this);
  while (!by_names.is_done()) {
    if (!by_names.next()) {
      return false;
    }
    by_names.reduce();
  }
  exvector terms;
  std::vector<int> later;
  for (auto pivot = by_names.pivots.rbegin(); pivot != by_names.pivots.rend(); ++pivot) {
    const auto [v_i, v_j] =
        pivot->solved(pivot->y_i, pivot->y_j, [&](int r) { return velocity(r); });
    make_inverse(*pivot, later);
    v[pivot->i] = make(VELOCITY, pivot->i, 0, v_i);
    later.push_back(pivot->i);
    if (!pivot->is_single()) {
      v[pivot->j] = make(VELOCITY, pivot->j, 0, v_j);
      later.push_back(pivot->j);
    }
    terms.push_back(pivot->term());
  }
  T = make(KINETIC, 0, 0, sum_of(terms));
  numbers.clear();
  make_forces();
  return true;
}

// ---- derivatives ----

bool MassBlock::is_momentum(int k) const
{
  const std::vector<int> &all = given.unknowns;
  return std::find(all.begin(), all.end(), k - symbols.d) != all.end();
}

// Defines the quantities -L_q, and -L_s for an algebraic variable s.
void MassBlock::make_forces()
{
  for (const int i : given.unknowns) {
    to_velocities[symbols.p(i)] = velocity(i);
  }
  const std::vector<int> all = reads(T);
  for (const int k : all) {
    if (!is_momentum(k)) {
      forces[k] = make(FORCE, k, 0, -at_velocities(by_state(L, k)));
    }
  }
}

ex MassBlock::at_velocities(const ex &e) const
{
  return replaced(e, to_velocities);
}

ex MassBlock::by_state(const ex &e, int i) const
{
  return derivative(e, symbols.at(i));
}

// L_vq, row i and column k.
const ex &MassBlock::momentum_slope(int i, int k)
{
  const auto found = coupled.find({i, k});
  if (found != coupled.end()) {
    return found->second;
  }
  const ex slope = by_state(by_state(L, symbols.d + i), k);
  return coupled[{i, k}] = at_velocities(slope);
}

ex MassBlock::velocity_slope(int i, int k)
{
  exvector parts;
  for (const int j : given.unknowns) {
    parts.push_back(-entry(i, j) * momentum_slope(j, k));
  }
  return sum_of(parts);
}

// Row i of W M_q, as a map from columns to entries; q is entry k of z.
const std::map<int, ex> &MassBlock::entry_times_slope(int i, int k)
{
  const auto found = rows.find({i, k});
  if (found != rows.end()) {
    return found->second;
  }
  std::map<int, exvector> parts;
  for (const auto &[place, slope] : mass_slope(k)) {
    parts[place.second].push_back(entry(i, place.first) * slope);
  }
  std::map<int, ex> &row = rows[{i, k}];
  for (const auto &[j, sum] : parts) {
    row[j] = sum_of(sum);
  }
  return row;
}

const Matrix &MassBlock::mass_slope(int k)
{
  const auto found = mass_slopes.find(k);
  if (found != mass_slopes.end()) {
    return found->second;
  }
  Matrix &of = mass_slopes[k];
  for (const auto &[place, e] : given.M) {
    const ex slope = by_state(e, k);
    if (!slope.is_zero()) {
      of[place] = slope;
    }
  }
  return of;
}

ex MassBlock::entry_slope(const Item &of, int k)
{
  exvector parts;
  for (const auto &[b, sum] : entry_times_slope(of.i, k)) {
    parts.push_back(-sum * entry(b, of.j));
  }
  return sum_of(parts);
}

ex MassBlock::computed_slope(const Item &of, int k)
{
  const int d = symbols.d;
  switch (of.role) {
  case KINETIC:
    return is_momentum(k) ? velocity(k - d) : at(forces.at(k)).symbol;
  case VELOCITY:
    return is_momentum(k) ? entry(of.i, k - d) : velocity_slope(of.i, k);
  case ENTRY:
    return entry_slope(of, k);
  case FORCE: {
    if (is_momentum(k)) {
      return slope(v.at(k - d), of.i);
    }
    exvector parts{-at_velocities(by_state(by_state(L, of.i), k))};
    for (const int i : given.unknowns) {
      parts.push_back(-momentum_slope(i, of.i) * slope(v.at(i), k));
    }
    return sum_of(parts);
  }
  case INNER:
    break;
  }
  throw std::logic_error("a name within an elimination has no derivative");
}

ex MassBlock::slope(int number, int i)
{
  const auto found = slopes.find({number, i});
  if (found != slopes.end()) {
    return found->second;
  }
  const Item of = at(number);
  return slopes[{number, i}] = computed_slope(of, i);
}

Meaning::Kind MassBlock::kind(int number) const
{
  switch (at(number).role) {
  case INNER:
    return NAME;
  case FORCE:
    return SHORT;
  case ENTRY:
    return INVERSE;
  case VELOCITY:
    return UNKNOWN;
  case KINETIC:
    break;
  }
  return LONG;
}

const Solution &MassBlock::solution()
{
  if (solved.n > 0) {
    return solved;
  }
  solved.n = element_count(given.unknowns);
  for (const int i : given.unknowns) {
    for (const int j : given.unknowns) {
      solved.M.push_back(entry_at(given.M, i, j));
      solved.W.push_back(entry(i, j));
    }
    solved.v.push_back(velocity(i));
    solved.y.push_back(given.y.at(i));
  }
  return solved;
}

std::pair<int, int> MassBlock::place(int number) const
{
  const auto row_of = [&](int i) {
    const std::vector<int> &all = given.unknowns;
    return static_cast<int>(std::find(all.begin(), all.end(), i) - all.begin());
  };
  const Item &of = at(number);
  return {row_of(of.i), of.role == ENTRY ? row_of(of.j) : -1};
}

} // namespace sidewinder
