/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/tableau.h -- the tableau of a base method phi_h: a partitioned Runge-Kutta method for
 * zdot = X_H.
 *
 *   Q_i = q + h sum_j a_ij H_p(Q_j,P_j)      q1 = q + h sum_j b_j H_p(Q_j,P_j)
 *   P_i = p - h sum_j A_ij H_q(Q_j,P_j)      p1 = p - h sum_j B_j H_q(Q_j,P_j)          i, j = 1..s
 *
 * A_ij and B_j are the paper's a^_ij and b^_j. The zeros of the coefficients and the structure of H
 * determine which stages are explicit and which need a solve. SHAKE and RATTLE over a method of
 * order r have order min(r, 2), because the constraint forces act as impulses at the ends of a
 * step.
 */
#ifndef SIDEWINDER_TABLEAU_H
#define SIDEWINDER_TABLEAU_H

#include "sidewinder/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SW_TABLEAU_STAGES 16 /* largest number of stages */
#define SW_TABLEAU_NAME   64 /* bytes of a name with its terminating 0 */

typedef struct sw_tableau {
  const char *name;
  int stages;          /* s */
  const double *A;     /* s x s, row-major */
  const double *b;     /* s */
  const double *A_hat; /* s x s; NULL if equal to A */
  const double *b_hat; /* s; NULL if equal to b */
} sw_tableau;

/* Properties of the coefficients for general H. Each condition is tested to 1e-13 of the sizes of
 * its terms. */
typedef struct sw_tableau_report {
  int order;             /* 0 to 4; conditions of higher order are not tested */
  int symplectic;        /* 1 if b_i A_ij + B_j a_ji = b_i B_j and b_i = B_i */
  double not_symplectic; /* largest residual of these conditions */
  int symmetric;         /* 1 if phi_{-h} o phi_h = id; stage i of the adjoint is stage s+1-i */
  /* largest difference between the coefficients of the method and of its adjoint */
  double not_symmetric;
  int unknowns;           /* implicit stage values in units of d, for H that is not separable */
  int unknowns_separable; /* the same for H(q,p) = T(p) + V(q) */
} sw_tableau_report;

/* Validates and analyses a tableau.
 * Errors: SW_ERR_OPTION for a missing name or a name of SW_TABLEAU_NAME bytes or more, a number of
 * stages outside 1..SW_TABLEAU_STAGES, A or b NULL, only one of A_hat and b_hat, a value that is
 * not finite, or order 0. Then *why is the reason in one sentence, in static storage; otherwise "".
 * `why` may be NULL. */
sw_status sw_tableau_examine(const sw_tableau *tableau, sw_tableau_report *report,
                             const char **why);

/* The tableau of the base method `name`, or NULL if there is none. Static storage. */
const sw_tableau *sw_base_tableau(const char *name);

/* Order of the base method `name`; *symmetric is 1 if phi_h o phi_{-h} = id.
 * Errors: SW_ERR_OPTION for an unknown name. */
sw_status sw_base_info(const char *name, int *order, int *symmetric);

/* NULL-terminated lists in static storage: the names of the tableaus, and all names that
 * sw_options.base accepts, which include base methods without a tableau. */
const char *const *sw_base_names(void);
const char *const *sw_base_choices(void);

#ifdef __cplusplus
}
#endif

#endif
