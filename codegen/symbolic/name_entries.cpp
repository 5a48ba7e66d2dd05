// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/name_entries.h"

#include <algorithm>
#include <vector>

namespace sidewinder
{

namespace
{

const char *const *family_names(arena *memory, const model &source, int n,
                                const model_family *const list[])
{
  std::vector<const char *> all;
  for (int i = 0; i < n; i++) {
    const char *const *names = model_family_names(memory, &source, list[i]);
    all.insert(all.end(), names, names + list[i]->count);
  }
  const char **result = ARENA_ARRAY(memory, all.size() + 1, const char *);
  std::copy(all.begin(), all.end(), result);
  return result;
}

} // namespace

void name_entries(arena *memory, const model &source, ir_program *program)
{
  const char **q = ARENA_ARRAY(memory, source.nq + 1, const char *);
  const char **p = ARENA_ARRAY(memory, source.nq + 1, const char *);
  int *array = ARENA_ARRAY(memory, source.nq + 1, int);
  for (int j = 0; j < source.n_coordinates; j++) {
    const model_coordinate &c = *source.coordinates[j];
    const char *const *positions = model_shape_names(memory, c.name, &c.shape);
    const char *const *momenta = model_shape_names(memory, c.momentum, &c.shape);
    std::copy(positions, positions + c.shape.count, q + c.offset);
    std::copy(momenta, momenta + c.shape.count, p + c.offset);
    std::fill(array + c.offset, array + c.offset + c.shape.count, j);
  }
  program->q_array = array;
  const char **k = ARENA_ARRAY(memory, source.nk + 1, const char *);
  for (int j = 0; j < source.n_parameters; j++) {
    const model_parameter &parameter = *source.parameters[j];
    const char *const *entries = model_shape_names(memory, parameter.name, &parameter.shape);
    std::copy(entries, entries + parameter.shape.count, k + parameter.offset);
  }
  program->q_names = q;
  program->p_names = p;
  program->k_names = k;
  program->c_names = family_names(memory, source, source.n_constraints, source.constraints);
  program->observe_names = family_names(memory, source, source.n_observe, source.observe);
  program->invariant_names = family_names(memory, source, source.n_invariants, source.invariants);
}

} // namespace sidewinder
