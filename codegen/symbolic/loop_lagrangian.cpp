// SPDX-License-Identifier: GPL-2.0-or-later
// loop_lagrangian.cpp -- the Hamiltonian of a Lagrangian whose sums stay loops.
//
// The part of L that is quadratic in velocities must be a sum over the sets of the coordinates, and
// each velocity must occur in one instance only.  Then H is the sum of the Legendre transforms
// (legendre.cpp) of the kernels.  A velocity at another index is that of the kernel with this index
// substituted.
#include <algorithm>
#include <exception>

#include "symbolic/kernel.h"
#include "symbolic/legendre.h"
#include "symbolic/parts.h"

namespace sidewinder
{

/* v and p of a velocity in one kernel. */
struct VelocityRule {
  int atom;
  std::vector<const model_binder *> loops;
  ex velocity; /* in the atoms of `from`, as is `momentum` */
  ex momentum;
};

struct LoopVelocities {
  explicit LoopVelocities(LoopModel &m) : from(m) {}

  Looper from;
  std::vector<VelocityRule> rules;
  int coupled = 0;

  const Atom &atom(const VelocityRule &rule) const { return from.atoms[rule.atom]; }
};

namespace
{

std::vector<int> velocities_in(const Atoms &atoms, const ex &kernel, const Named *named)
{
  std::vector<int> found;
  const ex plain = named ? named->plain(kernel) : kernel;
  for (const int i : atoms.in(plain)) {
    const model_coordinate *q = atoms[i].coordinate;
    if (q && !q->is_algebraic && plain.has(atoms[i].momentum)) {
      found.push_back(i);
    }
  }
  return found;
}

const char *velocity_name(const Atoms &atoms, int i)
{
  return atoms[i].coordinate->velocity;
}

// The Legendre transform of one kernel.  Velocities are listed in the order of the kernel's sites.
Legendre of_kernel(const Atoms &atoms, const Part &part, const Named *named, span where,
                   const LoopModel &world)
{
  const auto plain = [&](const ex &e) { return named ? named->plain(e) : e; };
  const Kernel kernel = kernel_of(atoms, plain(part.kernel));
  Lagrangian L{*kernel.symbols, {}, {{part.kernel, where}}, nullptr, nullptr, plain, false};
  const std::vector<int> moving = velocities_in(atoms, part.kernel, named);
  for (size_t i = 0; i < kernel.sites.size(); i++) {
    if (std::find(moving.begin(), moving.end(), kernel.sites[i]) != moving.end()) {
      L.moving.push_back(static_cast<int>(i));
    }
  }
  const auto site = [&](int i) { return kernel.sites[static_cast<size_t>(i)]; };
  L.name = [&](int i) {
    return velocity_name(atoms, site(i)) + indices_text(atoms[site(i)].index, world);
  };
  L.place = [&](int i) { return atoms[site(i)].where; };
  return legendre(L);
}

[[noreturn]] void refuse(span where, const std::string &velocity, const char *why)
{
  throw LoopError(where, "in a model with loops the kinetic energy is a sum over the sets of its "
                         "velocities, with one instance for each, and '" +
                             velocity + "' " + why);
}

// The loop of the variable that index j consists of, or -1 if the index is a constant and the set
// is fixed.  Throws ModelError for any other index.
int loop_of(const Atom &atom, size_t j, const VelocityRule &rule, LoopModel &world,
            const std::string &name)
{
  const model_set &set = *atom.coordinate->shape.sets[j];
  const Polynomial &index = atom.index[j].value;
  if (is_constant(index)) {
    if (!is_fixed(set)) {
      refuse(atom.where, name, "is one entry of a set of any size");
    }
    return -1;
  }
  for (size_t i = 0; i < rule.loops.size(); i++) {
    if (index == variable(world.variables.of(rule.loops[i]))) {
      if (!same_range(*rule.loops[i]->set, set, world)) {
        refuse(atom.where, name, "runs over another set than that of the array");
      }
      return static_cast<int>(i);
    }
  }
  refuse(atom.where, name, "has an index that is no variable of its sum");
}

// Checks that each loop variable is exactly one index, so that no two instances have the same
// velocity.
std::vector<int> check_rule(const LoopVelocities &v, const VelocityRule &rule, LoopModel &world)
{
  const Atom &atom = v.atom(rule);
  const std::string name = atom.coordinate->velocity + indices_text(atom.index, world);
  std::vector<int> loops;
  for (size_t j = 0; j < atom.index.size(); j++) {
    loops.push_back(loop_of(atom, j, rule, world, name));
  }
  for (size_t i = 0; i < rule.loops.size(); i++) {
    if (std::count(loops.begin(), loops.end(), static_cast<int>(i)) != 1) {
      refuse(atom.where, name, "is added up in a sum over more than its own indices");
    }
  }
  return loops;
}

// Checks that the rules of a coordinate have different entries in the fixed dimensions, and that
// they cover all entries.
void check_coverage(const LoopVelocities &v, const model_coordinate &c, LoopModel &world)
{
  std::set<std::vector<Polynomial>> entries;
  std::vector<bool> fixed;
  double wanted = 1;
  for (const VelocityRule &rule : v.rules) {
    const Atom &atom = v.atom(rule);
    if (atom.coordinate != &c) {
      continue;
    }
    std::vector<Polynomial> entry;
    std::vector<bool> own;
    for (const int loop : check_rule(v, rule, world)) {
      own.push_back(loop < 0);
      entry.push_back(loop < 0 ? atom.index[entry.size()].value : Polynomial{});
    }
    if (!entries.insert(entry).second || (entries.size() > 1 && own != fixed)) {
      refuse(atom.where, c.velocity + indices_text(atom.index, world),
             "stands in more than one of such sums");
    }
    fixed = own;
  }
  for (size_t j = 0; j < fixed.size(); j++) {
    wanted *= fixed[j] ? static_cast<double>(c.shape.sets[j]->count) : 1;
  }
  if (entries.empty() || static_cast<double>(entries.size()) < wanted) {
    throw ModelError(c.where,
                     std::string("the mass matrix of the Lagrangian is singular: no term is "
                                 "quadratic in ") +
                         (entries.empty() ? "" : "some entries of ") + "the velocity '" +
                         c.velocity + "'" + without_mass);
  }
}

} // namespace

bool same_range(const model_set &a, const model_set &b, LoopModel &world)
{
  const auto ends_agree = [&](const model_index *x, const model_index *y) {
    return plain_value(*x, world.variables) == plain_value(*y, world.variables);
  };
  return &a == &b || (a.is_range && b.is_range && !a.is_dependent && !b.is_dependent &&
                      ends_agree(a.lower, b.lower) && ends_agree(a.upper, b.upper));
}

// Splits L into V and the part that depends on velocities.  Sums over the same sets are merged in
// the latter.
Parts Looper::moving(const Parts &L, Parts &potential)
{
  Parts result;
  for (Part part : L) {
    exmap at_rest;
    for (const int i : velocities_in(atoms, part.kernel, named)) {
      at_rest[atoms[i].momentum] = 0;
    }
    const ex moving = part.kernel;
    part.kernel = at_place(part.where, [&] { return -replaced(moving, at_rest); });
    if (!part.kernel.is_zero()) {
      potential.push_back(part);
    }
    part.kernel += moving;
    if (!part.kernel.is_zero()) {
      result.push_back(part);
    }
  }
  return put_together(result);
}

Parts Looper::transformed(const Parts &L)
{
  Parts potential;
  Parts H;
  const span where = world.source.terms[0]->where;
  for (Part part : moving(L, potential)) {
    const span own = part.loops.empty() ? where : part.where;
    if (part.condition) {
      throw LoopError(own, "in a model with loops a sum with velocities cannot have a condition on "
                           "its indices");
    }
    const Legendre kernel = of_kernel(atoms, part, named, own, world);
    for (const std::vector<PlacedTerm> *terms : {&kernel.kinetic, &kernel.potential}) {
      for (const PlacedTerm &term : *terms) {
        part.kernel = term.value;
        H.push_back(part);
      }
    }
  }
  H.insert(H.end(), potential.begin(), potential.end());
  return named ? H : added({}, H, 1, where);
}

// Evaluates L as written, with momenta of atoms denoting velocities, and returns the Hamiltonian.
Parts Looper::lagrangian()
{
  velocities();
  domain.begin();
  in_lagrangian = true;
  const Parts L = written_terms();
  in_lagrangian = false;
  for (const ex &u : domain.end()) {
    if (!velocities_in(atoms, u, named).empty()) {
      throw ModelError(world.source.terms[0]->where, partly_defined);
    }
  }
  return transformed(L);
}

// Moves fixed binders of a sum into an inner sum, which is then unrolled: sum(i in node, k in xyz:
// ...) gets one kernel for each k.
Parts Looper::with_labels_apart(const model_family &term)
{
  std::vector<const model_binder *> outer;
  std::vector<const model_binder *> inner;
  for (int j = 0; j < term.n_binders; j++) {
    (is_fixed(*term.binders[j]->set) ? inner : outer).push_back(term.binders[j]);
  }
  model_expr sum = *term.body;
  sum.kind = EXPR_SUM;
  sum.n_binders = element_count(inner);
  sum.binders = inner.data();
  sum.condition = term.condition;
  sum.a = term.body;
  sum.where = term.where;
  return repeated({element_count(outer), outer.data(), nullptr, sum, term.where, true});
}

// Sums as written have shorter kernels.  If kernels share velocities, sums over fixed sets are
// unrolled instead.
const LoopVelocities &Looper::velocities()
{
  if (!world.velocities) {
    try {
      world.velocities = made_velocities();
    } catch (const ModelError &) {
      if (world.labels_apart) {
        throw;
      }
      const std::exception_ptr first = std::current_exception();
      world.labels_apart = true;
      try {
        world.velocities = made_velocities();
      } catch (const ModelError &) {
        std::rethrow_exception(first);
      }
    }
  }
  return *world.velocities;
}

std::shared_ptr<const LoopVelocities> Looper::made_velocities()
{
  auto made = std::make_shared<LoopVelocities>(world);
  Looper &from = made->from;
  Parts potential;
  from.in_lagrangian = true;
  for (const Part &part : from.moving(from.written_terms(), potential)) {
    const span own = part.loops.empty() ? world.source.terms[0]->where : part.where;
    const Legendre kernel = of_kernel(from.atoms, part, nullptr, own, world);
    made->coupled = std::max(made->coupled, kernel.coupled);
    const std::vector<int> sites = kernel_of(from.atoms, part.kernel).sites;
    const std::vector<int> moving = velocities_in(from.atoms, part.kernel, nullptr);
    for (size_t i = 0; i < sites.size(); i++) {
      if (std::find(moving.begin(), moving.end(), sites[i]) != moving.end()) {
        made->rules.push_back({sites[i], part.loops, kernel.velocity[i], kernel.momentum[i]});
      }
    }
  }
  for (int j = 0; j < world.source.n_coordinates; j++) {
    if (world.source.coordinates[j]->velocity) {
      check_coverage(*made, *world.source.coordinates[j], world);
    }
  }
  return made;
}

int Looper::coupled() const
{
  return world.velocities ? world.velocities->coupled : 0;
}

// The formulas of all rules that may match this index.  If the match depends on variables, each
// formula has a condition.
Parts Looper::transported(const model_coordinate &c, const std::vector<Index> &index,
                          bool of_momenta, span where)
{
  Parts result;
  const LoopVelocities &v = velocities();
  for (const VelocityRule &rule : v.rules) {
    const Atom &atom = v.atom(rule);
    if (atom.coordinate != &c) {
      continue;
    }
    Substitution by;
    Filter chosen;
    for (size_t j = 0; j < index.size(); j++) {
      if (!is_constant(atom.index[j].value)) {
        by[atom.index[j].value.begin()->first[0]] = index[j].value;
      } else {
        chosen = both(chosen, compared(CONDITION_EQ, index[j], atom.index[j]));
      }
    }
    if (chosen.never) {
      continue;
    }
    const ex &e = of_momenta ? rule.momentum : rule.velocity;
    result.push_back({{}, chosen.condition, atoms.substituted(v.from.atoms, e, by), where});
  }
  return result;
}

Parts Looper::velocity(const model_expr &e)
{
  return transported(*e.coordinate, indices(e.n_index, e.index, &e.coordinate->shape), false,
                     e.where);
}

/* ---- The momenta of an initial state that gives velocities, in a looped model ---- */

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
  for (long i = 0; model_binders_next(i, v.n_binders, v.binders, nullptr, at.data()); i++) {
    Filter chosen;
    for (size_t j = 0; j < index.size(); j++) {
      if (a.index[j]->kind == INDEX_VARIABLE) {
        const Index own{constant(at[static_cast<size_t>(a.index[j]->binder->slot)]),
                        index[j].labels};
        chosen = both(chosen, compared(CONDITION_EQ, index[j], own));
      }
    }
    if (chosen.never) {
      continue;
    }
    bind(v.n_binders, v.binders, at);
    for (const Case &c : value(*v.table[i])) {
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
                            return replaced(c.value, {{symbol, v.value}});
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
