/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/component.h -- the component of M^H that contains a state, and second-class constraints.
 *
 * On a connected part of M^H where N_ij = {{g_i,H},g_j} is invertible, det N keeps its sign (paper
 * 000, Assumption 1 and Lemma 3.11). A step between points with different signs has jumped over a
 * degenerate point, or to another component of M^H: the failure of the paper's Fig. 6.
 */
#ifndef SIDEWINDER_CHECKS_COMPONENT_H
#define SIDEWINDER_CHECKS_COMPONENT_H

#include "checks/failure.h"
#include "linear/blocks.h"
#include "step/holonomic.h"

/* The signs of N at a state of M^H. `sign` is the sign of det N, or of (-1)^m det N if
 * component->holonomic is set; 0 if N is singular; one of the two codes below if the sign is
 * unknown. */
typedef struct sw_side {
  int sign;
  int dropped;      /* dependent constraints that were dropped from N */
  int clear;        /* 0 if the pivots show that the rest of N is nearly singular */
  int negative;     /* number of negative eigenvalues of N, or -1 if unknown */
  uint64_t inertia; /* hash of the numbers of negative eigenvalues per block */
  uint64_t signs;   /* hash of the blocks with negative determinants (linear/signature.h) */
} sw_side;
#define SW_SIGN_NOT_FINITE 2
#define SW_SIGN_NO_MEMORY  3

/* N and C at a state. The owner sets the members down to `owner`. */
typedef struct sw_component {
  const sw_system *system;
  const double *k;
  sw_requirement *g;
  sw_requirement *rho;
  sw_holonomic *holonomic; /* set if holonomic.h replaces the phases, else NULL */
  /* solver for N, or for sw_holonomic_matrix; NULL if neither is examined */
  sw_deficient *linear;
  /* Allocates the members below, which a lean simulation lacks, on first use. Returns 0 if memory
   * runs out. NULL if all members exist. */
  int (*complete)(void *owner);
  void *owner;
  sw_dependence_search dependence;

  double *values;   /* values of N after sw_nondegeneracy_clean (checks/bracket_terms.h) */
  double *brackets; /* values of C, unless C is proved to vanish */
  sw_blocks blocks; /* blocks of N; none (count = 0) if `holonomic` is set */
  /* n x n, with work (n) and pivots (n), n <= SW_COMPONENT_DENSE: scratch for the inertia of a
   * block; or NULL */
  double *dense;
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

/* Sets the array pointers. */
void sw_component_carve(sw_carver *c, sw_component *s);

/* Computes N at z, cleaned by sw_nondegeneracy_clean, the gradient sizes of g and rho, Dg in g->jac
 * and Drho in rho->jac. Returns 0 if a value is not finite. */
int sw_component_values(sw_component *c, const double z[]);

/* The signs of N at z, the start or the end of a step. Overwrites the scratch of the methods.
 *
 * This includes the number of negative eigenvalues of N. N is symmetric on M^H, because
 * {{g_i,H},g_j} - {{g_j,H},g_i} = {{g_i,g_j},H} vanishes there. Like the sign of det N, which it
 * refines, this number is constant on a component. Both are computed for each connected block of N,
 * so that simultaneous changes in two blocks are detected. If all blocks have at most
 * SW_COMPONENT_DENSE constraints, each is factorised as a symmetric matrix; otherwise the pivots of
 * N are counted. The number is -1 (unknown) for one constraint, a singular N, pivots with row
 * exchanges, or steps of holonomic.h (whose N is definite for a positive mass matrix). */
sw_side sw_component_side(sw_component *c, int at_end, const double z[]);
#define SW_COMPONENT_DENSE 32

/* Finds the rate of change of N along the motion at z, as a difference over 1e-6 of the state.  N
 * must be regular at z, and the last call of sw_component_side must have been at z.  Returns 0 if
 * the rate is not finite.  Costs the gradient of H, N and one back-substitution.  Not for the
 * scheme of step/holonomic.h. */
int sw_component_rate(sw_component *c, const double z[]);

/* The side of N if its blocks first .. end-1 are extrapolated from z over a time by the last
 * rate. */
sw_side sw_component_extrapolated(sw_component *c, const double z[], double time, int first,
                                  int end);

/* Returns 1 if two sides are equal in all parts that are known for both. */
int sw_same_side(const sw_side *a, const sw_side *b);

/* As sw_component_side, after a slide of step/holonomic.h has factorised its matrix; status is the
 * result of that factorisation. */
sw_side sw_component_side_of_slide(const sw_component *c, sw_status status);

/* Finds the dependent constraints at z (dependence.h). Overwrites the scratch of the methods.
 * Returns 0 if N or Dg is not finite, or if a lean simulation cannot allocate memory. */
int sw_component_dependence(sw_component *c, const double z[], sw_dependence *found);

/* 1 if the proof covers these parameters. */
int sw_covered(const sw_system *system, const double k[], sw_proof proof);

/* 1 if the constraints are proved to be first class everywhere, for these parameters. */
int sw_component_commutes(const sw_component *c);

/* Tests whether two constraints are second class at z: whether the largest |C_ij| relative to its
 * terms (checks/bracket_terms.h) exceeds SW_BRACKET_TOLERANCE. Skipped if C is proved to vanish for
 * these parameters.
 * Errors: SW_ERR_SECOND_CLASS, SW_ERR_NOT_FINITE. */
sw_status sw_component_brackets(sw_component *c, int at_end, const double z[], sw_failure *found);
#define SW_BRACKET_TOLERANCE 1e-8

#endif
