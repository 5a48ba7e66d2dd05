/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/dependence.h -- which constraints have gradients that depend on those of others at a state?
 *
 * Where the gradients of constraints depend on each other, so do the columns of N_ij = {{g_i,H},g_j}: a
 * rank-revealing factorisation finds the dependent columns, and Dg tells whether the gradients are
 * dependent, or H is the reason, which does not change along a fibre that the constraints do have.
 */
#ifndef SIDEWINDER_CHECKS_DEPENDENCE_H
#define SIDEWINDER_CHECKS_DEPENDENCE_H

#include "checks/bracket_terms.h"
#include "common/carver.h"
#include "linear/deficient.h"
#include "linear/redundancy.h"

enum { SW_RELATIONS_TOLD = 3, SW_RELATION_MEMBERS = 4 };

/* The gradient of constraint `dropped` depends on those of n others, of which the first ones are told; it is 0 if n = 0. */
typedef struct sw_told_relation {
  int dropped;
  int n;
  int from[SW_RELATION_MEMBERS];
} sw_told_relation;

typedef struct sw_dependence {
  int dependent; /* constraints whose gradients depend on those of others; the first ones are told */
  int degenerate; /* combinations of constraints that N does not see, although their gradient is not 0 */
  int large; /* constraints that are connected, where these are more than `limit` and not examined; else 0 */
  int limit;
  sw_told_relation relation[SW_RELATIONS_TOLD];
} sw_dependence;

typedef struct sw_dependence_search {
  sw_redundancy *redundancy; /* of N */
  int limit;
  double *sum;    /* 2d: a combination of gradients */
  double *terms;  /* 2d: the sizes of its terms */
  double *weight; /* m zeros */
} sw_dependence_search;

/* How many constraints may be connected to be examined. */
static inline int sw_dependence_limit(sw_redundant how)
{
  return how == SW_REDUNDANT_ERROR ? SW_REDUNDANCY_NAMED : SW_REDUNDANCY_BLOCK;
}

/* Makes the arrays of the search; its first members are given by whoever owns it. */
void sw_dependence_carve(sw_carver *c, const sw_system *system, sw_dependence_search *s);

/* Looks at the state where the values of N and Dg, and the sizes g of its rows, are these, for the start of a run and for
 * failures: it is slow.  Returns 0 where N is not finite. */
int sw_dependence_find(const sw_dependence_search *s, const sw_system *system, const double N[],
                       const double jac[], sw_gradients g, sw_dependence *found);

#endif
