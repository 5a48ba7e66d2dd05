// SPDX-License-Identifier: GPL-2.0-or-later
// parts.cpp -- evaluates expressions of the checked model with symbolic indices.
#include "symbolic/parts.h"

#include <algorithm>

#include "symbolic/domain.h"
#include "symbolic/exact.h"
#include "symbolic/unroll.h"

namespace sidewinder
{

Looper::Looper(LoopModel &m)
    : atoms(m), world(m), environment(static_cast<size_t>(m.source.n_slots) + 1)
{
}

Parts scalar_part(const ex &e)
{
  return {{{}, nullptr, e, {0, 0}}};
}

static bool loops(const Parts &parts)
{
  return std::any_of(parts.begin(), parts.end(), [](const Part &p) { return !p.loops.empty(); });
}

static void refuse_loops(const Parts &parts, const std::string &around)
{
  for (const Part &part : parts) {
    if (!part.loops.empty()) {
      throw LoopError(
          part.where,
          "a sum over a set of any size, or of more than 64 terms, can stand in a sum and be "
          "multiplied by what does not loop, but not stand " +
              around,
          "make the set small and fixed");
    }
  }
}

Parts added(Parts a, const Parts &b, const ex &factor, span where)
{
  for (const Part &part : b) {
    const auto alike = std::find_if(a.begin(), a.end(), [&](const Part &other) {
      return other.loops == part.loops && same(other.condition, part.condition);
    });
    if (alike != a.end()) {
      alike->kernel += factor * part.kernel;
    } else {
      a.push_back(part);
      a.back().kernel = factor * part.kernel;
    }
  }
  a.erase(std::remove_if(a.begin(), a.end(), [](const Part &p) { return p.kernel.is_zero(); }),
          a.end());
  if (a.size() > max_parts) {
    throw LoopError(where, "this formula has too many sums that loop");
  }
  return a;
}

// The sum of parts without loops, split into one case for each combination of their conditions.
std::vector<Case> Looper::cases_of(const Parts &parts, span where)
{
  std::vector<Case> result{{nullptr, 0}};
  std::vector<bool> done(parts.size());
  for (size_t i = 0; i < parts.size(); i++) {
    const ConditionPointer &holds = parts[i].condition;
    if (!holds) {
      for (Case &c : result) {
        c.value += parts[i].kernel;
      }
    }
    if (!holds || done[i]) {
      continue;
    }
    const ConditionPointer fails = negated(holds);
    ex otherwise = 0;
    for (size_t j = i + 1; j < parts.size(); j++) {
      if (!done[j] && same(parts[j].condition, fails)) {
        otherwise += parts[j].kernel;
        done[j] = true;
      }
    }
    std::vector<Case> next;
    for (const Case &c : result) {
      for (const bool chosen : {true, false}) {
        const ConditionPointer both_hold = both(c.condition, chosen ? holds : fails);
        if (may_hold_together({both_hold}, {}, world.variables)) {
          next.push_back({both_hold, c.value + (chosen ? parts[i].kernel : otherwise)});
        }
      }
    }
    if (next.size() > max_cases) {
      throw LoopError(where, "this value has too many cases that depend on an index");
    }
    result = std::move(next);
  }
  return result;
}

std::vector<Case> Looper::value(const model_expr &e)
{
  domain.begin();
  const Parts parts = expression(e);
  refuse_loops(parts, "here");
  return cases_of(kept_inside_of(parts, domain.end(), e.where), e.where);
}

// The value of an operand; throws LoopError if the operand loops.
std::vector<Case> Looper::cases(const model_expr &e, const char *around)
{
  const Parts parts = expression(e);
  refuse_loops(parts, around);
  return cases_of(parts, e.where);
}

// The product of a, which has no loops, and b.
Parts Looper::product(const Parts &a, const Parts &b, span where)
{
  Parts result;
  for (const Part &x : a) {
    for (Part y : b) {
      y.condition = both(x.condition, y.condition);
      y.kernel = x.kernel * y.kernel;
      if (!x.condition || may_hold_together({y.condition}, {}, world.variables)) {
        result = added(std::move(result), {y}, 1, where);
      }
    }
  }
  for (const Part &part : result) {
    check_exponents(part.kernel, where);
  }
  return result;
}

// A chain a + b - c + ... is a left-deep tree and may have thousands of links, so it is not
// evaluated recursively.
Parts Looper::chain(const model_expr &e)
{
  std::vector<const model_expr *> links;
  const model_expr *leaf = &e;
  for (; leaf->kind == EXPR_ADD || leaf->kind == EXPR_SUB; leaf = leaf->a) {
    links.push_back(leaf);
  }
  Parts total = expression(*leaf);
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    const model_expr &x = **link;
    total = added(std::move(total), expression(*x.b), x.kind == EXPR_ADD ? 1 : -1, x.where);
  }
  return total;
}

