/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_check.c -- evaluates the assumptions of the theory at one state.
 */
#include "checks/model_check.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <suitesparse/klu.h>

#include "checks/bracket_terms.h"
#include "checks/residuals.h"
#include "linear/sparse.h"
#include "model/scale.h"
#include "model/validate.h"

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

/* Rank and condition number of the matrix after its columns, and then its rows, are divided by
 * their largest entries. The scaling removes the units of the unknowns; the equations must have one
 * unit. For at most SW_CONDITION_DENSE rows, the condition is the ratio of the extreme singular
 * values. For larger matrices it is a 1-norm estimate from a sparse factorisation, and the rank is
 * n, or -1 (unknown) if there is no factorisation. The condition of a singular matrix is infinite.
 * values: must be finite; overwritten.
 * Errors: SW_ERR_MEMORY, SW_ERR_NOT_CONVERGED (the singular values; practically never). */
static sw_status sw_condition(const sw_pattern *pattern, double values[], int *rank,
                              double *condition)
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

/* Scratch memory in one block. */
typedef struct check_scratch {
  const sw_system *system;
  sw_residual_scratch residual;
  sw_gradients g;   /* m */
  sw_gradients rho; /* m */
  double *entries;  /* values of C, then those of N */
} check_scratch;

/* max |C_ij| / (size of the bracket's terms). NaN if an entry is not finite. */
static double relative_coisotropy(const sw_system *system, const double k[], const double z[],
                                  const check_scratch *s)
{
  const sw_pattern *pattern = &system->coisotropy_pattern;

  system->coisotropy(system, z, k, s->entries);
  for (int e = 0; e < pattern->entries; e++) {
    s->entries[e] = sw_bracket_relative(s->entries[e], s->g, pattern->row[e], pattern->col[e]);
  }
  return sw_max_abs((size_t)pattern->entries, s->entries);
}

static sw_status check_constraints(const sw_system *system, const double k[], const double z[],
                                   const check_scratch *s, sw_check *result)
{
  const sw_sizes size = sw_sizes_of(system, z);
  sw_requirement of_g;
  sw_requirement of_rho;

  sw_requirement_open(&of_g, system, k, 0);
  sw_requirement_open(&of_rho, system, k, 1);
  const sw_residual g = sw_residual_at(&of_g, z, size, &s->residual);

  sw_gradients_of(&system->constraint_jac_pattern, s->residual.jac, system->nq, s->g);
  const sw_residual hidden = sw_residual_at(&of_rho, z, size, &s->residual);

  sw_gradients_of(&system->hidden_jac_pattern, s->residual.jac, system->nq, s->rho);
  result->residual_g = g.largest;
  result->scaled_g = g.scaled;
  result->worst_g = g.worst;
  result->residual_hidden = hidden.largest;
  result->scaled_hidden = hidden.scaled;
  result->worst_hidden = hidden.worst;
  result->coisotropy = relative_coisotropy(system, k, z, s);
  if (!isfinite(g.largest) || !isfinite(hidden.largest) || !isfinite(result->coisotropy)) {
    return SW_ERR_NOT_FINITE;
  }
  system->nondegeneracy(system, z, k, s->entries);
  if (!sw_nondegeneracy_clean(&system->nondegeneracy_pattern, s->g, s->rho, size, s->entries)) {
    return SW_ERR_NOT_FINITE;
  }
  return sw_condition(&system->nondegeneracy_pattern, s->entries, &result->rank,
                      &result->condition);
}

static void carve(sw_carver *c, void *of)
{
  check_scratch *s = of;
  const size_t m = (size_t)s->system->nc;
  const int entries = sw_larger_int(s->system->coisotropy_pattern.entries,
                                    s->system->nondegeneracy_pattern.entries);

  sw_residual_carve(c, s->system, &s->residual);
  sw_residual_carve_jac(c, s->system, &s->residual);
  SW_CARVE(c, m, 1, &s->g.q, &s->g.p, &s->rho.q, &s->rho.p);
  s->entries = sw_carve(c, (size_t)entries, 1);
}

sw_status sw_system_check(const sw_system *system, const double k[], const double z[],
                          sw_check *result)
{
  if (!z || !result) {
    return SW_ERR_ARGUMENT;
  }
  *result = (sw_check){.condition = 1.0, .worst_g = -1, .worst_hidden = -1};
  for (int i = 0; i < 2 * system->nq; i++) {
    if (!isfinite(z[i])) {
      return SW_ERR_ARGUMENT;
    }
  }
  if (system->nc == 0) {
    return SW_OK;
  }
  check_scratch scratch = {.system = system};
  void *block = sw_carve_block(carve, &scratch);
  if (!block) {
    return SW_ERR_MEMORY;
  }
  const sw_status status =
      check_constraints(system, k ? k : system->k_default, z, &scratch, result);
  free(block);
  return status;
}

sw_status sw_model_check(const sw_model *model, const double k[], const double z[],
                         sw_check *result)
{
  sw_system *system = NULL;
  sw_status status = model ? sw_model_validate(model) : SW_ERR_ARGUMENT;

  if (status == SW_OK) {
    status = sw_system_create(model, 0, NULL, &system, NULL);
  }
  if (status == SW_OK) {
    status = sw_system_check(system, k, z, result);
  }
  sw_system_free(&system);
  return status;
}
