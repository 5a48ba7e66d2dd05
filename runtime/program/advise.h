/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/advise.h -- which method reaches an error at the least cost, by short pilot runs.
 *
 * A method of order p that misses z by e(h) over a time S misses it over T by about
 *
 *   E(h) = e(h) T/S,   e(h) = |z_h - z_{h/2}| 2^p/(2^p - 1),   and so E for the step  h (E/E(h))^{1/p},
 *
 * as long as errors grow like t, as they do for symplectic methods on motions that are not chaotic, and as h is in the range where the
 * order shows.  So each way is tried with a step near the one that it needs, which takes one pilot or two; the best is tried for a longer
 * time.  Errors are those of the positions, relative to their size, costs processor time.
 */
#ifndef SW_PROGRAM_ADVISE_H
#define SW_PROGRAM_ADVISE_H

#include "model/system.h"
#include "sidewinder/sim.h"

/* A way to integrate. */
typedef struct sw_way {
  const char *method;
  const char *base;
  const char *compose;
  int order;
  double step;    /* that the error asks for; 0 where no pilot has succeeded */
  double seconds; /* that the run takes with it */
} sw_way;

enum { SW_WAYS_MOST = 16 };

typedef struct sw_advice {
  const double *k; /* parameters, */
  const double *z; /* and the initial state */
  const char *redundant;
  double t_end; /* may be negative */
  double error;
  double first; /* the step to begin with */
  sw_way way[SW_WAYS_MOST];
  int n;          /* ways that the model takes */
  int best;       /* the one to take; -1: none has succeeded */
  double seconds; /* that the pilots took */
} sw_advice;

/* Fills in the rest of *advice, of which the members down to `first` are given.  SW_OK, also where there is no best way;
 * SW_ERR_MEMORY. */
sw_status sw_advise(sw_system *system, sw_advice *advice);

#endif