Parts Looper::multiplied(const model_expr &e)
{
  const Parts a = expression(*e.a);
  const Parts b = expression(*e.b);
  if (!loops(a)) {
    return product(a, b, e.where);
  }
  refuse_loops(b, "in a product with another such sum");
  return product(b, a, e.where);
}

Parts Looper::divided(const model_expr &e)
{
  const Parts a = expression(*e.a);
  Parts inverse;
  for (const Case &c : cases(*e.b, "in a divisor")) {
    inverse.push_back({{}, c.condition, 1 / c.value, e.where});
  }
  return product(inverse, a, e.where);
}

// f(x, y) for each pair of cases.  The domain conditions of f in a case apply to this case only.
template <class Function>
Parts Looper::each_case(const std::vector<Case> &x, const std::vector<Case> &y, span where,
                        Function f)
{
  Parts result;
  for (const Case &a : x) {
    for (const Case &b : y) {
      const ConditionPointer chosen = both(a.condition, b.condition);
      if (may_hold_together({chosen}, {}, world.variables)) {
        domain.begin();
        Parts value{{{}, nullptr, f(a.value, b.value), where}};
        if (chosen) {
          value = kept_inside_of(value, domain.drop(), where);
        } else {
          domain.end();
        }
        value[0].condition = chosen;
        result = added(std::move(result), value, 1, where);
      }
    }
  }
  return result;
}

Parts Looper::power(const model_expr &e)
{
  return each_case(cases(*e.a, "inside a power"), cases(*e.b, "inside an exponent"), e.where,
                   [&](const ex &x, const ex &y) { return power_of(e, x, y, domain); });
}

Parts Looper::call(const model_expr &e)
{
  const std::string around = std::string("inside '") + model_function_name(e.function) + "'";
  const std::vector<Case> y = e.b ? cases(*e.b, around.c_str()) : std::vector<Case>{{nullptr, 0}};
  return each_case(cases(*e.a, around.c_str()), y, e.where,
                   [&](const ex &a, const ex &b) { return function_of(e, a, b, domain); });
}

Parts Looper::number(const Index &index, span where)
{
  if (is_constant(index.value)) {
    return scalar_part(constant_term(index.value));
  }
  return scalar_part(atoms[atoms.find({nullptr, nullptr, nullptr, {index}, where})].symbol);
}

// The expansion of a let whose arguments are all indices is cached by their values.
Parts Looper::let(const model_expr &e)
{
  const model_let &l = *e.let;
  const size_t n = static_cast<size_t>(l.n_arguments);
  std::vector<Index> index(n);
  std::vector<Polynomial> key(n);
  Frame frame{std::vector<Parts>(n), std::vector<const Index *>(n)};
  bool all_indices = true;
  for (size_t i = 0; i < n; i++) {
    const model_argument &argument = e.arguments[i];
    if (argument.index) {
      index[i] = index_value(*argument.index, environment, world.variables);
      key[i] = index[i].value;
      frame.indices[i] = &index[i];
    } else {
      all_indices = false;
      frame.values[i] = expression(*argument.value);
    }
  }
  const auto found = expanded.find({&l, key});
  if (all_indices && found != expanded.end()) {
    domain.note(found->second.conditions);
    return found->second.parts;
  }
  const std::vector<Index> outside = bound(l.n_arguments, l.arguments);
  bind(l.n_arguments, l.arguments, index);
  frames.push_back(std::move(frame));
  domain.begin();
  Parts result = expression(*l.body);
  const Conditions conditions = domain.end();
  if (named && !in_lagrangian && result.size() == 1 && result[0].loops.empty() &&
      !result[0].condition) {
    result[0].kernel = named->of(result[0].kernel);
  }
  frames.pop_back();
  bind(l.n_arguments, l.arguments, outside);
  if (all_indices) {
    expanded[{&l, key}] = {result, conditions};
  }
  return result;
}

Parts Looper::argument(const model_expr &e)
{
  const size_t i = static_cast<size_t>(e.argument);
  const Frame &frame = frames.back();
  return frame.indices[i] ? number(*frame.indices[i], e.where) : frame.values[i];
}

