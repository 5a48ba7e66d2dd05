// SPDX-License-Identifier: GPL-2.0-or-later
// loop_start.cpp -- the momenta of an initial state that gives velocities, in a looped model.
#include <algorithm>

#include "symbolic/parts.h"

namespace sidewinder
{

// The value of an assignment; its binders must be bound.
std::vector<Case> Looper::starting_value(const model_assignment &a, const std::vector<Index> &index)
{
  const model_values &v = a.values;
  if (v.body) {
    return value(*v.body);
  }
  // A table has fixed sets, so its entries are enumerated.
  std::vector<Case> result;
  std::vector<long> at(static_cast<size_t>(world.source.n_slots) + 1);
  size_t entry = 0;
  for (int more = model_binders_first(v.n_binders, v.binders, nullptr, at.data()); more;
       more = model_binders_next(v.n_binders, v.binders, nullptr, at.data())) {
    Filter chosen;
    for (size_t j = 0; j < index.size(); j++) {
      if (a.index[j]->kind == INDEX_VARIABLE) {
        const Index own{constant(at[static_cast<size_t>(a.index[j]->binder->slot)]),
                        index[j].labels};
        chosen = both(chosen, compared(CONDITION_EQ, index[j], own));
      }
    }
    const model_expr &written = *v.table[entry++];
    if (chosen.never) {
      continue;
    }
    bind(v.n_binders, v.binders, at);
    for (const Case &c : value(written)) {
      result.push_back({both(chosen.condition, c.condition), c.value});
    }
  }
  return result;
}

// The value that an initial state gives to an entry of q, or of v if `velocity`.  The cases are the
// assignments whose index may match.
std::vector<Case> Looper::starting(const model_init &init, const Atom &atom, bool velocity,
                                   span where)
{
  std::vector<Case> result;
  for (int i = 0; i < init.n; i++) {
    const model_assignment &a = init.assignments[i];
    if (a.coordinate != atom.coordinate || (a.is_momentum != 0) != velocity) {
      continue;
    }
    const std::vector<Index> outside = bound(a.values.n_binders, a.values.binders);
    Filter chosen;
    for (size_t j = 0; j < atom.index.size(); j++) {
      const Index &at = atom.index[j];
      if (a.index[j]->kind != INDEX_VARIABLE) {
        Index fixed = index_value(*a.index[j], environment, world.variables);
        fixed.labels = at.labels;
        chosen = both(chosen, compared(CONDITION_EQ, at, fixed));
        continue;
      }
      const model_binder *binder = a.index[j]->binder;
      bind(binder, at);
      if (binder->set->is_range && !same_range(*binder->set, *a.coordinate->shape.sets[j], world)) {
        chosen = both(chosen, between(at, plain_value(*binder->set->lower, world.variables),
                                      plain_value(*binder->set->upper, world.variables)));
      }
    }
    for (const Case &c : chosen.never ? std::vector<Case>{} : starting_value(a, atom.index)) {
      result.push_back({both(chosen.condition, c.condition), c.value});
    }
    bind(a.values.n_binders, a.values.binders, outside);
  }
  if (result.empty() || result.size() > max_cases) {
    throw LoopError(where, "the momenta of these velocities depend on too many cases of indices",
                    "give momenta");
  }
  return result;
}

// The cases with the initial value of an entry of q or v substituted.
std::vector<Case> Looper::at_start(const std::vector<Case> &from, const model_init &init, int atom,
                                   bool velocity, span where)
{
  std::vector<Case> result;
  const ex symbol = velocity ? atoms[atom].momentum : atoms[atom].symbol;
  const std::vector<Case> values = starting(init, Atom(atoms[atom]), velocity, where);
  for (const Case &c : from) {
    if (!c.value.has(symbol)) {
      result.push_back(c);
      continue;
    }
    for (const Case &v : values) {
      const ConditionPointer chosen = both(c.condition, v.condition);
      if (may_hold_together({chosen}, {}, world.variables)) {
        result.push_back({chosen, at_place(where, [&] {
                            return c.value.subs(symbol == v.value, GiNaC::subs_options::no_pattern);
                          })});
      }
    }
  }
  return result;
}

std::vector<Case> Looper::starting_momentum(const model_init &init, const model_coordinate &c,
                                            const std::vector<Index> &index, span where)
{
  std::vector<Case> result;
  for (const Part &part : transported(c, index, true, where)) {
    std::vector<Case> cases{{part.condition, part.kernel}};
    for (const int i : atoms.in(part.kernel)) {
      if (atoms[i].coordinate) {
        cases = at_start(cases, init, i, false, where);
        cases = at_start(cases, init, i, true, where);
      }
    }
    result.insert(result.end(), cases.begin(), cases.end());
  }
  return result;
}

} // namespace sidewinder
