/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * field.h -- the field of a fibre flow, F = sum_i lambda_i X_{g_i}, along a power series in time.
 */
#ifndef SIDEWINDER_WITNESS_FIELD_H
#define SIDEWINDER_WITNESS_FIELD_H

#include "witness/taylor.h"
#include "witness/tree.h"

/* The fibre flow's solution, along which the field is evaluated. */
typedef struct solution {
  tree *t;
  int d;
  int n; /* 2d */
  int nc;
} solution;

/* An entry of a sparse vector or matrix that depends on time. */
typedef struct moving {
  int row;
  int col;
  arb_poly_struct value;
  double size; /* magnitude of the terms of its value at time 0, before they cancel */
} moving;

/* DF and the vector fields X_{g_i} along a solution. */
typedef struct field {
  moving *DF;
  long n;
  moving *X; /* col: number i of the constraint */
  long n_X;
} field;

/* Writes F along z, truncated to `length` coefficients, into n series. Overwrites the z of the
 * tree. */
void field_speed(solution *s, arb_poly_struct *z, slong length, arb_poly_struct F[]);

/* Returns DF and the X_{g_i} along z, truncated to `length` coefficients. Overwrites the z of the
 * tree. The caller releases the field with field_clear. */
field field_along(solution *s, arb_poly_struct *z, slong length);
void field_clear(field *f);

#endif
