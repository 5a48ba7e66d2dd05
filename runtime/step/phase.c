/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase.c -- the three kinds of phases: operations with a solve (fibre, base method, requirement),
 * weighted sums of states (plan->combination), and those of variational integrators (plan->layer,
 * variational_step.h).
 */
#include "step/phase.h"

#include <math.h>

/* ---- a weighted sum of states ---- */

/* made = weighted sum of the states. A state with weight 0 need not exist. */
static void combine(sw_phase *s)
{
  const sw_combination *c = s->plan->combination;
  const double *state[3] = {s->start, s->before, s->earlier};
  const double *weight[3] = {c->now, c->before, c->earlier};
  const size_t d = (size_t)s->system->nq;

  sw_zero(s->made, 2 * d);
  for (int i = 0; i < 3; i++) {
    for (size_t j = 0; j < 2 * d; j++) {
      const double w = weight[i][j >= d];
      s->made[j] += w == 0.0 ? 0.0 : w * state[i][j];
    }
  }
}

static const double *combine_directions(sw_phase *s, int n, const double V[])
{
  const sw_combination *c = s->plan->combination;
  const double *state[3] = {V, s->V_before, s->V_earlier};
  const double *weight[3] = {c->now, c->before, c->earlier};
  const int d = s->system->nq;

  sw_zero(s->D_made, 2 * (size_t)d * (size_t)n);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 2 * d; j++) {
      const double w = weight[i][j >= d];
      if (w != 0.0) {
        sw_add_scaled(n, w, sw_const_row(state[i], n, j), sw_row(s->D_made, n, j));
      }
    }
  }
  return s->D_made;
}

/* ---- operations with a solve ---- */

static int has_base(const sw_phase_plan *plan)
{
  return plan->stages || plan->flows || plan->discrete;
}

/* Index of the first stage value among the unknowns. */
static int first_x(const sw_phase_plan *plan)
{
  return plan->m + plan->forces;
}

static void operations_carve(sw_carver *c, sw_phase *s, size_t columns, int for_tangent)
{
  const sw_phase_plan *plan = s->plan;
  const sw_system *system = s->system;
  const size_t dim = 2 * (size_t)system->nq;
  const size_t forces = (size_t)plan->forces;
  const size_t stages = (size_t)(plan->n - first_x(plan));
  const size_t with_stages = plan->stages && (for_tangent || !plan->holonomic);

  s->u = sw_carve(c, (size_t)plan->n, 1);
  s->h_lambda = sw_carve(c, (size_t)plan->m, 1);
  s->slid = sw_carve(c, dim, 1);
  s->made = sw_carve(c, has_base(plan) ? dim : 0, 1);
  s->change = sw_carve(c, plan->has_increment ? dim : 0, 1);
  SW_CARVE(c, forces, 1, &s->lambda, &s->at_stage);
  s->at_start = sw_carve(c, plan->closes ? (size_t)system->nc : 0, 1);
  s->point = sw_carve(c, forces > 0 ? dim : 0, 1);
  s->stage_jac = sw_carve(c, forces > 0 ? (size_t)system->constraint_jac_pattern.entries : 0, 1);
  SW_CARVE(c, stages, 1, &s->x, &s->r, &s->scale_x);
  s->flow = sw_carve(c, plan->m > 0 ? (size_t)system->fibre_flow_lambda_pattern.entries : 0, 1);
  s->direction = sw_carve(c, columns, 1);
  s->D_slid = sw_carve(c, dim, columns);
  s->D_made = sw_carve(c, has_base(plan) ? dim : 0, columns);
  s->D_r = sw_carve(c, stages, columns);
  s->seed = sw_carve(c, for_tangent ? 0 : forces + stages, columns);
  s->flow_z =
      sw_carve(c, for_tangent && plan->m > 0 ? (size_t)system->fibre_flow_z_pattern.entries : 0, 1);
  if (plan->stages) {
    sw_stages_open(&s->stages, system, plan->stages, plan->is_forced, s->k);
    s->stages.lambda = s->lambda;
  }
  if (with_stages) {
    sw_stages_carve(c, columns, &s->stages);
  }
  if (plan->flows) {
    s->flow_step.flows = plan->flows;
    s->flow_step.parts = plan->parts;
    s->flow_step.system = system;
    s->flow_step.k = s->k;
    sw_flow_step_carve(c, columns, &s->flow_step);
  }
  if (plan->discrete) {
    s->discrete.system = system;
    s->discrete.k = s->k;
    sw_discrete_carve(c, columns, &s->discrete);
  }
  s->end = has_base(plan) ? s->made : s->slid;
}

