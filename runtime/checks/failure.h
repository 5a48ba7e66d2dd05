/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/failure.h -- why a step, a projection or a derivative was not made, in numbers.  sim/message.c has the words.
 */
#ifndef SIDEWINDER_CHECKS_FAILURE_H
#define SIDEWINDER_CHECKS_FAILURE_H

#include "checks/dependence.h"
#include "solve/solver.h"

typedef enum sw_cause {
  SW_CAUSE_NONE,
  SW_CAUSE_MEMORY,
  SW_CAUSE_STEP_SIZE,  /* it is `value` */
  SW_CAUSE_PARAMETER,  /* number `index` has no value */
  SW_CAUSE_NOT_FINITE, /* a function of the model, near the state */
  SW_CAUSE_ENERGY,     /* H is `value` */
  SW_CAUSE_SLOPE,      /* the derivative of H in entry `index` of the state is `value` */
  SW_CAUSE_OFF, /* g_index, or rho_index where `hidden`, is `value`, relative to its scale `relative` > `limit` */
  SW_CAUSE_SECOND_CLASS, /* {g_index, g_other} is `value`, `relative` of its terms */
  SW_CAUSE_SINGULAR,     /* N; `dependence` tells whether by constraints that follow from others */
  SW_CAUSE_SIGN,         /* det N has another one than at the start */
  SW_CAUSE_EIGENVALUES,
  SW_CAUSE_SLIDE,   /* N changes its sign along a slide of SHAKE */
  SW_CAUSE_SURFACE, /* N becomes singular at the part `value` of the step and has its sign again */
  SW_CAUSE_LONG_SLIDE, /* N was not examined along one: it has the length `relative` > `limit` */
  SW_CAUSE_BLOCKS,
  /* they change in several blocks of N, but not their number */ /* `index` of those of N are
   * negative, and `other` at the start */
  SW_CAUSE_ROOT_SIGN,   /* the three of jump.h; of sigma where `hidden`, else lambda */
  SW_CAUSE_ROOT_FAR,    /* with `relative` as the distance */
  SW_CAUSE_ROOT_NOISE,  /* with h = `value` */
  SW_CAUSE_NO_PIVOT,    /* in a Jacobian of the solve; `solve` and `dependence` tell more */
  SW_CAUSE_NO_SOLUTION, /* `solve` tells how far it got to `limit` */
  SW_CAUSE_NO_WAY_BACK, /* the step back failed, with the status `index` */
  SW_CAUSE_OTHER_WAY,   /* the step back misses the start by `relative` > `limit` */
  SW_CAUSE_INDEPENDENT, /* `index` constraints depend on others at the start of the step, and not within it */
  SW_CAUSE_NO_DERIVATIVE, /* no pivot in the Jacobian at the solution */
  SW_CAUSE_MASS,          /* H_pp in the row of p_index, at the part `value` of the step */
  SW_CAUSE_LEAVES /* the energy leaves its scale `limit`: H is `value`, and `relative` at first */
} sw_cause;

typedef struct sw_failure {
  sw_cause cause;
  int at_end; /* 1 where it was found at the end of the step, 0 at the start */
  int hidden;
  int index;
  int other;
  double value;
  double relative;
  double limit;
  sw_solve_report solve;
  sw_dependence dependence;
  int projects; /* 1: of a projection; `dependence` is that of its start, or of its end if at_end */
  /* How far ahead, in time, N is singular at its present rate of change; 0 where it is not; and the step that failed so. */
  double ahead;
  double h;
} sw_failure;

/* For a failure in one line: keeps it and returns its status. */
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
