// SPDX-License-Identifier: GPL-2.0-or-later
// loop.cpp -- the looped lowering: from a checked model to kernels in the IR.
#include "symbolic/symbolic.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "expr/loops.h"
#include "model/index_form.h"
#include "model/index_nodes.h"
#include "symbolic/derivatives.h"
#include "symbolic/fibre.h"
#include "symbolic/kernel.h"
#include "symbolic/parts.h"

namespace sidewinder
{

/* ---- Families of constraints whose instances can share a degree of freedom, for all sizes ---- */

struct Site {
  const model_coordinate *coordinate;
  std::vector<Index> index;
  ConditionPointer condition; /* the site is read only under this condition */
};

/* A family of constraints, and the entries of coordinates that one instance reads. */
struct Reach {
  const model_family *family;
  ir_fibre fibre;
  std::vector<Site> sites;
};

/* Two families with instances, one of each and not the same instance, that can share a degree of
 * freedom. */
struct Sharing {
  size_t a;
  size_t b;         /* a <= b */
  std::string text; /* a sentence about the first shared entry */
};

/* ---- Equations between the indices of two instances ---- */

// Integer equations p = 0 in loop variables, solved by substitution where possible.
class Equations
{
public:
  Equations(LoopModel &m, std::vector<Polynomial> list) : world(m), rest(std::move(list)) {}

  // Returns false only if no values of the variables within their sets satisfy all equations and
  // conditions.
  bool may_hold(const std::vector<ConditionPointer> &conditions);
  // p with the solved variables substituted.
  Polynomial known(const Polynomial &p) const { return world.variables.substitute(p, solution); }

private:
  LoopModel &world;
  std::vector<Polynomial> rest;
  Substitution solution;

