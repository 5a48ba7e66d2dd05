// SPDX-License-Identifier: GPL-2.0-or-later
// sums.cpp -- sums and products: which are unrolled, which stay loops, and which loops are one.
#include "symbolic/exact.h"
#include "symbolic/parts.h"
#include "symbolic/unroll.h"

namespace sidewinder
{

static bool reads_size(const model_index *index)
{
  return index && (index->kind == INDEX_SIZE || reads_size(index->a) || reads_size(index->b));
}

bool is_fixed(const model_set &set)
{
  return !set.is_range || !(reads_size(set.lower) || reads_size(set.upper));
}

bool next_round(int n, const model_binder *const binders[], std::vector<long> &at)
{
  for (int j = n - 1; j >= 0; j--) {
    const model_set &set = *binders[j]->set;
    long &value = at[static_cast<size_t>(j)];
    if (value < set.first + set.count - 1) {
      value++;
      return true;
    }
    value = set.first;
  }
  return false;
}

std::vector<long> first_round(int n, const model_binder *const binders[])
{
  std::vector<long> at;
  for (int j = 0; j < n; j++) {
    at.push_back(binders[j]->set->first);
  }
  return at;
}

static double rounds_of(int n, const model_binder *const binders[])
{
  double count = 1;
  for (int j = 0; j < n; j++) {
    count *= static_cast<double>(binders[j]->set->count);
  }
  return count;
}

bool has_rounds(int n, const model_binder *const binders[])
{
  return rounds_of(n, binders) >= 1;
}

// Whether the sum runs over few and fixed elements, in a condition that is known for each of them.
bool Looper::decided(const Rounds &r)
{
  for (int j = 0; j < r.n; j++) {
    if (!is_fixed(*r.binders[j]->set)) {
      return false;
    }
  }
  const double count = rounds_of(r.n, r.binders);
  if (count > max_unrolled || copies * count > max_copies) {
    return false;
  }
  if (count < 1 || !r.condition) {
    return true;
  }
  const std::vector<Index> outside = bound(r.n, r.binders);
  bool known = true;
  std::vector<long> at = first_round(r.n, r.binders);
  do {
    bind(r.n, r.binders, at);
    const Filter chosen = filter(r.condition);
    known = chosen.never || !chosen.condition;
  } while (known && next_round(r.n, r.binders, at));
  restore(r.n, r.binders, outside);
  return known;
}

Parts Looper::unrolled(const Rounds &r)
{
  Parts total = r.sum ? Parts{} : scalar_part(1);
  if (!has_rounds(r.n, r.binders)) {
    return total;
  }
  const std::vector<Index> outside = bound(r.n, r.binders);
  const double copies_outside = copies;
  copies *= rounds_of(r.n, r.binders);
  std::vector<long> at = first_round(r.n, r.binders);
  do {
    bind(r.n, r.binders, at);
    if (filter(r.condition).never) {
      continue;
    }
    if (r.sum) {
      total = added(std::move(total), expression(r.body), 1, r.where);
    } else {
      total = scalar_part(scalar_value(total) * one(r.body, "inside a product"));
      check_exponents(scalar_value(total), r.where);
    }
  } while (next_round(r.n, r.binders, at));
  copies = copies_outside;
  restore(r.n, r.binders, outside);
  return total;
}

// A sum that is evaluated again, or within itself, needs variables of its own.
const model_binder *Looper::fresh(const model_binder *b)
{
  if (used.insert(b).second) {
    return b;
  }
  model_binder *copy = ARENA_NEW(world.memory, model_binder);
  *copy = *b;
  copy->slot = world.n_slots++;
  return copy;
}

Parts Looper::looped(const Rounds &r)
{
  const std::vector<Index> outside = bound(r.n, r.binders);
  std::vector<const model_binder *> loops;
  for (int j = 0; j < r.n; j++) {
    loops.push_back(fresh(r.binders[j]));
    bind(r.binders[j], {variable(world.variables.of(loops.back()))});
  }
  const Filter chosen = filter(r.condition);
  domain.begin();
  Parts parts = chosen.never ? Parts{} : expression(r.body);
  /* What reads the variables of this loop has a meaning inside of it alone. */
  parts = kept(std::move(parts), domain.drop(), r.where);
  for (Part &part : parts) {
    part.loops.insert(part.loops.begin(), loops.begin(), loops.end());
    part.condition = both(chosen.condition, part.condition);
    part.where = r.where;
  }
  restore(r.n, r.binders, outside);
  return parts;
}

Parts Looper::repeated(const Rounds &r)
{
  if (decided(r)) {
    return unrolled(r);
  }
  if (!r.sum) {
    throw ModelError(r.where,
                     "a product over a set of any size, or of more than 64 rounds, cannot be made "
                     "a loop, only a sum "
                     "can; make the set small and fixed, or generate with --lowering unrolled");
  }
  return looped(r);
}

Filter Looper::filter(const model_condition *condition)
{
  return condition_value(condition, environment, world.variables);
}

void Looper::bind(int n, const model_binder *const binders[], const std::vector<long> &at)
{
  for (int j = 0; j < n; j++) {
    const model_set &set = *binders[j]->set;
    bind(binders[j], {constant(at[static_cast<size_t>(j)]), set.is_range ? nullptr : &set});
  }
}

void Looper::open(int n, const model_binder *const binders[])
{
  for (int j = 0; j < n; j++) {
    used.insert(binders[j]);
    bind(binders[j], {variable(world.variables.of(binders[j]))});
  }
}

Parts Looper::family(const model_family &f)
{
  open(f.n_binders, f.binders);
  domain.begin();
  const Parts parts = expression(*f.body);
  return merged(kept(parts, domain.end(), f.where));
}

Parts Looper::all_terms()
{
  Parts all;
  for (int i = 0; i < world.source.n_terms; i++) {
    const model_family &term = *world.source.terms[i];
    all = added(
        std::move(all),
        repeated({term.n_binders, term.binders, term.condition, *term.body, term.where, true}), 1,
        term.where);
  }
  return all;
}

Parts Looper::hamiltonian()
{
  domain.begin();
  const Parts parts = all_terms();
  return merged(kept(parts, domain.end(), world.source.terms[0]->where));
}

// Adds `other` to a part that loops in the same way, up to the names of variables.
bool Looper::merge(Part &into, const Part &other)
{
  if (into.loops.size() != other.loops.size()) {
    return false;
  }
  Substitution rename;
  for (size_t j = 0; j < into.loops.size(); j++) {
    if (into.loops[j]->set != other.loops[j]->set) {
      return false;
    }
    rename[world.variables.of(other.loops[j])] = variable(world.variables.of(into.loops[j]));
  }
  if (!same(into.condition, substitute(other.condition, rename))) {
    return false;
  }
  GiNaC::exmap symbols;
  for (const int from : atoms.in(other.kernel)) {
    const int to = atoms.substituted(from, rename);
    if (to != from) {
      symbols[atoms[from].symbol] = atoms[to].symbol;
      if (atoms[from].coordinate) {
        symbols[atoms[from].momentum] = atoms[to].momentum;
      }
    }
  }
  into.kernel += other.kernel.subs(symbols, GiNaC::subs_options::no_pattern);
  return true;
}

Parts Looper::merged(const Parts &parts)
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
