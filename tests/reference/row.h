/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row.h -- the shapes of the reference tables in this folder.
 *
 * The numbers come from an independent program in multi-precision arithmetic (25 to 50 digits),
 * except where a table says that it was computed in double precision.  extract.py makes the tables.
 */
#ifndef TESTS_REFERENCE_ROW_H
#define TESTS_REFERENCE_ROW_H

enum { REFERENCE_MAX = 28 }; /* largest 2d of any table */

/* The state z = (q, p) after `steps` steps of size `step` from the initial state `init`. */
typedef struct reference_row {
  const char *init;
  const char *method;
  const char *base;
  double step;
  long steps;
  double z[REFERENCE_MAX]; /* the first 2d count */
} reference_row;

/* The same for a variational integrator over `base` with that bias, from the default state, and how
 * far q is from the exact solution, |.|_2. */
typedef struct reference_variational {
  double bias[2];
  const char *base;
  double step;
  long steps;
  double z[REFERENCE_MAX];
  double error;
} reference_variational;

/* The error |q - exact|_2 at t = 1 after `steps` steps of a variational integrator over `base`,
 * with its adjoint before a state and the symmetric bias. */
typedef struct reference_adjoint {
  const char *base;
  long steps;
  double error;
} reference_adjoint;

/* The least and the greatest H - offset after steps 1, 2, ..., `steps`. */
typedef struct reference_range {
  const char *init;
  const char *method;
  const char *base;
  double step;
  long steps;
  double offset;
  double low;
  double high;
} reference_range;

/* The exact solution z(t_end) from the initial state `init` at t = 0. */
typedef struct reference_exact {
  const char *init;
  double t_end;
  double z[REFERENCE_MAX];
} reference_exact;

/* How far a run with that step is from a better one, relative to that; and where the better one
 * ends. */
typedef struct reference_error {
  double step;
  double error;
} reference_error;

typedef struct reference_end {
  double t_end;
  double x[3];
} reference_end;

#endif
