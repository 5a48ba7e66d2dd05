/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_check.c -- evaluates the assumptions of the theory at one state.
 */
#include "checks/model_check.h"

#include <math.h>
#include <stdlib.h>

#include "checks/bracket_terms.h"
#include "checks/conditioning.h"
#include "checks/residuals.h"
#include "model/validate.h"

/* Scratch memory in one block. */
typedef struct {
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
  double *block = calloc(7 * m + jac + entries, sizeof *block);
  if (!block) {
    return SW_ERR_MEMORY;
  }
  const check_scratch scratch = {
      .residual = {block, block + m, block + 2 * m, block + 7 * m},
      .g = {block + 3 * m, block + 4 * m},
      .rho = {block + 5 * m, block + 6 * m},
      .entries = block + 7 * m + jac,
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
