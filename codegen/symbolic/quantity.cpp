// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/quantity.h"

#include <algorithm>

namespace sidewinder
{

Quantity *Quantity::duplicate() const
{
  auto *copy = new Quantity(*this);
  copy->setflag(GiNaC::status_flags::dynallocated);
  return copy;
}

ex Quantity::derivative(const GiNaC::symbol &by) const
{
  const int i = meaning->entry_of(by);
  const std::vector<int> &all = reads();
  return std::binary_search(all.begin(), all.end(), i) ? slope(i) : ex(0);
}

const Quantity *quantity(const ex &e)
{
  return GiNaC::is_a<Quantity>(e) ? &GiNaC::ex_to<Quantity>(e) : nullptr;
}

} // namespace sidewinder
