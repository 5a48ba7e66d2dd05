/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * surface.h -- equations on phase space with their derivatives, ready for a solver.
 */
#ifndef SIDEWINDER_ANALYSIS_SURFACE_H
#define SIDEWINDER_ANALYSIS_SURFACE_H

#include "analysis/study.h"

typedef struct surface {
  int rows;
  const ir_expr **value; /* equations: value = 0 */
  const ir_expr **size;  /* magnitudes of their terms (expr/magnitude.h) */
  int n;           /* number of entries of the Jacobian that are not identically zero, by row */
  ir_entry *slope; /* entries (row, column of z, derivative) */
} surface;

/* Differentiates n expressions; equations that are identically zero are dropped. */
surface *surface_create(study *s, int n, const ir_expr *const values[]);

/* M = {g = 0}, in which s->instead may replace constraints by their square-free parts.
 * M^H = {g = 0, rho = 0}, without the hidden constraints with left_out[i] = 1 (NULL drops none). */
surface *surface_M(study *s);
surface *surface_MH(study *s, const char left_out[]);

#endif
