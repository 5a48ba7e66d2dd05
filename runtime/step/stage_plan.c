/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/stage_plan.h"

#include <string.h>

#include "step/tableau.h"

/* A plan under construction. */
typedef struct maker {
  const sw_tableau *t;
  sw_stage_plan *plan;
  const double *row[SW_VALUES_MOST];  /* row of the tableau for each value; NULL: zeros */
  int slope_of[2][SW_TABLEAU_STAGES]; /* index of the slope with H_p (0) and H_q (1) of a stage */
  double weight[SW_VALUES_MOST][SW_SLOPES_MOST]; /* weight of a slope in a value */
  int unknown[SW_VALUES_MOST];
  int order[SW_SLOPES_MOST]; /* slopes in order of evaluation */
} maker;

/* ---- values and slopes ---- */

static int equal_rows(int n, const double *a, const double *b)
{
  int i = 0;

  while (i < n && (a ? a[i] : 0.0) == (b ? b[i] : 0.0)) {
    i++;
  }
  return i == n;
}

/* The value of this half with this row; adds a value if there is none. */
static int find_value(maker *m, int half, const double *row)
{
  sw_stage_plan *plan = m->plan;
  int v = 0;

  while (v < plan->values &&
         !(plan->value[v].half == half && equal_rows(m->t->stages, m->row[v], row))) {
    v++;
  }
  if (v == plan->values) {
    plan->value[v] = (sw_stage_value){half, -1, 0};
    m->row[v] = row;
    plan->values++;
  }
  return v;
}

static int find_slope(sw_stage_plan *plan, int q, int p)
{
  int k = 0;

  while (k < plan->slopes && !(plan->slope[k].q == q && plan->slope[k].p == p)) {
    k++;
  }
  if (k == plan->slopes) {
    plan->slope[k] = (sw_stage_slope){.q = q, .p = p, .force = -1};
    plan->slopes++;
  }
  return k;
}

static void stage_plan_collect(maker *m)
{
  const sw_tableau *t = m->t;
  sw_stage_plan *plan = m->plan;
  const int s = t->stages;

  /* The ends come first, and are separate values even if b is zero. */
  for (int half = 0; half < 2; half++) {
    plan->value[half] = (sw_stage_value){half, -1, 0};
    plan->value[SW_VALUE_Q1 + half] = (sw_stage_value){half, -1, 0};
    m->row[half] = NULL;
    m->row[SW_VALUE_Q1 + half] = sw_tableau_b(t, half);
  }
  plan->values = SW_VALUES_OF_ENDS;
  for (int i = 0; i < s; i++) {
    const int q = find_value(m, 0, sw_tableau_A(t, 0) + (size_t)i * (size_t)s);
    const int p = find_value(m, 1, sw_tableau_A(t, 1) + (size_t)i * (size_t)s);
    m->slope_of[1][i] = find_slope(plan, q, plan->separable ? -1 : p);
    m->slope_of[0][i] = plan->separable ? find_slope(plan, -1, p) : m->slope_of[1][i];
  }
  for (int v = 0; v < plan->values; v++) {
    const int half = plan->value[v].half;
    for (int i = 0; i < s && m->row[v]; i++) {
      const double weight = half ? -m->row[v][i] : m->row[v][i];
      m->weight[v][m->slope_of[half][i]] += weight;
      plan->sum[v] += weight;
    }
  }
}

/* ---- the order of evaluation ---- */

static int stage_plan_is_ready(const int known[], int value)
{
  return value < 0 || known[value];
}

static int is_complete(const maker *m, const int evaluated[], int v)
{
  int k = 0;

  while (k < m->plan->slopes && (m->weight[v][k] == 0.0 || evaluated[k])) {
    k++;
  }
  return k == m->plan->slopes;
}

/* Evaluates all slopes that follow from the given unknowns; their order is in m->order. Returns 1
 * if all slopes, and so all values, follow. */
