// SPDX-License-Identifier: GPL-2.0-or-later
// loop_discrete.cpp -- discrete gradients of a looped model: one for each kernel, between two
// states of the kernel's sites.
#include <algorithm>
#include <utility>

#include "expr/discrete_gradient.h"
#include "symbolic/kernel.h"
#include "symbolic/loop_nests.h"
#include "symbolic/symbolic.h"

namespace sidewinder
{

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
  const ir_named_formula formula = {dim, static_cast<int>(values.size()), values.data(),
                                    lower.at(of.kernel, where)};
  ir_part result{{static_cast<int>(of.loops.size()), kept(memory, of.loops),
                  condition_tree(memory, of.condition, world.variables)},
                 KernelWriter(world, looper.atoms).formula(kernel, where)};
  ir_discrete_kernel(context, &formula, &result.kernel.gradient, &result.kernel.hessian, &count);
  return result;
}

ir_looped_family DiscreteLoops::family(const Parts &parts, Looper &looper, span where,
                                       ir_looped_family like)
{
  ir_part *all = ARENA_ARRAY(memory, parts.size() + 1, ir_part);
  like.n_parts = 0;
  for (const Part &p : parts) {
    all[like.n_parts++] =
        part(p, looper, p.loops.empty() ? where : p.where, like.family != nullptr);
  }
  like.parts = all;
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
