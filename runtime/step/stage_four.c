/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/stage_four.h"

#include <math.h>
#include <stdlib.h>

#include "linear/sparse.h"
#include "step/stage_four_equations.h"

struct sw_stage_four {
  sw_curve_equations equations;
  const double *bias;
  const sw_step *step;
  sw_fixed_point *solver;
  int of_end;    /* 1 while solving for the curve of the end */
  double *scale; /* scales of the unknowns */
  double *u;     /* the scaled unknowns */
  void *block;
};

static void stage_four_carve(sw_carver *c, sw_stage_four *s)
{
  const size_t n = sw_curve_unknowns(s->equations.system);

  sw_curve_carve(c, &s->equations);
  s->scale = sw_carve(c, n, 1);
  s->u = sw_carve(c, n, 1);
}

sw_status sw_stage_four_create(const sw_system *system, const double k[],
                               const sw_layer_method method[2], const double bias[2],
                               const sw_step *step, double tolerance, int max_iterations,
                               sw_stage_four **made)
{
  sw_stage_four *s = calloc(1, sizeof *s);
  sw_carver walk = {NULL, 0, 0};

  *made = s;
  if (!s) {
    return SW_ERR_MEMORY;
  }
  s->equations.system = system;
  s->equations.k = k;
  s->equations.part[0].method = &method[0];
  s->equations.part[1].method = &method[1];
  s->bias = bias;
  s->step = step;
  sw_status status = sw_curve_open(&s->equations);
  if (status == SW_OK) {
    stage_four_carve(&walk, s);
    walk = sw_carver_open(walk);
    s->block = walk.block;
    status = s->block ? SW_OK : SW_ERR_MEMORY;
  }
  if (status == SW_OK) {
    stage_four_carve(&walk, s);
    status = sw_fixed_point_create((int)sw_curve_unknowns(system), tolerance, max_iterations,
                                   &s->solver);
  }
  if (status != SW_OK) {
    sw_stage_four_free(made);
  }
  return status;
}

void sw_stage_four_free(sw_stage_four **s)
{
  if (*s) {
    if ((*s)->solver) {
      sw_fixed_point_free(&(*s)->solver);
    }
    sw_curve_close(&(*s)->equations);
    free((*s)->block);
    free(*s);
  }
  *s = NULL;
}

/* ---- scales ---- */

/* Momentum and velocity that the forces at the start produce in a step, times `balance`.
 * Constraints may cancel these forces, and the result then has the round-off of both. Overwrites
 * the scales and the unknowns. */
static sw_sizes find_balance(sw_stage_four *s, double h)
{
  const double balance = 1.0 / 64.0; /* keeps this round-off within the tolerance */
  const sw_curve_equations *of = &s->equations;
  const size_t d = (size_t)of->system->nq;
  double *force = s->scale;
  double *rate = s->u;

  sw_zero(force, d);
  sw_copy(force + d, of->slope, d);
  sw_symmetric_multiply(&of->system->hamiltonian_hess_pattern, of->field.hess_H, 1, force, rate);
  return (sw_sizes){balance * fabs(h) * sw_max_abs(d, rate + d),
                    balance * fabs(h) * sw_max_abs(d, of->slope)};
}

/* Scales multipliers by their effect on the momenta, each by its row of Dg. For a step at rest the
 * speed is the round-off of the positions over h (scale.h). of->slope is DH at the start. */
static void set_scales(sw_stage_four *s, sw_sizes size, double speed, double h)
{
  sw_curve_equations *of = &s->equations;
  const sw_pattern *Dg = &of->system->constraint_jac_pattern;
  const size_t d = (size_t)of->system->nq;
  const size_t m = (size_t)of->system->nc;
  const double in_q = sw_nonzero_scale(size.q);
  const sw_sizes balance = find_balance(s, h);
  const double in_p = sw_nonzero_scale(fmax(size.p, balance.p));
  const double least = fmax(DBL_EPSILON * size.q / fabs(h), balance.q);
  sw_curve scale;

  sw_curve_divide(of->system, s->scale, &scale);
  sw_fill(scale.q, in_q, d);
  sw_fill(scale.v, sw_nonzero_scale(fmax(speed, least)), d);
  sw_fill(scale.mu, in_p, 2 * d);
  sw_fill(scale.near, in_q, 2 * d);
  sw_zero(of->g, m);
  for (int e = 0; e < Dg->entries; e++) {
    of->g[Dg->row[e]] = fmax(of->g[Dg->row[e]], fabs(of->G[e]));
  }
  for (size_t i = 0; i < m; i++) {
    const double row = sw_nonzero_scale(of->g[i]);
    scale.nu_1[i] = in_p / row;
    scale.nu_2[i] = in_p * fabs(h) / row;
    scale.theta_near[i] = in_q / row;
    scale.theta_far[i] = in_q / row;
    scale.zeta[i] = in_p / row;
  }
  for (size_t i = 0; i < sw_curve_unknowns(of->system); i++) {
    s->scale[i] = sw_power_below(s->scale[i]);
  }
}

