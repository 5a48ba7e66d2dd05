/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/tableau.h -- copies, adjoints and properties of tableaus.
 */
#ifndef SIDEWINDER_STEP_TABLEAU_H
#define SIDEWINDER_STEP_TABLEAU_H

#include "sidewinder/tableau.h"

/* A tableau that owns its coefficients. */
typedef struct sw_own_tableau {
  sw_tableau tableau; /* its pointers refer to this struct */
  char name[SW_TABLEAU_NAME];
  double A[SW_TABLEAU_STAGES * SW_TABLEAU_STAGES];
  double A_hat[SW_TABLEAU_STAGES * SW_TABLEAU_STAGES];
  double b[SW_TABLEAU_STAGES];
  double b_hat[SW_TABLEAU_STAGES];
} sw_own_tableau;

/* The adjoint phi*_h = phi_{-h}^{-1}: a*_ij = b_{s+1-j} - a_{s+1-i,s+1-j}, b*_j = b_{s+1-j}, and
 * likewise A^ and b^. *tableau must be valid. */
void sw_tableau_adjoint(const sw_tableau *tableau, sw_own_tableau *adjoint);

/* Copies a tableau with its coefficients. */
void sw_tableau_copy(const sw_tableau *tableau, sw_own_tableau *copy);

/* 1 if every stage depends on earlier stages alone, with the same coefficients for positions and
 * momenta. */
int sw_tableau_is_explicit(const sw_tableau *tableau);

/* 1 if Q_1 = q, Q_s = q1, the first force acts equally on all momenta, and the last force acts on
 * p1 alone, as in the Lobatto IIIA-IIIB methods. These two forces are impulses at the start and at
 * the end (methods/lobatto.c). */
int sw_tableau_is_lobatto(const sw_tableau *tableau);

/* 1 if A and A^ are invertible, so that any stage values correspond to slopes. */
int sw_tableau_is_invertible(const sw_tableau *tableau);

/* The coefficients of positions (half 0) and momenta (half 1). */
static inline const double *sw_tableau_A(const sw_tableau *t, int half)
{
  return half && t->A_hat ? t->A_hat : t->A;
}

static inline const double *sw_tableau_b(const sw_tableau *t, int half)
{
  return half && t->b_hat ? t->b_hat : t->b;
}

#endif