static void make_base_step(sw_phase *s)
{
  if (s->plan->flows) {
    sw_flow_step_values(&s->flow_step, s->step->h, s->slid, s->made);
  } else if (s->plan->stages) {
    s->stages.of_force = s->plan->force * s->step->force;
    sw_stages_values(&s->stages, s->step->h, s->slid, s->x, s->r, s->made);
  } else if (s->plan->discrete) {
    sw_discrete_values(&s->discrete, s->step->h, s->start, s->h_lambda, s->x, s->r, s->made);
  }
}

/* Displacement from z by the step without constraints that was just computed; for guessed stage
 * values, including their residuals. */
static sw_sizes moved_from(const sw_phase *s, const double z[])
{
  if (s->plan->discrete) {
    return sw_discrete_moved(&s->discrete, s->r);
  }
  return s->plan->flows ? sw_flow_step_moved(&s->flow_step, z)
                        : sw_stages_moved(&s->stages, z, s->r);
}

/* The half of a block of unknowns: 0 for positions, 1 for momenta. */
static int half_of(const sw_phase_plan *plan, int block)
{
  return plan->discrete ? block == plan->discrete - 1
                        : plan->stages->value[plan->stages->block_value[block]].half;
}

static int operations_begin(sw_phase *s, const double z[])
{
  const sw_phase_plan *plan = s->plan;
  const int d = s->system->nq;

  sw_copy(s->slid, z, 2 * (size_t)d);
  if (plan->closes) {
    s->system->constraint(s->system, z, s->k, s->at_start);
  }
  s->is_free = has_base(plan);
  if (plan->stages) {
    sw_stages_guess(&s->stages, s->step->h, z, s->x);
  } else if (plan->discrete) {
    sw_zero(s->h_lambda, (size_t)plan->m);
    sw_discrete_guess(&s->discrete, s->step->h, z, s->x);
  }
  sw_zero(s->lambda, (size_t)plan->forces);
  make_base_step(s);
  if (has_base(plan) && !s->step->is_measured &&
      !sw_step_measure_at(s->step, s->system, s->k, moved_from(s, z))) {
    return 0;
  }
  for (int b = 0; b * d < plan->n - first_x(plan); b++) {
    const int half = half_of(plan, b);
    for (int i = 0; i < d; i++) {
      s->scale_x[b * d + i] = sw_nonzero_scale(half ? s->step->size.p : s->step->size.q);
    }
  }
  sw_zero(s->u, (size_t)first_x(plan));
  sw_copy(s->u + first_x(plan), s->x, (size_t)(plan->n - first_x(plan)));
  return first_x(plan) == 0 || sw_requirement_scales(s->required, s->step);
}

static void operations_move(sw_phase *s, const double u[])
{
  const int m = s->plan->m;
  const double *x = u + first_x(s->plan);
  const size_t stages = (size_t)(s->plan->n - first_x(s->plan));

  s->is_free = s->is_free && sw_is_zero(first_x(s->plan), u) &&
               (stages == 0 || memcmp(s->x, x, stages * sizeof *u) == 0);
  for (int i = 0; i < m; i++) {
    s->h_lambda[i] = s->step->h * u[i];
  }
  if (s->plan->discrete || sw_is_zero(m, s->h_lambda)) {
    sw_copy(s->slid, s->start, 2 * (size_t)s->system->nq);
  } else {
    s->system->fibre_flow(s->system, s->start, s->k, s->h_lambda, s->slid);
  }
  if (!s->is_free) {
    sw_copy(s->lambda, u + m, (size_t)s->plan->forces);
    sw_copy(s->x, x, stages);
    make_base_step(s);
  }
}

