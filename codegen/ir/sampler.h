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

typedef struct sampler {
  const ir_program *program;
  ir_evaluator *evaluator;
  uint64_t random;
  int n; /* 2d */
  int m;
  double *z;          /* n: the point */
  double *g;          /* 2m: values of g, or of (g, rho) */
  double *gz;         /* 2m x n, row major: their Jacobian */
  double *step;       /* max(n, 2m) */
  double *work;       /* m x m, and more */
  double *singular;   /* max(n, 2m) */
  lapack_int *pivots; /* n */
  double cost;        /* operations spent so far */
  double typical_N;   /* largest singular value of the scaled N that was seen on M */
} sampler;

sampler *sampler_create(arena *a, const ir_context *c, const ir_program *program);
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

/* Condition of N_ij / (|grad g_i| |grad g_j|); inf where it is singular, NaN where it is not finite.
 * Entries below the rounding of the bracket {rho_i, g_j} count as zero.  *largest is the largest singular
 * value. */
double sampler_condition_of_N(sampler *s, double *largest);

#endif
