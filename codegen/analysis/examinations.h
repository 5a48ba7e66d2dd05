/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * examinations.h -- the examinations of a model, in the order of analysis.c, that fill the record
 * of facts.
 */
#ifndef SIDEWINDER_ANALYSIS_EXAMINATIONS_H
#define SIDEWINDER_ANALYSIS_EXAMINATIONS_H

#include "analysis/sample.h"

/* ---- independence.c ----
 *
 * Are the gradients of g independent on M?  Which constraints follow from others, or contradict
 * each other? */

/* Finds constraints with repeated factors, before any points.  If all factors of a constraint are
 * repeated, dg = 0 on all of M, which is a proof.  For other constraints, the square-free part
 * replaces g in the search for M. */
void find_flat(study *s, record *r);

/* Determines, at the points of M, the rank of Dg, a gradient that vanishes at all of them, and
 * constraints that follow from others. */
void examine_independence(study *s, record *r, const points *M);

/* Lists the constraints that follow from others, from the last to the first.  The evidence is a
 * certificate, or the gradients at the points of M. */
void find_redundant(study *s, record *r, const points *M);

/* Finds conflicting constraints if no point of M was found.  Drops one constraint after the other
 * as long as no point is found.  Every proper subset of the remainder then has a point, according
 * to the starting points.  The conflict is proved if 1 is a combination of the g_i. */
void find_conflicting(study *s, record *r);

/* ---- coisotropy.c ----
 *
 * Do the brackets {g_i,g_j} vanish on M? */

/* Examines every pair, by an exact certificate modulo g for all parameters or for the defaults, or
 * else at the points of M.  If a bracket vanishes with the default parameters, other parameters are
 * tried. */
void examine_coisotropy(study *s, record *r, const points *M);

/* ---- conserved.c ----
 *
 * Constraints that H alone conserves: {g,H} = 0 on M.
 *
 * Such a constraint determines no multiplier: H is constant along its part of the fibres, and N has
 * a row of zeros.  A motion without this constraint that starts on g = 0 stays there. */

/* Examines each constraint alone: by the formula, by a certificate modulo g, or at the points of
 * M. */
void find_conserved(study *s, record *r, const points *M);

/* If N is singular at all points with the same null combination of constraints, examines whether H
 * conserves this combination.  Its coefficients are replaced by nearby small fractions. */
void find_conserved_combination(study *s, record *r, const points *M);

/* ---- nondegeneracy.c ----
 *
 * Where N is singular, and which constraints cause it. */

/* Proves facts about det N on M^H without points.  The means are a constraint that H conserves, an
 * exact certificate modulo g, then modulo g and rho, the signs of its form, and the structure.
 * (N = - G H_pp G^T with a definite H_pp is invertible wherever the rows of G are independent.) */
void prove_determinant(study *s, record *r);

/* Examines the facts about N that are still open, at the points of M^H.  If N is singular at all of
 * them, further points are tried and put in front of *MH.  Gauss-Newton looks for a point of M^H
 * with det N = 0.  Hidden constraints with left_out[i] = 1 vanish on M. */
void examine_N(study *s, record *r, points *MH, const char left_out[]);

/* ---- chain.c ----
 *
 * The Dirac-Bergmann chain of constraints, for models whose N is singular. */

/* Along zdot = X_H + sum_i lambda_i X_{g_i}, a constraint f = 0 is preserved if
 *   {f, H} + sum_i lambda_i {f, g_i} = 0.
 * For each constraint of the last level, the rows of all levels eliminate multipliers from this
 * condition, without fractions.  The result is either a row that determines one more multiplier, or
 * a function without multipliers.  Such a function is a constraint of the next level unless it
 * vanishes already.  Exact certificates decide whether it vanishes, or else balls at points of the
 * surface found so far.  If these cannot decide, the chain ends undecided.
 *
 * Limits: 10 levels, 32 constraints, 8 multipliers and 64 entries of z.  Larger models give
 * CHAIN_NONE, longer chains CHAIN_TOO_LONG. */
record_chain follow_chain(study *s);

/* ---- invariants.c ----
 *
 * Is a function constant along the constrained motion?
 *
 * Along zdot = X_H + sum_i lambda_i X_{g_i}, dI/dt = {I,H} + sum_i lambda_i {I,g_i}.  The
 * multipliers solve {rho,H} + N lambda = 0.  I is therefore an invariant if
 *   det N {I,H} - {I,g} . adj N {rho,H} = 0   on M^H.
 * It is sufficient, but not necessary, that {I,H} and all {I,g_i} vanish.  A proof counts only if I
 * is shown to be finite on M^H. */

/* Examines all invariants of the model by identities and certificates modulo g and rho (for at most
 * 3 constraints), then at the points of M^H.  Without constraints the points are in phase space. */
void examine_invariants(study *s, record *r, const points *MH);

/* ---- seams.c ----
 *
 * Where are formulas not smooth, and does M meet these surfaces?
 *
 * The theory needs continuous second derivatives of H and g, and first derivatives of invariants.
 * abs(u) and sqrt(u^2) have a kink at u = 0, min(u, v) and max(u, v) at u = v.  Values on both
 * sides show whether a formula of them lacks a derivative.  sign(u) jumps at u = 0, atan2(y, x) at
 * y = 0 and x < 0, and tan(u) at cos(u) = 0.  A function of a/u may jump at u = 0, where an
 * invariant a/u is infinite. */

/* Looks for points of M on the seams of H and of the constraints, and for points of M^H on the
 * seams of invariants. */
void find_seams(study *s, record *r);

/* 1 if a function may jump at the seam.  It is then not an invariant, although its derivative
 * vanishes. */
int seam_may_jump(seam_kind kind);

/* 1 if e may have a seam inside or outside M. Without seams e is smooth wherever it is finite. */
int has_seams(study *s, const ir_expr *e);

/* A point on the surface of these n equations at which `what` is zero, too; NULL if none is
 * found. */
const double *meet_zero(study *s, const ir_expr *what, int n, const ir_expr *const equations[]);

/* ---- singular_mass.c ----
 *
 * Is H_pp finite and regular everywhere, if it depends on the positions alone?  The examination
 * covers divisors, and determinants of connected blocks of at most MINORS_ORDER momenta.  The
 * determinants are those of L_vv = H_pp^-1 if the model has a Lagrangian, else of H_pp. */

/* ---- parts_of_h.c ----
 *
 * Is H a sum of parts with exact flows? */

/* Divides H into as few parts as the rule of docs/method_theory.md finds. */
record_splitting divide_H(study *s);

/* ---- states.c ----
 *
 * The initial states: are they on M and M^H, and is N regular there, in double precision? */

/* Residuals have the scales of a run (runtime/model/scale.h): |f_i| is compared with the larger of
 * the magnitude of its terms and sum_j |df_i/dz_j| size_j.  size_j is the largest position, or
 * momentum. */
void examine_states(study *s, record *r);

/* ---- lists of functions ----
 *
 * One examination for each row of RECORD_LISTS (record.h), such as singular_mass.c and
 * symmetries.c. */

#define EXAMINATION(key, ...) void examine_##key(study *s, record *r);
RECORD_LISTS(EXAMINATION)
#undef EXAMINATION

/* ---- force_power.c ----
 *
 * Can a force do work on the system? */

/* Proves, by the form of the power F . H_p of each instance, that it is never positive. */
void examine_forces(study *s, record *r);

#endif
