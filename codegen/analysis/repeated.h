/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repeated.h -- factors that a constraint has more than once.
 */
#ifndef SIDEWINDER_ANALYSIS_REPEATED_H
#define SIDEWINDER_ANALYSIS_REPEATED_H

#include "analysis/study.h"

/* g = c prod_i f_i^n_i, where the f_i are the factors that may vanish; found as a polynomial over the rationals
 * (FLINT, square-free factorisation), with what is no polynomial as further variables. */
typedef struct repeated {
  const ir_expr *
      base; /* prod_i f_i, which is 0 where g is; NULL where no factor is repeated, or it is too large */
  int all; /* 1: every n_i >= 2, so that dg = 0 on all of {g = 0} */
} repeated;

repeated find_repeated(study *s, const ir_expr *g);

#endif
