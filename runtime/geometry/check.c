/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check.c -- the theory's assumptions, evaluated at one state.
 */
#include <float.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "geometry/residuals.h"
#include "sim_internal.h"

/* Scratch memory, one block. */
typedef struct {
  sw_residual_scratch residual;
  double *norm_g;       /* m: |grad g_i| */
  double *norm_rho;     /* m: |grad rho_i| */
  double *entries;      /* values of C, then those of N */
  double *N;            /* m x m, row by row */
  double *sigma;        /* m: singular values */
  double *work;         /* 10 m, LAPACK's */
  lapack_int *integers; /* 8 m, LAPACK's */
} check_scratch;

/* norms_i = |row i| of a matrix with that pattern. */
static void row_norms(const sw_pattern *pattern, const double a[], double norms[])
{
  for (int i = 0; i < pattern->rows; i++) {
    norms[i] = 0.0;
  }
  for (int e = 0; e < pattern->entries; e++) {
    norms[pattern->row[e]] = hypot(norms[pattern->row[e]], a[e]);
  }
}

/* max |C_ij| / (|grad g_i| |grad g_j|).  NaN where an entry is not finite. */
static double relative_coisotropy(const sw_model *model, const double k[], const double z[],
                                  const check_scratch *s)
{
  const sw_pattern *pattern = &model->coisotropy_pattern;

  model->coisotropy(z, k, s->entries);
  for (int e = 0; e < pattern->entries; e++) {
    const double norms = s->norm_g[pattern->row[e]] * s->norm_g[pattern->col[e]];
    s->entries[e] /= sw_nonzero_scale(norms);
  }
  return sw_max_abs((size_t)pattern->entries, s->entries);
}

/* Divides each line (row or column) of N by its largest entry. */
static void equilibrate(int m, double N[], size_t from_line, size_t along_line)
{
  for (int i = 0; i < m; i++) {
    double *line = N + (size_t)i * from_line;
    double largest = 0.0;

    for (int j = 0; j < m; j++) {
      largest = fmax(largest, fabs(line[(size_t)j * along_line]));
    }
    for (int j = 0; j < m; j++) {
      line[(size_t)j * along_line] /= sw_nonzero_scale(largest);
    }
  }
}

/* N as a dense matrix.  An entry N_ij = grad rho_i . J grad g_j at the round-off of that product is
 * zero; equilibration would blow it up.  Returns 0 where an entry is not finite. */
static int fill_nondegeneracy(const sw_model *model, const double k[], const double z[],
                              const check_scratch *s)
{
  const sw_pattern *pattern = &model->nondegeneracy_pattern;
  const int m = model->nc;

  sw_zero(s->N, (size_t)m * (size_t)m);
  model->nondegeneracy(z, k, s->entries);
  for (int e = 0; e < pattern->entries; e++) {
    const double size = s->norm_rho[pattern->row[e]] * s->norm_g[pattern->col[e]];
    if (!isfinite(s->entries[e]) || !isfinite(size)) {
      return 0;
    }
    if (fabs(s->entries[e]) > 64.0 * DBL_EPSILON * size) {
      sw_row(s->N, m, pattern->row[e])[pattern->col[e]] = s->entries[e];
    }
  }
  return 1;
}

/* rank and condition of N, from the singular values of the equilibrated matrix. */
static sw_status analyse_nondegeneracy(const sw_model *model, const check_scratch *s,
                                       sw_check *result)
{
  const int m = model->nc;
  double unused = 0.0;
  /* The bound of LAPACK's manual for singular values without vectors. */
  const lapack_int work = 10 * m;

  equilibrate(m, s->N, (size_t)m, 1);
  equilibrate(m, s->N, 1, (size_t)m);
  /* The variant that is given its scratch memory: the other one prints when it gets none.  N by
   * columns is the transpose, which has the same singular values. */
  const lapack_int info = LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'N', m, m, s->N, m, s->sigma,
                                              &unused, m, &unused, m, s->work, work, s->integers);

  if (info != 0) {
    return SW_ERR_NOT_CONVERGED;
  }
  result->rank = 0;
  for (int i = 0; i < m; i++) {
    result->rank += s->sigma[i] > 16.0 * (double)m * DBL_EPSILON * s->sigma[0];
  }
  result->condition = result->rank == m ? s->sigma[0] / s->sigma[m - 1] : INFINITY;
  return SW_OK;
}

static sw_status check_constraints(const sw_model *model, const double k[], const double z[],
                                   const check_scratch *s, sw_check *result)
{
  const sw_residual g = sw_residual_g(model, k, z, &s->residual);

  row_norms(&model->constraint_jac_pattern, s->residual.jac, s->norm_g);
  const sw_residual hidden = sw_residual_hidden(model, k, z, &s->residual);

  row_norms(&model->hidden_jac_pattern, s->residual.jac, s->norm_rho);
  result->residual_g = g.largest;
  result->scaled_g = g.scaled;
  result->worst_g = g.worst;
  result->residual_hidden = hidden.largest;
  result->scaled_hidden = hidden.scaled;
  result->worst_hidden = hidden.worst;
  result->coisotropy = relative_coisotropy(model, k, z, s);
  if (!isfinite(g.largest) || !isfinite(hidden.largest) || !isfinite(result->coisotropy) ||
      !fill_nondegeneracy(model, k, z, s)) {
    return SW_ERR_NOT_FINITE;
  }
  return analyse_nondegeneracy(model, s, result);
}

static size_t largest_of(int a, int b)
{
  return (size_t)(a > b ? a : b);
}

sw_status sw_model_check(const sw_model *model, const double k[], const double z[],
                         sw_check *result)
{
  sw_status status = sw_model_validate(model);

  if (status == SW_OK && (!z || !result)) {
    status = SW_ERR_ARGUMENT;
  }
  if (status != SW_OK) {
    return status;
  }
  *result = (sw_check){.condition = 1.0, .worst_g = -1, .worst_hidden = -1};
  for (int i = 0; i < 2 * model->nq; i++) {
    if (!isfinite(z[i])) {
      return SW_ERR_ARGUMENT;
    }
  }
  if (model->nc == 0) {
    return SW_OK;
  }

  const size_t m = (size_t)model->nc;
  const size_t jac =
      largest_of(model->constraint_jac_pattern.entries, model->hidden_jac_pattern.entries);
  const size_t entries =
      largest_of(model->coisotropy_pattern.entries, model->nondegeneracy_pattern.entries);
  /* A lapack_int is no larger than a double. */
  const size_t linear = 24 * m + jac + entries;

  if (m > INT_MAX / 10 || m > (SIZE_MAX / sizeof(double) - linear) / m) {
    return SW_ERR_MEMORY;
  }
  double *block = calloc(m * m + linear, sizeof *block);
  if (!block) {
    return SW_ERR_MEMORY;
  }
  const check_scratch scratch = {
      .residual = {block, block + m, block + 2 * m, block + 6 * m},
      .norm_g = block + 3 * m,
      .norm_rho = block + 4 * m,
      .sigma = block + 5 * m,
      .entries = block + 6 * m + jac,
      .work = block + 6 * m + jac + entries,
      .integers = (lapack_int *)(void *)(block + 16 * m + jac + entries),
      .N = block + linear,
  };

  status = check_constraints(model, k ? k : model->k_default, z, &scratch, result);
  free(block);
  return status;
}
