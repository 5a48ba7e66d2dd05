/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/row_runs.h"

#include <stdlib.h>

/* The run of row i alone, of which the entries are from .. end-1. */
static sw_run run_of(const sw_pattern *A, int i, int from, int end)
{
  sw_run run = {i, i + 1, end - from, from, 1, end > from ? A->col[from] : 0, 0};

  for (int e = from + 1; e < end; e++) {
    run.is_dense &= A->col[e] == A->col[e - 1] + 1;
  }
  return run;
}

/* Takes a row into the run before it; returns 0 where it does not fit. */
static int extend(sw_run *run, const sw_run *row)
{
  const int rows = run->end - run->first;
  const int step = row->col - run->col;

  if (row->width != run->width || row->is_dense != run->is_dense ||
      (run->is_dense && rows > 1 && step != rows * run->step)) {
    return 0;
  }
  if (rows == 1) {
    run->step = step;
  }
  run->end = row->end;
  return 1;
}

/* Fills `run` unless it is NULL; returns how many runs there are.  dense: whether those are told from others. */
static int find_runs(const sw_pattern *A, int dense, sw_run run[])
{
  sw_run last = {0};
  int n = 0;
  int e = 0;

  for (int i = 0; i < A->rows; i++) {
    const int from = e;
    while (e < A->entries && A->row[e] == i) {
      e++;
    }
    sw_run row = run_of(A, i, from, e);
    row.is_dense &= dense;
    if (n == 0 || !extend(&last, &row)) {
      last = row;
      n++;
    }
    if (run) {
      run[n - 1] = last;
    }
  }
  return n;
}

sw_status sw_runs_create(const sw_pattern *A, sw_runs *runs)
{
  int dense = 1;

  runs->n = find_runs(A, dense, NULL);
  if (runs->n > A->rows / 16) {
    /* That makes more runs than it is worth. */
    dense = 0;
    runs->n = find_runs(A, dense, NULL);
  }
  runs->run = calloc((size_t)runs->n + 1, sizeof *runs->run);
  if (!runs->run) {
    return SW_ERR_MEMORY;
  }
  (void)find_runs(A, dense, runs->run);
  return SW_OK;
}

void sw_runs_free(sw_runs *runs)
{
  free(runs->run);
  *runs = (sw_runs){0, NULL};
}
