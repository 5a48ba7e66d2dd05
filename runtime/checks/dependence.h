/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/dependence.h -- constraints with linearly dependent gradients at a state.
 *
 * If gradients of constraints are dependent, so are the columns of N_ij = {{g_i,H},g_j}. A
 * rank-revealing factorisation finds dependent columns of N. Then Dg shows the reason: either the
 * gradients are dependent, or H is degenerate, i.e. constant to second order along a fibre of
 * independent constraints.
 */
#ifndef SIDEWINDER_CHECKS_DEPENDENCE_H
#define SIDEWINDER_CHECKS_DEPENDENCE_H

#include "checks/bracket_terms.h"
#include "common/carver.h"
#include "linear/deficient.h"
#include "linear/redundancy.h"

enum { SW_RELATIONS_TOLD = 3, SW_RELATION_MEMBERS = 4 };

/* The gradient of constraint `dropped` depends on those of n others; `from` lists the first of
 * them. It is 0 if n = 0. */
typedef struct sw_told_relation {
  int dropped;
  int n;
  int from[SW_RELATION_MEMBERS];
} sw_told_relation;

typedef struct sw_dependence {
  /* number of constraints with dependent gradients; `relation` describes the first of them */
  int dependent;
  /* number of combinations of constraints in the null space of N with nonzero gradient */
  int degenerate;
  /* size of a connected set of constraints above `limit`, which was not examined; else 0 */
  int large;
  int limit;
  sw_told_relation relation[SW_RELATIONS_TOLD];
} sw_dependence;

typedef struct sw_dependence_search {
  sw_redundancy *redundancy; /* redundancy search for N */
  int limit;
  double *sum;    /* 2d: a combination of gradients */
  double *terms;  /* 2d: the absolute values of its terms */
  double *weight; /* m zeros between calls */
} sw_dependence_search;

/* Largest connected set of constraints that is examined. */
static inline int sw_dependence_limit(sw_redundant how)
{
  return how == SW_REDUNDANT_ERROR ? SW_REDUNDANCY_NAMED : SW_REDUNDANCY_BLOCK;
}

/* Sets the array pointers; the owner sets the first members. */
void sw_dependence_carve(sw_carver *c, const sw_system *system, sw_dependence_search *s);

/* Examines a state with the values N and jac (Dg), and the sizes g of the rows of Dg. Slow: for the
 * start of a run and for failures. Returns 0 if N is not finite. */
int sw_dependence_find(const sw_dependence_search *s, const sw_system *system, const double N[],
                       const double jac[], sw_gradients g, sw_dependence *found);

#endif
