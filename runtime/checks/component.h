/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/component.h -- on which side of the degenerate points is a state, and do brackets vanish there?
 *
 * On a connected part of M^H where N_ij = {{g_i,H},g_j} is invertible, det N keeps its sign (paper 000,
 * Assumption 1 and Lemma 3.11).  A step between points where it differs has jumped over a degenerate
 * point, or to another component of M^H: the failure that the paper's Fig. 6 warns of.
 */
#ifndef SIDEWINDER_CHECKS_COMPONENT_H
#define SIDEWINDER_CHECKS_COMPONENT_H

#include "checks/failure.h"
#include "linear/blocks.h"
#include "step/holonomic.h"

/* Where a state of M^H is: the sign of det N_ij = {{g_i,H},g_j} there, or of (-1)^m times it where
 * component->holonomic; 0 where N is singular, and the two below where that could not be found out. */
typedef struct sw_side {
  int sign;
  int dropped;      /* constraints dropped from N, because they follow from others */
  int clear;        /* 0 where what is left of N is nearly singular by its pivots */
  int negative;     /* eigenvalues of N that are negative, -1 where this is not known */
  uint64_t inertia; /* the same block by block, and */
  uint64_t signs;   /* which blocks have a negative determinant (linear/signature.h) */
} sw_side;
#define SW_SIGN_NOT_FINITE 2
#define SW_SIGN_NO_MEMORY  3

/* N and C at a state.  The first members are given by whoever owns it. */
typedef struct sw_component {
  const sw_system *system;
  const double *k;
  sw_requirement *g;
  sw_requirement *rho;
  sw_holonomic *holonomic; /* where it takes the place of the phases, else NULL */
  sw_deficient *linear;    /* of N, or of sw_holonomic_matrix; NULL where neither is watched */
  /* Makes what is not there yet of a simulation of a lean system, of which the members below are; returns 0 where memory is
   * short.  NULL where all is there. */
  int (*complete)(void *owner);
  void *owner;
  sw_dependence_search dependence;

  double *values;   /* of N, as checks/bracket_terms.h leaves them */
  double *brackets; /* of C, where it is not proved to vanish */
  sw_blocks blocks; /* of N; none (count = 0) where `holonomic` is */
  double *
      dense; /* n x n, n, and n integers, n <= SW_COMPONENT_DENSE: for the eigenvalues of a block, or NULL */
  double *work;
  int *pivots;
  sw_gradients of_g;   /* of the constraints */
  sw_gradients of_rho; /* of the hidden constraints */

  /* For sw_component_rate; of them, `along`, `point` have 2d values and `lambda` m. */
  double *rate;  /* of N along the motion, */
  double *ahead; /* and N extrapolated by it */
  double *along; /* X_H + sum_i lambda_i X_{g_i} */
  double *point;
  double *lambda;
} sw_component;

/* Points the component at its arrays. */
void sw_component_carve(sw_carver *c, sw_component *s);

/* The values of N at z, cleaned as checks/bracket_terms.h says, with the sizes of the gradients of g and
 * rho; Dg in g->jac and Drho in rho->jac.  Returns 0 where one is not finite. */
int sw_component_values(sw_component *c, const double z[]);

/* Where z is, at the start or the end of a step.  Overwrites the scratch of the methods.
 *
 * With it goes how many eigenvalues of N are negative.  N is symmetric on M^H, since
 * {{g_i,H},g_j} - {{g_j,H},g_i} = {{g_i,g_j},H} vanishes there, so that this number can change no more than
 * the sign of det N, of which it is the finer form.  Both are found for each connected block of N,
 * so that two blocks cannot change together unseen.  If all blocks have at most SW_COMPONENT_DENSE
 * constraints, each is factorised as a symmetric matrix; else the pivots of N are counted.  -1
 * where the number is not known: for one constraint, a singular N, pivots with exchanges of rows,
 * or where holonomic.h steps (whose N is definite for a positive mass matrix). */
sw_side sw_component_side(sw_component *c, int at_end, const double z[]);
#define SW_COMPONENT_DENSE 32

/* How fast N changes along the motion at z, where N is regular and the last call of sw_component_side has
 * been at z: a difference over 1e-6 of the state.  Returns 0 if it is not finite.  Costs the gradient of
 * H, N and one back-substitution.  Not for holonomic.h. */
int sw_component_rate(sw_component *c, const double z[]);

/* The side of N if its blocks first .. end-1 are extrapolated from z over a time by the last rate. */
sw_side sw_component_extrapolated(sw_component *c, const double z[], double time, int first,
                                  int end);

/* Whether two sides are the same, as far as both are known. */
int sw_same_side(const sw_side *a, const sw_side *b);

/* The same where a slide of step/holonomic.h has just factorised its matrix, with that status. */
sw_side sw_component_side_of_slide(const sw_component *c, sw_status status);

/* Which constraints depend on others at z (dependence.h).  Overwrites the scratch of the methods.  Returns 0 where N or
 * Dg are not finite, or memory is short for a simulation that has to be completed for it. */
int sw_component_dependence(sw_component *c, const double z[], sw_dependence *found);

/* 1 where what is proved as far as that holds for these parameters. */
int sw_covered(const sw_system *system, const double k[], sw_proof proof);

/* 1 where no two constraints can be second class anywhere, with these parameters. */
int sw_component_commutes(const sw_component *c);

/* Whether two constraints are second class at z: the entry of C with the largest |C_ij| relative to its terms
 * (checks/bracket_terms.h), where C is not proved to vanish with these parameters and that is above SW_BRACKET_TOLERANCE.
 * Errors: SW_ERR_SECOND_CLASS, SW_ERR_NOT_FINITE. */
sw_status sw_component_brackets(sw_component *c, int at_end, const double z[], sw_failure *found);
#define SW_BRACKET_TOLERANCE 1e-8

#endif
