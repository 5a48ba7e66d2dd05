/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/fibre_points.h -- where does the fibre of a state meet M^H (paper 000, section 5.4.2)?
 *
 * The points are the zeros of rho on { Gamma_sigma(z) }, the critical points of H on the fibre.  A point
 * is regular if N is invertible there, and degenerate else: there the fibre touches M^H, and SHAKE and
 * RATTLE are not defined.
 *
 * One constraint: the fibre is a curve, and all zeros of rho and of N = d rho/d sigma are found, along
 * one turn of a closed fibre, and within a range of an open one.
 *
 * Several constraints: Newton's method searches from many multipliers in the first turn of each
 * constraint's flow until no start leads to a new point.  It may miss points; on a compact fibre it goes
 * on while the signs of det N show that one is missing.
 */
#ifndef SIDEWINDER_CHECKS_FIBRE_POINTS_H
#define SIDEWINDER_CHECKS_FIBRE_POINTS_H

#include "checks/fibre_walk.h"

typedef struct sw_fibre_point {
  double det; /* det N */
  int is_degenerate;
  /* The smallest |change of one multiplier| that leads to det N = 0: infinite if none does
   * within the range. */
  double distance;
} sw_fibre_point;

/* The multipliers that were searched: of a closed flow half a turn to either side. */
typedef struct sw_fibre_turn {
  int is_closed;
  int is_bounded; /* fibre_walk.h */
  double first;
  double last;
} sw_fibre_turn;

typedef struct sw_fibre_points {
  int m;
  size_t dim;      /* 2d */
  sw_sizes size;   /* of the state, by which points are told apart */
  int is_constant; /* 1 if rho is 0 along the whole fibre of one constraint */
  int count;
  int room;
  sw_fibre_point *point; /* of one constraint by ascending multiplier */
  double *sigma;         /* count x m */
  double *z;             /* count x 2d */
  sw_fibre_turn *turn;   /* m */
  int zeros;             /* of det N, of one constraint */
  double *zero;          /* their multipliers */
} sw_fibre_points;

#define SW_FIBRE_CONSTRAINTS 16

/* Finds the points of the fibre of z, a state of M, of a system with 1 to SW_FIBRE_CONSTRAINTS
 * constraints.  range: how long an open flow is followed (fibre_walk.h).  *found is to be closed
 * in any case.  Errors: SW_ERR_MEMORY, SW_ERR_NOT_FINITE. */
sw_status sw_fibre_points_find(const sw_system *system, const double k[], const double z[],
                               double range, sw_fibre_points *found);
void sw_fibre_points_close(sw_fibre_points *found);

/* The sum of the signs of det N over the points of a fibre whose flows are all bounded: 0 unless
 * a point is missing, as the X_g are a frame of the fibre, whose Euler characteristic is
 * therefore 0 if the fibre is compact.  0 also where that is not known: if a flow leaves the
 * scale of the state, or with a degenerate point. */
int sw_fibre_points_sum(const sw_fibre_points *found);

/* The number of the point that is the state z; -1 if none is. */
int sw_fibre_points_at(const sw_fibre_points *found, const double z[]);

#endif
