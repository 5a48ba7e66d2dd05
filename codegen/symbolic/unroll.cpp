// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/unroll.h"

#include <algorithm>

#include "model/model_limits.h"
#include "symbolic/derivatives.h"
#include "symbolic/exact.h"
#include "symbolic/powers.h"

namespace sidewinder
{

using GiNaC::ex_to;
using GiNaC::exvector;
using GiNaC::is_exactly_a;
using GiNaC::numeric;

// Sums and products are built from all parts at once.  Adding one part at a time would copy the
// result each time.
static ex sum(const exvector &parts)
{
  return ex(GiNaC::add(parts));
}

std::vector<ex> values_of(const std::vector<PlacedTerm> &terms)
{
  std::vector<ex> values;
  for (const PlacedTerm &term : terms) {
    values.push_back(term.value);
  }
  return values;
}

static ex total(const std::vector<PlacedTerm> &terms)
{
  return sum(values_of(terms));
}

static ex product(const exvector &parts, span where)
{
  ex result = GiNaC::mul(parts);
  check_exponents(result, where);
  return result;
}

Unroller::Unroller(const model &m, const Symbols &s, ir_context *c, Lowering &lower)
    : source(m), symbols(s), context(c), lowering(lower),
      environment(static_cast<size_t>(m.n_slots) + 1, 0)
{
}

// The expansion of a let whose arguments are all indices is cached by their values.
ex Unroller::let(const model_expr &e)
{
  const model_let &l = *e.let;
  const size_t n = static_cast<size_t>(l.n_arguments);
  std::vector<long> key(n + 2);
  std::vector<ex> values(n);
  bool all_indices = true;
  for (size_t i = 0; i < n; i++) {
    const model_argument &argument = e.arguments[i];
    if (argument.index) {
      key[i] = model_index_value(argument.index, environment.data());
      values[i] = key[i];
    } else {
      all_indices = false;
      values[i] = expression(*argument.value);
    }
  }
  key[n] = is_running;
  key[n + 1] = in_lagrangian;
  const auto found = expanded.find({&l, key});
  if (all_indices && found != expanded.end()) {
    domain.note(found->second.conditions);
    return found->second.value;
  }
  std::vector<long> saved(n);
  for (size_t i = 0; i < n; i++) {
    long &slot = environment[static_cast<size_t>(l.arguments[i]->slot)];
    saved[i] = slot;
    slot = key[i];
  }
  frames.push_back(values);
  Expanded result = alone(*l.body);
  if (named && !(in_lagrangian && reads_velocities(result.value))) {
    result.value = named->of(result.value);
  }
  frames.pop_back();
  for (size_t i = 0; i < n; i++) {
    environment[static_cast<size_t>(l.arguments[i]->slot)] = saved[i];
  }
  if (all_indices) {
    expanded[{&l, key}] = result;
  }
  return result.value;
}

// The value of e and the domain conditions of its evaluation.
Unroller::Expanded Unroller::alone(const model_expr &e)
{
  domain.begin();
  Expanded result{expression(e), {}};
  result.conditions = domain.end();
  return result;
}

ex Unroller::within_domain(const model_expr &e)
{
  const Expanded found = alone(e);
  define_sums(e.where);
  if (named) {
    return found.value;
  }
  return kept_inside(found.value, found.conditions, context, lowering, e.where);
}

void Unroller::define_sums(span where)
{
  for (; n_sums < running.definitions.size(); n_sums++) {
    const auto &definition = running.definitions[n_sums];
    at_place(where, [&] { lowering.define(definition.first, definition.second); });
  }
}

// Throws ModelError if conditions must be tested for too many index values.
void Unroller::spend(int n, const model_binder *const binders[], const model_condition *condition,
                     span where)
{
  double product = condition != nullptr ? 1.0 : 0.0;
  for (int j = 0; j < n; j++) {
    product *= static_cast<double>(binders[j]->set->count);
  }
  rounds += product;
  if (rounds > static_cast<double>(MODEL_MAX_ALL_ROUNDS)) {
    throw ModelError(where, "too many combinations of index values for a 'where': at most " +
                                std::to_string(MODEL_MAX_ALL_ROUNDS) +
                                " are tried in an unrolled model; choose smaller sizes, or give "
                                "the variables sets with fewer elements");
  }
}

template <class Visit>
void Unroller::each_round(int n, const model_binder *const binders[],
                          const model_condition *condition, span where, Visit visit)
{
  spend(n, binders, condition, where);
  for (int more = model_binders_first(n, binders, condition, environment.data()); more;
       more = model_binders_next(n, binders, condition, environment.data())) {
    visit();
  }
}

// The number of the referenced instance, among all instances of the families of its kind.
long Unroller::position(const model_expr &e)
{
  std::vector<long> scratch(environment.size());
  spend(e.family->n_binders, e.family->binders, e.family->condition, e.where);
  const long at = model_family_position(e.family, e.index, environment.data(), scratch.data());
  if (at < 0) {
    throw ModelError(e.where, std::string("'") + e.family->name +
                                  "' has no such instance: its 'where' leaves it out");
  }
  return e.family->offset + at;
}

ex Unroller::constraint(const model_expr &e)
{
  const model_family &f = *e.family;
  position(e);
  std::vector<long> inner = environment;
  for (int i = 0; i < f.n_binders; i++) {
    inner[static_cast<size_t>(f.binders[i]->slot)] =
        model_index_value(e.index[i], environment.data());
  }
  environment.swap(inner);
  ex result = expression(*f.body);
  environment.swap(inner);
  return result;
}

ex Unroller::continued(const model_expr &e)
{
  const model_binder &own = *e.binders[0];
  const std::vector<long> outside = environment;
  return running.sum(e, outside, [&](long j) {
    environment[static_cast<size_t>(own.slot)] = j;
    return expression(*e.a);
  });
}

ex Unroller::repeated(const model_expr &e)
{
  exvector parts;
  if (is_running && running.can_continue(e)) {
    return continued(e);
  }
  each_round(e.n_binders, e.binders, e.condition, e.where,
             [&] { parts.push_back(expression(*e.a)); });
  return e.kind == EXPR_SUM ? sum(parts) : product(parts, e.where);
}

static bool is_link(const model_expr &e, bool sums)
{
  return sums ? e.kind == EXPR_ADD || e.kind == EXPR_SUB : e.kind == EXPR_MUL || e.kind == EXPR_DIV;
}

// Chains such as a + b - c + ... and a * b / c * ... are left-deep trees with up to thousands of
// links, so they are not evaluated recursively.
ex Unroller::chain(const model_expr &e, bool sums)
{
  std::vector<const model_expr *> links;
  const model_expr *leaf = &e;
  for (; is_link(*leaf, sums); leaf = leaf->a) {
    links.push_back(leaf);
  }
  exvector parts{expression(*leaf)};
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    const model_expr &x = **link;
    const ex value = expression(*x.b);
    parts.push_back(x.kind == EXPR_SUB   ? -value
                    : x.kind == EXPR_DIV ? at_place(x.where, [&] { return 1 / value; })
                                         : value);
  }
  visits += static_cast<long>(links.size());
  return sums ? sum(parts) : product(parts, e.where);
}

