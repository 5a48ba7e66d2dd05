/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * examinations.h -- what is asked of a model, one question after the other (analysis.c), for the record of facts.
 */
#ifndef SIDEWINDER_ANALYSIS_EXAMINATIONS_H
#define SIDEWINDER_ANALYSIS_EXAMINATIONS_H

#include "analysis/sample.h"

/* ---- independence.c ----
 *
 * Are the gradients of g independent on M, and which constraints follow from others or contradict each
 * other?
 */

/* Before points are sought: constraints with repeated factors.  A constraint all of whose factors are repeated has dg = 0
 * on all of M, which is a proof; the square-free part takes the place of others where M is sought. */
void find_flat(study *s, record *r);

/* At the points of M: the rank of Dg, a gradient that vanishes at all of them, and constraints that follow from
 * others. */
void examine_independence(study *s, record *r, const points *M);

/* Names each constraint that follows from others: from the last to the first, by a certificate or by its gradient at
 * the points of M. */
void find_redundant(study *s, record *r, const points *M);

/* For an M without a point: leaves out one constraint after the other while still no point is found, so that
 * every proper part of what remains has one (as far as the starts go).  Exact where 1 is a combination of the
 * g_i. */
void find_conflicting(study *s, record *r);

/* ---- coisotropy.c ----
 *
 * Do the brackets {g_i,g_j} vanish on M? */

/* Every pair: by an exact certificate modulo g, for all parameters or for the default ones; otherwise by the points of
 * M.  Parameters for which a bracket does not vanish are sought where it does with the default ones. */
void examine_coisotropy(study *s, record *r, const points *M);

/* ---- conserved.c ----
 *
 * Constraints that H conserves by itself: {g,H} = 0 on M.
 *
 * They determine no multiplier: H does not change along their part of the fibres, N has a row of zeros, and a motion
 * without the constraint that starts on g = 0 stays there.
 */

/* Every constraint by itself: by the formula, by a certificate modulo g, or at the points of M. */
void find_conserved(study *s, record *r, const points *M);

/* Where N is singular at all points and its null combination of constraints is the same at all: whether H conserves that
 * combination, with the small fractions that are near its coefficients. */
void find_conserved_combination(study *s, record *r, const points *M);

/* ---- nondegeneracy.c ----
 *
 * Where N is singular, and which constraints cause it. */

/* What is proved of det N on M^H, before any point is looked at: by a constraint that H conserves, by an exact certificate
 * modulo g, then modulo g and rho, by the signs of its form, and by the structure (N = - G H_pp G^T with a definite
 * H_pp, which is invertible wherever the rows of G are independent). */
void prove_determinant(study *s, record *r);

/* What is left open by that: N at the points of M^H, at further ones where it is singular at all of these (which are put in front of *MH), and a point of
 * M^H with det N = 0, sought by Gauss-Newton.  Hidden constraints with left_out[i] = 1 vanish on M. */
void examine_N(study *s, record *r, points *MH, const char left_out[]);

/* ---- chain.c ----
 *
 * The Dirac-Bergmann chain of constraints, for models whose N is singular. */

/* Along zdot = X_H + sum_i lambda_i X_{g_i}, a constraint f = 0 is kept where
 *   {f, H} + sum_i lambda_i {f, g_i} = 0.
 * Row by row over the last level, fraction-free elimination of lambda with the rows of all levels either
 * gives a row that determines one more multiplier, or a function without lambda, which is a constraint of
 * the next level unless it vanishes already.  "Vanishes" is asked of exact certificates first, then of
 * points of the surface found so far, in balls; what is neither zero there nor different from it ends the chain
 * undecided.
 *
 * Bounded: at most 10 levels, 32 constraints, 8 multipliers and 64 entries of z; larger models come back as
 * CHAIN_NONE, longer chains as CHAIN_TOO_LONG. */
record_chain follow_chain(study *s);

/* ---- invariants.c ----
 *
 * Is a function constant along the constrained motion?
 *
 * Along zdot = X_H + sum_i lambda_i X_{g_i}, dI/dt = {I,H} + sum_i lambda_i {I,g_i}, and {rho,H} + N lambda = 0 gives the
 * multipliers.  So I is an invariant where
 *   det N {I,H} - {I,g} . adj N {rho,H} = 0   on M^H.
 * That {I,H} and all {I,g_i} vanish is enough, but not necessary.  A proof counts only if I is shown to be finite on M^H.
 */

/* All invariants of the model, by identities and certificates modulo g and rho (for at most 3 constraints), then at the
 * points of M^H (of phase space where there are no constraints). */
void examine_invariants(study *s, record *r, const points *MH);

/* ---- seams.c ----
 *
 * Where are formulas not smooth, and does M go through there?
 *
 * The theory needs H and g with continuous second derivatives, and invariants with first ones.  abs(u) and sqrt(u^2) have
 * a kink where u = 0, min(u, v) and max(u, v) where u = v; whether a formula of them lacks a derivative is seen from its
 * values on both sides.  sign(u) jumps where u = 0, atan2(y, x) where y = 0 and x < 0, tan(u) where cos(u) = 0, and a
 * function of a/u may jump where u = 0.  An invariant a/u is infinite there.
 */

/* Looks for points of M on the seams of H and of the constraints, and for points of M^H on those of invariants. */
void find_seams(study *s, record *r);

/* Whether a function may jump at the seam: then it is no invariant, although its derivative vanishes. */
int seam_may_jump(seam_kind kind);

/* A point of the surface of these n equations at which `what` is zero too; NULL if none is found. */
const double *meet_zero(study *s, const ir_expr *what, int n, const ir_expr *const equations[]);

/* ---- singular_mass.c ----
 *
 * Is H_pp finite and regular everywhere, if it depends on the positions alone?  Divisors are examined, and determinants of connected
 * blocks of at most MINORS_ORDER momenta: of L_vv = H_pp^-1 if the model has a Lagrangian, else of H_pp. */
void examine_mass(study *s, record *r);

/* ---- parts_of_h.c ----
 *
 * Is H a sum of parts with exact flows? */

/* Into as few parts as the rule of docs/methods.md finds. */
record_splitting divide_H(study *s);

/* ---- states.c ----
 *
 * The initial states: are they on M and M^H, and is N regular there, in double precision? */

/* Residuals are judged as a run judges them (runtime/model/scale.h): |f_i| against the larger of the magnitude of its terms
 * and sum_j |df_i/dz_j| size_j, with size_j the largest position, or momentum. */
void examine_states(study *s, record *r);

#endif
