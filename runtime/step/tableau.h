/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/tableau.h -- the adjoint of a tableau.
 */
#ifndef SIDEWINDER_STEP_TABLEAU_H
#define SIDEWINDER_STEP_TABLEAU_H

#include "sidewinder/tableau.h"

/* A tableau with its coefficients. */
typedef struct sw_own_tableau {
  sw_tableau tableau; /* points into this struct */
  char name[SW_TABLEAU_NAME];
  double A[SW_TABLEAU_STAGES * SW_TABLEAU_STAGES];
  double A_hat[SW_TABLEAU_STAGES * SW_TABLEAU_STAGES];
  double b[SW_TABLEAU_STAGES];
  double b_hat[SW_TABLEAU_STAGES];
} sw_own_tableau;

/* The method phi*_h that undoes phi_{-h}: a*_ij = b_{s+1-j} - a_{s+1-i,s+1-j}, b*_j = b_{s+1-j}, and so for the
 * momenta.  *tableau has to be usable. */
void sw_tableau_adjoint(const sw_tableau *tableau, sw_own_tableau *adjoint);

/* *copy becomes that tableau. */
void sw_tableau_copy(const sw_tableau *tableau, sw_own_tableau *copy);

/* 1 where every stage is made of earlier ones, alike for positions and momenta. */
int sw_tableau_is_explicit(const sw_tableau *tableau);

/* 1 where Q_1 = q, Q_s = q1, the first force acts on all momenta alike and the last one on p1 alone, as in the Lobatto IIIA-IIIB
 * methods, so that these two are impulses at the start and at the end (methods/lobatto.c). */
int sw_tableau_is_lobatto(const sw_tableau *tableau);

/* 1 where A and A^ are invertible: any values of the stages are those of some slopes. */
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
