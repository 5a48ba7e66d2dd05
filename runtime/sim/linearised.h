/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linearised.h -- the derivatives of the parts of a step at their solutions, for tangent.c and
 * pullback.c.
 *
 * A phase solves F(u; z) = 0 for its unknowns u and ends at e(u; z) (step/phase.h).  This file
 * evaluates the phases of a part at their solutions, for directions of z and u, and factorises
 * F_u, or its transpose.
 */
#ifndef SIDEWINDER_SIM_LINEARISED_H
#define SIDEWINDER_SIM_LINEARISED_H

#include "sim/sim_internal.h"
#include "step/kick_tangent.h"

/* Directions treated together, so that one entry of a sparse matrix acts on this many values. */
enum { SW_LINEARISED_WIDTH = 16 };

/* Each solve is repeated for the remainder of its equations.  So linear systems are solved to the
 * round-off of their data. */
enum { SW_LINEARISED_ROUNDS = 2 };

/* The solves of a step: its phases, and the kicks of forces. */
enum { SW_LINEARISED_KICK = SW_PHASES_MOST, SW_LINEARISED_SOLVES };

typedef struct sw_linearised {
  sw_sim *sim;       /* makes the step */
  sw_sim *of;        /* has the phases that are linearised: sim, or sim->lifted */
  int width;         /* directions treated together, at most SW_LINEARISED_WIDTH */
  int is_transposed; /* 1 to factorise the transposes of the Newton matrices */
  int n;             /* directions in use; the columns of every block below */
  int from;          /* the current operation uses the solves from .. to-1 */
  int to;
  int tall; /* largest number of unknowns of a phase */
  int most; /* largest number of entries of a Newton matrix */

  sw_phase phase[SW_PHASES_MOST]; /* like the phases of `of`, with arrays for `width` directions */
  sw_kick_tangent kick;           /* the solve SW_LINEARISED_KICK; without arrays without forces */
  sw_deficient *linear[SW_LINEARISED_SOLVES];
  sw_pattern transposed[SW_LINEARISED_SOLVES];
  int *place[SW_LINEARISED_SOLVES]; /* entries of `transposed` */
  sw_made_step made;                /* the part that has been made last */
  double *newton;                   /* values of a Newton matrix */
  double *other;                    /* values of its transpose; NULL unless is_transposed is set */
  double *column;                   /* tall: one column of the right-hand side */
  double *V;                        /* 2d x n */
  double *earlier; /* 2d x n: directions of the previous state, if the method has one */
  double *DU;      /* tall x n */
  double *DF;      /* tall x n */
  void *block;     /* memory of all arrays above */
} sw_linearised;

/* Allocates everything.  Set sim, of, width and is_transposed before.
 * sw_linearised_free must follow, even on failure.  Errors: SW_ERR_MEMORY. */
sw_status sw_linearised_create(sw_linearised *s);
void sw_linearised_free(sw_linearised *s);

/* The operations of a step of size h: the parts of the composition, between two kicks if there are
 * forces. */
int sw_linearised_operations(const sw_linearised *s);

/* Examines the start of a step of size h.  Makes operation number i from the present state.  Moves
 * the state to its end.  Errors: those of sw_sim_step. */
sw_status sw_linearised_begin(sw_linearised *s, double h);
sw_status sw_linearised_make(sw_linearised *s, int i, double h);
void sw_linearised_take(sw_linearised *s, int i);

/* Linearises the operation that has been made last: its solves s->from .. s->to-1.  Errors: those
 * of sw_sim_step. */
sw_status sw_linearised_prepare(sw_linearised *s);

/* The number of unknowns of a solve; directions of the end for V and DU as in step/phase.h. */
int sw_linearised_unknowns(const sw_linearised *s, int solve);
const double *sw_linearised_directions(sw_linearised *s, int solve, int n, const double V[],
                                       const double DU[], double DF[]);

/* Reports that a derivative is not finite.  Returns SW_ERR_NOT_FINITE. */
sw_status sw_linearised_not_finite(const sw_linearised *s);

/* Prepares the directions of a solve. */
void sw_linearised_along(sw_linearised *s, int solve);

/* V <- D V for n directions of the state of s->of in a step of size h, which is not committed.
 * (tangent.c) */
sw_status sw_lifted_tangent(sw_sim *sim, double h, int n, double V[]);

#endif
