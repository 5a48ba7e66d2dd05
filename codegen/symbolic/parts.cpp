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

Parts Looper::lambda(const model_expr &e)
{
  refuse_filter(e);
  std::vector<Index> index = indices(e.n_index, e.index, nullptr);
  for (size_t j = 0; j < index.size(); j++) {
    const model_set *set = e.family->binders[j]->set;
    index[j].labels = set->is_range ? nullptr : set;
  }
  const bool is_impulse = e.kind == EXPR_IMPULSE;
  const Atom atom{nullptr, nullptr, e.family, index, e.where, nullptr, is_impulse};
  return scalar_part(atoms[atoms.find(atom)].symbol);
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
  case EXPR_IMPULSE:
    return lambda(e);
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

} // namespace sidewinder
