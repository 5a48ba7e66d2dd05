/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/fibre_points.h -- the intersection of the fibre of a state with M^H (paper 000, section
 * 5.4.2).
 *
 * The points are the zeros of rho on { Gamma_sigma(z) }, the critical points of H on the fibre. A
 * point is regular if N is invertible there. Otherwise it is degenerate: the fibre is tangent to
 * M^H, and SHAKE and RATTLE are undefined.
 *
 * One constraint: the fibre is a curve. All zeros of rho and of N = d rho/d sigma are found, along
 * one turn of a closed fibre, or within a range of an open one.
 *
 * Several constraints: Newton's method starts from many multipliers in the first turn of each
 * constraint's flow, until no start leads to a new point. It may miss points; on a compact fibre it
 * continues while the signs of det N show that one is missing.
 */
#ifndef SIDEWINDER_CHECKS_FIBRE_POINTS_H
#define SIDEWINDER_CHECKS_FIBRE_POINTS_H

#include "checks/fibre_walk.h"

typedef struct sw_fibre_point {
  double det; /* det N */
  int is_degenerate;
  /* The smallest |change of one multiplier| that leads to det N = 0; infinite if there is none
   * within the range. */
  double distance;
} sw_fibre_point;

/* Range of the searched multipliers; for a closed flow half a turn in both directions. */
typedef struct sw_fibre_turn {
  int is_closed;
  int is_bounded; /* see fibre_walk.h */
  double first;
  double last;
} sw_fibre_turn;

typedef struct sw_fibre_points {
  int m;
  size_t dim;      /* 2d */
  sw_sizes size;   /* size of the state, for comparisons of points */
  int is_constant; /* 1 if rho is 0 along the whole fibre of one constraint */
  int count;
  int room;
  sw_fibre_point *point; /* for one constraint sorted by multiplier */
  double *sigma;         /* count x m */
  double *z;             /* count x 2d */
  sw_fibre_turn *turn;   /* m */
  int zeros;             /* for one constraint: number of zeros of det N */
  double *zero;          /* multipliers of these zeros */
} sw_fibre_points;

#define SW_FIBRE_CONSTRAINTS 16

/* Finds the points on the fibre of z, a state of M, for a system with 1 to SW_FIBRE_CONSTRAINTS
 * constraints. range: length of an open flow to follow (fibre_walk.h). Call sw_fibre_points_close
 * in any case.
 * Errors: SW_ERR_MEMORY, SW_ERR_NOT_FINITE. */
sw_status sw_fibre_points_find(const sw_system *system, const double k[], const double z[],
                               double range, sw_fibre_points *found);
void sw_fibre_points_close(sw_fibre_points *found);

/* The sum of the signs of det N over the points. It is 0 on a compact fibre unless a point is
 * missing: the X_g form a frame of the fibre, so its Euler characteristic is 0. Also returns 0 if
 * this does not apply: a flow leaves the scale of the state, or a point is degenerate. */
int sw_fibre_points_sum(const sw_fibre_points *found);

/* Index of the point equal to the state z, or -1. */
int sw_fibre_points_at(const sw_fibre_points *found, const double z[]);

#endif
