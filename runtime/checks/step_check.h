/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/step_check.h -- decides whether a step may start from a state, and whether it may end at
 * one.
 *
 * Every test is a function of the state and the step size alone.  The results at the end of a step
 * hold at the start of the next step, so a run that is resumed from any of its states gets the same
 * results.
 */
#ifndef SIDEWINDER_CHECKS_STEP_CHECK_H
#define SIDEWINDER_CHECKS_STEP_CHECK_H

#include <math.h>

#include "checks/failure.h"
#include "checks/residuals.h"
#include "common/team.h"
#include "linear/blocks.h"
#include "solve/solver.h"
#include "step/holonomic.h"

/*
 * The component of M^H that contains a state, and second-class constraints.
 *
 * On a connected part of M^H where N_ij = {{g_i,H},g_j} is invertible, det N keeps its sign (paper
 * 000, Assumption 1 and Lemma 3.11). A step between points with different signs has jumped over a
 * degenerate point, or to another component of M^H: the failure of the paper's Fig. 6. The second
 * part detects a solve that has jumped to a root of another start.
 */

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

  /* For sw_component_rate. */
  double *rate;   /* rate of change of N along the motion */
  double *ahead;  /* N extrapolated with this rate */
  double *along;  /* 2d: X_H + sum_i lambda_i X_{g_i} */
  double *point;  /* 2d: scratch */
  double *lambda; /* m */

  /* m: for sw_component_multipliers, with the solver's weights; or NULL */
  double *weight;
  int adds_forces; /* 1 if the multipliers are those of the motion with forces */
} sw_component;

/* Sets the array pointers. */
void sw_component_carve(sw_carver *c, sw_component *s);

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

/* The multipliers of the motion at z, a state of M^H: along zdot = X_H + sum_j lambda_j X_{g_j}
 * + F, 0 = drho/dt = {rho,H} + Drho.F + N lambda; F = 0 unless c->adds_forces. If c->linear accepts dependent constraints, lambda (m values)
 * is the shortest solution, with c->weight (linear/deficient.h): sqrt |N_jj|, or |X_{g_j}| if
 * constraints depend on momenta. Not for the scheme of step/holonomic.h.
 * Errors: SW_ERR_SINGULAR, SW_ERR_NOT_FINITE, SW_ERR_MEMORY. */
sw_status sw_component_multipliers(sw_component *c, const double z[], double lambda[]);

/* Finds the rate of change of N along the motion at z, by a difference between z and a point 1e-6
 * of the state's size away.  N must be regular at z, and the last call of sw_component_side must
 * have been at z.  Not for steps of holonomic.h.  Returns 0 if the rate is not finite.  Costs the
 * gradient of H, N and one back-substitution. */
int sw_component_rate(sw_component *c, const double z[]);

/* The side of N after its blocks first .. end-1 are extrapolated from z over `time` with the last
 * rate; the other blocks keep their values at z. */
sw_side sw_component_extrapolated(sw_component *c, const double z[], double time, int first,
                                  int end);

/* Returns 1 if two sides are equal in all parts that are known for both. */
int sw_same_side(const sw_side *a, const sw_side *b);

/* As sw_component_side, after a slide of step/holonomic.h has factorised its matrix; status is the
 * result of that factorisation. */
sw_side sw_component_side_of_slide(const sw_component *c, sw_status status);

/* Finds the dependent constraints at z (failure.h). Overwrites the scratch of the methods.
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

/* ---- the root that belongs to a start ---- */

