/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * equations.h -- functions on phase space that were made during the analysis, ready to be solved for and
 * sampled.
 */
#ifndef SIDEWINDER_IR_EQUATIONS_H
#define SIDEWINDER_IR_EQUATIONS_H

#include "ir/program.h"
#include "ir/sampler.h"
#include "ir/verdicts.h"

typedef struct equations {
  int n;
  const ir_expr *const *values;
  const ir_expr **gradients; /* n x 2d */
  ir_function value;
  ir_function jac;
  ir_function scale;
} equations;

/* Differentiates n expressions; the array is the caller's. */
equations *equations_create(arena *a, ir_context *c, const ir_program *p, int n,
                            const ir_expr *const values[]);

/* As sampler_solve takes them. */
sampler_equations equations_part(const equations *e);

/* Points of a set, at most `most` from at most `rounds` starts of the sampler: 2d values each.  Points
 * whose entries are more than `growth` times as large as at the start are left out: far away, rounding
 * looks like a zero. */
typedef struct equations_points {
  verdict_sample sample;
  double **z;
} equations_points;

equations_points equations_sample(arena *a, ir_context *c, const ir_program *p, int n_parts,
                                  const sampler_equations parts[], int most, int rounds,
                                  double growth);

/* Largest |e| at the points, relative to the size of its terms and to what it changes by when z changes by
 * its own size; *at is the point. */
double equations_largest(arena *a, ir_context *c, const ir_program *p, const ir_expr *e,
                         const equations_points *points, const double **at);

/* The largest difference of two points in one entry. */
double points_spread(int n_points, double *const z[], int n);

#endif
