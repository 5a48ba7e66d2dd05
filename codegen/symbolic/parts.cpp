// SPDX-License-Identifier: GPL-2.0-or-later
// parts.cpp -- expressions of the checked model, evaluated with indices that stay variables.
#include "symbolic/parts.h"

#include <algorithm>

#include "symbolic/exact.h"
#include "symbolic/kernel.h"
#include "symbolic/unroll.h"

namespace sidewinder
{

using GiNaC::exvector;

Looper::Looper(LoopModel &m)
    : atoms(m), world(m), environment(static_cast<size_t>(m.source.n_slots) + 1)
{
}

Parts scalar_part(const ex &e)
{
  return {{{}, nullptr, e, {0, 0}}};
}

bool is_scalar(const Parts &parts)
{
  return parts.empty() || (parts.size() == 1 && parts[0].loops.empty());
}

ex scalar_value(const Parts &parts)
{
  return parts.empty() ? ex(0) : parts[0].kernel;
}

static span loop_place(const Parts &parts)
{
  for (const Part &part : parts) {
    if (!part.loops.empty()) {
      return part.where;
    }
  }
  return {0, 0};
}

[[noreturn]] static void refuse_loop(span where, const std::string &around)
{
  throw ModelError(
      where, "a sum over a set of any size, or of more than 64 rounds, can stand in a sum and be "
             "multiplied by what does not loop, but not stand " +
                 around + "; make the set small and fixed, or generate with --lowering unrolled");
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
    throw ModelError(where,
                     "this formula has too many sums that loop; generate with --lowering unrolled");
  }
  return a;
}

// The value of an operand that must not loop.
ex Looper::one(const model_expr &e, const char *around)
{
  const Parts parts = expression(e);
  if (!is_scalar(parts)) {
    refuse_loop(loop_place(parts), around);
  }
  return scalar_value(parts);
}

Parts Looper::kept(Parts parts, const Conditions &conditions, span where)
{
  if (conditions.empty()) {
    return parts;
  }
  GiNaC::lst all;
  for (const Part &part : parts) {
    all.append(part.kernel);
  }
  for (const ex &u : conditions) {
    all.append(u);
  }
  const Kernel kernel = kernel_of(atoms, all);
  Lowering lower(world.context, *kernel.symbols);
  if (std::all_of(parts.begin(), parts.end(),
                  [](const Part &part) { return part.kernel.is_zero(); })) {
    const ex lost = kept_inside(0, conditions, world.context, lower, where);
    return lost.is_zero() ? parts : scalar_part(lost);
  }
  try {
    Sight sight(world.context, lower);
    for (const Part &part : parts) {
      sight.see(part.kernel);
    }
    const ex factor = sight.keep(1, conditions);
    for (Part &part : parts) {
      part.kernel *= factor;
    }
    return parts;
  } catch (const std::domain_error &error) {
    throw ModelError(where, error.what());
  }
}

ex Looper::scalar(const model_expr &e)
{
  domain.begin();
  const Parts parts = scalar_part(one(e, "here"));
  return scalar_value(kept(parts, domain.end(), e.where));
}

// A chain a + b - c + ... leans to the left and may have thousands of links.
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

static Parts checked(Parts parts, span where)
{
  for (const Part &part : parts) {
    check_exponents(part.kernel, where);
  }
  return parts;
}

Parts Looper::multiplied(const model_expr &e)
{
  const Parts a = expression(*e.a);
  const Parts b = expression(*e.b);
  if (is_scalar(a)) {
    return checked(added({}, b, scalar_value(a), e.where), e.where);
  }
  if (is_scalar(b)) {
    return checked(added({}, a, scalar_value(b), e.where), e.where);
  }
  refuse_loop(loop_place(b), "in a product with another such sum");
}

Parts Looper::divided(const model_expr &e)
{
  const Parts a = expression(*e.a);
  return checked(added({}, a, 1 / one(*e.b, "in a divisor"), e.where), e.where);
}

Parts Looper::power(const model_expr &e)
{
  const ex base = one(*e.a, "inside a power");
  return scalar_part(power_of(e, base, one(*e.b, "inside an exponent"), domain));
}

Parts Looper::call(const model_expr &e)
{
  const std::string around = std::string("inside '") + model_function_name(e.function) + "'";
  const ex x = one(*e.a, around.c_str());
  return scalar_part(function_of(e, x, e.b ? one(*e.b, around.c_str()) : ex(0), domain));
}

Parts Looper::number(const Index &index, span where)
{
  if (is_constant(index.value)) {
    return scalar_part(constant_term(index.value));
  }
  return scalar_part(atoms[atoms.number(index, where)].symbol);
}

// A let whose arguments are all indices is expanded once for each choice of them.
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
  for (size_t i = 0; i < n; i++) {
    bind(l.arguments[i], index[i]);
  }
  frames.push_back(std::move(frame));
  domain.begin();
  Parts result = expression(*l.body);
  const Conditions conditions = domain.end();
  frames.pop_back();
  restore(l.n_arguments, l.arguments, outside);
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

void Looper::restore(int n, const model_binder *const binders[], const std::vector<Index> &values)
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
  if (e.kind == EXPR_PARAMETER) {
    const int at =
        atoms.value(*e.parameter, indices(e.n_index, e.index, &e.parameter->shape), e.where);
    return scalar_part(atoms[at].symbol);
  }
  const int at =
      atoms.site(*e.coordinate, indices(e.n_index, e.index, &e.coordinate->shape), e.where);
  return scalar_part(e.kind == EXPR_POSITION ? atoms[at].symbol : atoms[at].momentum);
}

// Which instances a filter leaves out depends on the sizes.
static void refuse_filter(const model_expr &e)
{
  if (e.family->condition) {
    throw ModelError(e.where,
                     std::string("constraint '") + e.family->name +
                         "' has a 'where', so that which of its instances exist depends on "
                         "the sizes; generate with --lowering unrolled to refer to it");
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
  return scalar_part(atoms[atoms.multiplier(*e.family, index, e.where)].symbol);
}

Parts Looper::constraint(const model_expr &e)
{
  refuse_filter(e);
  const std::vector<Index> index = indices(e.n_index, e.index, nullptr);
  const model_family &f = *e.family;
  const std::vector<Index> outside = bound(f.n_binders, f.binders);
  for (int j = 0; j < f.n_binders; j++) {
    bind(f.binders[j], index[static_cast<size_t>(j)]);
  }
  Parts result = expression(*f.body);
  restore(f.n_binders, f.binders, outside);
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
  case EXPR_CONSTRAINT:
    return constraint(e);
  case EXPR_BRACKET:
    throw ModelError(e.where, "'bracket' needs fixed sizes: generate with --lowering unrolled");
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

} // namespace sidewinder
