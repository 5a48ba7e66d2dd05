/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/inertia.h"

#include <lapacke.h>
#include <stddef.h>

int sw_inertia_negative(int n, double A[], int pivots[], double work[])
{
  int negative = 0;

  if (LAPACKE_dsytrf_work(LAPACK_COL_MAJOR, 'L', n, A, n, pivots, work, n) != 0) {
    return -1;
  }
  for (int i = 0; i < n; i++) {
    if (pivots[i] < 0) {
      /* A pivot of size 2 has one eigenvalue of each sign. */
      negative++;
      i++;
    } else {
      negative += A[(size_t)i * (size_t)n + (size_t)i] < 0.0;
    }
  }
  return negative;
}
