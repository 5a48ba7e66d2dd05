/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/tableau.h"

#include <stdio.h>

#include "common/vectors.h"
#include "linear/dense_lu.h"

/* The accuracy required of coefficients (sidewinder/tableau.h). */
static const double tolerance = 1e-13;

static void finish(const sw_tableau *of, sw_own_tableau *own)
{
  (void)snprintf(own->name, sizeof own->name, "%s", of->name);
  own->tableau = (sw_tableau){own->name, of->stages, own->A, own->b, own->A_hat, own->b_hat};
}

void sw_tableau_adjoint(const sw_tableau *tableau, sw_own_tableau *adjoint)
{
  const int s = tableau->stages;
  double *A[2] = {adjoint->A, adjoint->A_hat};
  double *b[2] = {adjoint->b, adjoint->b_hat};

  for (int half = 0; half < 2; half++) {
    const double *from_A = sw_tableau_A(tableau, half);
    const double *from_b = sw_tableau_b(tableau, half);
    for (int i = 0; i < s; i++) {
      b[half][i] = from_b[s - 1 - i];
      for (int j = 0; j < s; j++) {
        A[half][i * s + j] = from_b[s - 1 - j] - from_A[(s - 1 - i) * s + s - 1 - j];
      }
    }
  }
  finish(tableau, adjoint);
}

void sw_tableau_copy(const sw_tableau *tableau, sw_own_tableau *copy)
{
  const size_t s = (size_t)tableau->stages;

  sw_copy(copy->A, tableau->A, s * s);
  sw_copy(copy->A_hat, sw_tableau_A(tableau, 1), s * s);
  sw_copy(copy->b, tableau->b, s);
  sw_copy(copy->b_hat, sw_tableau_b(tableau, 1), s);
  finish(tableau, copy);
}

int sw_tableau_is_explicit(const sw_tableau *tableau)
{
  const int s = tableau->stages;
  int is = 1;

  for (int i = 0; i < s; i++) {
    is = is && sw_tableau_b(tableau, 1)[i] == tableau->b[i];
    for (int j = 0; j < s; j++) {
      is = is && sw_tableau_A(tableau, 1)[i * s + j] == tableau->A[i * s + j] &&
           (j < i || tableau->A[i * s + j] == 0.0);
    }
  }
  return is;
}

int sw_tableau_is_invertible(const sw_tableau *tableau)
{
  const int s = tableau->stages;
  int is = 1;

  for (int half = 0; half < 2; half++) {
    double A[SW_TABLEAU_STAGES * SW_TABLEAU_STAGES];
    int exchange[SW_TABLEAU_STAGES];
    double least = 0.0;
    sw_copy(A, sw_tableau_A(tableau, half), (size_t)s * (size_t)s);
    is = is && sw_lu_factor(s, A, exchange, &least) == 0;
    /* Entries of a tableau have no units, so the size of a pivot counts by itself. */
    for (int j = 0; j < s; j++) {
      is = is && fabs(A[j * s + j]) > tolerance;
    }
  }
  return is;
}

int sw_tableau_is_lobatto(const sw_tableau *tableau)
{
  const int s = tableau->stages;
  const double *A = sw_tableau_A(tableau, 0);
  const double *A_hat = sw_tableau_A(tableau, 1);
  int is = s > 1;

  for (int j = 0; j < s; j++) {
    is = is && A[j] == 0.0 && A[(s - 1) * s + j] == sw_tableau_b(tableau, 0)[j];
    is = is && A_hat[j * s] == sw_tableau_b(tableau, 1)[0] && A_hat[j * s + s - 1] == 0.0;
  }
  return is;
}
