/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope_layout.h -- where the numbers of an envelope stand.
 *
 * All numbers that belong to row and column i stand together: row i of L, column i of U, each of
 * length[i] = i - first[i] values, and the reciprocal of the pivot.  So a factorisation and a solve
 * walk through memory once, and inner products run over contiguous pieces of rows of L and columns of U.
 *
 * Rows of different parts have nothing in common but the border: one last row, which reaches into the ends of two parts, and stands
 * behind them as two rows of L, two columns of U and a pivot.
 */
#ifndef SIDEWINDER_LINEAR_ENVELOPE_LAYOUT_H
#define SIDEWINDER_LINEAR_ENVELOPE_LAYOUT_H

#include "common/team.h"
#include "linear/pattern.h"
#include "sidewinder/status.h"

typedef struct sw_envelope sw_envelope;

/* Rows first .. end-1 of an envelope, each of which has one entry beside the pivot and is `step`, 1 or -1, from the row before in A, too. */
typedef struct sw_line {
  int first;
  int end;
  int step;
} sw_line;

struct sw_envelope {
  int n;
  int entries;
  int size;      /* of store */
  int negative;  /* 1 where an odd number of pivots is negative */
  int *length;   /* n: entries of row i of L, and of column i of U */
  int *start;    /* n: where row i of L starts in store; column i of U and the pivot follow */
  int *place;    /* entries: where each of them belongs in store */
  int *entry;    /* n + 1: where the entries of each row of A start, and their number */
  int *order;    /* n: row i of the envelope is row order[i] of A; NULL where they are the same */
  double *store; /* size */
  double *permuted; /* n, NULL where order is */
  /* The b of which `permuted` has the beginning of L^{-1} b from the last factorisation, else NULL, in both parts beside the border before these
   * rows. */
  const double *right;
  int begun[2];
  sw_team *team; /* NULL for one thread */
  int rows;      /* n, or n - 1 with a border */
  int parts;
  int *part;       /* parts + 1: where their rows start, rows at the end */
  int reach[2];    /* of the border, into each of two parts */
  sw_line line[2]; /* the longest one in each of these */
};

/* Whether one thread does all parts: also where they are short. */
int sw_parts_alone(const sw_envelope *envelope);

/* The job for all parts, by the threads, or by this one in their order. */
void sw_along_parts(const sw_envelope *envelope, sw_team_job *job, void *context);

/* sum_i x_i y_i, in their order. */
static inline double sw_inner(int n, const double x[], const double y[])
{
  double sum = 0.0;

  for (int i = 0; i < n; i++) {
    sum += x[i] * y[i];
  }
  return sum;
}

/* As sw_envelope_create and sw_envelope_free (envelope.h). */
sw_status sw_layout_create(const sw_pattern *A, sw_envelope **envelope);
void sw_layout_free(sw_envelope *envelope);

#endif
