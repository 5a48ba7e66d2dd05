/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/conditioning.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <suitesparse/klu.h>

#include "linear/sparse.h"
#include "model/scale.h"

/* Divides each line by its largest entry; line[e] is the row or the column of entry e. */
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
  /* LAPACK's workspace bound for singular values without vectors. */
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
    /* The _work variant uses our scratch memory; the plain variant prints a message if its
     * allocation fails. */
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

/* KLU stores columns, and the transposed pattern has them. */
static sw_status conditioning_estimate(const sw_pattern *columns, int start[], double values[],
                                       double *condition)
{
  klu_common common;

  (void)klu_defaults(&common);
  sw_pattern_rows(columns, start);
  klu_symbolic *symbolic = klu_analyze(columns->rows, start, (int *)columns->col, &common);
  klu_numeric *numeric =
      symbolic ? klu_factor(start, (int *)columns->col, values, symbolic, &common) : NULL;
  *condition =
      numeric && klu_condest(start, values, symbolic, numeric, &common) ? common.condest : INFINITY;
  const int failed = common.status != KLU_OK && common.status != KLU_SINGULAR;
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return failed ? SW_ERR_MEMORY : SW_OK;
}

sw_status sw_condition_estimate(const sw_pattern *pattern, const double values[], double *condition)
{
  sw_pattern columns = {0};
  int *place = calloc((size_t)pattern->entries + 1, sizeof *place);
  int *start = calloc((size_t)pattern->rows + 1, sizeof *start);
  double *moved = calloc((size_t)pattern->entries + 1, sizeof *moved);
  sw_status status =
      place && start && moved ? sw_pattern_transpose(pattern, &columns, place) : SW_ERR_MEMORY;

  if (status == SW_OK) {
    for (int e = 0; e < pattern->entries; e++) {
      moved[place[e]] = values[e];
    }
    status = conditioning_estimate(&columns, start, moved, condition);
  }
  sw_pattern_free(&columns);
  free(place);
  free(start);
  free(moved);
  return status;
}

static sw_status sparse_condition(const sw_pattern *pattern, const double values[], int *rank,
                                  double *condition)
{
  const sw_status status = sw_condition_estimate(pattern, values, condition);

  if (status == SW_OK) {
    *condition = *condition * DBL_EPSILON < 1.0 ? *condition : INFINITY;
    *rank = isfinite(*condition) ? pattern->rows : -1;
  }
  return status;
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
