// SPDX-License-Identifier: GPL-2.0-or-later
// unroll_lagrangian.cpp -- unrolled models that are given by L.
#include <algorithm>

#include "model/model_limits.h"
#include "symbolic/unroll.h"

namespace sidewinder
{

static const model_coordinate &coordinate_of(const model &m, int i)
{
  int j = 0;
  while (i >= m.coordinates[j]->offset + m.coordinates[j]->shape.count) {
    j++;
  }
  return *m.coordinates[j];
}

std::vector<int> Unroller::moving() const
{
  std::vector<int> result;
  for (int i = 0; i < symbols.d; i++) {
    if (coordinate_of(source, i).velocity) {
      result.push_back(i);
    }
  }
  return result;
}

// Momenta of L's other variables, which are algebraic, stay what they are.
bool Unroller::reads_velocities(const ex &e) const
{
  const std::vector<int> all = moving();
  return std::any_of(all.begin(), all.end(), [&](int i) { return e.has(symbols.p(i)); });
}

std::vector<PlacedTerm> Unroller::transform_lagrangian()
{
  Lagrangian L{symbols, {}, terms, nullptr, nullptr, nullptr, true};
  arena *memory = ir_context_arena(context);
  L.moving = moving();
  L.name = [&](int i) {
    const model_coordinate &c = coordinate_of(source, i);
    long at[MODEL_MAX_BINDERS];
    model_shape_place(&c.shape, i - c.offset, at);
    return std::string(model_entry_text(memory, c.velocity, &c.shape, at));
  };
  L.place = [&](int i) { return coordinate_of(source, i).where; };
  L.plain = [&](const ex &e) { return named ? named->plain(e) : e; };
  terms_of_L = terms;
  transformed = legendre(L);
  std::vector<PlacedTerm> result = transformed.kinetic;
  result.insert(result.end(), transformed.potential.begin(), transformed.potential.end());
  return result;
}

// The velocity is a variable inside L, and H_p everywhere else.
ex Unroller::velocity(const model_expr &e)
{
  const long at =
      e.coordinate->offset + model_shape_offset(&e.coordinate->shape, e.index, environment.data());
  if (in_lagrangian) {
    return symbols.p(static_cast<int>(at));
  }
  hamiltonian_terms();
  return transformed.velocity[static_cast<size_t>(at)];
}

// Replaces the velocities in z by momenta p = L_v at the positions and velocities in z.
void Unroller::velocities_to_momenta(std::vector<ex> &z)
{
  GiNaC::exmap values;
  for (size_t i = 0; i < z.size(); i++) {
    values[symbols.z[i]] = z[i];
  }
  const size_t d = static_cast<size_t>(symbols.d);
  for (const int i : moving()) {
    const size_t at = static_cast<size_t>(i);
    z[d + at] = transformed.momentum[at].subs(values, GiNaC::subs_options::no_pattern);
  }
}

} // namespace sidewinder
