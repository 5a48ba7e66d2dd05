/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/stages.h"

#include <math.h>

#include "linear/sparse.h"

/* ---- memory ---- */

/* 1 if the slope is at the start and does not depend on the step's multipliers. */
static int is_fixed(const sw_system *system, const sw_stage_slope *slope)
{
  const sw_pattern *flow = &system->fibre_flow_lambda_pattern;
  int moves[2] = {0, 0};

  for (int e = 0; e < flow->entries && system->nc > 0; e++) {
    moves[flow->row[e] >= system->nq] = 1;
  }
  return (slope->q < 0 || (slope->q == SW_VALUE_Q && !moves[0])) &&
         (slope->p < 0 || (slope->p == SW_VALUE_P && !moves[1]));
}

static int reads_half(const sw_pattern *Dg, int d, int half)
{
  int e = 0;

  while (e < Dg->entries && (Dg->col[e] >= d) != half) {
    e++;
  }
  return e < Dg->entries;
}

/* Finds the slopes that g(z1) and r depend on, by a backward pass through the plan, without the
 * fixed slopes. */
static void find_solved(sw_stages *s)
{
  const sw_stage_plan *plan = s->plan;
  int wanted[SW_VALUES_MOST] = {0};

  for (int v = 0; v < plan->values; v++) {
    wanted[v] = plan->value[v].block >= 0;
  }
  for (int i = 0; i < plan->slopes && s->is_forced; i++) {
    if (plan->slope[i].force >= 0) {
      wanted[plan->slope[i].q] = 1; /* g(Q_i) = 0 is required there */
    }
  }
  for (int half = 0; half < 2; half++) {
    wanted[SW_VALUE_Q1 + half] |=
        s->system->nc > 0 && reads_half(&s->system->constraint_jac_pattern, s->system->nq, half);
  }
  for (int i = plan->slopes - 1; i >= 0; i--) {
    const sw_stage_slope *slope = &plan->slope[i];
    int is_wanted = 0;
    for (int n = slope->first; n < slope->last; n++) {
      is_wanted |= wanted[plan->push[n].value];
    }
    if (is_wanted && slope->q >= 0) {
      wanted[slope->q] = 1;
    }
    if (is_wanted && slope->p >= 0) {
      wanted[slope->p] = 1;
    }
    s->is_solved[i] = is_wanted && !s->is_fixed[i];
  }
}

void sw_stages_open(sw_stages *s, const sw_system *system, const sw_stage_plan *plan, int is_forced,
                    const double k[])
{
  s->plan = plan;
  s->system = system;
  s->k = k;
  s->is_forced = is_forced && plan->forces > 0 && system->nc > 0;
  s->of_force = 1.0;
  for (int i = 0; i < plan->slopes; i++) {
    s->is_fixed[i] = is_fixed(system, &plan->slope[i]);
  }
  s->start = sw_stage_plan_carried(plan, &s->end);
  if (s->start >= 0 && !s->is_fixed[s->start]) {
    s->start = -1;
  }
  find_solved(s);
}

void sw_stages_carve(sw_carver *c, size_t n, sw_stages *s)
{
  const sw_stage_plan *plan = s->plan;
  const size_t d = (size_t)s->system->nq;
  double *shared = sw_carve(c, 2 * d, 1);

  s->point = sw_carve(c, 2 * d, 1);
  s->gradient = sw_carve(c, 2 * d, 1);
  for (int v = SW_VALUES_OF_ENDS; v < plan->values; v++) {
    s->value[v] = sw_carve(c, d, 1);
    s->dvalue[v] = sw_carve(c, d, n);
  }
  for (int i = 0; i < plan->slopes; i++) {
    s->slope[i] = s->is_fixed[i] || (s->start >= 0 && i == s->end) ? sw_carve(c, 2 * d, 1) : shared;
  }
  for (int i = 0; i < plan->hessians; i++) {
    s->hessian[i] = sw_carve(c, (size_t)s->system->hamiltonian_hess_pattern.entries, 1);
  }
  s->dslope = sw_carve(c, 2 * d, n);
  if (s->is_forced) {
    s->slid = sw_carve(c, 2 * d, 1);
    s->flow_lambda = sw_carve(c, (size_t)s->system->fibre_flow_lambda_pattern.entries, 1);
    s->flow_z = sw_carve(c, (size_t)s->system->fibre_flow_z_pattern.entries, 1);
  }
}

void sw_stages_forget(sw_stages *s)
{
  for (int i = 0; i < s->plan->slopes; i++) {
    s->known[i] = 0;
  }
}

