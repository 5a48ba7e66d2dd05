// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/unroll.h"

#include <algorithm>
#include <climits>

#include "model/index_form.h"
#include "model/model_limits.h"
#include "symbolic/derivatives.h"
#include "symbolic/domain.h"
#include "symbolic/exact.h"

namespace sidewinder
{

// Each sum is the previous one plus a term, except every 64th, which is a base plus 64 terms.  This
// bounds the length of chains of sums.
static const size_t most_behind = 64;

// ---- the variables that a sum reads ----

static void add_index(const model_index *index, std::set<int> &slots)
{
  if (!index) {
    return;
  }
  if (index->kind == INDEX_VARIABLE) {
    slots.insert(index->binder->slot);
  }
  add_index(index->a, slots);
  add_index(index->b, slots);
}

static void add_condition(const model_condition *c, std::set<int> &slots)
{
  if (c) {
    add_index(c->left, slots);
    add_index(c->right, slots);
    add_condition(c->a, slots);
    add_condition(c->b, slots);
  }
}

static void forget(int n, const model_binder *const binders[], std::set<int> &slots)
{
  for (int j = 0; j < n; j++) {
    slots.erase(binders[j]->slot);
  }
}

// Adds the slots of the outer variables that e reads.  Returns false if e reads a real argument of
// an enclosing let, or depends on more than parameters and indices.
static bool add_slots(const model_expr &e, std::set<int> &slots)
{
  std::set<int> own;
  switch (e.kind) {
  case EXPR_ARGUMENT:
  case EXPR_HAMILTONIAN:
  case EXPR_LAGRANGIAN:
  case EXPR_VELOCITY:
  case EXPR_CONSTRAINT:
  case EXPR_BRACKET:
  case EXPR_MULTIPLIER:
  case EXPR_IMPULSE:
    return false;
  case EXPR_LET: {
    for (int i = 0; i < e.let->n_arguments; i++) {
      add_index(e.arguments[i].index, slots);
      if (!e.arguments[i].index && !add_slots(*e.arguments[i].value, slots)) {
        return false;
      }
    }
    add_slots(*e.let->body, own); // the let's own arguments are resolved here
    forget(e.let->n_arguments, e.let->arguments, own);
    break;
  }
  case EXPR_SUM:
  case EXPR_PRODUCT:
    if (!add_slots(*e.a, own)) {
      return false;
    }
    add_condition(e.condition, own);
    for (int j = 0; j < e.n_binders; j++) {
      add_index(e.binders[j]->set->lower, own);
      add_index(e.binders[j]->set->upper, own);
    }
    forget(e.n_binders, e.binders, own);
    break;
  default:
    for (int j = 0; j < e.n_index; j++) {
      add_index(e.index[j], slots);
    }
    return (!e.a || add_slots(*e.a, slots)) && (!e.b || add_slots(*e.b, slots));
  }
  slots.insert(own.begin(), own.end());
  return true;
}

// One bound of the range of a sum's variable.
struct End {
  const model_index *index;
  bool is_lower;
  long shift; // 1 or -1 if the bound is strict
};

// Adds the bounds that a condition sets.  Returns false if the condition has any other form.
static bool add_ends(const model_condition *c, const model_binder *own, std::vector<End> &ends)
{
  if (!c) {
    return true;
  }
  if (c->kind == CONDITION_AND) {
    return add_ends(c->a, own, ends) && add_ends(c->b, own, ends);
  }
  const bool compares = c->left && c->kind != CONDITION_EQ && c->kind != CONDITION_NE;
  if (!compares) {
    return false;
  }
  const bool own_left = c->left->kind == INDEX_VARIABLE && c->left->binder == own;
  const bool own_right = c->right->kind == INDEX_VARIABLE && c->right->binder == own;
  const model_index *other = own_left ? c->right : c->left;
  if (own_left == own_right || index_reads(other, own)) {
    return false;
  }
  const bool greater = c->kind == CONDITION_GT || c->kind == CONDITION_GE;
  const bool strict = c->kind == CONDITION_GT || c->kind == CONDITION_LT;
  const bool is_lower = greater == own_left;
  ends.push_back({other, is_lower, !strict ? 0 : is_lower ? 1 : -1});
  return true;
}

// The bounds of a sum over one variable; empty for other sums.
static std::vector<End> ends_of(const model_expr &e)
{
  if (e.kind != EXPR_SUM || e.n_binders != 1 || !e.binders[0]->set->is_range) {
    return {};
  }
  const model_set &set = *e.binders[0]->set;
  std::vector<End> ends{{set.lower, true, 0}, {set.upper, false, 0}};
  return add_ends(e.condition, e.binders[0], ends) ? ends : std::vector<End>{};
}

static bool moves(const std::vector<End> &ends, bool lower)
{
  return std::any_of(ends.begin(), ends.end(), [&](const End &end) {
    return end.is_lower == lower && model_index_has(end.index, INDEX_VARIABLE);
  });
}

bool RunningSums::can_continue(const model_expr &e)
{
  const std::vector<End> ends = ends_of(e);
  if (moves(ends, true) == moves(ends, false)) {
    return false;
  }
  const auto [at, is_new] = slots.insert({&e, std::nullopt});
  std::set<int> read;
  if (is_new && add_slots(*e.a, read)) {
    forget(1, e.binders, read);
    at->second = read;
  }
  return at->second.has_value();
}

// ---- sums ----

// Returns a new symbol for a sum; other values are short enough.
ex RunningSums::named(const ex &value)
{
  if (!is_exactly_a<GiNaC::add>(value)) {
    return value;
  }
  definitions.emplace_back(realsymbol("s"), value);
  return definitions.back().first;
}

ex RunningSums::sum(const model_expr &e, const std::vector<long> &environment,
                    const std::function<ex(long)> &term)
{
  const std::vector<End> ends = ends_of(e);
  const bool forwards = !moves(ends, true);
  long first = LONG_MIN;
  long last = LONG_MAX;
  for (const End &end : ends) {
    const long value = model_index_value(end.index, environment.data()) + end.shift;
    first = end.is_lower ? std::max(first, value) : first;
    last = end.is_lower ? last : std::min(last, value);
  }
  std::vector<long> key{forwards ? first : last};
  for (const int slot : *slots.at(&e)) {
    key.push_back(environment[static_cast<size_t>(slot)]);
  }
  Chain &chain = chains[{&e, key}];
  while (last >= first && static_cast<long>(chain.sums.size()) <= last - first) {
    const long n = static_cast<long>(chain.sums.size());
    const ex next = term(forwards ? first + n : last - n);
    chain.behind.push_back(next);
    if (chain.behind.size() == most_behind) {
      chain.base = named(chain.base + sum_of(chain.behind));
      chain.behind.clear();
      chain.sums.push_back(chain.base);
    } else {
      chain.sums.push_back(named(n == 0 ? next : chain.sums.back() + next));
    }
  }
  return last < first ? ex(0) : chain.sums[static_cast<size_t>(last - first)];
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
  return sum_of(values_of(terms));
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
  const std::vector<long> outside = environment;
  for (size_t i = 0; i < n; i++) {
    environment[static_cast<size_t>(l.arguments[i]->slot)] = key[i];
  }
  frames.push_back(values);
  Expanded result = alone(*l.body);
  if (named && !(in_lagrangian && reads_velocities(result.value))) {
    result.value = named->of(result.value);
  }
  frames.pop_back();
  environment = outside;
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
  for (long round = 0; model_binders_next(round, n, binders, condition, environment.data());
       round++) {
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
  return e.kind == EXPR_SUM ? sum_of(parts) : product(parts, e.where);
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
  return sums ? sum_of(parts) : product(parts, e.where);
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
  case EXPR_IMPULSE:
    return symbols.impulse[static_cast<size_t>(position(e))];
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
  exmap values;
  for (size_t i = 0; i < z.size(); i++) {
    values[symbols.z[i]] = z[i];
  }
  const size_t d = static_cast<size_t>(symbols.d);
  for (const int i : moving()) {
    const size_t at = static_cast<size_t>(i);
    z[d + at] = replaced(transformed.momentum[at], values);
  }
}

} // namespace sidewinder
