/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * field.h -- the field of a fibre flow, F = sum_i lambda_i X_{g_i}, along a power series in time.
 */
#ifndef SIDEWINDER_WITNESS_FIELD_H
#define SIDEWINDER_WITNESS_FIELD_H

#include "witness/taylor.h"
#include "witness/tree.h"

/* The solution that the field is looked at along. */
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
  double size; /* of the terms of its value at time 0, before they cancel */
} moving;

/* DF and the X_{g_i} along a solution. */
typedef struct field {
  moving *DF;
  long n;
  moving *X; /* col: the number of the constraint */
  long n_X;
} field;

/* F along z, cut off at `length`: n series.  Sets z of the tree. */
void field_speed(solution *s, arb_poly_struct *z, slong length, arb_poly_struct F[]);

/* DF and the X_{g_i} along z, cut off at `length`.  Sets z of the tree. */
field field_along(solution *s, arb_poly_struct *z, slong length);
void field_clear(field *f);

#endif