void sw_stages_next(sw_stages *s)
{
  sw_stages_forget(s);
  if (s->start >= 0) {
    double *before = s->slope[s->start];
    s->slope[s->start] = s->slope[s->end];
    s->slope[s->end] = before;
    s->known[s->start] = 1;
  }
}

/* ---- constraint forces: a slide from zero momenta, Gamma_lambda(Q,0) = (Q, -Dg(Q)^T lambda)
 * ---- */

/* The m multipliers in lambda of the force in slope i. */
static const double *sw_stages_multipliers(const sw_stages *s, int i)
{
  return s->lambda + (size_t)s->plan->slope[i].force * (size_t)s->system->nc;
}

/* H_q += Dg(Q)^T lambda. */
static void add_force(sw_stages *s, int i)
{
  const size_t d = (size_t)s->system->nq;

  (void)sw_copy_and_zero(s->point, s->at[s->plan->slope[i].q], d);
  s->system->fibre_flow(s->system, s->point, s->k, sw_stages_multipliers(s, i), s->slid);
  for (size_t j = 0; j < d; j++) {
    s->slope[i][j] -= s->slid[d + j];
  }
}

const double *sw_stages_forced_at(const sw_stages *s, int i)
{
  return s->value[s->plan->slope[sw_stage_plan_force_slope(s->plan, i)].q];
}

/* ---- values ---- */

/* H_q (half 0) at the positions x, or H_p (half 1) at the momenta x, for a separable H: d values.
 * point, gradient: 2d values of scratch. */
static void sw_half_gradient(const sw_system *system, const double k[], int half, const double x[],
                             double point[], double gradient[], double out[])
{
  const size_t d = (size_t)system->nq;
  sw_system_function *own = half ? system->hamiltonian_grad_p : system->hamiltonian_grad_q;

  sw_copy(point + (size_t)half * d, x, d);
  if (own) {
    own(system, point, k, out);
  } else {
    system->hamiltonian_grad(system, point, k, gradient);
    sw_copy(out, gradient + (size_t)half * d, d);
  }
}

static inline void stages_evaluate(sw_stages *s, int i)
{
  const sw_stage_slope *slope = &s->plan->slope[i];
  const size_t d = (size_t)s->system->nq;

  if (s->is_fixed[i] && s->known[i]) {
    return;
  }
  if (slope->q < 0) {
    if (s->system->is_lifted) {
      sw_copy(s->point, s->at[SW_VALUE_Q], d);
    }
    sw_half_gradient(s->system, s->k, 1, s->at[slope->p], s->point, s->gradient, s->slope[i] + d);
  } else if (slope->p < 0) {
    sw_half_gradient(s->system, s->k, 0, s->at[slope->q], s->point, s->gradient, s->slope[i]);
  } else {
    sw_copy(s->point, s->at[slope->q], d);
    sw_copy(s->point + d, s->at[slope->p], d);
    s->system->hamiltonian_grad(s->system, s->point, s->k, s->slope[i]);
  }
  if (s->is_forced && slope->force >= 0) {
    add_force(s, i);
  }
  s->known[i] = 1;
}

/* Sets the pointers s->at for these arrays. */
static void bind(sw_stages *s, const double y[], const double x[], double z1[])
{
  const size_t d = (size_t)s->system->nq;

  for (int half = 0; half < 2; half++) {
    s->at[half] = y + (size_t)half * d;
    s->value[SW_VALUE_Q1 + half] = z1 + (size_t)half * d;
  }
  for (int v = SW_VALUE_Q1; v < s->plan->values; v++) {
    const int block = s->plan->value[v].block;
    s->at[v] = block < 0 ? s->value[v] : x + (size_t)block * d;
    if (s->plan->value[v].is_start) {
      sw_copy(s->value[v], s->at[s->plan->value[v].half], d);
    }
  }
}

void sw_stages_values(sw_stages *s, double h, const double y[], const double x[], double r[],
                      double z1[])
{
  const sw_stage_plan *plan = s->plan;
  const size_t d = (size_t)s->system->nq;

  bind(s, y, x, z1);
  for (int i = 0; i < plan->slopes; i++) {
    stages_evaluate(s, i);
    for (int n = plan->slope[i].first; n < plan->slope[i].last; n++) {
      const sw_stage_push *push = &plan->push[n];
      const int half = plan->value[push->value].half;
      const double *slope = s->slope[i] + (half ? 0 : d);
      const double *from = push->is_first ? s->at[half] : s->value[push->value];
      const double by = h * push->weight * (half ? s->of_force : 1.0);
      double *to = s->value[push->value];
      for (size_t j = 0; j < d; j++) {
        to[j] = from[j] + by * slope[j];
      }
    }
  }
  for (int b = 0; b < plan->blocks; b++) {
    const double *made = s->value[plan->block_value[b]];
    for (size_t j = 0; j < d; j++) {
      r[(size_t)b * d + j] = x[(size_t)b * d + j] - made[j];
    }
  }
}