ex Unroller::expression(const model_expr &e)
{
  return at_place(e.where, [&] { return value(e); });
}

ex Unroller::value(const model_expr &e)
{
  const auto entry = [&](const model_shape &shape) {
    return model_shape_offset(&shape, e.index, environment.data());
  };
  if (++visits > max_visits) {
    throw ModelError(
        e.where, "the model unrolls to too many terms; choose smaller sizes, or --lowering looped");
  }
  switch (e.kind) {
  case EXPR_NUMBER:
    return exact(e.number);
  case EXPR_PI:
    return GiNaC::Pi;
  case EXPR_INDEX:
    return numeric(model_index_value(e.index[0], environment.data()));
  case EXPR_PARAMETER:
    return symbols.k[static_cast<size_t>(e.parameter->offset + entry(e.parameter->shape))];
  case EXPR_POSITION:
    return symbols.q(static_cast<int>(e.coordinate->offset + entry(e.coordinate->shape)));
  case EXPR_MOMENTUM:
    return symbols.p(static_cast<int>(e.coordinate->offset + entry(e.coordinate->shape)));
  case EXPR_VELOCITY:
    return velocity(e);
  case EXPR_NEG:
    return -expression(*e.a);
  case EXPR_ADD:
  case EXPR_SUB:
    return chain(e, true);
  case EXPR_MUL:
  case EXPR_DIV:
    return chain(e, false);
  case EXPR_POW:
    return power_of(e, expression(*e.a), expression(*e.b), domain);
  case EXPR_CALL:
    return function_of(e, expression(*e.a), e.b ? expression(*e.b) : ex(0), domain);
  case EXPR_SUM:
  case EXPR_PRODUCT:
    return repeated(e);
  case EXPR_LET:
    return let(e);
  case EXPR_ARGUMENT:
    return frames.back()[static_cast<size_t>(e.argument)];
  case EXPR_HAMILTONIAN: {
    const std::vector<PlacedTerm> &parts = hamiltonian_terms();
    domain.note(conditions_of_H);
    return total(parts);
  }
  case EXPR_LAGRANGIAN: {
    std::vector<Conditions> conditions;
    const std::vector<PlacedTerm> parts = instances(conditions);
    for (const Conditions &c : conditions) {
      domain.note(c);
    }
    return total(parts);
  }
  case EXPR_CONSTRAINT:
    return constraint(e);
  case EXPR_BRACKET:
    return bracket(symbols, expression(*e.a), expression(*e.b));
  case EXPR_MULTIPLIER:
    return symbols.lambda[static_cast<size_t>(position(e))];
  }
  throw std::logic_error("unknown kind of expression");
}

