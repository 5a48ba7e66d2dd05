/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * legendre.h -- from L(q,v) to H(q,p), for L = v.M(q)v/2 + a(q).v - V(q).
 *
 * With y = p - a, v = M^-1 y and H = y.M^-1 y/2 + V.  M is split into blocks of coupled velocities,
 * and each block is eliminated (mass_block.h).  Nothing is expanded, so the C shares common parts
 * of pivots.  The formulas, and even more their derivatives, still grow with each pivot; so the
 * velocities of a larger block are computed numerically at each state (MassBlock), if the model
 * is unrolled.
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

/* A term of L or H, and its location in the model file. */
struct PlacedTerm {
  ex value;
  span where;
};

/* L; the symbols of the momenta denote velocities. */
struct Lagrangian {
  const Symbols &symbols;
  std::vector<int> moving; /* degrees of freedom with a velocity, ascending */
  std::vector<PlacedTerm> terms;
  std::function<std::string(int)> name; /* name of a velocity */
  std::function<span(int)> place;       /* location of a velocity in the model file, for errors */
  std::function<ex(const ex &)> plain;  /* replaces names in an expression by their definitions */
  bool is_unrolled;
};

struct Legendre {
  std::vector<PlacedTerm> kinetic;   /* terms of y.M^-1 y/2, one for each pivot */
  std::vector<PlacedTerm> potential; /* terms of V */
  std::vector<ex> velocity;          /* d: v(q,p) */
  std::vector<ex> momentum;          /* d: L_v(q,v) = M v + a */
  int coupled = 0;                   /* number of velocities in the largest block of M */
  /* number of velocities in the largest block that is solved at each state */
  int solved = 0;
  /* the meanings of the quantities in these formulas */
  std::vector<std::shared_ptr<MassBlock>> blocks;
};

/* The advice that ends a message about a velocity without a mass. */
extern const char *const without_mass;

/* The message for an L with a domain condition on velocities, such as a root of them. */
extern const char *const partly_defined;

/* Throws ModelError if L is not quadratic in the velocities, M is singular, or a block is too
 * large. */
Legendre legendre(const Lagrangian &L);

} // namespace sidewinder

#endif
