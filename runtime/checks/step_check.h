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

#include "checks/component.h"
#include "checks/jump.h"
#include "checks/residuals.h"

/* What is known of a state. */
typedef struct sw_known {
  sw_sizes extent; /* its sizes */
  /* 1 once the tests found the state on M (and M^H) with these parameters.  The side of N there, if
   * N is watched, and the sizes by which g and rho are judged are set together with it. */
  int checked;
  sw_side side;
  sw_sizes judged;
} sw_known;

/* The settings of the tests, their scratch memory, and the results at the start of the step.  The
 * owner sets the first members and the members of the component. */
typedef struct sw_step_check {
  const sw_system *system;
  const double *k;
  const sw_step *step; /* the present step */
  int on_hidden;       /* 1 if steps start and end on M^H; 0: on M */
  sw_redundant redundant;
  double tolerance; /* of the solves */
  sw_component component;

  sw_known known; /* about the state */

  sw_watch watch; /* of the solve that is under way */
  int is_noise;   /* 1 if its multipliers are round-off of a step at rest, and so better zero */
  sw_residual_scratch residual;
  /* as many values as the largest phase has unknowns: scratch; NULL if holonomic.h steps */
  double *at_rest;
  double *a; /* m: scratch */
  double *b; /* m */
  double *x; /* 2d */
  double *y; /* 2d */
} sw_step_check;

/* A step that stands in the workspace: where it ends, and what is known there. */
typedef struct sw_made_step {
  const double *end; /* 2d */
  const double *rho; /* m: there */
  const double
      *slide;     /* m: the multipliers of the slide that has led there; NULL if there is none */
  sw_known known; /* about the end */
  int may_cross;  /* 1 if N, extrapolated back from the end, becomes singular within the step */
  double solve;   /* largest scaled residual of its solves */
  double largest_g;
  double largest_rho;
} sw_made_step;

/* Set the arrays of the check: sw_step_check_carve the ones that every step needs, the other
 * function the ones that steps of holonomic.h do without. */
void sw_step_check_carve(sw_carver *c, sw_step_check *s);
void sw_step_check_carve_rest(sw_carver *c, sw_step_check *s);

/* Whether N is looked at where steps start and end: for methods on M^H, which it is about, and for
 * others where constraints on the positions alone have an N that does not change along their
 * fibres, unless it is proved to be regular. */
int sw_watches_n(const sw_step_check *s);

/* Whether steps are examined for a surface where det N = 0 between their ends: those that start and
 * end on M^H, unless N is proved to be regular or constraints are redundant.  Not those of
 * holonomic.h. */
int sw_watches_surface(const sw_step_check *s);

/* The sizes by which the state of a step that has begun is judged. */
sw_sizes sw_sizes_at_start(const sw_step_check *s);

/* How large a scaled residual may be where a step ends. */
double sw_floor_at_end(const sw_step_check *s);

/* Each of these returns SW_OK, or tells in *found what it refuses. */

/* Whether H and its gradient are finite at the start.  Errors: SW_ERR_NOT_FINITE. */
sw_status sw_check_finite(sw_step_check *s, sw_failure *found);

/* Whether a step that has begun may start at the state, and whether it may end where it does, which
 * completes made->known.side and made->known.judged.  Errors: those of sw_sim_step. */
sw_status sw_check_start(sw_step_check *s, sw_failure *found);
sw_status sw_check_end(sw_step_check *s, sw_made_step *made, sw_failure *found);

/* Whether the root u that a search has found belongs to z, from which it slides (jump.h).  hidden:
 * whether it is for rho.  Sets s->is_noise.  Errors: SW_ERR_COMPONENT, SW_ERR_NOT_CONVERGED. */
sw_status sw_check_root(sw_step_check *s, sw_root root, const double z[], const double u[],
                        int hidden, sw_failure *found);

/* Checks that N keeps the signs of its blocks along the slide of SHAKE from z by h times the root u,
 * if constraints depend on momenta; otherwise u may be the root of another turn of the fibre.  A
 * slide of at most SW_SLIDE_SHORT of the state is not examined.  A longer slide is examined at
 * points that are at most as far apart, and is refused unexamined if it needs more than
 * SW_SLIDE_POINTS of them.  Each connected block has its own number of points, by its own entries
 * of the state, but at most SW_SLIDE_POINTS: the points of a block whose entries are small beside
 * the state may be farther apart.  Overwrites the scratch of the methods.  Errors:
 * SW_ERR_COMPONENT, SW_ERR_NOT_FINITE, SW_ERR_MEMORY. */
sw_status sw_check_slide(sw_step_check *s, const double z[], const double u[], sw_failure *found);
#define SW_SLIDE_SHORT  0.2
#define SW_SLIDE_POINTS 64.0

/* 1 if the last solve is one of a step at rest and F(0) is round-off: then its multipliers are,
 * too, and may not be found. */
int sw_multipliers_are_noise(const sw_step_check *s);

/* Tells why a solve has failed with that status, which it returns, and where it is for dependent
 * constraints, which: at z, or at the state `reached` that it has got to, NULL for none. */
sw_status sw_check_solve(sw_step_check *s, sw_status status, const sw_solve_report *report,
                         const double z[], const double reached[], sw_failure *found);

#endif