void sw_stages_increment(sw_stages *s, double h, sw_two_sums to)
{
  const sw_stage_plan *plan = s->plan;
  const size_t d = (size_t)s->system->nq;

  for (int i = 0; i < plan->slopes; i++) {
    int is_there = 0;
    for (int n = plan->slope[i].first; n < plan->slope[i].last; n++) {
      const int half = plan->push[n].value - SW_VALUE_Q1;
      if (half != 0 && half != 1) {
        continue;
      }
      if (!is_there) {
        stages_evaluate(s, i);
        is_there = 1;
      }
      sw_two_sums_add(to, half ? d : 0, d, h * plan->push[n].weight * (half ? s->of_force : 1.0),
                      s->slope[i] + (half ? 0 : d));
    }
  }
}

void sw_stages_guess(sw_stages *s, double h, const double y[], double x[])
{
  const sw_stage_plan *plan = s->plan;
  const size_t d = (size_t)s->system->nq;

  if (plan->blocks > 0) {
    s->system->hamiltonian_grad(s->system, y, s->k, s->gradient);
  }
  for (int b = 0; b < plan->blocks; b++) {
    const int v = plan->block_value[b];
    const int half = plan->value[v].half;
    const double *slope = s->gradient + (half ? 0 : d);
    const double *start = y + (half ? d : 0);
    for (size_t j = 0; j < d; j++) {
      x[(size_t)b * d + j] = start[j] + h * plan->sum[v] * slope[j];
    }
  }
}

sw_sizes sw_stages_moved(const sw_stages *s, const double z0[], const double r[])
{
  const sw_stage_plan *plan = s->plan;
  const size_t d = (size_t)s->system->nq;
  double most[2] = {0.0, 0.0};

  for (int v = SW_VALUE_Q1; v < plan->values; v++) {
    const int half = plan->value[v].half;
    const int block = plan->value[v].block;
    const double moved = sw_distance(d, s->at[v], z0 + (half ? d : 0));
    most[half] = sw_larger_or_nan(most[half], moved);
    if (block >= 0) {
      const double missed = sw_max_abs(d, r + (size_t)block * d);
      const double ended = sw_distance(d, s->value[v], z0 + (half ? d : 0));
      most[half] = sw_larger_or_nan(most[half], missed);
      most[half] = sw_larger_or_nan(most[half], ended);
    }
  }
  return (sw_sizes){most[0], most[1]};
}

/* The exact linearisation of the stages of a base method, at their last values. */

/* Y += A X for the entry a of A in row i and column j. */
static void add_entry(int n, double a, int i, int j, const double X[], double Y[])
{
  sw_add_scaled(n, a, sw_const_row(X, n, j), sw_row(Y, n, i));
}

/* Evaluates the derivatives of Dg(Q)^T lambda. */
static void force_matrices(sw_stages *s, int i)
{
  (void)sw_copy_and_zero(s->point, s->at[s->plan->slope[i].q], (size_t)s->system->nq);
  s->system->fibre_flow_z(s->system, s->point, s->k, sw_stages_multipliers(s, i), s->flow_z);
  s->system->fibre_flow_lambda(s->system, s->point, s->k, sw_stages_multipliers(s, i),
                               s->flow_lambda);
}

