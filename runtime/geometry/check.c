/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check.c -- the theory's assumptions, evaluated at one state.
 */
#include "geometry/check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "geometry/condition.h"
#include "geometry/residuals.h"
#include "scale.h"
#include "system/validate.h"

/* Scratch memory, one block. */
typedef struct {
  sw_residual_scratch residual;
  double *norm_g;   /* m: |grad g_i| */
  double *norm_rho; /* m: |grad rho_i| */
  double *entries;  /* values of C, then those of N */
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
static double relative_coisotropy(const sw_system *system, const double k[], const double z[],
                                  const check_scratch *s)
{
  const sw_pattern *pattern = &system->coisotropy_pattern;

  system->coisotropy(system, z, k, s->entries);
  for (int e = 0; e < pattern->entries; e++) {
    const double norms = s->norm_g[pattern->row[e]] * s->norm_g[pattern->col[e]];
    s->entries[e] /= sw_nonzero_scale(norms);
  }
  return sw_max_abs((size_t)pattern->entries, s->entries);
}

/* The values of N.  An entry N_ij = grad rho_i . J grad g_j at the round-off of that product is zero;
 * equilibration would blow it up.  Returns 0 where an entry is not finite. */
static int fill_nondegeneracy(const sw_system *system, const double k[], const double z[],
                              const check_scratch *s)
{
  const sw_pattern *pattern = &system->nondegeneracy_pattern;

  system->nondegeneracy(system, z, k, s->entries);
  for (int e = 0; e < pattern->entries; e++) {
    const double size = s->norm_rho[pattern->row[e]] * s->norm_g[pattern->col[e]];
    if (!isfinite(s->entries[e]) || !isfinite(size)) {
      return 0;
    }
    if (!(fabs(s->entries[e]) > 64.0 * DBL_EPSILON * size)) {
      s->entries[e] = 0.0;
    }
  }
  return 1;
}

static sw_status check_constraints(const sw_system *system, const double k[], const double z[],
                                   const check_scratch *s, sw_check *result)
{
  const sw_residual g = sw_residual_g(system, k, z, &s->residual);

  row_norms(&system->constraint_jac_pattern, s->residual.jac, s->norm_g);
  const sw_residual hidden = sw_residual_hidden(system, k, z, &s->residual);

  row_norms(&system->hidden_jac_pattern, s->residual.jac, s->norm_rho);
  result->residual_g = g.largest;
  result->scaled_g = g.scaled;
  result->worst_g = g.worst;
  result->residual_hidden = hidden.largest;
  result->scaled_hidden = hidden.scaled;
  result->worst_hidden = hidden.worst;
  result->coisotropy = relative_coisotropy(system, k, z, s);
  if (!isfinite(g.largest) || !isfinite(hidden.largest) || !isfinite(result->coisotropy) ||
      !fill_nondegeneracy(system, k, z, s)) {
    return SW_ERR_NOT_FINITE;
  }
  return sw_condition(&system->nondegeneracy_pattern, s->entries, &result->rank,
                      &result->condition);
}

static size_t largest_of(int a, int b)
{
  return (size_t)(a > b ? a : b);
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

  const size_t m = (size_t)system->nc;
  const size_t jac =
      largest_of(system->constraint_jac_pattern.entries, system->hidden_jac_pattern.entries);
  const size_t entries =
      largest_of(system->coisotropy_pattern.entries, system->nondegeneracy_pattern.entries);
  double *block = calloc(5 * m + jac + entries, sizeof *block);
  if (!block) {
    return SW_ERR_MEMORY;
  }
  const check_scratch scratch = {
      .residual = {block, block + m, block + 2 * m, block + 5 * m},
      .norm_g = block + 3 * m,
      .norm_rho = block + 4 * m,
      .entries = block + 5 * m + jac,
  };

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