/* ---- iterations ---- */

static void stage_four_iterate(void *context, const double u[], double G[])
{
  sw_stage_four *s = context;
  sw_curve_equations *of = &s->equations;
  const size_t n = sw_curve_unknowns(of->system);

  for (size_t i = 0; i < n; i++) {
    of->now.q[i] = u[i] * s->scale[i];
  }
  if (s->of_end) {
    sw_curve_change_end(of);
  } else {
    sw_curve_change_start(of);
  }
  for (size_t i = 0; i < n; i++) {
    G[i] = u[i] + of->off.q[i] / s->scale[i];
  }
}

/* Solves from s->equations.now, which becomes the solution. */
static sw_status stage_four_solve(sw_stage_four *s, int of_end, sw_solve_report *report)
{
  sw_curve_equations *of = &s->equations;
  const size_t n = sw_curve_unknowns(of->system);

  s->of_end = of_end;
  for (size_t i = 0; i < n; i++) {
    s->u[i] = of->now.q[i] / s->scale[i];
  }
  const sw_status status = sw_fixed_point_solve(s->solver, stage_four_iterate, s, s->u, report);
  for (size_t i = 0; i < n; i++) {
    of->now.q[i] = s->u[i] * s->scale[i];
  }
  return status;
}

/* p.v at the state in of->at. */
static double find_product(const sw_curve_equations *of, const double p[])
{
  double sum = 0.0;

  for (int i = 0; i < of->system->nq; i++) {
    sum += p[i] * of->at.v[i];
  }
  return sum;
}

/* Computes (x, mu) of the curve that starts at of->w, with the momentum p. */
static sw_status find_start(sw_stage_four *s, double h, const double p[], sw_solve_report *report)
{
  sw_curve_equations *of = &s->equations;
  const size_t d = (size_t)of->system->nq;

  of->near = &of->part[1];
  of->far = &of->part[0];
  of->t_near = h * s->bias[1];
  of->t_far = h * s->bias[0];
  sw_zero(of->now.q, sw_curve_unknowns(of->system));
  sw_sweep_values(of->near, of->t_near, of->w);
  sw_sweep_values(of->far, of->t_far, of->w);
  sw_copy(of->now.mu, p, d);
  sw_curve_set_clock(of, 0.0, of->now.mu);
  sw_copy(of->now.near, of->near->w1, d);
  sw_copy(of->now.far, of->far->w1, d);
  const sw_status status = stage_four_solve(s, 0, report);
  sw_copy(of->x, of->now.near, d);
  sw_copy(of->mu, of->now.mu, d);
  if (of->clock >= 0) {
    of->mu[of->clock] = (find_product(of, p) - sw_curve_energy(of)) / of->at.v[of->clock];
  }
  sw_curve_add_bent(of, of->x, 1.0, of->now.theta_near, of->now.mu, of->mu);
  sw_curve_surface(of, of->x, of->g, of->Dg_x);
  return status;
}

/* Computes the curve of the end, from an initial guess of its state in of->now. */
static sw_status stage_four_find_end(sw_stage_four *s, double h, sw_solve_report *report)
{
  sw_curve_equations *of = &s->equations;
  const size_t d = (size_t)of->system->nq;

  of->near = &of->part[0];
  of->far = &of->part[1];
  of->t_near = h * s->bias[0];
  of->t_far = h * s->bias[1];
  for (size_t i = 0; i < d; i++) {
    of->now.mu[i] = of->mu[i];
    of->now.lambda[i] = -of->mu[i];
    of->now.far[i] = of->now.q[i] + of->t_far * of->now.v[i];
  }
  sw_curve_set_clock(of, 0.0, of->now.mu);
  sw_curve_set_clock(of, 0.0, of->now.lambda);
  return stage_four_solve(s, 1, report);
}

/* The clock's momentum at the end in of->at, from mu^ = mu + Dg(x)^T zeta - D^2(theta.g)(x) mu^. z
 * has the other momenta, and 0 for the clock. */
static double end_of_clock(sw_stage_four *s, const double z[])
{
  sw_curve_equations *of = &s->equations;
  const sw_pattern *Dg = &of->system->constraint_jac_pattern;
  const size_t d = (size_t)of->system->nq;
  double mu = of->mu[of->clock];

  for (int e = 0; e < Dg->entries; e++) {
    mu += Dg->col[e] == of->clock ? of->Dg_x[e] * of->now.zeta[Dg->row[e]] : 0.0;
  }
  sw_zero(of->rq, d);
  sw_curve_add_bent(of, of->x, 1.0, of->now.theta_near, of->now.mu, of->rq);
  mu -= of->rq[of->clock];
  sw_sweep_values(of->near, of->t_near, of->now.q);
  return mu + (sw_curve_energy(of) - find_product(of, z + d)) / of->at.v[of->clock];
}

/* The status for a point without accelerations: a function is not finite there, or a matrix is
 * singular. */
