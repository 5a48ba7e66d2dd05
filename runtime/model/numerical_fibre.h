/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/numerical_fibre.h -- the fibre flow by numerical integration, for models without a closed form.
 *
 *   Gamma_lambda(z) = Z(1),  Z' = F(Z) = sum_i lambda_i X_{g_i}(Z),  Z(0) = z
 *
 * one flow of the sum, as paper 000 defines it (Corollary 3.7), whether the X_{g_i} commute or not.  Its
 * derivatives follow from the variational equations
 *
 *   S' = DF(Z) S,  S(0) = 1,  dGamma/dz = S(1)
 *   W_i' = DF(Z) W_i + X_{g_i}(Z),  W_i(0) = 0,  dGamma/dlambda_i = W_i(1)
 *
 * solved by the same steps, which makes them the derivatives of what is computed.  Where the constraints
 * commute identically, dGamma/dlambda_i = X_{g_i}(Gamma) instead.  All this needs Dg and
 * Hess(lambda . g) and nothing else.
 *
 * Gauss-Legendre collocation of 4, 8 or 12 stages (order 8, 16, 24), the first that is accurate to
 * round-off, then shorter steps; the stages by fixed-point iteration.  These methods are symplectic and
 * symmetric, and conserve lambda . g where it is quadratic.
 *
 *   gauss.c         the coefficients
 *   fibre_plan.c    patterns; with scratch.c nothing is allocated afterwards
 *   fibre_stages.c  one step of one linear or nonlinear equation
 *   fibre_flow.c    the steps, and the three functions of a system
 */
#ifndef SIDEWINDER_MODEL_NUMERICAL_FIBRE_H
#define SIDEWINDER_MODEL_NUMERICAL_FIBRE_H

#include "model/gauss.h"
#include "model/system.h"

#define SW_FIBRE_RULES 3

/* The entries of a matrix by column: those of column c are entry[start[c]] .. entry[start[c+1]-1], by row. */
typedef struct sw_fibre_columns {
  int *start; /* cols + 1 */
  int *entry;
  int *row; /* their rows */
} sw_fibre_columns;

struct sw_fibre {
  sw_gauss rule[SW_FIBRE_RULES];
  int dim; /* 2d */

  sw_pattern by_lambda; /* of dGamma/dlambda */
  sw_pattern by_z;      /* of dGamma/dz */
  sw_pattern replaced_by_lambda;
  sw_pattern replaced_by_z;
  sw_fibre_columns lambda_columns;
  sw_fibre_columns z_columns;

  /* Entry e of Dg makes F at field_row[e], with field_sign[e]; in by_lambda where the constraints
   * commute it stands at field_place[e]. */
  int *field_row;
  int *field_place;
  /* DF = J Hess(lambda . g), by column: term t of column c, slope_start[c] <= t < slope_start[c+1],
   * stands in row slope_row[t] and is entry slope_entry[t] of the lower triangle, times -1 for a
   * row of p. */
  int *slope_start;
  int *slope_row;
  int *slope_entry;
  int *all_rows; /* 0 .. 2d - 1 */
};

/* What the flow of one system writes to, one block. */
typedef struct sw_fibre_scratch {
  double *jac;        /* SW_GAUSS_STAGES of Dg */
  double *hess;       /* SW_GAUSS_STAGES of Hess(lambda . g), then the one at the start of a step */
  double *at;         /* 2d: the point that has been reached */
  double *next;       /* 2d */
  double *column;     /* 2d */
  double *column_end; /* 2d */
  double *stage;      /* 2d: x0 + D_i */
  double *floor;      /* 2d */
  double *D;          /* SW_GAUSS_STAGES x 2d */
  double *F;          /* SW_GAUSS_STAGES x 2d */
  double *values;     /* of the derivative that is followed */
  double *next_values;

  sw_fibre_counts counts; /* of all calls, until its owner sets it to zero */
} sw_fibre_scratch;

/* ---- fibre_plan.c ---- */

/* Plans the flow of a valid system with constraints.  Errors: SW_ERR_MEMORY, also where a derivative has
 * more entries than an int can count. */
sw_status sw_fibre_plan(const sw_system *system, struct sw_fibre **fibre);
void sw_fibre_plan_free(struct sw_fibre *fibre);

/* ---- scratch.c ---- */

/* Scratch memory for the flow of a system, released with free(); NULL where there is none. */
sw_fibre_scratch *sw_fibre_scratch_create(const sw_system *system);

/* ---- fibre_stages.c ---- */

/* The right-hand side at stage i, at the rows of an equation. */
typedef struct sw_fibre_equation sw_fibre_equation;
typedef void sw_fibre_field(const sw_fibre_equation *equation, int i, const double x[],
                            double out[]);

struct sw_fibre_equation {
  const sw_system *system;
  const double *k;
  const double *lambda;
  sw_fibre_field *field;
  int autonomous; /* 1 where the field is the same for all stages */
  int index;      /* of W_index; -1 for a column of S */
  int n;          /* entries of x that it is about */
  const int *row; /* n, ascending */
};

/* One step of x' = field from x0 to x1, both of 2d values of which the equation's rows count.  Returns 1
 * where the stages converged and the estimated error, relative to the size of x and put into *error, is at
 * round-off; else, or where something is not finite, 0. */
int sw_fibre_stages(const sw_fibre_equation *equation, const sw_gauss *rule, double tau,
                    const double x0[], double x1[], double *error);

/* ---- fibre_flow.c ---- */

/* Puts the numerical flow in the place of system->fibre_flow and its derivatives, and their patterns.  The
 * system must be valid and have constraints; sims made of it before must not be used any more.
 * Errors: SW_ERR_MEMORY; then nothing is changed. */
sw_status sw_fibre_install(sw_system *system);
/* Takes it out again and frees it; without one, nothing happens. */
void sw_fibre_remove(sw_system *system);

#endif
