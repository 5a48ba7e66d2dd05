// SPDX-License-Identifier: GPL-2.0-or-later
// loop_nests.cpp -- the loops around kernels.
#include "symbolic/loop_nests.h"

#include <set>
#include <string>

#include "model/index_form.h"
#include "model/index_text.h"

namespace sidewinder
{

// Records the parts of p that may be undefined: mod, if the sign of its divisor depends on sizes,
// and entries of index arrays.
void LoopNests::note_partial(const Polynomial &p, span where)
{
  const Variables &v = world.variables;
  for (const auto &[m, unused] : p) {
    for (const int factor : m) {
      if (!v.is_made(factor)) {
        continue;
      }
      note_partial(v.left(factor), where);
      note_partial(v.right(factor), where);
      const bool is_mod = v.kind(factor) == INDEX_MOD;
      const Polynomial &part = is_mod ? v.right(factor) : v.left(factor);
      const model_index *tree = index_tree(world.memory, {variable(factor)}, v, where);
      if (is_mod ? is_constant(part) && !part.empty()
                 : !v.indices(factor) || index_form_is_inside(tree->a, tree->indices->set)) {
        continue;
      }
      std::set<int> binders;
      v.collect(part, binders);
      if (!binders.empty() && is_mod) {
        throw LoopError(where,
                        "the divisor of a mod that decides which iterations a loop has cannot "
                        "depend on an index variable");
      }
      if (!binders.empty()) {
        throw ModelError(where,
                         std::string("'") + text_index(world.memory, tree, 0) +
                             "' decides which iterations a loop has, and its index can leave '" +
                             tree->indices->set->name +
                             "' at other sizes; let a variable run over that set");
      }
      partial.push_back(tree);
    }
  }
}

void LoopNests::note_partial(const ConditionPointer &c, span where)
{
  if (c) {
    note_partial(c->left.value, where);
    note_partial(c->right.value, where);
    note_partial(c->a, where);
    note_partial(c->b, where);
  }
}

ir_nest LoopNests::nest(const std::vector<const model_binder *> &binders,
                        const ConditionPointer &condition, span where)
{
  note_partial(condition, where);
  for (const model_binder *binder : binders) {
    if (binder->set->is_dependent) {
      note_partial(plain_value(*binder->set->lower, world.variables), where);
      note_partial(plain_value(*binder->set->upper, world.variables), where);
    }
  }
  return {static_cast<int>(binders.size()), kept(world.memory, binders),
          condition_tree(world.memory, condition, world.variables)};
}

ir_nest LoopNests::nest(const model_family &f, const ConditionPointer &condition)
{
  note_partial(condition, f.where);
  return {f.n_binders, f.binders, f.condition};
}

} // namespace sidewinder