static int all_follow(maker *m)
{
  const sw_stage_plan *plan = m->plan;
  int known[SW_VALUES_MOST];
  int evaluated[SW_SLOPES_MOST] = {0};
  int n = 0;

  for (int before = -1; before < n;) {
    before = n;
    for (int v = 0; v < plan->values; v++) {
      known[v] = v < SW_VALUE_Q1 || m->unknown[v] || is_complete(m, evaluated, v);
    }
    for (int k = 0; k < plan->slopes; k++) {
      const sw_stage_slope *slope = &plan->slope[k];
      if (!evaluated[k] && stage_plan_is_ready(known, slope->q) &&
          stage_plan_is_ready(known, slope->p)) {
        evaluated[k] = 1;
        m->order[n++] = k;
      }
    }
  }
  return n == plan->slopes;
}

/* Adds unknowns until everything follows from them, then removes redundant ones. */
static void choose_unknowns(maker *m)
{
  const sw_stage_plan *plan = m->plan;

  for (int half = 0; half < 2; half++) {
    for (int k = 0; k < plan->slopes && !all_follow(m); k++) {
      const int v = half ? plan->slope[k].p : plan->slope[k].q;
      if (v >= SW_VALUE_Q1) {
        m->unknown[v] = 1;
      }
    }
  }
  for (int v = plan->values - 1; v >= 0; v--) {
    if (m->unknown[v]) {
      m->unknown[v] = 0;
      m->unknown[v] = !all_follow(m);
    }
  }
  (void)all_follow(m);
}

/* ---- the plan ---- */

/* Writes the slopes in order, with their pushes. */
static void stage_plan_arrange(maker *m)
{
  sw_stage_plan *plan = m->plan;
  sw_stage_slope before[SW_SLOPES_MOST];
  int begun[SW_VALUES_MOST] = {0};
  int halves[2] = {0, 0};
  int n = 0;

  for (int k = 0; k < SW_SLOPES_MOST; k++) {
    plan->hessian_at[k][0] = SW_VALUE_Q;
    plan->hessian_at[k][1] = SW_VALUE_P;
  }
  memcpy(before, plan->slope, sizeof before);
  for (int k = 0; k < plan->slopes; k++) {
    sw_stage_slope *slope = &plan->slope[k];
    *slope = before[m->order[k]];
    slope->first = n;
    for (int v = SW_VALUE_Q1; v < plan->values; v++) {
      const double weight = m->weight[v][m->order[k]];
      if (weight != 0.0) {
        plan->push[n++] = (sw_stage_push){v, !begun[v], weight};
        begun[v] = 1;
      }
    }
    slope->last = n;
    slope->hessian = plan->separable ? halves[slope->q < 0]++ : 0;
  }
  for (int k = 0; k < plan->slopes && plan->separable; k++) {
    const sw_stage_slope *slope = &plan->slope[k];
    int *at = plan->hessian_at[slope->hessian];
    at[0] = slope->q < 0 ? at[0] : slope->q;
    at[1] = slope->p < 0 ? at[1] : slope->p;
  }
  plan->hessians = !plan->separable ? 1 : halves[0] > halves[1] ? halves[0] : halves[1];
  for (int v = SW_VALUE_Q1; v < plan->values; v++) {
    plan->value[v].is_start = !begun[v];
    if (m->unknown[v]) {
      plan->block_value[plan->blocks] = v;
      plan->value[v].block = plan->blocks++;
    }
  }
}

/* 1 if a slope depends on this value. */
static int is_read(const sw_stage_plan *plan, int value)
{
  int k = 0;

  while (k < plan->slopes && plan->slope[k].q != value && plan->slope[k].p != value) {
    k++;
  }
  return k < plan->slopes;
}

