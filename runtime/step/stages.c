/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/stages.h"

#include <math.h>

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

const double *sw_stages_multipliers(const sw_stages *s, int i)
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

void sw_half_gradient(const sw_system *system, const double k[], int half, const double x[],
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
