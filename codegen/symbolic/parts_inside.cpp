// SPDX-License-Identifier: GPL-2.0-or-later
// parts_inside.cpp -- restricts parts to the domain of the expressions that they came from.
#include "symbolic/parts.h"

#include <algorithm>
#include <stdexcept>

#include "symbolic/kernel.h"

namespace sidewinder
{

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