/* Directions of Dg(Q)^T lambda, added to those of H_q: DF, d x n, from DQ, and from DL, m x n. */
static void add_force_directions(sw_stages *s, int i, int n, const double DQ[], const double DL[],
                                 double DF[])
{
  const sw_pattern *of_z = &s->system->fibre_flow_z_pattern;
  const sw_pattern *of_lambda = &s->system->fibre_flow_lambda_pattern;
  const int d = s->system->nq;

  force_matrices(s, i);
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
      /* velocities of a lifted model depend on the parameters among the positions */
      const double *DQ = slope->q >= 0          ? read[slope->q]
                         : s->system->is_lifted ? read[SW_VALUE_Q]
                                                : NULL;
      hessian_times(&s->system->hamiltonian_hess_pattern, d, hessian_at(s, i, have), n, DQ,
                    slope->p < 0 ? NULL : read[slope->p], s->dslope, s->dslope + size);
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

/* ---- the transpose ---- */

void sw_stages_pull_begin(sw_stages *s, double of_z1[], const double of_r[])
{
  const sw_stage_plan *plan = s->plan;
  const int d = s->system->nq;

  for (int v = SW_VALUE_Q1; v < plan->values; v++) {
    const int half = plan->value[v].half;
    s->made[v] = v < SW_VALUES_OF_ENDS ? of_z1 + half * d : s->dvalue[v];
    if (v >= SW_VALUES_OF_ENDS) {
      sw_zero(s->made[v], (size_t)d);
    }
  }
  for (int b = 0; b < plan->blocks; b++) {
    sw_add_scaled(d, -1.0, of_r + (size_t)b * (size_t)d, s->made[plan->block_value[b]]);
  }
}

double *sw_stages_forced_weights(sw_stages *s, int i)
{
  return s->made[s->plan->slope[sw_stage_plan_force_slope(s->plan, i)].q];
}

/* The transpose of add_force_directions. */
static void pull_force(sw_stages *s, int i, const double of_F[], double of_Q[], double of_L[])
{
  const sw_pattern *of_z = &s->system->fibre_flow_z_pattern;
  const sw_pattern *of_lambda = &s->system->fibre_flow_lambda_pattern;
  const int d = s->system->nq;

  force_matrices(s, i);
  for (int e = 0; e < of_z->entries; e++) {
    if (of_z->row[e] >= d && of_z->col[e] < d) {
      of_Q[of_z->col[e]] -= s->flow_z[e] * of_F[of_z->row[e] - d];
    }
  }
  for (int e = 0; e < of_lambda->entries; e++) {
    of_L[of_lambda->col[e]] -= s->flow_lambda[e] * of_F[of_lambda->row[e] - d];
  }
}

void sw_stages_pull(sw_stages *s, double h, const double of_r[], double of_y[], double of_lambda[],
                    double of_x[])
{
  const sw_stage_plan *plan = s->plan;
  const int d = s->system->nq;
  const size_t m = (size_t)s->system->nc;
  double *of_slope = s->dslope;
  double *of_point = s->dslope + 2 * d;
  double *read[SW_VALUES_MOST];
  int have[SW_SLOPES_MOST] = {0};

  sw_zero(of_y, 2 * (size_t)d);
  sw_zero(of_lambda, s->is_forced ? (size_t)plan->forces * m : 0);
  sw_copy(of_x, of_r, (size_t)plan->blocks * (size_t)d);
  for (int v = 0; v < plan->values; v++) {
    const int block = plan->value[v].block;
    read[v] = v < SW_VALUE_Q1 ? of_y + plan->value[v].half * d
              : block < 0     ? s->made[v]
                              : of_x + (size_t)block * (size_t)d;
  }
  for (int i = plan->slopes - 1; i >= 0; i--) {
    const sw_stage_slope *slope = &plan->slope[i];
    sw_zero(of_slope, 2 * (size_t)d);
    for (int t = slope->last - 1; t >= slope->first; t--) {
      const sw_stage_push *push = &plan->push[t];
      const int half = plan->value[push->value].half;
      double *made = s->made[push->value];
      sw_add_scaled(d, h * push->weight * (half ? s->of_force : 1.0), made,
                    of_slope + (half ? 0 : d));
      if (push->is_first) {
        sw_add_scaled(d, 1.0, made, read[half]);
        sw_zero(made, (size_t)d);
      }
    }
    hessian_times(&s->system->hamiltonian_hess_pattern, d, hessian_at(s, i, have), 1, of_slope,
                  of_slope + d, of_point, of_point + d);
    if (slope->q >= 0 || s->system->is_lifted) {
      sw_add_scaled(d, 1.0, of_point, read[slope->q >= 0 ? slope->q : SW_VALUE_Q]);
    }
    if (slope->p >= 0) {
      sw_add_scaled(d, 1.0, of_point + d, read[slope->p]);
    }
    if (s->is_forced && slope->force >= 0) {
      pull_force(s, i, of_slope, read[slope->q], of_lambda + (size_t)slope->force * m);
    }
  }
  for (int v = SW_VALUE_Q1; v < plan->values; v++) {
    if (plan->value[v].is_start) {
      sw_add_scaled(d, 1.0, s->made[v], read[plan->value[v].half]);
    }
  }
}
