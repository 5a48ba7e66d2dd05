// SPDX-License-Identifier: GPL-2.0-or-later
// sums.cpp -- sums and products of the looped lowering: which are unrolled, which stay loops, and
// which loops are merged.
#include <algorithm>

#include "symbolic/parts.h"

namespace sidewinder
{

bool is_fixed(const model_set &set)
{
  return !set.is_dependent && !model_index_has(set.lower, INDEX_SIZE) &&
         !model_index_has(set.upper, INDEX_SIZE);
}

// Lists all iterations, if the sum has few elements over fixed sets and its condition is decided
// for each of them.
bool Looper::enumerate(const Iterations &r, Values &values)
{
  const std::vector<Index> outside = bound(r.n, r.binders);
  values = {{}};
  for (int j = 0; j < r.n; j++) {
    const model_set &set = *r.binders[j]->set;
    Values longer;
    for (const std::vector<Index> &iteration : values) {
      bind(j, r.binders, iteration);
      const Index first = set.is_dependent ? index_value(*set.lower, environment, world.variables)
                                           : Index{constant(set.first)};
      const Index last = set.is_dependent ? index_value(*set.upper, environment, world.variables)
                                          : Index{constant(set.first + set.count - 1)};
      const bool is_known = (set.is_dependent || is_fixed(set)) && is_constant(first.value) &&
                            is_constant(last.value);
      const double count = static_cast<double>(constant_term(last.value)) -
                           static_cast<double>(constant_term(first.value)) + 1;
      if (!is_known || static_cast<double>(longer.size()) + count > max_unrolled) {
        bind(r.n, r.binders, outside);
        return false;
      }
      for (long v = constant_term(first.value); v <= constant_term(last.value); v++) {
        longer.push_back(iteration);
        longer.back().push_back({constant(v), set.is_range ? nullptr : &set});
      }
    }
    values = std::move(longer);
  }
  bool known = static_cast<double>(values.size()) * copies <= max_copies;
  for (size_t i = 0; i < values.size() && known && r.condition; i++) {
    bind(r.n, r.binders, values[i]);
    const Filter chosen = filter(r.condition);
    known = chosen.never || !chosen.condition;
  }
  bind(r.n, r.binders, outside);
  return known;
}

Parts Looper::unrolled(const Iterations &r, const Values &values)
{
  Parts total = r.sum ? Parts{} : scalar_part(1);
  const std::vector<Index> outside = bound(r.n, r.binders);
  const double copies_outside = copies;
  copies *= std::max(1.0, static_cast<double>(values.size()));
  for (const std::vector<Index> &iteration : values) {
    bind(r.n, r.binders, iteration);
    if (filter(r.condition).never) {
      continue;
    }
    if (r.sum) {
      total = added(std::move(total), expression(r.body), 1, r.where);
    } else {
      Parts factor;
      for (const Case &c : cases(r.body, "inside a product")) {
        factor.push_back({{}, c.condition, c.value, r.where});
      }
      total = product(factor, total, r.where);
    }
  }
  copies = copies_outside;
  bind(r.n, r.binders, outside);
  return total;
}

// A binder for one more use of a sum: its first use keeps b, later uses get a copy with a slot of
// its own.
const model_binder *Looper::fresh(const model_binder *b)
{
  if (used.insert(b).second) {
    return b;
  }
  model_binder *copy = ARENA_COPY(world.memory, model_binder, b);
  copy->slot = world.n_slots++;
  return copy;
}

// A copy of the binder whose bounds are written in the current environment.
const model_binder *Looper::dependent(const model_binder *b)
{
  model_set *set = ARENA_COPY(world.memory, model_set, b->set);
  model_binder *copy = ARENA_COPY(world.memory, model_binder, b);
  set->lower = index_tree(world.memory, index_value(*set->lower, environment, world.variables),
                          world.variables, set->where);
  set->upper = index_tree(world.memory, index_value(*set->upper, environment, world.variables),
                          world.variables, set->where);
  copy->set = set;
  copy->slot = world.n_slots++;
  return copy;
}

Parts Looper::looped(const Iterations &r)
{
  const std::vector<Index> outside = bound(r.n, r.binders);
  std::vector<const model_binder *> binders;
  std::set<int> numbers;
  for (int j = 0; j < r.n; j++) {
    binders.push_back(r.binders[j]->set->is_dependent ? dependent(r.binders[j])
                                                      : fresh(r.binders[j]));
    numbers.insert(world.variables.of(binders.back()));
    bind(r.binders[j], {variable(world.variables.of(binders.back()))});
  }
  const Filter chosen = filter(r.condition);
  domain.begin();
  const Parts inner = chosen.never ? Parts{} : expression(r.body);
  /* Conditions on the variables of this loop, or under its own condition, are meaningful inside
   * the loop only; so they become factors of the body. */
  const Parts body = kept_inside_of(inner, domain.drop(), r.where);
  Parts parts;
  for (const ConditionPointer &c : alternatives(chosen.condition, numbers, world.variables)) {
    for (Part part : body) {
      part.loops.insert(part.loops.begin(), binders.begin(), binders.end());
      part.condition = both(c, part.condition);
      part.where = r.where;
      parts.push_back(part);
    }
  }
  bind(r.n, r.binders, outside);
  return keeps_sums ? kept(parts, r.where) : parts;
}

// The parts, with each loop replaced by an atom.
Parts Looper::kept(const Parts &parts, span where)
{
  Parts result;
  for (const Part &part : parts) {
    if (part.loops.empty()) {
      result = added(std::move(result), {part}, 1, where);
    } else {
      const auto sum = std::make_shared<const Part>(part);
      const int atom = atoms.find({nullptr, nullptr, nullptr, {}, where, sum});
      result = added(std::move(result), scalar_part(atoms[atom].symbol), 1, where);
    }
  }
  return result;
}

Parts Looper::repeated(const Iterations &r)
{
  Values values;
  if (enumerate(r, values)) {
    return unrolled(r, values);
  }
  if (!r.sum && r.n > 0) {
    throw LoopError(r.where,
                    "a product over a set of any size, or of more than 64 terms, cannot be made "
                    "a loop, only a sum can",
                    "make the set small and fixed");
  }
  return looped(r);
}

// Whether loop j of both parts has the same elements; `rename` maps the outer variables of b to
// the outer variables of a.
bool Looper::same_set(const Part &a, const Part &b, size_t j, const Substitution &rename)
{
  const model_set *x = a.loops[j]->set;
  const model_set *y = b.loops[j]->set;
  if (x == y || !x->is_dependent || !y->is_dependent) {
    return world.source.lagrangian_name ? same_range(*x, *y, world) : x == y;
  }
  const auto end = [&](const model_index *index) { return plain_value(*index, world.variables); };
  return end(x->lower) == world.variables.substitute(end(y->lower), rename) &&
         end(x->upper) == world.variables.substitute(end(y->upper), rename);
}

// Adds `other` to `into`, if both have the same loops up to renaming of variables.
bool Looper::merge(Part &into, const Part &other)
{
  if (into.loops.size() != other.loops.size()) {
    return false;
  }
  Substitution rename;
  for (size_t j = 0; j < into.loops.size(); j++) {
    if (!same_set(into, other, j, rename)) {
      return false;
    }
    rename[world.variables.of(other.loops[j])] = variable(world.variables.of(into.loops[j]));
  }
  if (!same(into.condition, substitute(other.condition, rename, world.variables))) {
    return false;
  }
  into.kernel += atoms.substituted(atoms, other.kernel, rename);
  return true;
}

Parts Looper::merged(const Parts &parts)
{
  return named ? parts : put_together(parts);
}

Parts Looper::put_together(const Parts &parts)
{
  Parts result;
  for (const Part &part : parts) {
    bool done = false;
    for (size_t i = 0; i < result.size() && !done; i++) {
      done = merge(result[i], part);
    }
    if (!done) {
      result.push_back(part);
    }
  }
  return added({}, result, 1, {0, 0});
}

} // namespace sidewinder
