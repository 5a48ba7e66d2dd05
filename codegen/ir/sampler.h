/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampler.h -- points of M and M^H, and linear algebra at them.
 */
#ifndef SIDEWINDER_IR_SAMPLER_H
#define SIDEWINDER_IR_SAMPLER_H

#include <lapacke.h>
#include <stdint.h>

#include "ir/evaluate.h"
#include "ir/program.h"

/* Equations in the entries of z: their values (a vector), Jacobian (columns: z) and magnitudes of the
 * values. */
typedef struct sampler_equations {
  const ir_function *value;
  const ir_function *jac;
  const ir_function *scale;
} sampler_equations;

typedef struct sampler {
  const ir_program *program;
  ir_evaluator *evaluator;
  uint64_t random;
  int n; /* 2d */
  int m;
  double *z;          /* n: the point */
  int rows;           /* most equations at once, at least 2m */
  double *g;          /* rows: values of g, or of (g, rho) */
  double *gz;         /* rows x n, row major: their Jacobian */
  double *step;       /* max(n, rows) */
  double *work;       /* m x max(n, rows) */
  double *singular;   /* max(n, rows) */
  lapack_int *pivots; /* n */
  double cost;        /* operations spent so far */
  double typical_N;   /* largest singular value of the scaled N that was seen on M */
} sampler;

/* With room for `rows` equations, and always for (g, rho). */
sampler *sampler_create(arena *a, const ir_context *c, const ir_program *program, int rows);
void sampler_free(sampler *s);

/* Whether about a second of work is done. */
int sampler_exhausted(const sampler *s);

/* s->z = initial state j, or the start of a round: the initial states as they are, then disturbed a little
 * or much, and points around the origin. */
void sampler_state(sampler *s, int j);
void sampler_start(sampler *s, int round);

/* Gauss-Newton with minimum-norm steps from s->z to g = 0, or, with hidden = 1, to g = 0 and rho = 0.
 * Returns 1 where it got there. */
int sampler_reach(sampler *s, int hidden);

/* The same for any equations, of which there are n groups. */
int sampler_solve(sampler *s, int n, const sampler_equations equations[]);

/* Makes z the point at which functions are evaluated; NULL where only parameters are read. */
void sampler_begin(sampler *s, const double z[]);

/* Values of a function, dense and row major for a matrix. */
void sampler_evaluate(sampler *s, ir_function_id id, double out[]);

/* max |z_i|; infinite where an entry is not finite. */
double sampler_state_size(const sampler *s);

/* Euclidean norm of row i of a matrix with n columns. */
double sampler_row_norm(const sampler *s, const double matrix[], int i);

/* Rank of an m x n matrix, its rows scaled to length one; the matrix is kept. */
int sampler_rank(sampler *s, const double matrix[]);

/* A vector x of length one with a matrix x = 0, as nearly as there is one, of a rows x columns matrix, row
 * major (kept); 0 where it cannot be had.  *ratio is |matrix x| over the largest singular value. */
int sampler_null_vector(int rows, int columns, const double matrix[], double x[], double *ratio);

/* Condition of N_ij / (|grad g_i| |grad g_j|); inf where it is singular, NaN where it is not finite.
 * Entries below the rounding of the bracket {rho_i, g_j} count as zero.  *largest is the largest singular
 * value. */
double sampler_condition_of_N(sampler *s, double *largest);

#endif
