/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/tableau.h -- a base method phi_h as a table: a partitioned Runge-Kutta method for zdot = X_H.
 *
 *   Q_i = q + h sum_j a_ij H_p(Q_j,P_j)      q1 = q + h sum_j b_j H_p(Q_j,P_j)
 *   P_i = p - h sum_j A_ij H_q(Q_j,P_j)      p1 = p - h sum_j B_j H_q(Q_j,P_j)          i, j = 1..s
 *
 * with A_ij and B_j for the paper's a^_ij and b^_j.  Which stages can be computed and which have to be solved for
 * follows from the zeros of the coefficients and from the structure of H.  SHAKE and RATTLE over a method of order r
 * have order min(r, 2), since the constraint forces act as impulses at the ends of a step.
 */
#ifndef SIDEWINDER_TABLEAU_H
#define SIDEWINDER_TABLEAU_H

#include "sidewinder/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SW_TABLEAU_STAGES 16 /* the most there may be */
#define SW_TABLEAU_NAME   64 /* bytes of a name, its end included */

typedef struct sw_tableau {
  const char *name;
  int stages;          /* s */
  const double *A;     /* s x s, row by row */
  const double *b;     /* s */
  const double *A_hat; /* s x s; NULL where it is A */
  const double *b_hat; /* s; NULL where it is b */
} sw_tableau;

/* What the coefficients are worth for any H, each condition to 1e-13 of the sizes of its terms. */
typedef struct sw_tableau_report {
  int order;             /* 0 to 4: the conditions of higher orders are not looked at */
  int symplectic;        /* 1 where b_i A_ij + B_j a_ji = b_i B_j and b_i = B_i */
  double not_symplectic; /* the largest difference of the two sides */
  int symmetric; /* 1 where the method is its own adjoint, phi_{-h} o phi_h = id, stage i being s+1-i of it */
  double not_symmetric; /* the largest difference of coefficients of the two */
  int unknowns;         /* stage values to be solved for, in units of d, where H is not separable */
  int unknowns_separable; /* where H(q,p) = T(p) + V(q) */
} sw_tableau_report;

/* Errors: SW_ERR_OPTION where the tableau cannot be used: no name or one of SW_TABLEAU_NAME bytes, fewer than one
 * stage or more than SW_TABLEAU_STAGES, A or b NULL, only one of A_hat and b_hat, a value that is not finite, or order 0, so that
 * its steps do not follow X_H.  *why, which may be NULL, is then a sentence about it in static storage; else "". */
sw_status sw_tableau_examine(const sw_tableau *tableau, sw_tableau_report *report,
                             const char **why);

/* The tableau of the base method of that name; NULL where there is none.  Static storage. */
const sw_tableau *sw_base_tableau(const char *name);

/* Order of a base method, and whether phi_h o phi_{-h} = id.  Errors: SW_ERR_OPTION where there is none of that name. */
sw_status sw_base_info(const char *name, int *order, int *symmetric);

/* NULL-terminated list of the names; and one of all that sw_options.base takes, with those of base methods that are no
 * tableaus.  Static storage. */
const char *const *sw_base_names(void);
const char *const *sw_base_choices(void);

#ifdef __cplusplus
}
#endif

#endif