/* The positions at which force i acts, with zero momenta, because constraints on the positions do
 * not read them. */
static const double *stage_point(sw_phase *s, int i)
{
  return sw_copy_and_zero(s->point, sw_stages_forced_at(&s->stages, i), (size_t)s->system->nq);
}

/* The fraction of g at the start that is the target of g where force i acts. */
static double share_of_start(const sw_phase *s, int i)
{
  return s->plan->closes ? 1.0 - sw_stage_plan_force_time(s->plan->stages, i) : 0.0;
}

/* (g(Q_i) - target)/scale for the stages with constraint forces. */
static void stage_constraints(sw_phase *s, double F[])
{
  const int m = s->system->nc;

  for (int i = 0; i < s->plan->forces; i++) {
    if (i % m == 0) {
      s->system->constraint(s->system, stage_point(s, i / m), s->k, s->at_stage + i);
    }
    const double wanted = s->plan->closes ? share_of_start(s, i / m) * s->at_start[i % m] : 0.0;
    F[i] = (s->at_stage[i] - wanted) / s->required->scale[i % m];
  }
}

static void operations_values(sw_phase *s, const double u[], double F[])
{
  sw_requirement *f = s->required;
  const int m = s->plan->m;

  operations_move(s, u);
  if (m > 0) {
    f->function(s->system, s->end, s->k, f->value);
  }
  for (int i = 0; i < m; i++) {
    F[i] = f->value[i] / f->scale[i];
  }
  stage_constraints(s, F + m);
  for (int i = first_x(s->plan); i < s->plan->n; i++) {
    F[i] = s->r[i - first_x(s->plan)] / s->scale_x[i - first_x(s->plan)];
  }
}

/* ---- directions of the base method ---- */

/* D_made and D_r, from D_slid and the directions of all unknowns except those of the fibre. */
static void base_directions(sw_phase *s, int n, int of_unknowns, const double DU[], double DR[])
{
  const double *DX = sw_const_row(DU, n, s->plan->forces);

  if (s->plan->flows) {
    sw_flow_step_directions(&s->flow_step, n, s->D_slid, s->D_made);
  } else {
    sw_stages_directions(&s->stages, s->step->h, n, of_unknowns, s->D_slid, DU, DX, DR, s->D_made);
  }
}

/* ---- the Newton matrix ---- */

/* dF/du = h Df dGamma/dlambda / scale. */
static void product_jacobian(sw_phase *s, double J[])
{
  const sw_pattern *pattern = &s->plan->jacobian;

  sw_product_values(&s->plan->product, s->required->jac, s->flow, J);
  for (int e = 0; e < pattern->entries; e++) {
    J[e] *= s->step->h / s->required->scale[pattern->row[e]];
  }
}

/* Writes rows first .. first+m-1 of the Newton matrix, from entry *out on: Df with these values,
 * times the directions D. */
static void decompress_rows(sw_phase *s, int first, const double jac[], const double D[],
                            double J[], int *out)
{
  const sw_phase_plan *plan = s->plan;
  const sw_requirement *f = s->required;
  const sw_pattern *pattern = &plan->jacobian;
  const int colours = plan->colours;
  int e = 0;

  for (int i = 0; i < s->system->nc; i++) {
    sw_zero(s->direction, (size_t)colours);
    for (; e < f->pattern->entries && f->pattern->row[e] == i; e++) {
      sw_add_scaled(colours, jac[e], sw_const_row(D, colours, f->pattern->col[e]), s->direction);
    }
    for (; *out < pattern->entries && pattern->row[*out] == first + i; (*out)++) {
      J[*out] = s->direction[plan->colour[pattern->col[*out]]] / f->scale[i];
    }
  }
}

/* Extracts, from the colours, the rows for the directions D of the end and for those of the
 * stages. */