void Looper::bind(const model_binder *binder, const Index &value)
{
  environment[static_cast<size_t>(binder->slot)] = value;
}

std::vector<Index> Looper::bound(int n, const model_binder *const binders[]) const
{
  std::vector<Index> values;
  for (int j = 0; j < n; j++) {
    values.push_back(environment[static_cast<size_t>(binders[j]->slot)]);
  }
  return values;
}

void Looper::bind(int n, const model_binder *const binders[], const std::vector<Index> &values)
{
  for (int j = 0; j < n; j++) {
    bind(binders[j], values[static_cast<size_t>(j)]);
  }
}

std::vector<Index> Looper::indices(int n, const model_index *const index[],
                                   const model_shape *shape)
{
  std::vector<Index> result;
  for (int j = 0; j < n; j++) {
    Index value = index_value(*index[j], environment, world.variables);
    if (shape && !shape->sets[j]->is_range) {
      value.labels = shape->sets[j];
    }
    result.push_back(value);
  }
  return result;
}

Parts Looper::entry(const model_expr &e)
{
  if (e.kind == EXPR_VELOCITY && !in_lagrangian) {
    return velocity(e);
  }
  const model_shape &shape = e.parameter ? e.parameter->shape : e.coordinate->shape;
  const Atom &atom = atoms[atoms.find(
      {e.coordinate, e.parameter, nullptr, indices(e.n_index, e.index, &shape), e.where})];
  return scalar_part(e.parameter || e.kind == EXPR_POSITION ? atom.symbol : atom.momentum);
}

// A filtered family has instances that depend on the sizes.
static void refuse_filter(const model_expr &e)
{
  if (e.family->condition) {
    throw LoopError(e.where,
                    std::string("'") + e.family->name +
                        "' has a 'where', so that which of its instances exist depends "
                        "on the sizes, and a model with loops cannot refer to it",
                    "give its instances a set of their own");
  }
}

Parts Looper::multiplier(const model_expr &e)
{
  refuse_filter(e);
  std::vector<Index> index = indices(e.n_index, e.index, nullptr);
  for (size_t j = 0; j < index.size(); j++) {
    const model_set *set = e.family->binders[j]->set;
    index[j].labels = set->is_range ? nullptr : set;
  }
  return scalar_part(atoms[atoms.find({nullptr, nullptr, e.family, index, e.where})].symbol);
}

Parts Looper::constraint(const model_expr &e)
{
  refuse_filter(e);
  const std::vector<Index> index = indices(e.n_index, e.index, nullptr);
  const model_family &f = *e.family;
  const std::vector<Index> outside = bound(f.n_binders, f.binders);
  bind(f.n_binders, f.binders, index);
  Parts result = expression(*f.body);
  bind(f.n_binders, f.binders, outside);
  return result;
}

Parts Looper::known(const model_expr &e)
{
  switch (e.kind) {
  case EXPR_NUMBER:
    return scalar_part(exact(e.number));
  case EXPR_PI:
    return scalar_part(GiNaC::Pi);
  case EXPR_INDEX:
    return number(index_value(*e.index[0], environment, world.variables), e.where);
  case EXPR_PARAMETER:
  case EXPR_POSITION:
  case EXPR_MOMENTUM:
  case EXPR_VELOCITY:
    return entry(e);
  case EXPR_NEG:
    return added({}, expression(*e.a), -1, e.where);
  case EXPR_ADD:
  case EXPR_SUB:
    return chain(e);
  case EXPR_MUL:
    return multiplied(e);
  case EXPR_DIV:
    return divided(e);
  case EXPR_POW:
    return power(e);
  case EXPR_CALL:
    return call(e);
  case EXPR_SUM:
  case EXPR_PRODUCT:
    return repeated({e.n_binders, e.binders, e.condition, *e.a, e.where, e.kind == EXPR_SUM});
  case EXPR_LET:
    return let(e);
  case EXPR_ARGUMENT:
    return argument(e);
  case EXPR_HAMILTONIAN:
    return all_terms();
  case EXPR_LAGRANGIAN:
    return written_terms();
  case EXPR_CONSTRAINT:
    return constraint(e);
  case EXPR_BRACKET:
    throw LoopError(e.where, "in a model with loops there is no 'bracket'",
                    "write its formula out");
  case EXPR_MULTIPLIER:
    return multiplier(e);
  }
  throw std::logic_error("unknown kind of expression");
}

