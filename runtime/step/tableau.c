/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/tableau.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
  (void)snprintf(adjoint->name, sizeof adjoint->name, "%s", tableau->name);
  adjoint->tableau =
      (sw_tableau){adjoint->name, s, adjoint->A, adjoint->b, adjoint->A_hat, adjoint->b_hat};
}

void sw_tableau_copy(const sw_tableau *tableau, sw_own_tableau *copy)
{
  const int s = tableau->stages;

  for (int i = 0; i < s * s; i++) {
    copy->A[i] = tableau->A[i];
    copy->A_hat[i] = sw_tableau_A(tableau, 1)[i];
  }
  for (int i = 0; i < s; i++) {
    copy->b[i] = tableau->b[i];
    copy->b_hat[i] = sw_tableau_b(tableau, 1)[i];
  }
  (void)snprintf(copy->name, sizeof copy->name, "%s", tableau->name);
  copy->tableau = (sw_tableau){copy->name, s, copy->A, copy->b, copy->A_hat, copy->b_hat};
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

/* 1 if elimination, which overwrites the matrix of s rows, finds a pivot above `least` in each
 * column. */
static int has_all_pivots(int s, double A[], double least)
{
  for (int j = 0; j < s; j++) {
    int best = j;
    for (int i = j + 1; i < s; i++) {
      best = fabs(A[i * s + j]) > fabs(A[best * s + j]) ? i : best;
    }
    if (!(fabs(A[best * s + j]) > least)) {
      return 0;
    }
    for (int k = j; k < s; k++) {
      const double kept = A[j * s + k];
      A[j * s + k] = A[best * s + k];
      A[best * s + k] = kept;
    }
    for (int i = j + 1; i < s; i++) {
      const double factor = A[i * s + j] / A[j * s + j];
      for (int k = j; k < s; k++) {
        A[i * s + k] -= factor * A[j * s + k];
      }
    }
  }
  return 1;
}

int sw_tableau_is_invertible(const sw_tableau *tableau)
{
  static const double least =
      1e-13; /* the accuracy required of coefficients (sidewinder/tableau.h) */
  const int s = tableau->stages;
  int is = 1;

  for (int half = 0; half < 2; half++) {
    double A[SW_TABLEAU_STAGES * SW_TABLEAU_STAGES];
    memcpy(A, sw_tableau_A(tableau, half), (size_t)s * (size_t)s * sizeof *A);
    is = is && has_all_pivots(s, A, least);
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