static void decompress(sw_phase *s, const double D[], double J[])
{
  const sw_phase_plan *plan = s->plan;
  const sw_pattern *pattern = &plan->jacobian;
  const int m = s->system->nc;
  const int colours = plan->colours;
  int out = 0;

  if (plan->m > 0) {
    decompress_rows(s, 0, s->required->jac, D, J, &out);
  }
  for (int i = 0; i * m < plan->forces; i++) {
    s->system->constraint_jac(s->system, stage_point(s, i), s->k, s->stage_jac);
    decompress_rows(s, plan->m + i * m, s->stage_jac, sw_stages_forced_along(&s->stages, i), J,
                    &out);
  }
  for (int i = first_x(plan); i < plan->n; i++) {
    const double *dr = sw_const_row(s->D_r, colours, i - first_x(plan));
    for (; out < pattern->entries && pattern->row[out] == i; out++) {
      J[out] = dr[plan->colour[pattern->col[out]]] / s->scale_x[i - first_x(plan)];
    }
  }
}

static void operations_jacobian(sw_phase *s, double J[])
{
  const sw_phase_plan *plan = s->plan;
  const sw_system *system = s->system;
  const sw_pattern *flow = &system->fibre_flow_lambda_pattern;
  const int colours = plan->colours;

  if (plan->m > 0 && !plan->discrete) {
    system->fibre_flow_lambda(system, s->start, s->k, s->h_lambda, s->flow);
  }
  if (!has_base(plan)) {
    sw_requirement_jac(s->required, s->end);
    product_jacobian(s, J);
    return;
  }
  if (plan->discrete) {
    sw_discrete_directions(&s->discrete, colours, NULL, s->discrete.seed, s->seed, s->D_r,
                           s->D_made);
  } else {
    sw_zero(s->D_slid, 2 * (size_t)system->nq * (size_t)colours);
    for (int e = 0; plan->m > 0 && e < flow->entries; e++) {
      sw_row(s->D_slid, colours, flow->row[e])[plan->colour[flow->col[e]]] +=
          s->step->h * s->flow[e];
    }
    base_directions(s, colours, 1, s->seed, s->D_r);
  }
  if (plan->m > 0) {
    sw_requirement_jac(s->required, s->end);
  }
  decompress(s, s->D_made, J);
}

/* ---- directions of start and unknowns ---- */

static void operations_along(sw_phase *s)
{
  const sw_system *system = s->system;

  if (s->plan->discrete && s->plan->m > 0) {
    sw_requirement_jac(s->required, s->end);
  } else if (s->plan->m > 0) {
    system->fibre_flow_z(system, s->start, s->k, s->h_lambda, s->flow_z);
    system->fibre_flow_lambda(system, s->start, s->k, s->h_lambda, s->flow);
    sw_requirement_jac(s->required, s->end);
  }
}

/* Subtracts the directions V of the target of g for force i. */
static void take_start_away(const sw_phase *s, int i, int n, const double V[], double DF[])
{
  const sw_pattern *pattern = &s->system->constraint_jac_pattern;

  s->system->constraint_jac(s->system, s->start, s->k, s->stage_jac);
  for (int e = 0; e < pattern->entries; e++) {
    sw_add_scaled(n, -share_of_start(s, i) * s->stage_jac[e], sw_const_row(V, n, pattern->col[e]),
                  sw_row(DF, n, pattern->row[e]));
  }
}