Parts Looper::expression(const model_expr &e)
{
  if (++world.visits > max_visits) {
    throw ModelError(e.where, "the kernels of this model would have too many terms");
  }
  if (++depth > max_depth) {
    throw ModelError(e.where, "this formula is too many levels deep, with the lets that it uses");
  }
  Parts result = at_place(e.where, [&] { return known(e); });
  depth--;
  return result;
}

/* ---- Sums and products: which are unrolled and which stay loops; merging of loops ---- */

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

Filter Looper::filter(const model_condition *condition)
{
  return condition_value(condition, environment, world.variables);
}

void Looper::bind(int n, const model_binder *const binders[], const std::vector<long> &at)
{
  for (int j = 0; j < n; j++) {
    const model_set &set = *binders[j]->set;
    bind(binders[j],
         {constant(at[static_cast<size_t>(binders[j]->slot)]), set.is_range ? nullptr : &set});
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
  return merged(kept_inside_of(parts, domain.end(), f.where));
}

Parts Looper::all_terms()
{
  return world.source.lagrangian_name ? lagrangian() : written_terms();
}

Parts Looper::written_terms()
{
  Parts all;
  for (int i = 0; i < world.source.n_terms; i++) {
    const model_family &term = *world.source.terms[i];
    const Parts own = world.labels_apart ? with_labels_apart(term)
                                         : repeated({term.n_binders, term.binders, term.condition,
                                                     *term.body, term.where, true});
    all = added(std::move(all), own, 1, term.where);
  }
  return all;
}

Parts Looper::hamiltonian()
{
  domain.begin();
  const Parts parts = all_terms();
  return merged(kept_inside_of(parts, domain.end(), world.source.terms[0]->where));
}

// Whether loop j of both parts has the same elements; `rename` maps the outer variables of b to
// those of a.
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

/* ---- What the kernels of a family read: one symbol for each entry, whatever it is called ---- */

static const void *what(const Atom &atom)
{
  if (atom.coordinate) {
    return atom.coordinate;
  }
  if (atom.sum) {
    return atom.sum.get();
  }
  return atom.parameter ? static_cast<const void *>(atom.parameter) : atom.constraint;
}

int Atoms::find(const Atom &atom)
{
  Key key{what(atom), {}};
  for (const Index &index : atom.index) {
    key.second.push_back(index.value);
  }
  const int next = element_count(all);
  const auto [at, is_new] = known.insert({key, next});
  if (is_new) {
    all.push_back(atom);
    Atom &added = all.back();
    const bool positive = atom.parameter && is_positive(*atom.parameter);
    added.symbol = positive ? ex(GiNaC::possymbol("a")) : ex(realsymbol("a"));
    from_symbols[added.symbol] = next;
    if (atom.coordinate) {
      added.momentum = realsymbol("p");
      from_symbols[added.momentum] = next;
    }
  }
  return at->second;
}

ex Atoms::substituted(const Atoms &from, const ex &e, const Substitution &by)
{
  exmap symbols;
  for (const int i : from.in(e)) {
    Atom other = from[i]; /* a copy: find() may reallocate the atoms of `from` */
    for (Index &index : other.index) {
      index.value = world.variables.substitute(index.value, by);
    }
    const Atom &to = (*this)[find(other)];
    symbols[other.symbol] = to.symbol;
    if (to.coordinate) {
      symbols[other.momentum] = to.momentum;
    }
  }
  return replaced(e, symbols);
}

std::vector<int> Atoms::in(const ex &e) const
{
  std::set<int> found;
  for (const ex &symbol : symbols_in(e)) {
    found.insert(from_symbols.at(symbol));
  }
  return std::vector<int>(found.begin(), found.end());
}

std::string indices_text(const std::vector<Index> &index, const LoopModel &world)
{
  std::string text;
  for (const Index &i : index) {
    text += (text.empty() ? "[" : ",") + index_text(world.memory, i, world.variables);
  }
  return text.empty() ? text : text + "]";
}

std::string Atoms::text(int atom, bool momentum) const
{
  const Atom &a = (*this)[atom];
  const std::string indices = indices_text(a.index, world);
  if (a.coordinate) {
    return (momentum ? a.coordinate->momentum : a.coordinate->name) + indices;
  }
  if (a.parameter) {
    return a.parameter->name + indices;
  }
  if (a.sum) {
    return "sum";
  }
  return a.constraint ? a.constraint->name + indices
                      : index_text(world.memory, a.index[0], world.variables);
}

} // namespace sidewinder
