/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/numerical_fibre.h -- the fibre flow by numerical integration, for models without a closed
 * form.
 *
 *   Gamma_lambda(z) = Z(1),  Z' = F(Z) = sum_i lambda_i X_{g_i}(Z),  Z(0) = z
 *
 * This is one flow of the sum, as paper 000 defines it (Corollary 3.7), whether or not the X_{g_i}
 * commute.  Its derivatives follow from the variational equations
 *
 *   S' = DF(Z) S,  S(0) = 1,  dGamma/dz = S(1)
 *   W_i' = DF(Z) W_i + X_{g_i}(Z),  W_i(0) = 0,  dGamma/dlambda_i = W_i(1)
 *
 * which are solved with the same steps.  The results are thus the exact derivatives of the computed
 * flow.  If the constraints commute identically, dGamma/dlambda_i = X_{g_i}(Gamma) instead.  Only
 * Dg and Hess(lambda . g) are needed.
 *
 * The integrator is Gauss-Legendre collocation with 4, 8 or 12 stages (order 8, 16, 24): the first
 * rule that is accurate to round-off, then shorter steps.  Stages are found by fixed-point
 * iteration.  These methods are symplectic and symmetric, and conserve lambda . g if it is
 * quadratic.
 *
 *   fibre_plan.c  coefficients and patterns; with scratch.c nothing is allocated afterwards
 *   fibre_flow.c  the steps, and the three functions of a system
 */
#ifndef SIDEWINDER_MODEL_NUMERICAL_FIBRE_H
#define SIDEWINDER_MODEL_NUMERICAL_FIBRE_H

#include "model/system.h"

/* Gauss-Legendre collocation on [0,1]: s stages, order 2s.
 *
 *   Z_i = z + tau sum_j a_ij F(Z_j),   z1 = z + tau sum_j b_j F(Z_j) */

#define SW_GAUSS_STAGES 12 /* the largest number of stages */

typedef struct sw_gauss {
  int stages;
  double b[SW_GAUSS_STAGES];
  double a[SW_GAUSS_STAGES][SW_GAUSS_STAGES];
  /* The last two coefficients of the Legendre series of the polynomial through F(Z_j):
   * sum_j last[0][j] F(Z_j) belongs to degree s - 1, last[1] to degree s - 2. */
  double last[2][SW_GAUSS_STAGES];
  double radius; /* spectral radius of a, by power iteration */
} sw_gauss;

#define SW_FIBRE_RULES 3

/* The entries of a matrix by column: column c has entries entry[start[c]] .. entry[start[c+1]-1],
 * sorted by row. */
typedef struct sw_fibre_columns {
  int *start; /* cols + 1 */
  int *entry;
  int *row; /* the row of each of these entries */
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

  /* Entry e of Dg contributes to F at field_row[e], with the sign -1 for a row of p.  If the
   * constraints commute, it is entry field_place[e] of by_lambda. */
  int *field_row;
  int *field_place;
  /* DF = J Hess(lambda . g), by column.  Column c has the terms slope_start[c] <= t <
   * slope_start[c+1]: term t is in row slope_row[t] and is entry slope_entry[t] of the lower
   * triangle, times -1 for a row of p. */
  int *slope_start;
  int *slope_row;
  int *slope_entry;
  int *all_rows; /* 0 .. 2d - 1 */
};

/* Scratch memory of the flow of one system, in one block. */
typedef struct sw_fibre_scratch {
  double *jac;    /* SW_GAUSS_STAGES Jacobians Dg */
  double *hess;   /* SW_GAUSS_STAGES Hessians Hess(lambda . g), then that at the start of a step */
  double *at;     /* 2d: the current point */
  double *next;   /* 2d */
  double *column; /* 2d */
  double *column_end; /* 2d */
  double *stage;      /* 2d: x0 + D_i */
  double *floor;      /* 2d */
  double *D;          /* SW_GAUSS_STAGES x 2d */
  double *F;          /* SW_GAUSS_STAGES x 2d */
  double *values;     /* of the derivative that is integrated */
  double *next_values;

  sw_fibre_counts counts; /* of all calls, until the owner resets it */
} sw_fibre_scratch;

/* ---- fibre_plan.c ---- */

/* Plans the flow of a valid system with constraints.  Errors: SW_ERR_MEMORY, also if the number of
 * entries of a derivative overflows an int. */
sw_status sw_fibre_plan(const sw_system *system, struct sw_fibre **fibre);
void sw_fibre_plan_free(struct sw_fibre *fibre);

/* ---- scratch.c ---- */

/* Scratch memory for the flow of a system.  The caller frees it with free().  NULL if memory is
 * short. */
sw_fibre_scratch *sw_fibre_scratch_create(const sw_system *system);

/* ---- fibre_flow.c ---- */

/* Replaces system->fibre_flow, its derivatives and their patterns by the numerical flow.  The
 * system must be valid and have constraints.  Simulations made of it before must not be used any
 * more.  Errors: SW_ERR_MEMORY; then nothing has changed. */
sw_status sw_fibre_install(sw_system *system);
/* Removes the numerical flow and frees it; does nothing if there is none. */
void sw_fibre_remove(sw_system *system);

#endif