static const double *operations_directions(sw_phase *s, int n, const double V[], const double DU[],
                                           double DF[])
{
  const sw_system *system = s->system;
  const sw_phase_plan *plan = s->plan;
  const sw_pattern *flow = &system->fibre_flow_lambda_pattern;
  const double *end = has_base(plan) ? s->D_made : s->D_slid;

  if (plan->discrete) {
    sw_discrete_directions(&s->discrete, n, V, DU, sw_const_row(DU, n, plan->m),
                           sw_row(DF, n, plan->m), s->D_made);
  } else if (plan->m > 0) {
    sw_multiply(&system->fibre_flow_z_pattern, s->flow_z, n, V, s->D_slid);
    for (int e = 0; e < flow->entries; e++) {
      sw_add_scaled(n, s->step->h * s->flow[e], sw_const_row(DU, n, flow->col[e]),
                    sw_row(s->D_slid, n, flow->row[e]));
    }
  } else {
    sw_copy(s->D_slid, V, 2 * (size_t)system->nq * (size_t)n);
  }
  if (has_base(plan) && !plan->discrete) {
    base_directions(s, n, 0, sw_const_row(DU, n, plan->m), sw_row(DF, n, first_x(plan)));
  }
  if (plan->m > 0) {
    sw_multiply(s->required->pattern, s->required->jac, n, end, DF);
  }
  for (int i = 0; i * system->nc < plan->forces; i++) {
    system->constraint_jac(system, stage_point(s, i), s->k, s->stage_jac);
    sw_multiply(&system->constraint_jac_pattern, s->stage_jac, n,
                sw_stages_forced_along(&s->stages, i), sw_row(DF, n, plan->m + i * system->nc));
    if (plan->closes) {
      take_start_away(s, i, n, V, sw_row(DF, n, plan->m + i * system->nc));
    }
  }
  for (int i = 0; i < plan->n; i++) {
    const double scale =
        i < first_x(plan) ? s->required->scale[i % system->nc] : s->scale_x[i - first_x(plan)];
    for (int j = 0; j < n; j++) {
      sw_row(DF, n, i)[j] /= scale;
    }
  }
  return end;
}

/* ---- the transpose ---- */

/* y += A^T x; A has these values. */
static void add_transposed(const sw_pattern *A, const double values[], double by, const double x[],
                           double y[])
{
  for (int e = 0; e < A->entries; e++) {
    y[A->col[e]] += by * values[e] * x[A->row[e]];
  }
}

/* Adds the weights of g in the stages, weight, of which the targets are functions of the start. */
static void pull_stage_constraints(sw_phase *s, const double weight[], double of_z[])
{
  const sw_system *system = s->system;
  const sw_pattern *Dg = &system->constraint_jac_pattern;

  for (int i = 0; i * system->nc < s->plan->forces; i++) {
    const double *own = weight + i * system->nc;
    system->constraint_jac(system, stage_point(s, i), s->k, s->stage_jac);
    add_transposed(Dg, s->stage_jac, 1.0, own, sw_stages_forced_weights(&s->stages, i));
    if (s->plan->closes) {
      system->constraint_jac(system, s->start, s->k, s->stage_jac);
      add_transposed(Dg, s->stage_jac, -share_of_start(s, i), own, of_z);
    }
  }
}

static void operations_pull(sw_phase *s, const double of_end[], const double of_F[], double of_z[],
                            double of_u[])
{
  const sw_phase_plan *plan = s->plan;
  const size_t dim = 2 * (size_t)s->system->nq;
  double *of_slid = s->D_slid;
  double *end = s->D_slid + dim;
  double *weight = of_u; /* of the equations; then of the unknowns */
  double *of_r = s->D_r;

  sw_copy(end, of_end, dim);
  sw_zero(of_z, dim);
  for (int i = 0; i < first_x(plan); i++) {
    weight[i] = -of_F[i] / s->required->scale[i % s->system->nc];
  }
  for (int i = first_x(plan); i < plan->n; i++) {
    of_r[i - first_x(plan)] = -of_F[i] / s->scale_x[i - first_x(plan)];
  }
  if (plan->m > 0) {
    add_transposed(s->required->pattern, s->required->jac, 1.0, weight, end);
  }
  if (plan->stages) {
    sw_stages_pull_begin(&s->stages, end, of_r);
    pull_stage_constraints(s, weight + plan->m, of_z);
    sw_stages_pull(&s->stages, s->step->h, of_r, of_slid, of_u + plan->m, of_u + first_x(plan));
  } else {
    sw_copy(of_slid, end, dim);
  }
  if (plan->m > 0) {
    sw_zero(of_u, (size_t)plan->m);
    add_transposed(&s->system->fibre_flow_lambda_pattern, s->flow, s->step->h, of_slid, of_u);
    add_transposed(&s->system->fibre_flow_z_pattern, s->flow_z, 1.0, of_slid, of_z);
  } else {
    sw_add_scaled((int)dim, 1.0, of_slid, of_z);
  }
}