static sw_status why_there_is_none(const sw_curve_equations *of)
{
  const sw_system *system = of->system;
  const size_t of_H = (size_t)system->hamiltonian_hess_pattern.entries;
  const size_t of_g = (size_t)system->constraint_jac_pattern.entries;
  const size_t of_N = (size_t)system->nondegeneracy_pattern.entries;

  return system->nc > 0 && isfinite(sw_max_abs(of_H, of->field.hess_H)) &&
                 isfinite(sw_max_abs(of_g, of->field.jac)) &&
                 isfinite(sw_max_abs(of_N, of->field.values))
             ? SW_ERR_SINGULAR
             : SW_ERR_NOT_FINITE;
}

/* Sets of->w = (q, H_p) at z, and the values at this start. */
static int stage_four_start_at(sw_stage_four *s, const double z[])
{
  sw_curve_equations *of = &s->equations;
  const size_t d = (size_t)of->system->nq;

  of->system->hamiltonian_grad(of->system, z, of->k, of->slope);
  sw_copy(of->w, z, d);
  sw_copy(of->w + d, of->slope + d, d);
  return sw_curve_start_at(of);
}

/* Computes (q,v) after one step of the method for the part before a state into of->other, and the
 * state for it into z1. */
static int stage_four_guess(sw_stage_four *s, double h, double z1[])
{
  sw_curve_equations *of = &s->equations;
  const size_t d = (size_t)of->system->nq;

  sw_sweep_values(&of->part[0], h, of->w);
  const int found =
      sw_field_at(&of->field, of->part[0].w1, of->part[0].w1 + d, &of->at); /* temporarily */
  sw_copy(z1, of->at.z, 2 * d);
  return found && isfinite(sw_max_abs(2 * d, z1));
}

int sw_stage_four_guess(sw_stage_four *s, const double z[], double z1[])
{
  const sw_curve_equations *of = &s->equations;
  const int d = of->system->nq;
  const int found = stage_four_start_at(s, z) && stage_four_guess(s, s->step->h, z1);

  sw_curve_set_clock(of, z[d + (of->clock < 0 ? 0 : of->clock)],
                     z1 + d); /* no velocity determines it */
  return found;
}

sw_status sw_stage_four_solve(sw_stage_four *s, const double z[], double z1[],
                              sw_solve_report *report)
{
  sw_curve_equations *of = &s->equations;
  const size_t d = (size_t)of->system->nq;
  const double h = s->step->h;
  const double *reached = of->part[0].w1;

  report->fixed_point = 1;
  if (!stage_four_start_at(s, z)) {
    return why_there_is_none(of);
  }
  sw_sweep_values(&of->part[0], h, of->w);
  const double speed = fmax(sw_max_abs(d, of->w + d), sw_distance(d, reached + d, of->w + d));
  set_scales(s, s->step->size, speed, h);
  sw_status status = find_start(s, h, z + d, report);
  if (status != SW_OK) {
    return status;
  }
  sw_zero(of->now.q, sw_curve_unknowns(of->system));
  sw_sweep_values(&of->part[0], h, of->w);
  sw_copy(of->now.q, reached, 2 * d);
  status = stage_four_find_end(s, h, report);
  if (status == SW_OK && !sw_field_at(&of->field, of->now.q, of->now.v, &of->at)) {
    return why_there_is_none(of);
  }
  sw_copy(z1, of->at.z, 2 * d);
  if (of->clock >= 0) {
    z1[d + (size_t)of->clock] = end_of_clock(s, of->at.z);
  }
  return status;
}

sw_status sw_stage_four_legendre(sw_stage_four *s, double h, sw_sizes size, const double z[],
                                 double x[])
{
  sw_curve_equations *of = &s->equations;
  const sw_pattern *Dg = &of->system->constraint_jac_pattern;
  const size_t d = (size_t)of->system->nq;
  sw_solve_report report = {0};

  if (!stage_four_start_at(s, z)) {
    return why_there_is_none(of);
  }
  set_scales(s, size, sw_max_abs(d, of->w + d), h);
  const sw_status status = find_start(s, h, z + d, &report);
  sw_copy(x, of->x, d);
  sw_copy(x + d, of->mu, d);
  sw_copy(of->G, of->Dg_x, (size_t)of->system->constraint_jac_pattern.entries);
  if (status != SW_OK || !sw_curve_factor(of)) {
    return status != SW_OK ? status : SW_ERR_SINGULAR;
  }
  sw_zero(of->g, (size_t)of->system->nc);
  sw_curve_set_clock(of, 0.0, x + d);
  sw_curve_split(of, x + d, of->g);
  if (of->clock >= 0) {
    x[d + (size_t)of->clock] = of->mu[of->clock];
    for (int e = 0; e < Dg->entries; e++) {
      x[d + (size_t)of->clock] -= Dg->col[e] == of->clock ? of->Dg_x[e] * of->g[Dg->row[e]] : 0.0;
    }
  }
  return SW_OK;
}

const double *sw_stage_four_lambda(sw_stage_four *s, const double z[])
{
  return stage_four_start_at(s, z) ? s->equations.at.lambda : NULL;
}
