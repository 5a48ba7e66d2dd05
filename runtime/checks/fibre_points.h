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

#include "checks/bracket_terms.h"

/*
 * Samples along the flow of one constraint from a state of M.
 *
 *   Z' = X_{g_i}(Z),  Z(0) = z,   rho_i' = N_ii,  H' = -rho_i
 *
 * A walk follows the flow forwards from z until it returns to z: the flow is then closed, and the
 * walk covers one turn. If it does not return within the range, the flow is open, and the walk also
 * follows it backwards. Lengths along the flow are relative: a length of 1 moves a position or a
 * momentum by the size of all positions or all momenta.
 */

/* rho and det N at a state, with scratch memory. */
typedef struct sw_fibre_probe {
  const sw_system *system;
  const double *k;
  sw_sizes size;  /* lower bound of the sizes for the scales */
  double *rho;    /* m: at the last state */
  double *scale;  /* m: scales of rho there (model/scale.h) */
  double det;     /* det N there; 0 if entries of N are at the round-off of their terms */
  double log_det; /* log |det N|; -infinity if N is singular */
  double pivot;   /* the smallest |pivot| of N there, with row exchanges; 0 if it is singular */
  double *sums;   /* m */
  double *jac;    /* values of Dg */
  double *slope;  /* values of Drho */
  double *N;
  double *dense;  /* m x m */
  int *exchange;  /* m */
  double *lambda; /* m */
  sw_gradients g; /* m each */
  sw_gradients of_rho;
  void *memory;
} sw_fibre_probe;

/* Errors: SW_ERR_MEMORY; then nothing needs closing. */
sw_status sw_fibre_probe_open(const sw_system *system, const double k[], sw_fibre_probe *probe);
void sw_fibre_probe_close(sw_fibre_probe *probe);

/* Computes rho, its scales and det N at z. Returns 0 if one is not finite. */
int sw_fibre_probe_at(sw_fibre_probe *s, const double z[]);

typedef struct sw_fibre_sample {
  double lambda;
  double rho;   /* rho_index */
  double scale; /* scale of rho_index */
  double det;
  size_t at;   /* offset of its state in `states` */
  int is_fine; /* 1 if rho and det are resolved between this sample and the next */
} sw_fibre_sample;

typedef struct sw_fibre_walk {
  sw_fibre_probe *probe;
  int index;      /* index of the constraint */
  sw_sizes size;  /* size of the state at the start of the walk */
  int is_closed;  /* 1: `last` is the multiplier of one turn, and `first` is 0 */
  int is_bounded; /* 1 if the flow is closed, or stays within the state's scale in the range */
  double first;   /* covered range of multipliers */
  double last;
  int count;
  int room;
  sw_fibre_sample *sample; /* sorted by multiplier; for a closed flow without the end of the turn */
  double *states;          /* room x 2d */
  double *x;               /* 2d: scratch */
  double *y;               /* 2d */
  double *field;           /* 2d: X_g at the start, divided by the squares of the sizes */
} sw_fibre_walk;

/* Walks from z over the length `range` in steps of SW_FIBRE_STEP. Call sw_fibre_walk_close in any
 * case.
 * Errors: SW_ERR_MEMORY, SW_ERR_NOT_FINITE at z. */
sw_status sw_fibre_walk_open(sw_fibre_probe *probe, int index, const double z[], double range,
                             sw_fibre_walk *walk);
void sw_fibre_walk_close(sw_fibre_walk *walk);
#define SW_FIBRE_STEP 0.1
/* The walk along an open flow stops if the state grows by this factor. */
#define SW_FIBRE_GROWTH 1000.0

/* Bisects intervals between samples until a cubic through the values and slopes at the ends
 * represents rho, and its derivative det, in between. For one constraint, where det = rho'.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_fibre_walk_refine(sw_fibre_walk *walk);

/* The sample after sample i, and its multiplier; NULL after the last sample of an open flow. */
const sw_fibre_sample *sw_fibre_walk_next(const sw_fibre_walk *walk, int i, double *lambda);

/* The function whose zero is searched. */
typedef enum sw_fibre_value { SW_FIBRE_RHO, SW_FIBRE_DET } sw_fibre_value;

/* The zero between the multipliers `low` and `high` of a function that has the sign of from_low at
 * `low` and the opposite sign at `high`. low: at least the multiplier of sample i. Leaves the state
 * in walk->y and its values in the probe. */
double sw_fibre_walk_zero(sw_fibre_walk *walk, int i, sw_fibre_value of, double low, double high,
                          double from_low);

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
  int is_bounded; /* see fibre_walk.c */
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
 * constraints. range: length of an open flow to follow (fibre_walk.c). Call sw_fibre_points_close
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