int sw_phase_pull(sw_phase *s, const double of_end[], const double of_F[], double of_z[],
                  double of_u[])
{
  const sw_phase_plan *plan = s->plan;

  if (plan->combination || plan->layer || plan->flows || plan->discrete) {
    return 0;
  }
  operations_pull(s, of_end, of_F, of_z, of_u);
  return 1;
}

/* ---- increments ---- */

void sw_phase_increment(sw_phase *s, sw_two_sums to)
{
  const sw_system *system = s->system;
  const size_t dim = 2 * (size_t)system->nq;

  if (s->plan->m > 0) {
    system->fibre_increment(system, s->start, s->k, s->h_lambda, s->change);
    sw_two_sums_add(to, 0, dim, 1.0, s->change);
  }
  if (s->plan->stages) {
    sw_stages_increment(&s->stages, s->step->h, to);
  } else if (s->plan->flows) {
    sw_flow_step_increment(&s->flow_step, s->change, to);
  }
}

/* ---- all kinds ---- */

void sw_phase_carve(sw_carver *c, sw_phase *s, size_t columns, int for_tangent)
{
  const size_t dim = 2 * (size_t)s->system->nq;

  if (s->plan->combination) {
    s->end = s->made = sw_carve(c, dim, 1);
    s->D_made = sw_carve(c, dim, columns);
  } else if (s->plan->layer) {
    s->u = sw_carve(c, (size_t)s->plan->n, 1);
    s->variational.step = s->step;
    sw_variational_carve(c, s->system, s->k, s->plan->layer, s->plan->bias, columns,
                         &s->variational);
    s->end = s->variational.at;
  } else {
    operations_carve(c, s, columns, for_tangent);
  }
}

void sw_phase_open(sw_phase *s)
{
  const sw_phase_plan *plan = s->plan;

  for (int i = plan->m; i < plan->n && plan->colours > 0; i++) {
    sw_row(s->seed, plan->colours, i - plan->m)[plan->colour[i]] = 1.0;
  }
  for (int i = 0; plan->discrete && i < plan->m; i++) {
    sw_row(s->discrete.seed, plan->colours, i)[plan->colour[i]] = 1.0;
  }
}

void sw_phase_forget(sw_phase *s)
{
  s->required->jac_known = 0;
  if (s->plan->stages) {
    sw_stages_forget(&s->stages);
  }
}

int sw_phase_begin(sw_phase *s, const double z[])
{
  s->start = z;
  if (s->plan->combination) {
    combine(s);
    return 1;
  }
  return s->plan->layer ? sw_variational_begin(&s->variational, z, s->u) : operations_begin(s, z);
}

void sw_phase_move(sw_phase *s, const double u[])
{
  if (s->plan->combination) {
    combine(s);
  } else if (s->plan->layer) {
    sw_variational_move(&s->variational, u);
  } else {
    operations_move(s, u);
  }
}

void sw_phase_values(void *context, const double u[], double F[])
{
  sw_phase *s = context;

  if (s->plan->layer) {
    sw_variational_values(&s->variational, u, F);
  } else {
    operations_values(s, u, F);
  }
}

void sw_phase_jacobian(void *context, const double u[], double J[])
{
  sw_phase *s = context;

  (void)u;
  if (s->plan->layer) {
    sw_variational_jacobian(&s->variational, J);
  } else {
    operations_jacobian(s, J);
  }
}

void sw_phase_along(sw_phase *s)
{
  if (s->plan->layer) {
    sw_variational_along(&s->variational, s->start);
  } else if (!s->plan->combination) {
    operations_along(s);
  }
}

const double *sw_phase_directions(sw_phase *s, int n, const double V[], const double DU[],
                                  double DF[])
{
  if (s->plan->combination) {
    return combine_directions(s, n, V);
  }
  if (s->plan->layer) {
    sw_variational_directions(&s->variational, n, V, DU, DF);
    return DU; /* the state comes first in u */
  }
  return operations_directions(s, n, V, DU, DF);
}