  bool solve_one();
  void same_remainder(Polynomial &p);
  std::optional<int> unknown(const Polynomial &p) const;
  Polynomial end_of(const model_set &set, bool upper);
  std::optional<Polynomial> bound(int v, bool upper);
  std::optional<Polynomial> extreme(const Polynomial &p, bool upper);
  bool is_below(const Polynomial &p, const Polynomial &limit);
  bool in_range(int v);
};

// The greatest common divisor of the coefficients of all terms with a variable; 0 without such
// terms.
static long common_factor(const Polynomial &p)
{
  long common = 0;
  for (const auto &[m, coefficient] : p) {
    common = m.empty() ? common : std::gcd(common, coefficient);
  }
  return common;
}

// Solvability test: the gcd of the other coefficients must divide the constant term.
static bool divisible(const Polynomial &p)
{
  const long common = common_factor(p);
  return common == 0 ? p.empty() : constant_term(p) % common == 0;
}

// A loop variable that occurs in p exactly once, with the coefficient 1 or -1.
std::optional<int> Equations::unknown(const Polynomial &p) const
{
  for (const auto &[m, unused] : p) {
    if (m.size() == 1 && world.variables.binder(m[0]) && world.variables.stands_alone(m[0], p)) {
      return m[0];
    }
  }
  return std::nullopt;
}

// Replaces mod(x, n) = mod(y, n) by x = y if |x - y| < n.
void Equations::same_remainder(Polynomial &p)
{
  if (p.size() != 2 || p.begin()->first.size() != 1 || p.rbegin()->first.size() != 1 ||
      p.begin()->second != -p.rbegin()->second) {
    return;
  }
  const int a = p.begin()->first[0];
  const int b = p.rbegin()->first[0];
  const Variables &v = world.variables;
  if (!v.is_made(a) || !v.is_made(b) || v.kind(a) != INDEX_MOD || v.kind(b) != INDEX_MOD ||
      v.right(a) != v.right(b)) {
    return;
  }
  const Polynomial difference = plus(v.left(a), v.left(b), -1);
  const Polynomial divisor = v.right(a);
  if (is_below(difference, divisor) && is_below(plus({}, difference, -1), divisor)) {
    p = difference;
  }
}

bool Equations::solve_one()
{
  for (size_t i = 0; i < rest.size(); i++) {
    same_remainder(rest[i]);
    const long common = common_factor(rest[i]);
    if (common > 1 && divisible(rest[i])) {
      for (auto &[m, coefficient] : rest[i]) {
        coefficient /= common;
      }
    }
    const auto v = unknown(rest[i]);
    if (!v) {
      continue;
    }
    const long sign = rest[i].at({*v});
    const Substitution step{{*v, plus(variable(*v), rest[i], -sign)}};
    rest.erase(rest.begin() + static_cast<long>(i));
    for (Polynomial &p : rest) {
      p = world.variables.substitute(p, step);
    }
    for (auto &[old, value] : solution) {
      value = world.variables.substitute(value, step);
    }
    solution.insert(*step.begin());
    return true;
  }
  return false;
}

Polynomial Equations::end_of(const model_set &set, bool upper)
{
  return set.is_range ? plain_value(upper ? *set.upper : *set.lower, world.variables)
                      : constant(upper ? set.count - 1 : 0);
}

// The upper or lower bound of a variable, in sizes and other variables; nothing if it is unknown.
std::optional<Polynomial> Equations::bound(int v, bool upper)
{
  const Variables &variables = world.variables;
  if (variables.indices(v)) {
    return end_of(*variables.indices(v)->target, upper);
  }
  if (variables.is_made(v)) {
    const bool is_mod = variables.kind(v) == INDEX_MOD;
    return !is_mod
               ? std::nullopt
               : std::optional(upper ? plus(variables.right(v), constant(1), -1) : Polynomial{});
  }
  if (!variables.binder(v)) {
    return std::nullopt;
  }
  const model_set &set = *variables.binder(v)->set;
  const Polynomial end = end_of(set, upper);
  // The bounds of a dependent set contain variables that may belong to another instance.
  return set.is_dependent ? extreme(end, upper) : end;
}

// A bound of p in sizes, by the bounds of its variables; nothing if it is unknown.
std::optional<Polynomial> Equations::extreme(const Polynomial &p, bool upper)
{
  Polynomial result = p;
  for (const auto &[m, coefficient] : p) {
    if (std::all_of(m.begin(), m.end(),
                    [&](int v) { return world.variables.size(v) != nullptr; })) {
      continue;
    }
    const auto end = m.size() == 1 ? bound(m[0], upper == (coefficient > 0)) : std::nullopt;
    if (!end) {
      return std::nullopt;
    }
    result = plus(plus(result, {{m, 1}}, -coefficient), *end, coefficient);
  }
  return result;
}

// Returns true only if bounds prove p < limit for all values of the variables.
bool Equations::is_below(const Polynomial &p, const Polynomial &limit)
{
  const auto most = extreme(plus(p, limit, -1), true);
  return most && is_constant(*most) && constant_term(*most) < 0;
}

bool Equations::in_range(int v)
{
  const auto first = bound(v, false);
  const auto last = bound(v, true);
  const Polynomial &value = solution.at(v);
  return !(first && is_below(value, *first)) &&
         !(last && is_below(plus({}, value, -1), plus({}, *last, -1)));
}

bool Equations::may_hold(const std::vector<ConditionPointer> &conditions)
{
  try {
    while (solve_one()) {
    }
    for (const Polynomial &p : rest) {
      if (!divisible(p)) {
        return false;
      }
    }
    for (const auto &[v, unused] : solution) {
      if (!in_range(v)) {
        return false;
      }
    }
    return may_hold_together(conditions, solution, world.variables);
  } catch (const IndexTooLarge &) {
    return true;
  }
}

// One equation for each dimension.  Returns nothing if the sites have different coordinates, or a
// dimension has different constants.
static std::optional<std::vector<Polynomial>> differences(const Site &a, const Site &b)
{
  std::vector<Polynomial> result;
  if (a.coordinate != b.coordinate) {
    return std::nullopt;
  }
  for (size_t j = 0; j < a.index.size(); j++) {
    result.push_back(plus(a.index[j].value, b.index[j].value, -1));
    if (is_constant(result.back()) && constant_term(result.back()) != 0) {
      return std::nullopt;
    }
  }
  return result;
}

// The family with renamed variables.
static Reach twin(LoopModel &m, const Reach &family, Substitution &twins)
{
  Reach result = family;
  for (Site &site : result.sites) {
    std::set<int> binders;
    for (const Index &index : site.index) {
      m.variables.collect(index.value, binders);
    }
    collect(site.condition, m.variables, binders);
    for (const int v : binders) {
      if (twins.find(v) == twins.end()) {
        twins[v] = variable(m.variables.twin(v));
      }
    }
    for (Index &index : site.index) {
      index.value = m.variables.substitute(index.value, twins);
    }
    site.condition = substitute(site.condition, twins, m.variables);
  }
  return result;
}

// Whether the equations imply that two instances of the family are the same instance.
static bool binds_alike(LoopModel &m, const Reach &family, const Substitution &twins,
                        const Equations &equations)
{
  for (int j = 0; j < family.family->n_binders; j++) {
    const int v = m.variables.of(family.family->binders[j]);
    const auto other = twins.find(v);
    if (other == twins.end() || equations.known(variable(v)) != equations.known(other->second)) {
      return false;
    }
  }
  return true;
}

static std::string sharing_text(LoopModel &m, const Reach &a, const Reach &b, const Site &shared)
{
  const std::string first = a.family->name;
  const std::string second = b.family->name;
  const std::string entry = shared.coordinate->name + indices_text(shared.index, m);
  const std::string who = a.family == b.family
                              ? "two instances of constraint '" + first + "' can share '"
                              : "constraints '" + first + "' and '" + second + "' can share '";
  return who + entry + "' and its momentum, and then may not commute";
}

// A sentence about the first entry that two different instances can share; "" if there is none.
static std::string shared_by(LoopModel &m, const Reach &a, const Reach &b, const Reach &b_twin,
                             const Substitution &twins)
{
  for (const Site &x : a.sites) {
    for (const Site &y : b_twin.sites) {
      const auto list = differences(x, y);
      if (!list) {
        continue;
      }
      Equations equations(m, *list);
      if (equations.may_hold({x.condition, y.condition}) &&
          !(a.family == b.family && binds_alike(m, a, twins, equations))) {
        return sharing_text(m, a, b, x);
      }
    }
  }
  return "";
}

/* Two constraints commute if both depend on q alone, if both depend on p alone, or if they share
 * no degree of freedom.  Returns the pairs of families for which this cannot be proved for all
 * sizes. */
static std::vector<Sharing> find_sharing(LoopModel &m, const std::vector<Reach> &families)
{
  std::vector<Sharing> result;
  for (size_t j = 0; j < families.size(); j++) {
    Substitution twins;
    const Reach &b = families[j];
    const Reach b_twin = twin(m, b, twins);
    for (size_t i = 0; i <= j; i++) {
      const Reach &a = families[i];
      const bool shift = a.fibre == IR_FIBRE_SHIFT_P || a.fibre == IR_FIBRE_SHIFT_Q;
      const bool alike = a.fibre == b.fibre && shift;
      const std::string text = alike ? "" : shared_by(m, a, b, b_twin, twins);
      if (!text.empty()) {
        result.push_back({i, j, text});
      }
    }
  }
  return result;
}

/* Two sites of one instance that can be the same entry: their numbers, or {-1,-1} if there are
 * none. */
static std::pair<int, int> coinciding_sites(LoopModel &m, const Reach &family)
{
  for (size_t i = 0; i < family.sites.size(); i++) {
    for (size_t j = 0; j < i; j++) {
      const Site &x = family.sites[i];
      const Site &y = family.sites[j];
      const auto list = differences(x, y);
      if (list && Equations(m, *list).may_hold({x.condition})) {
        return {static_cast<int>(j), static_cast<int>(i)};
      }
    }
  }
  return {-1, -1};
}

/* ---- The looped lowering: from a checked model to kernels in the IR ---- */

namespace
{

class LoopBuilder
{
public:
  LoopBuilder(arena *a, const model &m, ir_context *c)
      : memory(a), source(m), world(a, m, c), nests(world), loops(ARENA_NEW(a, ir_loops))
  {
  }

