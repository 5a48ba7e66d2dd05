// SPDX-License-Identifier: GPL-2.0-or-later
// loop.cpp -- the looped lowering: from a checked model to kernels in the IR.
#include "symbolic/symbolic.h"

#include <algorithm>
#include <string>
#include <vector>

#include "expr/forces.h"
#include "expr/loops.h"
#include "model/index_form.h"
#include "model/index_nodes.h"
#include "symbolic/derivatives.h"
#include "symbolic/fibre.h"
#include "symbolic/kernel.h"
#include "symbolic/parts.h"
#include "symbolic/sharing.h"

namespace sidewinder
{

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
  const ir_looped_family *sloped(int n, const model_family *const list[]);
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

// Families without derivatives: observables, invariants and events.
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

// Families with first derivatives: forces and their targets.
const ir_looped_family *LoopBuilder::sloped(int n, const model_family *const list[])
{
  std::vector<ir_looped_family> all;
  for (int i = 0; i < n; i++) {
    const model_family &f = *list[i];
    Looper looper(world);
    std::vector<ir_part> parts;
    for (const Part &part : looper.family(f)) {
      KernelWriter write(world, looper.atoms);
      const Kernel kernel = kernel_of(looper.atoms, part.kernel);
      bound_work(kernel, "the derivatives of this force", f.where, work);
      Derivatives of;
      of.H_z = gradient(*kernel.symbols, kernel.value);
      parts.push_back({nests.nest(part.loops, part.condition, f.where),
                       write.differentiated(kernel, of, f.where)});
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
  for (int j = 0; j < source.n_inits + source.has_bath; j++) {
    init = source.inits[j];
    std::vector<ir_assignment> list;
    for (int i = 0; i < init->n; i++) {
      assign(init->assignments[i], init->assignments[i].coordinate->shape, list);
    }
    all.push_back({init->name, element_count(list), kept(memory, list)});
  }
  loops->n_states = source.n_inits;
  loops->has_bath = source.has_bath;
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
  loops->n_events = source.n_events;
  loops->events = plain(source.n_events, source.events);
  loops->n_forces = source.n_forces;
  loops->forces = sloped(source.n_forces, source.forces);
  loops->force_targets = sloped(source.n_forces, source.force_targets);
  if (source.n_forces > 0) {
    loops->structure.force = ir_loops_force_kind(world.context, &source, loops);
  }
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