std::vector<ex> Unroller::family(const model_family &f)
{
  std::vector<ex> instances;
  each_round(f.n_binders, f.binders, f.condition, f.where,
             [&] { instances.push_back(within_domain(*f.body)); });
  return instances;
}

// A condition of one term may be checked by another term.
void Unroller::keep_conditions_of_H(const std::vector<Conditions> &conditions)
{
  at_place(source.terms[0]->where, [&] {
    Sight sight(context, lowering);
    sight.see(total(terms));
    for (size_t i = 0; i < terms.size(); i++) {
      terms[i].value = sight.keep(terms[i].value, conditions[i]);
    }
  });
}

// The instances of all terms as written, of H or L, and their domain conditions.
std::vector<PlacedTerm> Unroller::instances(std::vector<Conditions> &conditions)
{
  std::vector<PlacedTerm> result;
  for (int i = 0; i < source.n_terms; i++) {
    const model_family &f = *source.terms[i];
    each_round(f.n_binders, f.binders, f.condition, f.where, [&] {
      const Expanded term = alone(*f.body);
      result.push_back({term.value, f.where});
      conditions.push_back(term.conditions);
    });
  }
  return result;
}

const std::vector<PlacedTerm> &Unroller::hamiltonian_terms()
{
  if (have_terms) {
    return terms;
  }
  have_terms = true;
  std::vector<Conditions> conditions;
  in_lagrangian = source.lagrangian_name != nullptr;
  terms = instances(conditions);
  for (size_t i = 0; i < conditions.size(); i++) {
    const Conditions &c = conditions[i];
    if (in_lagrangian &&
        std::any_of(c.begin(), c.end(), [&](const ex &u) { return reads_velocities(u); })) {
      throw ModelError(terms[i].where, partly_defined);
    }
    conditions_of_H.insert(c.begin(), c.end());
  }
  if (in_lagrangian) {
    in_lagrangian = false;
    terms = transform_lagrangian();
    conditions.assign(terms.size(), {});
    conditions[0] = conditions_of_H;
  }
  if (!conditions_of_H.empty() && !named) {
    keep_conditions_of_H(conditions);
  }
  return terms;
}

