/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/advise.h -- finds the method with the least cost for a given error, by short pilot
 * runs.
 *
 * A method of order p with the error e(h) after a time S has after a time T about the error
 *
 *   E(h) = e(h) T/S,   e(h) = |z_h - z_{h/2}| 2^p/(2^p - 1).
 *
 * So the error E needs the step h (E/E(h))^{1/p}.
 *
 * Two assumptions: errors grow like t, as for symplectic methods on motions that are not chaotic;
 * and h is small enough for the method to show its order.  Each candidate takes one or two pilots
 * with a step near the predicted one.  The best candidate gets a longer pilot.  Errors are those
 * of the positions, relative to their size.  Costs are processor time.
 */
#ifndef SW_PROGRAM_ADVISE_H
#define SW_PROGRAM_ADVISE_H

#include "model/system.h"
#include "sidewinder/sim.h"

/* A combination of method, base method and composition, with the results of its pilots. */
typedef struct sw_way {
  const char *method;
  const char *base;
  const char *compose;
  int order;
  double step;    /* the step that the error needs; 0 if no pilot has succeeded */
  double seconds; /* predicted processor time of the run with this step */
} sw_way;

enum { SW_WAYS_MOST = 16 };

typedef struct sw_advice {
  const double *k; /* parameters, nk values */
  const double *z; /* initial state, 2d values */
  const char *redundant;
  double t_end; /* may be negative */
  double error;
  double first; /* step of the first pilot */
  sw_way way[SW_WAYS_MOST];
  int n;          /* number of candidates that the model allows */
  int best;       /* index of the best candidate; -1 if no pilot has succeeded */
  double seconds; /* processor time of all pilots */
} sw_advice;

/* Fills in the members of *advice after `first`; the caller sets the others.  Returns SW_OK, even
 * without a best candidate, or SW_ERR_MEMORY. */
sw_status sw_advise(sw_system *system, sw_advice *advice);

#endif
