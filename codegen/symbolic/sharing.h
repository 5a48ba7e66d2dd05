// SPDX-License-Identifier: GPL-2.0-or-later
// sharing.h -- families of constraints whose instances can share a degree of freedom, for all
// sizes.
#ifndef SIDEWINDER_SYMBOLIC_SHARING_H
#define SIDEWINDER_SYMBOLIC_SHARING_H

#include <string>
#include <utility>
#include <vector>

#include "expr/loops.h"
#include "symbolic/parts.h"

namespace sidewinder
{

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

/* Two constraints commute if both depend on q alone, if both depend on p alone, or if they share
 * no degree of freedom.  Returns the pairs of families for which this cannot be proved for all
 * sizes. */
std::vector<Sharing> find_sharing(LoopModel &m, const std::vector<Reach> &families);

/* Two sites of one instance that can be the same entry: their numbers, or {-1,-1} if there are
 * none. */
std::pair<int, int> coinciding_sites(LoopModel &m, const Reach &family);

} // namespace sidewinder

#endif