/* Detects a solve that converged to a root that does not belong to its start.
 *
 * Newton's method finds the multipliers from u_0 = 0. Its first iterate u_1 solves the equations
 * linearised at zero, so it is the prediction from the state: to leading order in h it satisfies N
 * lambda = -{rho,H}, the equation for the multipliers of the differential equation, and likewise
 * for the base method's modification of them. The root u that is connected with zero satisfies two
 * conditions if Newton's method is applicable:
 *
 *   |u - u_1| <= |u_1|   by the theorem of Newton and Kantorovich: if it proves that a root
 *                        exists, the root is in this ball; at its border two roots meet.
 *   det dF/du at u has the same sign as at zero. On the path F(u(s)) = (1 - s) F(0) from zero
 *                        to u it does not vanish.
 *
 * For one multiplier and F of degree two, the nearer root satisfies both conditions for any step,
 * and the other root satisfies neither. A step is refused if the sign has changed. It is also
 * refused if two conditions hold: u is farther than SW_JUMP_FACTOR |u_1| from u_1, in the maximum
 * norm weighted by the effect of each multiplier on the equations; and the slides with u and with
 * u_1 end more than SW_JUMP_SMALL of the state apart. Measurements: in all reference runs |u - u_1|
 * stays below 0.8 |u_1|; jumps to another root had 3.4, 13 and 5200. The factor is between these
 * values, with a margin for many multipliers and large steps.
 *
 * If F(0) is round-off, at most SW_JUMP_ROUND_OFF, so are the multipliers, and they are divided by
 * h. Such a step is refused if the slide moves more than SW_JUMP_SMALL of the state. A step at rest
 * (model/scale.h) sets its multipliers to zero instead, even if its Jacobian is singular. A step
 * that moves positions by at most SW_JUMP_REST of their size does the same if constraints depend on
 * momenta. If constraints do not depend on momenta, such a step keeps its multipliers. Its momenta,
 * or the remaining forces, are then no larger than the round-off of g over h, which is
 * SW_JUMP_ROUND_OFF/SW_JUMP_SMALL, and 1000 for the condition of N and for sizes measured from the
 * origin; RATTLE removes the normal part that the slide adds to them. A block of constraints on
 * positions with a round-off F(0) is at rest, and its u counts as close to u_1.
 *
 * SHAKE has no other check; RATTLE also compares the sign of det N at both ends of the step
 * (component.c). The check costs a copy of the multipliers: the matrices are those of the solve. */

#define SW_JUMP_FACTOR    2.0
#define SW_JUMP_SMALL     1e-3
#define SW_JUMP_ROUND_OFF 1e-14
#define SW_JUMP_REST      1e-8

/* Wraps a problem and records the first iterate of Newton's method. */
typedef struct sw_watch {
  sw_team *team;      /* for long loops, NULL for one thread */
  sw_problem problem; /* the wrapped problem */
  int n;              /* number of unknowns */
  int m;              /* number of multipliers, which are the first unknowns */
  int begun;          /* 1 once F(0) is known */
  double at_zero;     /* |F(0)|_inf */
  int known;          /* 0 until u_1 is known */
  double *first;      /* m: u_1 */
} sw_watch;

typedef enum sw_jump {
  SW_JUMP_NONE,
  SW_JUMP_SIGN, /* det dF/du has changed its sign */
  SW_JUMP_FAR,  /* u is too far from u_1 */
  SW_JUMP_NOISE /* F(0) was round-off, and so is u */
} sw_jump;

/* Starts to watch a problem of n unknowns, of which the first m are multipliers. Returns the
 * problem to solve instead, from zero multipliers. */
sw_problem sw_watch_begin(sw_watch *watch, const sw_problem *problem, int n, int m);

/* The verdict for the root u of a search. *distance is |u - u_1|/|u_1|, or 0 if nothing could be
 * compared. */
sw_jump sw_find_jump(const sw_watch *watch, sw_root root, const double u[], double *distance);

/* The distance for SW_JUMP_FAR with several connected blocks: each block's multipliers are compared
 * with their own u_1. Writes max |u - u_1| and max |u_1| of each block with multipliers to `apart`
 * and `predicted` (m values each). Returns the largest quotient. */
double sw_find_far_blocks(const sw_watch *watch, sw_root root, const double u[], double apart[],
                          double predicted[]);

/* 1 if the multipliers of a block are too far from its u_1, by more than the round-off of F. */
static inline int sw_block_is_far(double apart, double predicted)
{
  return !(apart <= SW_JUMP_FACTOR * fmax(predicted, SW_JUMP_ROUND_OFF));
}

/* ---- the number of negative eigenvalues of a symmetric matrix ---- */

/* The number of negative eigenvalues of A, from the signs of the pivots of A = L D L^T (Sylvester's
 * law of inertia; Bunch-Kaufman pivots of size 1 and 2), or -1 if a pivot is zero.  A: n x n, its
 * lower triangle column by column, finite; overwritten.  pivots: n.  work: n.  Allocates
 * nothing. */
int sw_inertia_negative(int n, double A[], int pivots[], double work[]);

/* Results of the tests at a state. */
typedef struct sw_known {
  sw_sizes extent; /* sizes of the state */
  /* 1 if the tests have found the state on M (and on M^H if on_hidden is 1) with the present
   * parameters; then the members below are set */
  int checked;
  sw_side side;    /* side of N, if sw_watches_n */
  sw_sizes judged; /* sizes in the scales of g and rho that the tests have used */
} sw_known;

/* The settings of the tests, their scratch memory, and the results at the start of the step.  The
 * owner sets the members up to `known` and those of the component. */
