// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/kernel.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "expr/derivative.h"
#include "expr/discrete_gradient.h"
#include "expr/magnitude.h"
#include "model/index_form.h"
#include "model/index_nodes.h"
#include "symbolic/derivatives.h"
#include "symbolic/parts.h"
#include "symbolic/symbolic.h"

namespace sidewinder
{

Kernel kernel_of(const Atoms &atoms, const ex &value, bool is_constraint)
{
  Kernel kernel{value, {}, {}, {}, nullptr};
  std::vector<ex> positions;
  std::vector<ex> momenta;
  std::vector<ex> values;
  std::vector<ex> multipliers;
  for (const int i : atoms.in(value)) {
    const Atom &atom = atoms[i];
    if (atom.coordinate) {
      kernel.sites.push_back(i);
      positions.push_back(atom.symbol);
      momenta.push_back(atom.momentum);
    } else if (atom.constraint) {
      kernel.multipliers.push_back(i);
      multipliers.push_back(atom.symbol);
    } else {
      kernel.values.push_back(i);
      values.push_back(atom.symbol);
    }
  }
  if (is_constraint) {
    multipliers.emplace_back(realsymbol("lambda"));
  }
  kernel.symbols = std::make_unique<Symbols>(positions, momenta, values, multipliers);
  return kernel;
}

ir_reference KernelWriter::reference(const Atom &atom, const std::string &text)
{
  std::vector<const model_index *> index;
  for (const Index &i : atom.index) {
    index.push_back(index_tree(world.memory, i, world.variables, atom.where));
  }
  const ir_part *sum = nullptr;
  if (atom.sum) {
    const ir_part part{nest(*atom.sum), formula(kernel_of(atoms, atom.sum->kernel), atom.where)};
    sum = ARENA_COPY(world.memory, ir_part, &part);
  }
  return {arena_strdup(world.memory, text.c_str()),
          atom.coordinate,
          atom.parameter,
          atom.constraint,
          sum,
          element_count(index),
          kept(world.memory, index),
          atom.is_impulse};
}

const ir_reference *KernelWriter::references(const std::vector<int> &list)
{
  std::vector<ir_reference> result;
  for (const int i : list) {
    result.push_back(reference(atoms[i], atoms.text(i)));
  }
  return kept(world.memory, result);
}

ir_kernel KernelWriter::formula(const Kernel &kernel, span where)
{
  ir_kernel result{};
  result.n_sites = element_count(kernel.sites);
  result.sites = references(kernel.sites);
  result.n_values = element_count(kernel.values);
  result.values = references(kernel.values);
  result.n_multipliers = element_count(kernel.multipliers);
  result.multipliers = references(kernel.multipliers);
  Lowering lower(world.context, *kernel.symbols);
  result.value = lower.at(kernel.value, where);
  ir_magnitudes(world.context, 1, &result.value, &result.magnitude);
  return result;
}

ir_kernel KernelWriter::differentiated(const Kernel &kernel, const Derivatives &of, span where)
{
  ir_kernel result = formula(kernel, where);
  Lowering lower(world.context, *kernel.symbols);
  Matrix column;
  const int n = 2 * kernel.symbols->d;
  for (const auto &[i, slope] : of.H_z) {
    column[{i, 0}] = slope;
  }
  const auto place = [&](int) { return where; };
  result.gradient = lowered(world.memory, lower, n, 0, column, place);
  result.hessian = lowered(world.memory, lower, n, n, of.H_zz, place);
  return result;
}

void KernelWriter::flow(const std::vector<ex> &flow, span where, const Kernel &kernel,
                        ir_looped_family &result)
{
  const Symbols &symbols = *kernel.symbols;
  Lowering lower(world.context, symbols);
  result.flow = lowered(world.memory, lower, flow, [&](int) { return where; });
  result.increment = ir_increment(world.context, &result.flow);
  result.flow_z = ir_jacobian(world.context, &result.increment, IR_Z, 2 * symbols.d);
}

void bound_work(const Kernel &kernel, const char *what, span where, double &total)
{
  spend_work(total, Growth(*kernel.symbols).work(kernel.value), what, where);
}

/* ---- restricts parts to the domain of the expressions that they came from ---- */

Parts Looper::kept_inside_of(Parts parts, const Conditions &conditions, span where)
{
  if (conditions.empty() || named) {
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
  // A part with a condition does not check domains in the other cases.
  const auto counts = [](const Part &part) { return !part.loops.empty() || !part.condition; };
  return at_place(where, [&] {
    Sight sight(world.context, lower);
    for (const Part &part : parts) {
      if (counts(part)) {
        sight.see(part.kernel);
      }
    }
    const bool alone = std::none_of(parts.begin(), parts.end(), counts);
    const ex factor = alone ? ex(1) : sight.keep(1, conditions);
    for (Part &part : parts) {
      part.kernel = alone ? kept_inside(part.kernel, conditions, world.context, lower, where)
                          : part.kernel * factor;
    }
    return parts;
  });
}

/* ---- The loops around kernels ---- */

// Records the parts of p that may be undefined: mod, if the sign of its divisor depends on sizes,
// and entries of index arrays.
void LoopNests::note_partial(const Polynomial &p, span where)
{
  const Variables &v = world.variables;
  for (const auto &[m, unused] : p) {
    for (const int factor : m) {
      if (!v.is_made(factor)) {
        continue;
      }
      note_partial(v.left(factor), where);
      note_partial(v.right(factor), where);
      const bool is_mod = v.kind(factor) == INDEX_MOD;
      const Polynomial &part = is_mod ? v.right(factor) : v.left(factor);
      const model_index *tree = index_tree(world.memory, {variable(factor)}, v, where);
      if (is_mod ? is_constant(part) && !part.empty()
                 : !v.indices(factor) || index_form_is_inside(tree->a, tree->indices->set)) {
        continue;
      }
      std::set<int> binders;
      v.collect(part, binders);
      if (!binders.empty() && is_mod) {
        throw LoopError(where,
                        "the divisor of a mod that decides which iterations a loop has cannot "
                        "depend on an index variable");
      }
      if (!binders.empty()) {
        throw ModelError(where,
                         std::string("'") + text_index(world.memory, tree, 0) +
                             "' decides which iterations a loop has, and its index can leave '" +
                             tree->indices->set->name +
                             "' at other sizes; let a variable run over that set");
      }
      partial.push_back(tree);
    }
  }
}

void LoopNests::note_partial(const ConditionPointer &c, span where)
{
  if (c) {
    note_partial(c->left.value, where);
    note_partial(c->right.value, where);
    note_partial(c->a, where);
    note_partial(c->b, where);
  }
}

ir_nest LoopNests::nest(const std::vector<const model_binder *> &binders,
                        const ConditionPointer &condition, span where)
{
  note_partial(condition, where);
  for (const model_binder *binder : binders) {
    if (binder->set->is_dependent) {
      note_partial(plain_value(*binder->set->lower, world.variables), where);
      note_partial(plain_value(*binder->set->upper, world.variables), where);
    }
  }
  return {element_count(binders), kept(world.memory, binders),
          condition_tree(world.memory, condition, world.variables)};
}

ir_nest LoopNests::nest(const model_family &f, const ConditionPointer &condition)
{
  note_partial(condition, f.where);
  return {f.n_binders, f.binders, f.condition};
}

/* ---- Discrete gradients: one for each kernel, between two states of the kernel's sites ---- */

namespace
{

class DiscreteLoops
{
public:
  DiscreteLoops(arena *a, const model &m, ir_context *c)
      : memory(a), source(m), context(c), world(a, m, c)
  {
  }

  void build(ir_loops *to);

private:
  arena *memory;
  const model &source;
  ir_context *context;
  LoopModel world;

  ir_looped_family family(const Parts &parts, Looper &looper, span where, ir_looped_family like);
  ir_part part(const Part &of, const Looper &looper, span where, bool is_constraint);
  ir_discrete_terms count{};
};

// Names whose state variables are the symbols of the atoms.
Named names_over(const Atoms &atoms)
{
  return Named([&atoms](const ex &e) {
    std::vector<ex> states;
    for (const int i : atoms.in(e)) {
      for (const ex &symbol : {atoms[i].symbol, atoms[i].momentum}) {
        if (atoms[i].coordinate && e.has(symbol)) {
          states.push_back(symbol);
        }
      }
    }
    return states;
  });
}

ir_part DiscreteLoops::part(const Part &of, const Looper &looper, span where, bool is_constraint)
{
  const Named &named = *looper.named;
  const Kernel kernel = kernel_of(looper.atoms, named.plain(of.kernel), is_constraint);
  const int dim = 2 * kernel.symbols->d;
  Lowering lower(context, *kernel.symbols);
  const std::vector<const ir_expr *> values = named.lowered(named.in(of.kernel), dim, lower, where);
  const ir_named_formula formula = {dim, element_count(values), values.data(),
                                    lower.at(of.kernel, where)};
  ir_part result{{element_count(of.loops), kept(memory, of.loops),
                  condition_tree(memory, of.condition, world.variables)},
                 KernelWriter(world, looper.atoms).formula(kernel, where)};
  ir_discrete_kernel(context, &formula, &result.kernel.gradient, &result.kernel.hessian, &count);
  return result;
}

ir_looped_family DiscreteLoops::family(const Parts &parts, Looper &looper, span where,
                                       ir_looped_family like)
{
  std::vector<ir_part> all;
  for (const Part &p : parts) {
    all.push_back(part(p, looper, p.loops.empty() ? where : p.where, like.family != nullptr));
  }
  like.n_parts = element_count(all);
  like.parts = kept(memory, all);
  return like;
}

void DiscreteLoops::build(ir_loops *to)
{
  Looper energy(world);
  Named in_energy = names_over(energy.atoms);
  energy.named = &in_energy;
  ir_looped_family *H = ARENA_NEW(memory, ir_looped_family);
  *H = family(energy.hamiltonian(), energy, source.terms[0]->where, to->hamiltonian);
  to->structure.discrete_H = std::exchange(count, {});
  ir_looped_family *g = ARENA_ARRAY(memory, source.n_constraints + 1, ir_looped_family);
  for (int i = 0; i < source.n_constraints; i++) {
    const model_family &f = *source.constraints[i];
    Looper looper(world);
    Named named = names_over(looper.atoms);
    looper.named = &named;
    const Parts parts = looper.family(f);
    g[i] = family(parts, looper, f.where, to->constraints[i]);
  }
  to->structure.discrete_g = count;
  to->discrete_H = H;
  to->discrete_g = g;
  to->n_slots = std::max(to->n_slots, world.n_slots);
}

} // namespace

} // namespace sidewinder

int symbolic_loop_discrete(arena *a, diagnostics *d, const model *m, ir_context *c, ir_loops *loops)
{
  return sidewinder::guarded(d, *m, [&] {
    sidewinder::DiscreteLoops(a, *m, c).build(loops);
    return 1;
  });
}
