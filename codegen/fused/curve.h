/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/curve.h -- one part of the curve that a variational integrator attaches to a state (q,p),
 * as values. The part is an explicit Runge-Kutta method R_t for q' = v, v' = A(q,v), S' = L(q,v)
 * with v = H_p(q,p) (runtime/step/layer.h):
 *
 *   Q_i = q + t sum_j a_ij V_j,   V_i = v + t sum_j a_ij A(Q_j,V_j),
 *   R^q = q + t sum_i b_i V_i,   S = t sum_i b_i L(Q_i,V_i).
 */
#ifndef SIDEWINDER_FUSED_CURVE_H
#define SIDEWINDER_FUSED_CURVE_H

#include "fused/composer.h"

typedef struct curve_stage {
  const char *label;      /* suffix of the names of its values */
  const ir_expr **z;      /* 2d: Q_i, and the momentum P_i with the velocity V_i */
  const ir_expr **v;      /* d: V_i */
  const ir_expr **A;      /* d: A(Q_i,V_i), or NULL if unused */
  const ir_expr **lambda; /* m: multipliers that make the rate of rho 0, or NULL if unused */
  fused_matrix mass;      /* factors of H_pp */
  fused_matrix N;         /* factors of N */
} curve_stage;

typedef struct curve_part {
  const char *name;
  const sw_tableau *tableau;
  const ir_expr *alpha; /* t/h */
  const ir_expr *t;
  const ir_expr **q; /* d: R^q */
  const ir_expr **v; /* d: R^v, or NULL if not requested */
  curve_stage stage[SW_TABLEAU_STAGES];
} curve_part;

/* Computes the part at the state z, whose velocity H_p is v, up to the time t = alpha h. Sets a
 * refusal if H_pp or N has a pivot that is always zero. */
curve_part *curve_part_at(composer *c, const char *name, const sw_tableau *tableau,
                          const ir_expr *alpha, const ir_expr *const z[], const ir_expr *const v[],
                          int with_velocity);

/* Adds to by_q the derivatives of weight.R^q - sign S by q, and to by_v those by v, divided by h (d
 * each). */
void curve_part_add_slopes(composer *c, const curve_part *part, const ir_expr *const weight[],
                           int sign, const ir_expr *by_q[], const ir_expr *by_v[]);

/* Sets z[d], ..., z[2d - 1] to the momentum of the velocity v at the positions z[0], ..., z[d - 1].
 * *mass: factors of H_pp. */
void curve_find_momentum(composer *c, const char *label, const ir_expr *z[],
                         const ir_expr *const v[], fused_matrix *mass);

/* Solves N lambda = -rho'(z,0) with the factors of N at z. */
void curve_find_multipliers(composer *c, const char *label, const ir_expr *const z[],
                            const fused_matrix *N, const ir_expr *lambda[]);

#endif