typedef struct sw_step_check {
  const sw_system *system;
  const double *k;
  const sw_step *step; /* the present step */
  int on_hidden;       /* 1 if steps start and end on M^H; 0: on M */
  sw_redundant redundant;
  double tolerance; /* of the solves */
  sw_component component;

  sw_known *known; /* results at the start of the step */

  sw_watch watch; /* watches the current solve */
  /* 1 if its multipliers are round-off of a step at rest, so that the step sets them to zero */
  int is_noise;
  sw_residual_scratch residual;
  double *a; /* m: scratch */
  double *b; /* m */
  double *x; /* 2d */
  double *y; /* 2d */
} sw_step_check;

/* A step that has been computed in the workspace but not committed. */
typedef struct sw_made_step {
  const double *end;   /* 2d: its end */
  const double *rho;   /* m: rho at the end */
  const double *slide; /* m: multipliers of the slide to the end; NULL without a slide */
  sw_known known;      /* results at the end */
  int may_cross;      /* 1 if N, extrapolated back from the end, becomes singular within the step */
  double solve;       /* largest scaled residual of its solves */
  double largest_g;   /* max |g_i| at the end */
  double largest_rho; /* max |rho_i| at the end */
} sw_made_step;

/* Sets the arrays that every step needs; sw_step_check_carve_rest sets those that steps of
 * holonomic.h do not need. */
void sw_step_check_carve(sw_carver *c, sw_step_check *s);
void sw_step_check_carve_rest(sw_carver *c, sw_step_check *s);

/* 1 if N is examined at the start and at the end of steps.  Methods on M^H need N.  For other
 * methods N is examined only if all constraints are on the positions, since N is then constant
 * along fibres, and only if N is not proved to be regular. */
int sw_watches_n(const sw_step_check *s);

/* 1 if steps are examined for a surface with det N = 0 between their ends: steps that start and end
 * on M^H, if N is not proved to be regular and redundant constraints are an error.  Steps of
 * holonomic.h are not examined. */
int sw_watches_surface(const sw_step_check *s);

/* The largest accepted scaled residual at the end of a step. */
double sw_floor_at_end(const sw_step_check *s);

/* The functions below return SW_OK, or an error with its cause in *found. */

/* Tests whether H and its gradient are finite at the start and all parameters are set.
 * Errors: SW_ERR_NOT_FINITE, SW_ERR_PARAMETER. */
sw_status sw_check_finite(sw_step_check *s, sw_failure *found);

/* Tests whether a step that has begun may start at the state; and whether a computed step may end
 * where it does, which sets made->known.side and made->known.judged.  Errors: those of
 * sw_sim_step. */
sw_status sw_check_start(sw_step_check *s, sw_failure *found);
sw_status sw_check_end(sw_step_check *s, sw_made_step *made, sw_failure *found);

/* Tests whether the root u of a solve belongs to z, the start of its slide.  hidden: 1 if the solve
 * was for rho.  Sets s->is_noise.  Errors: SW_ERR_COMPONENT, SW_ERR_NOT_CONVERGED. */
sw_status sw_check_root(sw_step_check *s, sw_root root, const double z[], const double u[],
                        int hidden, sw_failure *found);

/* Checks that N keeps the signs of its blocks along the slide of SHAKE from z by h times the root
 * u, if constraints depend on momenta; otherwise u may be the root of another turn of the fibre.  A
 * slide of at most SW_JUMP_SMALL of the state is not examined.  A longer slide is examined at its
 * end and at points that are at most SW_SLIDE_APART of the state apart, and is refused unexamined
 * if it needs more than SW_SLIDE_POINTS of them.  Each connected block has its own number of
 * points, by its own entries of the state, but at most SW_SLIDE_POINTS: the points of a block whose
 * entries are small beside the state may be farther apart.  Overwrites the scratch of the methods.
 * Errors: SW_ERR_COMPONENT, SW_ERR_NOT_FINITE, SW_ERR_MEMORY. */
sw_status sw_check_slide(sw_step_check *s, const double z[], const double u[], sw_failure *found);
#define SW_SLIDE_APART  0.2
#define SW_SLIDE_POINTS 64.0

/* 1 if the last solve belongs to a step at rest and F(0) is round-off.  Its multipliers are then
 * round-off, too, and the solve may fail to find them. */
int sw_multipliers_are_noise(const sw_step_check *s);

/* Writes the cause of a solve's failure with this status to *found, and returns the status.  If the
 * Jacobian was singular, looks for dependent constraints at z, and then at the last iterate
 * `reached` unless it is NULL. */
sw_status sw_check_solve(sw_step_check *s, sw_status status, const sw_solve_report *report,
                         const double z[], const double reached[], sw_failure *found);

#endif
