/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/failure.h -- the cause of a failed step, projection or derivative, as numbers.
 * sim/message.c turns them into text.
 */
#ifndef SIDEWINDER_CHECKS_FAILURE_H
#define SIDEWINDER_CHECKS_FAILURE_H

#include "checks/bracket_terms.h"
#include "common/carver.h"
#include "linear/deficient.h"
#include "linear/redundancy.h"
#include "solve/solver.h"

/*
 * Constraints with linearly dependent gradients at a state.
 *
 * If gradients of constraints are dependent, so are the columns of N_ij = {{g_i,H},g_j}. A
 * rank-revealing factorisation finds dependent columns of N. Then Dg shows the reason: either the
 * gradients are dependent, or H is degenerate, i.e. constant to second order along a fibre of
 * independent constraints.
 */

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

typedef enum sw_cause {
  SW_CAUSE_NONE,
  SW_CAUSE_MEMORY,
  SW_CAUSE_STEP_SIZE,  /* `value` is the invalid step size */
  SW_CAUSE_PARAMETER,  /* parameter `index` has no value */
  SW_CAUSE_NOT_FINITE, /* a function of the model is not finite near the state */
  SW_CAUSE_ENERGY,     /* H is `value` */
  SW_CAUSE_SLOPE,      /* the derivative of H in entry `index` of the state is `value` */
  /* g_index, or rho_index if `hidden`, is `value`; relative to its scale it is `relative` >
   * `limit` */
  SW_CAUSE_OFF,
  SW_CAUSE_SECOND_CLASS, /* {g_index, g_other} is `value`, and `relative` in units of its terms */
  /* N is singular; `dependence` shows whether dependent constraints are the reason */
  SW_CAUSE_SINGULAR,
  SW_CAUSE_SIGN, /* det N has another sign than at the start */
  /* `index` eigenvalues of N are negative, and `other` at the start */
  SW_CAUSE_EIGENVALUES,
  SW_CAUSE_SLIDE, /* det N changes its sign along a slide of SHAKE */
  /* N becomes singular at the fraction `value` of the step, but its signs at both ends agree */
  SW_CAUSE_SURFACE,
  SW_CAUSE_LONG_SLIDE, /* a slide is too long to examine N: its length is `relative` > `limit` */
  /* signs change in several blocks of N, but the number of negative eigenvalues does not */
  SW_CAUSE_BLOCKS,
  SW_CAUSE_ROOT_SIGN,   /* the three causes of step_check.h, of sigma if `hidden`, else of lambda */
  SW_CAUSE_ROOT_FAR,    /* `relative` is the distance */
  SW_CAUSE_ROOT_NOISE,  /* `value` is h */
  SW_CAUSE_NO_PIVOT,    /* in a Jacobian of the solve; see `solve` and `dependence` */
  SW_CAUSE_NO_SOLUTION, /* `solve` gives the residual reached; the tolerance is `limit` */
  SW_CAUSE_NO_WAY_BACK, /* the step back failed with the status `index` */
  SW_CAUSE_OTHER_WAY,   /* the step back differs from the start by `relative` > `limit` */
  /* `index` constraints are dependent at the start of the step, but not within it */
  SW_CAUSE_INDEPENDENT,
  SW_CAUSE_NO_DERIVATIVE,    /* no pivot in the Jacobian at the solution */
  SW_CAUSE_ALONG_PARAMETERS, /* a derivative with respect to a parameter is not finite */
  /* H_pp is singular in the row of p_index, at the fraction `value` of the step */
  SW_CAUSE_MASS,
  /* the heat bath, for the reason `other` (sw_noise_fault), at coordinate `index`; `value` is the
   * number of the coordinate that is coupled to it, or 1 for the friction, 0 for kT */
  SW_CAUSE_BATH,
  SW_CAUSE_KICK_ROOT, /* the equations of a kick have another solution */
  /* the energy leaves its scale `limit`: H is `value`, and was `relative` at first */
  SW_CAUSE_LEAVES
} sw_cause;

typedef struct sw_failure {
  sw_cause cause;
  int at_end; /* 1: detected at the end of the step; 0: at the start */
  int hidden;
  int index;
  int other;
  double value;
  double relative;
  double limit;
  sw_solve_report solve;
  sw_dependence dependence;
  int projects; /* 1: in a projection; `dependence` is for its start, or for its end if at_end */
  /* Time until N becomes singular at its current rate of change; 0 if it does not. `h` is the size
   * of the failed step. */
  double ahead;
  double h;
} sw_failure;

/* Stores a failure and returns its status, for use in one line. */
static inline sw_status sw_fail(sw_failure *to, sw_status status, sw_failure failure)
{
  *to = failure;
  return status;
}

static inline sw_status sw_fail_not_finite(sw_failure *to)
{
  return sw_fail(to, SW_ERR_NOT_FINITE, (sw_failure){.cause = SW_CAUSE_NOT_FINITE});
}

#endif
