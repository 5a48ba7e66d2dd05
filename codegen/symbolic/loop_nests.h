/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop_nests.h -- the loops around kernels, and what of them has no value at all sizes.
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

  /* What has no value everywhere in the nests so far, to be tested when sizes are known: ir_loops.partial. */
  std::vector<const model_index *> partial;

  ir_nest nest(const std::vector<const model_binder *> &binders, const ConditionPointer &condition,
               span where);
  /* The family's own, with its condition as it is written. */
  ir_nest nest(const model_family &f, const ConditionPointer &condition);

private:
  LoopModel &world;

  void note_partial(const Polynomial &p, span where);
  void note_partial(const ConditionPointer &c, span where);
};

} // namespace sidewinder

#endif
