/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * surface.h -- equations on phase space, with their derivatives, ready to be solved.
 */
#ifndef SIDEWINDER_ANALYSIS_SURFACE_H
#define SIDEWINDER_ANALYSIS_SURFACE_H

#include "analysis/study.h"

typedef struct surface {
  int rows;
  const ir_expr **value; /* rows: each is to be zero */
  const ir_expr **size;  /* rows: the magnitudes of their terms (expr/magnitude.h) */
  int n;                 /* entries of the Jacobian that are not zero identically, by row */
  ir_entry *slope;       /* (row, column of z, derivative) */
} surface;

/* Differentiates n expressions; equations that are zero identically are left out. */
surface *surface_create(study *s, int n, const ir_expr *const values[]);

/* M = {g = 0}, where the square-free part of a constraint may stand for it (s->instead), and M^H = {g = 0, rho = 0}, without
 * the hidden constraints with left_out[i] = 1 (NULL: none). */
surface *surface_M(study *s);
surface *surface_MH(study *s, const char left_out[]);

#endif
