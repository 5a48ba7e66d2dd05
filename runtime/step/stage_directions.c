/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stage_directions.c -- the exact linearisation of the stages of a base method, at their last
 * values.
 */
#include "step/stages.h"

#include "linear/sparse.h"

/* Y += A X for the entry a of A in row i and column j. */
static void add_entry(int n, double a, int i, int j, const double X[], double Y[])
{
  sw_add_scaled(n, a, sw_const_row(X, n, j), sw_row(Y, n, i));
}

/* Directions of Dg(Q)^T lambda, added to those of H_q: DF, d x n, from DQ, and from DL, m x n. */
static void add_force_directions(sw_stages *s, int i, int n, const double DQ[], const double DL[],
                                 double DF[])
{
  const sw_pattern *of_z = &s->system->fibre_flow_z_pattern;
  const sw_pattern *of_lambda = &s->system->fibre_flow_lambda_pattern;
  const int d = s->system->nq;

  (void)sw_copy_and_zero(s->point, s->at[s->plan->slope[i].q], (size_t)d);
  s->system->fibre_flow_z(s->system, s->point, s->k, sw_stages_multipliers(s, i), s->flow_z);
  s->system->fibre_flow_lambda(s->system, s->point, s->k, sw_stages_multipliers(s, i),
                               s->flow_lambda);
  for (int e = 0; e < of_z->entries; e++) {
    if (of_z->row[e] >= d && of_z->col[e] < d) {
      add_entry(n, -s->flow_z[e], of_z->row[e] - d, of_z->col[e], DQ, DF);
    }
  }
  for (int e = 0; e < of_lambda->entries; e++) {
    add_entry(n, -s->flow_lambda[e], of_lambda->row[e] - d, of_lambda->col[e], DL, DF);
  }
}

const double *sw_stages_forced_along(const sw_stages *s, int i)
{
  return s->made[s->plan->slope[sw_stage_plan_force_slope(s->plan, i)].q];
}

/* DF = H_qq DQ + H_qp DP and DV = H_pq DQ + H_pp DP, d x n each. If DQ or DP is NULL, H is
 * separable, and the terms of that argument are skipped. */
static void hessian_times(const sw_pattern *lower, int d, const double H[], int n,
                          const double DQ[], const double DP[], double DF[], double DV[])
{
  if (DQ) {
    sw_zero(DF, (size_t)d * (size_t)n);
  }
  if (DP) {
    sw_zero(DV, (size_t)d * (size_t)n);
  }
  for (int e = 0; e < lower->entries; e++) {
    const int i = lower->row[e];
    const int j = lower->col[e];
    if (i < d) {
      if (!DQ) {
        continue;
      }
      add_entry(n, H[e], i, j, DQ, DF);
      if (i != j) {
        add_entry(n, H[e], j, i, DQ, DF);
      }
    } else if (!DP) {
      break; /* rows of momenta come last */
    } else if (j >= d) {
      add_entry(n, H[e], i - d, j - d, DP, DV);
      if (i != j) {
        add_entry(n, H[e], j - d, i - d, DP, DV);
      }
    } else if (DQ) {
      add_entry(n, H[e], i - d, j, DQ, DV);
      add_entry(n, H[e], j, i - d, DP, DF);
    }
  }
}

/* The Hessian of a slope; made[i]: for a separable H, whether Hessian i is already evaluated. */
static const double *hessian_at(sw_stages *s, int i, int made[])
{
  const sw_stage_slope *slope = &s->plan->slope[i];
  const int of_slope[2] = {slope->q, slope->p};
  const int *at = s->plan->separable ? s->plan->hessian_at[slope->hessian] : of_slope;
  const size_t d = (size_t)s->system->nq;
  double *hessian = s->hessian[slope->hessian];

  if (made[slope->hessian]) {
    return hessian;
  }
  made[slope->hessian] = s->plan->separable;
  sw_copy(s->point, s->at[at[0]], d);
  sw_copy(s->point + d, s->at[at[1]], d);
  s->system->hamiltonian_hess(s->system, s->point, s->k, hessian);
  return hessian;
}

void sw_stages_directions(sw_stages *s, double h, int n, int of_unknowns, const double DY[],
                          const double DL[], const double DX[], double DR[], double DZ[])
{
  const sw_stage_plan *plan = s->plan;
  const int d = s->system->nq;
  const size_t size = (size_t)d * (size_t)n;
  const double *read[SW_VALUES_MOST];
  double **made = s->made;
  int have[SW_SLOPES_MOST] = {0};

  for (int v = 0; v < plan->values; v++) {
    const sw_stage_value *value = &plan->value[v];
    const double *start = DY + (value->half ? size : 0);
    made[v] = v < SW_VALUE_Q1         ? NULL
              : v < SW_VALUES_OF_ENDS ? DZ + (value->half ? size : 0)
                                      : s->dvalue[v];
    read[v] = v < SW_VALUE_Q1    ? start
              : value->block < 0 ? made[v]
                                 : DX + (size_t)value->block * size;
    if (v >= SW_VALUE_Q1 && value->is_start) {
      sw_copy(made[v], start, size);
    }
  }
  for (int i = 0; i < plan->slopes; i++) {
    const sw_stage_slope *slope = &plan->slope[i];
    const int changes = !of_unknowns || s->is_solved[i];
    if (changes) {
      hessian_times(&s->system->hamiltonian_hess_pattern, d, hessian_at(s, i, have), n,
                    slope->q < 0 ? NULL : read[slope->q], slope->p < 0 ? NULL : read[slope->p],
                    s->dslope, s->dslope + size);
    }
    if (changes && s->is_forced && slope->force >= 0) {
      const size_t first = (size_t)slope->force * (size_t)s->system->nc * (size_t)n;
      add_force_directions(s, i, n, read[slope->q], DL + first, s->dslope);
    }
    for (int t = slope->first; t < slope->last; t++) {
      const sw_stage_push *push = &plan->push[t];
      const int half = plan->value[push->value].half;
      if (push->is_first) {
        sw_copy(made[push->value], read[half], size);
      }
      const double by = h * push->weight * (half ? s->of_force : 1.0);
      for (size_t j = 0; changes && j < size; j++) {
        made[push->value][j] += by * s->dslope[(half ? 0 : size) + j];
      }
    }
  }
  for (int b = 0; b < plan->blocks; b++) {
    const double *value = made[plan->block_value[b]];
    for (size_t j = 0; j < size; j++) {
      DR[(size_t)b * size + j] = DX[(size_t)b * size + j] - value[j];
    }
  }
}
