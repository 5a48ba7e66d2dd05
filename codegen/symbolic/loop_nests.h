/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop_nests.h -- the loops around kernels, and their index expressions that may be undefined.
 */
#ifndef SIDEWINDER_LOOP_NESTS_H
#define SIDEWINDER_LOOP_NESTS_H

#include <algorithm>
#include <vector>

#include "expr/loops.h"
#include "symbolic/parts.h"

namespace sidewinder
{

/* A copy in the arena. */
template <class T> const T *kept(arena *memory, const std::vector<T> &list)
{
  T *copy = ARENA_ARRAY(memory, list.size() + 1, T);
  std::copy(list.begin(), list.end(), copy);
  return copy;
}

class LoopNests
{
public:
  explicit LoopNests(LoopModel &m) : world(m) {}

  /* Index expressions of the nests so far that are undefined for some sizes.  The program tests
   * them once the sizes are known: ir_loops.partial. */
  std::vector<const model_index *> partial;

  ir_nest nest(const std::vector<const model_binder *> &binders, const ConditionPointer &condition,
               span where);
  /* The loops of a family itself; its condition stays as written. */
  ir_nest nest(const model_family &f, const ConditionPointer &condition);

private:
  LoopModel &world;

  void note_partial(const Polynomial &p, span where);
  void note_partial(const ConditionPointer &c, span where);
};

} // namespace sidewinder

#endif
