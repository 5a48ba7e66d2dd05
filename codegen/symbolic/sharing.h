/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sharing.h -- which instances of families of constraints can share a degree of freedom, whatever the
 * sizes are.
 */
#ifndef SIDEWINDER_SHARING_H
#define SIDEWINDER_SHARING_H

#include <string>
#include <vector>

#include "expr/loops.h"
#include "symbolic/parts.h"

namespace sidewinder
{

struct Site {
  const model_coordinate *coordinate;
  std::vector<Index> index;
  ConditionPointer condition; /* under which it is read */
};

/* A family of constraints, and the entries of coordinates that an instance reads. */
struct Reach {
  const model_family *family;
  ir_fibre fibre;
  std::vector<Site> sites;
};

/* Families of which two different instances, one of each, can share a degree of freedom. */
struct Sharing {
  size_t a;
  size_t b;         /* not before a */
  std::string text; /* a sentence about the first entry that was found */
};

/* Two constraints of which both depend on q alone, or both on p alone, commute, and so do two that share no
 * degree of freedom.  The pairs of families where two different instances are neither, for some sizes: an
 * answer that cannot be excluded counts. */
std::vector<Sharing> find_sharing(LoopModel &m, const std::vector<Reach> &families);

/* Two sites of one instance that can be the same entry: their numbers, or {-1,-1}. */
std::pair<int, int> coinciding_sites(LoopModel &m, const Reach &family);

} // namespace sidewinder

#endif