static void find_forces(sw_stage_plan *plan)
{
  for (int k = 0; k < plan->slopes; k++) {
    sw_stage_slope *slope = &plan->slope[k];
    int acts = 0;
    for (int n = slope->first; n < slope->last; n++) {
      const int v = plan->push[n].value;
      acts |= plan->value[v].half && is_read(plan, v);
    }
    if (acts && slope->q >= SW_VALUE_Q1 && !plan->value[slope->q].is_start) {
      slope->force = plan->forces++;
    }
  }
}

void sw_stage_plan_make(const sw_tableau *tableau, int separable, sw_stage_plan *plan)
{
  maker m = {.t = tableau, .plan = plan};

  *plan = (sw_stage_plan){.separable = separable};
  strncpy(plan->name, tableau->name, sizeof plan->name - 1);
  stage_plan_collect(&m);
  choose_unknowns(&m);
  stage_plan_arrange(&m);
  find_forces(plan);
}

/* ---- queries ---- */

static int moved_to_end(int value)
{
  return value < 0 ? -1 : value + SW_VALUE_Q1;
}

int sw_stage_plan_carried(const sw_stage_plan *plan, int *at_end)
{
  for (int k = 0; k < plan->slopes; k++) {
    const sw_stage_slope *start = &plan->slope[k];
    if (start->q > SW_VALUE_Q || start->p > SW_VALUE_P) {
      continue;
    }
    for (int e = 0; e < plan->slopes; e++) {
      const sw_stage_slope *end = &plan->slope[e];
      /* An implicit value equals the end only up to round-off. */
      if (end->q == moved_to_end(start->q) && end->p == moved_to_end(start->p) &&
          (end->q < 0 || plan->value[end->q].block < 0) &&
          (end->p < 0 || plan->value[end->p].block < 0)) {
        *at_end = e;
        return k;
      }
    }
  }
  return -1;
}

/* The weight of a slope in a value. */
static double stage_plan_weight_of(const sw_stage_plan *plan, int k, int value)
{
  for (int n = plan->slope[k].first; n < plan->slope[k].last; n++) {
    if (plan->push[n].value == value) {
      return plan->push[n].weight;
    }
  }
  return 0.0;
}

/* The weight of the force at these positions in these momenta. */
static double force_in(const sw_stage_plan *plan, int positions, int momenta)
{
  for (int k = 0; k < plan->slopes; k++) {
    if (plan->slope[k].q == positions) {
      return stage_plan_weight_of(plan, k, momenta);
    }
  }
  return 0.0;
}

int sw_stage_plan_force_slope(const sw_stage_plan *plan, int i)
{
  int k = 0;

  while (plan->slope[k].force != i) {
    k++;
  }
  return k;
}

double sw_stage_plan_force_time(const sw_stage_plan *plan, int i)
{
  return plan->sum[plan->slope[sw_stage_plan_force_slope(plan, i)].q];
}

double sw_stage_plan_force_weight(const sw_stage_plan *plan, int i)
{
  return -stage_plan_weight_of(plan, sw_stage_plan_force_slope(plan, i), SW_VALUE_P1);
}

double sw_stage_plan_kick(const sw_stage_plan *plan)
{
  double drift = 0.0;
  double c = 0.0;

  for (int k = 0; k < plan->slopes && plan->separable; k++) {
    const sw_stage_slope *slope = &plan->slope[k];
    if (slope->q > SW_VALUE_Q && slope->q != SW_VALUE_Q1) {
      return -1.0;
    }
    if (slope->q < 0) {
      const double weight = stage_plan_weight_of(plan, k, SW_VALUE_Q1);
      drift += weight;
      c -= weight * force_in(plan, SW_VALUE_Q, slope->p);
    }
  }
  return plan->separable && plan->blocks == 0 && drift == 1.0 &&
                 -force_in(plan, SW_VALUE_Q, SW_VALUE_P1) == c &&
                 -force_in(plan, SW_VALUE_Q1, SW_VALUE_P1) == 1.0 - c
             ? c
             : -1.0;
}
