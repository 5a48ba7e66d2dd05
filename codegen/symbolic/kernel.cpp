// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/kernel.h"

#include <algorithm>
#include <stdexcept>

#include "expr/derivative.h"
#include "expr/magnitude.h"
#include "symbolic/growth.h"
#include "symbolic/parts.h"

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
    multipliers.emplace_back(GiNaC::realsymbol("lambda"));
  }
  kernel.symbols = std::make_unique<Symbols>(positions, momenta, values, multipliers);
  return kernel;
}

ir_reference KernelWriter::reference(const Atom &atom, const std::string &text)
{
  const int n = static_cast<int>(atom.index.size());
  const model_index **index = ARENA_ARRAY(world.memory, n + 1, const model_index *);
  for (int j = 0; j < n; j++) {
    index[j] =
        index_tree(world.memory, atom.index[static_cast<size_t>(j)], world.variables, atom.where);
  }
  ir_part *sum = nullptr;
  if (atom.sum) {
    sum = ARENA_NEW(world.memory, ir_part);
    *sum = {nest(*atom.sum), formula(kernel_of(atoms, atom.sum->kernel), atom.where)};
  }
  return {arena_strdup(world.memory, text.c_str()),
          atom.coordinate,
          atom.parameter,
          atom.constraint,
          sum,
          n,
          index};
}

const ir_reference *KernelWriter::references(const std::vector<int> &list)
{
  ir_reference *result = ARENA_ARRAY(world.memory, list.size() + 1, ir_reference);
  for (size_t i = 0; i < list.size(); i++) {
    result[i] = reference(atoms[list[i]], atoms.text(list[i]));
  }
  return result;
}

ir_kernel KernelWriter::formula(const Kernel &kernel, span where)
{
  ir_kernel result{};
  result.n_sites = static_cast<int>(kernel.sites.size());
  result.sites = references(kernel.sites);
  result.n_values = static_cast<int>(kernel.values.size());
  result.values = references(kernel.values);
  result.n_multipliers = static_cast<int>(kernel.multipliers.size());
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

} // namespace sidewinder
