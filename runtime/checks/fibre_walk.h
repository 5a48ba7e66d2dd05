/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/fibre_walk.h -- samples along the flow of one constraint from a state of M.
 *
 *   Z' = X_{g_i}(Z),  Z(0) = z,   rho_i' = N_ii,  H' = -rho_i
 *
 * A walk starts at z and follows the flow forwards until it returns to z: the flow is closed, and the walk
 * has gone one turn.  If it does not return within the range, the flow is open, and the walk follows it
 * backwards, too.  Lengths along the flow are relative: a length of 1 moves a position or a momentum by the
 * size of all positions or all momenta.
 */
#ifndef SIDEWINDER_CHECKS_FIBRE_WALK_H
#define SIDEWINDER_CHECKS_FIBRE_WALK_H

#include "checks/bracket_terms.h"

/* rho and det N at states, with scratch memory. */
typedef struct sw_fibre_probe {
  const sw_system *system;
  const double *k;
  sw_sizes size; /* scales are at least those of a state of this size */
  double *rho;   /* m: at the last state */
  double *scale; /* m: of rho there (model/scale.h) */
  double det;    /* det N there; 0 where entries of N are at the round-off of their terms */
  double *sums;  /* m */
  double *jac;   /* values of Dg */
  double *slope; /* values of Drho */
  double *N;
  double *dense;  /* m x m */
  int *exchange;  /* m */
  double *lambda; /* m */
  sw_gradients g; /* m each */
  sw_gradients of_rho;
  void *memory;
} sw_fibre_probe;

/* Errors: SW_ERR_MEMORY; then there is nothing to close. */
sw_status sw_fibre_probe_open(const sw_system *system, const double k[], sw_fibre_probe *probe);
void sw_fibre_probe_close(sw_fibre_probe *probe);

/* Finds rho, its scales and det N at z.  Returns 0 where one is not finite. */
int sw_fibre_probe_at(sw_fibre_probe *s, const double z[]);

/* out = the flow of constraint `index` from z, by the multiplier lambda. */
void sw_fibre_probe_flow(sw_fibre_probe *s, int index, const double z[], double lambda,
                         double out[]);

typedef struct sw_fibre_sample {
  double lambda;
  double rho;   /* rho_index */
  double scale; /* of it */
  double det;
  size_t at;   /* its state is states + at */
  int is_fine; /* 1 if rho and det are smooth between this sample and the next */
} sw_fibre_sample;

typedef struct sw_fibre_walk {
  sw_fibre_probe *probe;
  int index;      /* of the constraint */
  sw_sizes size;  /* of the state where the walk starts */
  int is_closed;  /* 1: `last` is the multiplier of one turn, and `first` is 0 */
  int is_bounded; /* 1 if it is closed, or the state has not left its scale within the range */
  double first;   /* the range of multipliers that the walk has covered */
  double last;
  int count;
  int room;
  sw_fibre_sample
      *sample;    /* by ascending multiplier; of a closed flow without the end of the turn */
  double *states; /* room x 2d */
  double *x;      /* 2d: scratch */
  double *y;      /* 2d */
  double *field;  /* 2d: X_g at the start, over the squares of the sizes */
} sw_fibre_walk;

/* Walks from z by the range, which is a length, in steps of SW_FIBRE_STEP.  *walk is to be
 * closed in any case. Errors: SW_ERR_MEMORY, SW_ERR_NOT_FINITE at z. */
sw_status sw_fibre_walk_open(sw_fibre_probe *probe, int index, const double z[], double range,
                             sw_fibre_walk *walk);
void sw_fibre_walk_close(sw_fibre_walk *walk);
#define SW_FIBRE_STEP 0.1
/* An open flow is followed until the state is so many times as large as at the start. */
#define SW_FIBRE_GROWTH 1000.0

/* Halves intervals between samples until a cubic with the values and slopes of the ends describes rho, and
 * its derivative det, in between.  Of one constraint, where det = rho'.  Errors: SW_ERR_MEMORY. */
sw_status sw_fibre_walk_refine(sw_fibre_walk *walk);

/* The sample behind sample i and its multiplier; NULL behind the last one of an open flow. */
const sw_fibre_sample *sw_fibre_walk_next(const sw_fibre_walk *walk, int i, double *lambda);

/* What a search looks for a zero of. */
typedef enum sw_fibre_value { SW_FIBRE_RHO, SW_FIBRE_DET } sw_fibre_value;

/* The zero between the multipliers `low` and `high` of a value that has the sign of from_low at `low` and the
 * opposite sign at `high`.  low: at least the multiplier of sample i.  Its state is walk->y, its values are
 * those of the probe. */
double sw_fibre_walk_zero(sw_fibre_walk *walk, int i, sw_fibre_value of, double low, double high,
                          double from_low);

#endif
