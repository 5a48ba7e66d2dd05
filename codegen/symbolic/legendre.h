/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * legendre.h -- from L(q,v) to H(q,p), where L = v.M(q)v/2 + a(q).v - V(q).
 *
 * With y = p - a it is v = M^-1 y and H = y.M^-1 y/2 + V.  M falls into blocks of velocities that it couples, and each block
 * is eliminated (pivots.h).  Nothing is expanded, so that what pivots have in common is shared in the C.  Formulas grow with
 * each pivot all the same, and their derivatives more: a larger block gets its velocities by numbers (mass_block.h), in a
 * model that is unrolled.
 */
#ifndef SIDEWINDER_LEGENDRE_H
#define SIDEWINDER_LEGENDRE_H

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "symbolic/mass_block.h"
#include "symbolic/term_place.h"

namespace sidewinder
{

/* A term of L or H, and where it is written. */
struct PlacedTerm {
  ex value;
  span where;
};

/* L, in which the symbols of the momenta stand for velocities. */
struct Lagrangian {
  const Symbols &symbols;
  std::vector<int> moving; /* degrees of freedom that have a velocity, ascending */
  std::vector<PlacedTerm> terms;
  std::function<std::string(int)> name; /* of a velocity */
  std::function<span(int)> place;       /* where it is to be seen */
  std::function<ex(const ex &)> plain;  /* an expression with what names in it stand for */
  bool is_unrolled;
};

struct Legendre {
  std::vector<PlacedTerm> kinetic;   /* of H: y.M^-1 y/2, one for each pivot, */
  std::vector<PlacedTerm> potential; /* and V, term by term */
  std::vector<ex> velocity;          /* d: v(q,p) */
  std::vector<ex> momentum;          /* d: L_v(q,v) = M v + a */
  int coupled = 0;                   /* velocities in the largest block of M, */
  int solved = 0;                    /* and in that of those that are solved for at each state */
  std::vector<std::shared_ptr<MassBlock>> blocks; /* what quantities in these formulas stand for */
};

/* What to do about a velocity without a mass. */
extern const char *const without_mass;

/* Why an L is refused that asks for something of the velocities, such as that a root of them is real. */
extern const char *const partly_defined;

/* Throws ModelError where L is not quadratic in the velocities, M is singular or a block too large. */
Legendre legendre(const Lagrangian &L);

} // namespace sidewinder

#endif