  const ir_loops *build();

private:
  arena *memory;
  const model &source;
  LoopModel world;
  LoopNests nests;
  ir_loops *loops;
  double work = 0;
  std::vector<Reach> reaches;
  std::vector<std::string> kinds;
  const model_init *init = nullptr; /* the initial state that is being written */

  ir_part differentiated(const Part &part, const Kernel &kernel, const Atoms &atoms, span where,
                         Derivatives &of, int &degree);
  void hamiltonian();
  void constraints();
  ir_looped_family family(const model_family &f, const ConditionPointer &chosen,
                          const std::vector<ir_part> &parts, ir_fibre fibre);
  ir_looped_family constraint(const model_family &f);
  ConditionPointer between_ends(const Part &part);
  std::string closed_flow(const model_family &f, const Kernel &kernel, const Reach &reach,
                          const Atoms &atoms, ir_looped_family &result);
  const ir_looped_family *plain(int n, const model_family *const list[]);
  void defaults();
  void states();
  void assign(const model_assignment &a, const model_shape &shape,
              std::vector<ir_assignment> &list);
  void table(const model_assignment &a, const model_shape &shape, span where,
             std::vector<ir_assignment> &list);
  void assignment(Looper &looper, const model_assignment &a, const model_shape &shape,
                  const model_expr &value, std::vector<ir_assignment> &list);
};

// A part with its derivatives.  `degree` becomes the maximum of itself and the degree of the
// kernel, or -1 if the kernel is no polynomial.
ir_part LoopBuilder::differentiated(const Part &part, const Kernel &kernel, const Atoms &atoms,
                                    span where, Derivatives &of, int &degree)
{
  bound_work(kernel, "the derivatives of this formula", where, work);
  of = differentiate(*kernel.symbols, {part.kernel}, {});
  KernelWriter write(world, atoms);
  const ir_part result{nests.nest(part.loops, part.condition, where),
                       write.differentiated(kernel, of, where)};
  const int own = polynomial_degree(*kernel.symbols, {part.kernel}, where);
  degree = own < 0 || degree < 0 ? -1 : std::max(own, degree);
  return result;
}

void LoopBuilder::hamiltonian()
{
  Looper looper(world);
  std::vector<ir_part> parts;
  ir_structure &s = loops->structure;
  s.separable = 1;
  s.mass = IR_MASS_CONSTANT_DIAGONAL;
  for (const Part &part : looper.hamiltonian()) {
    const span where = part.loops.empty() ? source.terms[0]->where : part.where;
    const Kernel kernel = kernel_of(looper.atoms, part.kernel);
    Derivatives of;
    parts.push_back(differentiated(part, kernel, looper.atoms, where, of, s.degree_H));
    s.separable = s.separable && is_separable(of);
    s.mass = std::min(s.mass, mass_matrix(of));
  }
  s.coupled = looper.coupled();
  loops->hamiltonian.n_parts = element_count(parts);
  loops->hamiltonian.parts = kept(memory, parts);
}

static bool reads(const std::vector<ir_part> &parts, bool momenta)
{
  return std::any_of(parts.begin(), parts.end(), [&](const ir_part &part) {
    const ir_function &g = part.kernel.gradient;
    return std::any_of(g.entries, g.entries + g.n, [&](const ir_entry &e) {
      return (e.row >= part.kernel.n_sites) == momenta;
    });
  });
}

// The bounds of dependent loops, as a condition.
ConditionPointer LoopBuilder::between_ends(const Part &part)
{
  ConditionPointer result;
  for (const model_binder *binder : part.loops) {
    if (binder->set->is_dependent) {
      const Filter ends = between({variable(world.variables.of(binder))},
                                  plain_value(*binder->set->lower, world.variables),
                                  plain_value(*binder->set->upper, world.variables));
      result = both(result, ends.condition);
    }
  }
  return result;
}

static ir_fibre fibre_kind(const model_family &f, const std::vector<ir_part> &parts)
{
  const bool positions = reads(parts, false);
  const bool momenta = reads(parts, true);
  if (!positions && !momenta) {
    throw ModelError(f.where,
                     std::string("constraint '") + f.name +
                         "' does not depend on any coordinate or momentum: what it reads cancels");
  }
  return !momenta ? IR_FIBRE_SHIFT_P : !positions ? IR_FIBRE_SHIFT_Q : IR_FIBRE_CLOSED;
}

ir_looped_family LoopBuilder::family(const model_family &f, const ConditionPointer &chosen,
                                     const std::vector<ir_part> &parts, ir_fibre fibre)
{
  const int n = element_count(parts);
  return {&f, nests.nest(f, chosen), n, kept(memory, parts), fibre, {}, {}, {}};
}

ir_looped_family LoopBuilder::constraint(const model_family &f)
{
  Looper looper(world);
  const Parts sum = looper.family(f);
  const ConditionPointer chosen = looper.filter(f.condition).condition;
  Reach reach{&f, IR_FIBRE_CLOSED, {}};
  std::vector<ir_part> parts;
  std::vector<Kernel> kernels;
  for (const Part &part : sum) {
    kernels.push_back(kernel_of(looper.atoms, part.kernel, true));
    Derivatives of;
    parts.push_back(
        differentiated(part, kernels.back(), looper.atoms, f.where, of, loops->structure.degree_g));
    const ConditionPointer read = both(both(chosen, between_ends(part)), part.condition);
    for (const int i : kernels.back().sites) {
      reach.sites.push_back({looper.atoms[i].coordinate, looper.atoms[i].index, read});
    }
  }
  reach.fibre = fibre_kind(f, parts);
  ir_looped_family result = family(f, chosen, parts, reach.fibre);
  if (reach.fibre != IR_FIBRE_SHIFT_P) {
    loops->structure.holonomic = 0;
  }
  if (reach.fibre != IR_FIBRE_CLOSED) {
    kinds.push_back(reach.fibre == IR_FIBRE_SHIFT_P ? "holonomic" : "momentum only");
  } else {
    const std::string reason =
        sum.size() != 1 || !sum[0].loops.empty() || sum[0].condition
            ? "it depends on positions and on momenta, and sums over a set of any size or has cases"
            : closed_flow(f, kernels[0], reach, looper.atoms, result);
    if (!reason.empty()) {
      result.fibre = reach.fibre = IR_FIBRE_NUMERICAL;
      if (loops->structure.numerical.constraint < 0) {
        loops->structure.numerical = {element_count(reaches), arena_strdup(memory, reason.c_str())};
      }
    }
  }
  reaches.push_back(reach);
  return result;
}

// Sets the closed flow of the family.  Returns "" on success, otherwise the reason why there is
// none.
std::string LoopBuilder::closed_flow(const model_family &f, const Kernel &kernel,
                                     const Reach &reach, const Atoms &atoms,
                                     ir_looped_family &result)
{
  const auto [i, j] = coinciding_sites(world, reach);
  if (i >= 0) {
    const int first = kernel.sites[static_cast<size_t>(i)];
    const int second = kernel.sites[static_cast<size_t>(j)];
    return std::string("it depends on positions and on momenta, and '") + atoms.text(first) +
           "' and '" + atoms.text(second) + "' may be the same entry";
  }
  const Fibre found = find_fibre(differentiate(*kernel.symbols, {}, {kernel.value}));
  if (found.numerical >= 0) {
    return found.reason;
  }
  KernelWriter(world, atoms).flow(found.flow, f.where, kernel, result);
  kinds.push_back(found.kinds[0]);
  return "";
}

void LoopBuilder::constraints()
{
  std::vector<ir_looped_family> all;
  loops->structure.holonomic = 1;
  loops->structure.fibre = "none is needed";
  for (int i = 0; i < source.n_constraints; i++) {
    all.push_back(constraint(*source.constraints[i]));
  }
  for (const Sharing &pair : find_sharing(world, reaches)) {
    all[pair.a].fibre = all[pair.b].fibre = IR_FIBRE_NUMERICAL;
    loops->shares = 1;
    if (loops->structure.numerical.constraint < 0) {
      loops->structure.numerical = {static_cast<int>(pair.b),
                                    arena_strdup(memory, pair.text.c_str())};
    }
  }
  loops->n_constraints = source.n_constraints;
  loops->constraints = kept(memory, all);
  const bool several = source.n_constraints > 1 ||
                       (source.n_constraints == 1 && source.constraints[0]->n_binders > 0);
  if (!all.empty()) {
    const int numerical = loops->structure.numerical.constraint;
    const std::string text = numerical < 0 ? fibre_summary(kinds, several)
                                           : fibre_numerical(source.constraints[numerical]->name);
    loops->structure.fibre = arena_strdup(memory, text.c_str());
  }
}

// Families without derivatives: observables and invariants.
const ir_looped_family *LoopBuilder::plain(int n, const model_family *const list[])
{
  std::vector<ir_looped_family> all;
  for (int i = 0; i < n; i++) {
    const model_family &f = *list[i];
    Looper looper(world);
    std::vector<ir_part> parts;
    for (const Part &part : looper.family(f)) {
      KernelWriter write(world, looper.atoms);
      const Kernel kernel = kernel_of(looper.atoms, part.kernel);
      double alone = 0;
      bound_work(kernel, "the kernel of this formula", f.where, alone);
      parts.push_back(
          {nests.nest(part.loops, part.condition, f.where), write.formula(kernel, f.where)});
    }
    const ConditionPointer chosen = looper.filter(f.condition).condition;
    all.push_back(family(f, chosen, parts, IR_FIBRE_SHIFT_P));
  }
  return kept(memory, all);
}

// One assignment for each entry of a table.
void LoopBuilder::table(const model_assignment &a, const model_shape &shape, span where,
                        std::vector<ir_assignment> &list)
{
  const model_values &v = a.values;
  for (int j = 0; j < v.n_binders; j++) {
    if (!is_fixed(*v.binders[j]->set)) {
      throw LoopError(where,
                      std::string("a table fixes the number of its entries, and the set '") +
                          v.binders[j]->set->name + "' can have any",
                      "give one expression for all entries");
    }
  }
  std::vector<long> at(static_cast<size_t>(source.n_slots) + 1);
  for (long i = 0; model_binders_next(i, v.n_binders, v.binders, nullptr, at.data()); i++) {
    Looper looper(world);
    looper.bind(v.n_binders, v.binders, at);
    assignment(looper, a, shape, *v.table[i], list);
  }
}

// One assignment for each case of the value.
void LoopBuilder::assignment(Looper &looper, const model_assignment &a, const model_shape &shape,
                             const model_expr &value, std::vector<ir_assignment> &list)
{
  const std::vector<Index> index = looper.indices(shape.n, a.index, &shape);
  const std::string name = a.is_momentum ? a.coordinate->momentum : a.coordinate->name;
  const std::string text = name + indices_text(index, world);
  looper.keeps_sums = true;
  for (const Case &c : a.is_velocity
                           ? looper.starting_momentum(*init, *a.coordinate, index, a.where)
                           : looper.value(value)) {
    const Kernel kernel = kernel_of(looper.atoms, c.value);
    KernelWriter write(world, looper.atoms, [&](const Part &part) {
      return nests.nest(part.loops, part.condition, value.where);
    });
    list.push_back({nests.nest({}, c.condition, value.where),
                    write.reference({a.coordinate, nullptr, nullptr, index, a.where}, text),
                    a.is_momentum, write.formula(kernel, value.where)});
  }
}

void LoopBuilder::assign(const model_assignment &a, const model_shape &shape,
                         std::vector<ir_assignment> &list)
{
  const model_values &v = a.values;
  if (v.table) {
    table(a, shape, a.where, list);
    return;
  }
  Looper looper(world);
  looper.open(v.n_binders, v.binders);
  const size_t before = list.size();
  assignment(looper, a, shape, *v.body, list);
  for (size_t i = before; i < list.size(); i++) {
    list[i].nest.n = v.n_binders;
    list[i].nest.binders = v.binders;
  }
}

// Writes defaults as assignments to a dummy coordinate of the parameter's shape, then replaces the
// targets by the parameter.
void LoopBuilder::defaults()
{
  std::vector<ir_assignment> all;
  for (int j = 0; j < source.n_parameters; j++) {
    const model_parameter &p = *source.parameters[j];
    const model_index **index = ARENA_ARRAY(memory, p.shape.n + 1, const model_index *);
    for (int i = 0; i < p.shape.n; i++) {
      const int variable_of = world.variables.of(p.values.binders[i]);
      index[i] = index_tree(memory, {variable(variable_of)}, world.variables, p.where);
    }
    const model_coordinate entry{p.name, p.name, nullptr, p.shape, 0, 0, 0, 0, p.where};
    const size_t before = all.size();
    model_values values = p.values;
    if (p.is_data && values.table) { // the run supplies the data; the first entry is a placeholder
      values.body = values.table[0];
      values.table = nullptr;
    }
    assign({&entry, 0, 0, index, values, p.where}, p.shape, all);
    for (size_t i = before; i < all.size(); i++) {
      all[i].target.coordinate = nullptr;
      all[i].target.parameter = &p;
    }
  }
  loops->n_defaults = element_count(all);
  loops->defaults = kept(memory, all);
}

void LoopBuilder::states()
{
  std::vector<ir_looped_state> all;
  for (int j = 0; j < source.n_inits; j++) {
    init = source.inits[j];
    std::vector<ir_assignment> list;
    for (int i = 0; i < init->n; i++) {
      assign(init->assignments[i], init->assignments[i].coordinate->shape, list);
    }
    all.push_back({init->name, element_count(list), kept(memory, list)});
  }
  loops->n_states = source.n_inits;
  loops->states = kept(memory, all);
}

const ir_loops *LoopBuilder::build()
{
  loops->structure.numerical = {-1, ""};
  defaults();
  states();
  hamiltonian();
  constraints();
  loops->n_observe = source.n_observe;
  loops->observe = plain(source.n_observe, source.observe);
  loops->n_invariants = source.n_invariants;
  loops->invariants = plain(source.n_invariants, source.invariants);
  loops->n_slots = world.n_slots;
  loops->n_partial = element_count(nests.partial);
  loops->partial = kept(memory, nests.partial);
  return loops;
}

} // namespace

} // namespace sidewinder

const ir_loops *symbolic_loop(arena *a, diagnostics *d, const model *m, ir_context *c)
{
  return sidewinder::guarded(
      d, *m, [&]() -> const ir_loops * { return sidewinder::LoopBuilder(a, *m, c).build(); });
}
