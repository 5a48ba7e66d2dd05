/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * component.c -- on which side of the degenerate points is a state?
 *
 * On a connected part of M^H where N_ij = {{g_i,H},g_j} is invertible, det N keeps its sign (paper 000,
 * Assumption 1 and Lemma 3.11).  A step between points where it differs has jumped over a degenerate
 * point, or to another component of M^H: the failure that the paper's Fig. 6 warns of.
 */
#include <float.h>
#include <math.h>

#include "sim_internal.h"
#include "solver/dense_lu.h"

/* sums[i] = sum_j |A_ij|, a bound of the length of row i. */
static void row_sums(const sw_pattern *pattern, const double values[], double sums[])
{
  sw_zero(sums, (size_t)pattern->rows);
  for (int e = 0; e < pattern->entries; e++) {
    sums[pattern->row[e]] += fabs(values[e]);
  }
}

int sw_component_sign(sw_sim *sim, const double z[])
{
  const sw_model *model = sim->model;
  const sw_pattern *pattern = &model->nondegeneracy_pattern;
  const int m = model->nc;
  sw_component *c = &sim->component;
  int sign = 1;

  model->nondegeneracy(z, sim->k, c->values);
  model->constraint_jac(z, sim->k, sim->shake.jac);
  model->hidden_jac(z, sim->k, sim->slide.jac);
  row_sums(&model->constraint_jac_pattern, sim->shake.jac, c->g);
  row_sums(&model->hidden_jac_pattern, sim->slide.jac, c->rho);
  sw_zero(c->N, (size_t)m * (size_t)m);
  for (int e = 0; e < pattern->entries; e++) {
    /* What is at the round-off of the bracket {rho_i, g_j} is no entry. */
    const double floor = 64.0 * DBL_EPSILON * c->rho[pattern->row[e]] * c->g[pattern->col[e]];
    if (!isfinite(c->values[e]) || !isfinite(floor)) {
      return SW_SIGN_NOT_FINITE;
    }
    if (fabs(c->values[e]) > floor) {
      sw_row(c->N, m, pattern->col[e])[pattern->row[e]] = c->values[e];
    }
  }
  if (sw_lu_factor(m, c->N, c->exchange) != 0) {
    return 0;
  }
  for (int j = 0; j < m; j++) {
    sign = sw_row(c->N, m, j)[j] < 0.0 ? -sign : sign;
    sign = c->exchange[j] != j ? -sign : sign;
  }
  return sign;
}
