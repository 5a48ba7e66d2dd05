/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/conditioning.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "linear/linear_solver.h"
#include "linear/sparse.h"
#include "model/scale.h"

/* Divides each line (row or column, as line[e] says) by its largest entry. */
static void equilibrate(const sw_pattern *pattern, const int line[], double values[],
                        double largest[])
{
  sw_zero(largest, (size_t)pattern->rows);
  for (int e = 0; e < pattern->entries; e++) {
    largest[line[e]] = fmax(largest[line[e]], fabs(values[e]));
  }
  for (int e = 0; e < pattern->entries; e++) {
    values[e] /= sw_nonzero_scale(largest[line[e]]);
  }
}

static sw_status dense_condition(const sw_pattern *pattern, const double values[], int *rank,
                                 double *condition)
{
  const int n = pattern->rows;
  const size_t size = (size_t)n;
  /* The bound of LAPACK's manual for singular values without vectors. */
  const lapack_int work = 10 * n;
  double unused = 0.0;
  double *block = calloc(size * size + 11 * size, sizeof *block);
  lapack_int *integers = calloc(8 * size, sizeof *integers);
  sw_status status = SW_ERR_MEMORY;

  if (block && integers) {
    double *sigma = block + size * size;
    for (int e = 0; e < pattern->entries; e++) {
      sw_row(block, n, pattern->col[e])[pattern->row[e]] = values[e];
    }
    /* The variant that is given its scratch memory: the other one prints when it gets none. */
    const lapack_int info =
        LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'N', n, n, block, n, sigma, &unused, n, &unused, n,
                            sigma + size, work, integers);
    status = info == 0 ? SW_OK : SW_ERR_NOT_CONVERGED;
    *rank = 0;
    for (int i = 0; i < n && info == 0; i++) {
      *rank += sigma[i] > 16.0 * (double)n * DBL_EPSILON * sigma[0];
    }
    *condition = *rank == n ? sigma[0] / sigma[n - 1] : INFINITY;
  }
  free(block);
  free(integers);
  return status;
}

static sw_status sparse_condition(const sw_pattern *pattern, const double values[], int *rank,
                                  double *condition)
{
  sw_linear *linear = NULL;
  const sw_status status = sw_linear_create(pattern, &linear);

  if (status != SW_OK) {
    return status;
  }
  const int singular = sw_linear_factor(linear, values) != SW_OK;
  *rank = singular ? -1 : pattern->rows;
  *condition = singular ? INFINITY : sw_linear_condition(linear, values);
  sw_linear_free(&linear);
  return SW_OK;
}

sw_status sw_condition(const sw_pattern *pattern, double values[], int *rank, double *condition)
{
  double *largest = calloc((size_t)pattern->rows + 1, sizeof *largest);

  if (!largest) {
    return SW_ERR_MEMORY;
  }
  equilibrate(pattern, pattern->col, values, largest);
  equilibrate(pattern, pattern->row, values, largest);
  free(largest);
  return pattern->rows <= SW_CONDITION_DENSE ? dense_condition(pattern, values, rank, condition)
                                             : sparse_condition(pattern, values, rank, condition);
}