template <class Visit> void Unroller::each_value(const model_values &v, Visit visit)
{
  is_running = true;
  size_t i = 0;
  each_round(v.n_binders, v.binders, nullptr, {},
             [&] { visit(within_domain(v.table ? *v.table[i++] : *v.body)); });
  is_running = false;
}

std::vector<ex> Unroller::values(const model_values &v)
{
  std::vector<ex> result;
  each_value(v, [&](const ex &value) { result.push_back(value); });
  return result;
}

std::vector<ex> Unroller::state(const model_init &init)
{
  std::vector<ex> z(symbols.z.size(), ex(0));
  bool has_velocities = false;
  for (int j = 0; j < init.n; j++) {
    const model_assignment &a = init.assignments[j];
    has_velocities = has_velocities || a.is_velocity;
    const long base = a.coordinate->offset + (a.is_momentum ? symbols.d : 0);
    each_value(a.values, [&](const ex &value) {
      const long at = model_shape_offset(&a.coordinate->shape, a.index, environment.data());
      z[static_cast<size_t>(base + at)] = value;
    });
  }
  if (has_velocities) {
    hamiltonian_terms();
    at_place(init.where, [&] { velocities_to_momenta(z); });
  }
  return z;
}

/* ---- unrolled models that are given by L ---- */

static const model_coordinate &coordinate_of(const model &m, int i)
{
  int j = 0;
  while (i >= m.coordinates[j]->offset + m.coordinates[j]->shape.count) {
    j++;
  }
  return *m.coordinates[j];
}

std::vector<int> Unroller::moving() const
{
  std::vector<int> result;
  for (int i = 0; i < symbols.d; i++) {
    if (coordinate_of(source, i).velocity) {
      result.push_back(i);
    }
  }
  return result;
}

// Momenta of L's other variables, which are algebraic, stay what they are.
bool Unroller::reads_velocities(const ex &e) const
{
  const std::vector<int> all = moving();
  return std::any_of(all.begin(), all.end(), [&](int i) { return e.has(symbols.p(i)); });
}

std::vector<PlacedTerm> Unroller::transform_lagrangian()
{
  Lagrangian L{symbols, {}, terms, nullptr, nullptr, nullptr, true};
  arena *memory = ir_context_arena(context);
  L.moving = moving();
  L.name = [&](int i) {
    const model_coordinate &c = coordinate_of(source, i);
    long at[MODEL_MAX_BINDERS];
    model_shape_place(&c.shape, i - c.offset, at);
    return std::string(model_entry_text(memory, c.velocity, &c.shape, at));
  };
  L.place = [&](int i) { return coordinate_of(source, i).where; };
  L.plain = [&](const ex &e) { return named ? named->plain(e) : e; };
  terms_of_L = terms;
  transformed = legendre(L);
  std::vector<PlacedTerm> result = transformed.kinetic;
  result.insert(result.end(), transformed.potential.begin(), transformed.potential.end());
  return result;
}

// The velocity is a variable inside L, and H_p everywhere else.
ex Unroller::velocity(const model_expr &e)
{
  const long at =
      e.coordinate->offset + model_shape_offset(&e.coordinate->shape, e.index, environment.data());
  if (in_lagrangian) {
    return symbols.p(static_cast<int>(at));
  }
  hamiltonian_terms();
  return transformed.velocity[static_cast<size_t>(at)];
}

// Replaces the velocities in z by momenta p = L_v at the positions and velocities in z.
void Unroller::velocities_to_momenta(std::vector<ex> &z)
{
  GiNaC::exmap values;
  for (size_t i = 0; i < z.size(); i++) {
    values[symbols.z[i]] = z[i];
  }
  const size_t d = static_cast<size_t>(symbols.d);
  for (const int i : moving()) {
    const size_t at = static_cast<size_t>(i);
    z[d + at] = transformed.momentum[at].subs(values, GiNaC::subs_options::no_pattern);
  }
}

} // namespace sidewinder
