/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/tableau.h"

#include <stdio.h>

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
