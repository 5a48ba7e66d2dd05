/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/stage_four_equations.h"

#include <stdlib.h>

#include "linear/sparse.h"
#include "model/mass.h"

/* ---- memory ---- */

size_t sw_curve_unknowns(const sw_system *system)
{
  return 6 * (size_t)system->nq + 5 * (size_t)system->nc;
}

void sw_curve_divide(const sw_system *system, double *values, sw_curve *curve)
{
  const size_t d = (size_t)system->nq;
  const size_t m = (size_t)system->nc;
  double *of_m = values + 6 * d;

  *curve =
      (sw_curve){values, values + d, values + 2 * d, values + 3 * d, values + 4 * d, values + 5 * d,
                 of_m,   of_m + m,   of_m + 2 * m,   of_m + 3 * m,   of_m + 4 * m};
}

/* Plans G G^T as a product of the values of Dg with themselves. */
static sw_status make_square(sw_curve_equations *s)
{
  const sw_pattern *Dg = &s->system->constraint_jac_pattern;
  const sw_status status = sw_product_create_transposed(Dg, Dg, &s->square, &s->K_pattern);

  return status == SW_OK ? sw_linear_create(&s->K_pattern, &s->K.linear) : status;
}

sw_status sw_curve_open(sw_curve_equations *s)
{
  s->clock = sw_mass_clock(s->system);
  s->field.system = s->system;
  s->field.k = s->k;
  s->part[0].field = s->part[1].field = &s->field;
  sw_status status = sw_field_open(&s->field);
  if (status == SW_OK) {
    status = sw_field_point_open(&s->field, &s->at);
  }
  for (int i = 0; i < 2 && status == SW_OK; i++) {
    status = sw_sweep_open(&s->part[i]);
  }
  return status == SW_OK && s->system->nc > 0 ? make_square(s) : status;
}

void sw_curve_close(sw_curve_equations *s)
{
  sw_linear_free(&s->K.linear);
  sw_pattern_free(&s->K_pattern);
  sw_product_free(&s->square);
  sw_sweep_close(&s->part[0]);
  sw_sweep_close(&s->part[1]);
  sw_field_point_close(&s->at);
  sw_field_close(&s->field);
}

void sw_curve_carve(sw_carver *c, sw_curve_equations *s)
{
  const size_t d = (size_t)s->system->nq;
  const size_t m = (size_t)s->system->nc;
  const size_t entries = (size_t)s->system->constraint_jac_pattern.entries;

  sw_field_carve(c, &s->field);
  sw_field_point_carve(c, &s->field, &s->at);
  sw_sweep_carve(c, &s->part[0]);
  sw_sweep_carve(c, &s->part[1]);
  s->G = sw_carve(c, entries, 1);
  s->hess_H = sw_carve(c, (size_t)s->system->hamiltonian_hess_pattern.entries, 1);
  s->w = sw_carve(c, 2 * d, 1);
  s->x = sw_carve(c, d, 1);
  s->mu = sw_carve(c, d, 1);
  s->Dg_x = sw_carve(c, entries, 1);
  s->values = sw_carve(c, (size_t)s->square.entries, 1);
  s->jac = sw_carve(c, entries, 1);
  s->turned = sw_carve(c, entries, 1);
  s->second = sw_carve(c, (size_t)s->system->constraint_hess_pattern.entries, 1);
  s->point = sw_carve(c, 2 * d, 1);
  s->slope = sw_carve(c, 2 * d, 1);
  s->other = sw_carve(c, 2 * d, 1);
  s->rq = sw_carve(c, d, 1);
  s->rv = sw_carve(c, d, 1);
  s->g = sw_carve(c, m, 1);
  s->K.scale = sw_carve(c, m, 1);
  double *now = sw_carve(c, sw_curve_unknowns(s->system), 1);
  double *off = sw_carve(c, sw_curve_unknowns(s->system), 1);
  if (c->block) {
    sw_curve_divide(s->system, now, &s->now);
    sw_curve_divide(s->system, off, &s->off);
  }
}

/* ---- the constraints ---- */

static const double *with_no_momenta(sw_curve_equations *s, const double x[])
{
  return sw_copy_and_zero(s->point, x, (size_t)s->system->nq);
}

void sw_curve_surface(sw_curve_equations *s, const double x[], double g[], double jac[])
{
  if (s->system->nc > 0) {
    const double *z = with_no_momenta(s, x);
    s->system->constraint(s->system, z, s->k, g);
    s->system->constraint_jac(s->system, z, s->k, jac);
  }
}

void sw_curve_add_bent(sw_curve_equations *s, const double x[], double f, const double a[],
                       const double u[], double y[])
{
  if (s->system->nc > 0) {
    s->system->constraint_hess(s->system, with_no_momenta(s, x), s->k, a, s->second);
    sw_symmetric_add(&s->system->constraint_hess_pattern, f, s->second, u, y);
  }
}

static void negate(int n, double x[])
{
  for (int i = 0; i < n; i++) {
    x[i] = -x[i];
  }
}

/* y += f J^T a without the clock, and g = J x. */
static void add_turned(const sw_curve_equations *s, double f, const double J[], const double a[],
                       double y[])
{
  const sw_pattern *Dg = &s->system->constraint_jac_pattern;

  for (int e = 0; e < Dg->entries; e++) {
    if (Dg->col[e] != s->clock) {
      y[Dg->col[e]] += f * J[e] * a[Dg->row[e]];
    }
  }
}

static void stage_four_equations_times(const sw_curve_equations *s, const double J[],
                                       const double x[], double g[])
{
  if (s->system->nc > 0) {
    sw_multiply(&s->system->constraint_jac_pattern, J, 1, x, g);
  }
}

/* ---- the start of the step ---- */

int sw_curve_factor(sw_curve_equations *s)
{
  const sw_pattern *Dg = &s->system->constraint_jac_pattern;

  for (int e = 0; e < Dg->entries; e++) {
    s->turned[e] = Dg->col[e] == s->clock ? 0.0 : s->G[e];
  }
  if (s->system->nc == 0) {
    return 1;
  }
  sw_product_values(&s->square, s->G, s->turned, s->values);
  return sw_scaled_factor(&s->K, &s->K_pattern, s->values);
}

int sw_curve_start_at(sw_curve_equations *s)
{
  if (!sw_field_at(&s->field, s->w, s->w + s->system->nq, &s->at)) {
    return 0;
  }
  s->system->hamiltonian_hess(s->system, s->at.z, s->k, s->hess_H);
  if (s->system->nc > 0) {
    s->system->constraint_jac(s->system, s->at.z, s->k, s->G);
  }
  return sw_curve_factor(s);
}

void sw_curve_split(const sw_curve_equations *s, double r[], double g[])
{
  const int m = s->system->nc;

  if (m == 0) {
    return;
  }
  negate(m, g);
  for (int e = 0; e < s->system->constraint_jac_pattern.entries; e++) {
    g[s->system->constraint_jac_pattern.row[e]] +=
        s->G[e] * r[s->system->constraint_jac_pattern.col[e]];
  }
  sw_scaled_solve(&s->K, m, g);
  add_turned(s, -1.0, s->G, g, r);
}

/* x = H_pp r, d values. */
static void times_mass(const sw_curve_equations *s, const double r[], double x[])
{
  const size_t d = (size_t)s->system->nq;

  sw_zero(s->slope, d);
  sw_copy(s->slope + d, r, d);
  sw_symmetric_multiply(&s->system->hamiltonian_hess_pattern, s->hess_H, 1, s->slope, s->other);
  sw_copy(x, s->other + d, d);
}

double sw_curve_energy(sw_curve_equations *s)
{
  const int d = s->system->nq;
  double sum = 0.0;

  sw_copy(s->point, s->now.mu, (size_t)d);
  sw_zero(s->point + d, (size_t)d);
  sw_sweep_back(s->near, s->point, -1.0, s->slope);
  for (int i = 0; i < d; i++) {
    sum += s->slope[i] * s->at.v[i] + s->slope[d + i] * s->at.A[i];
  }
  return sum;
}

/* ---- shared by both curves ---- */

/* s->rq, s->rv = the residual of the critical equation, mu^ D R^q_near + lambda^ D R^q_far + nu_1
 * [Dg, 0] + nu_2 [v^T D^2 g, Dg] - D (S_near - S_far). */
static void miss_critical(sw_curve_equations *s, const double q[], const double v[],
                          const double Dg[])
{
  const sw_curve *now = &s->now;
  const size_t d = (size_t)s->system->nq;

  sw_zero(s->point + d, d);
  sw_copy(s->point, now->mu, d);
  sw_sweep_back(s->near, s->point, -1.0, s->slope);
  sw_zero(s->point + d, d);
  sw_copy(s->point, now->lambda, d);
  sw_sweep_back(s->far, s->point, 1.0, s->other);
  for (size_t i = 0; i < d; i++) {
    s->rq[i] = s->slope[i] + s->other[i];
    s->rv[i] = s->slope[d + i] + s->other[d + i];
  }
  if (s->system->nc > 0) {
    add_turned(s, 1.0, Dg, now->nu_1, s->rq);
    add_turned(s, 1.0, Dg, now->nu_2, s->rv);
    sw_curve_add_bent(s, q, 1.0, now->nu_2, v, s->rq);
  }
  sw_curve_set_clock(s, 0.0, s->rq);
  sw_curve_set_clock(s, 0.0, s->rv);
}

/* The corrections dx, dt of a foot x + Dg(x)^T theta = above, g(x) = 0, if `above` moves by dx.
 * Sets s->jac = Dg(x). */
static void change_foot(sw_curve_equations *s, const double x[], const double theta[],
                        const double above[], double dx[], double dt[])
{
  const int d = s->system->nq;

  sw_curve_surface(s, x, dt, s->jac);
  for (int i = 0; i < d; i++) {
    dx[i] += above[i] - x[i];
  }
  if (s->system->nc > 0) {
    add_turned(s, -1.0, s->jac, theta, dx);
  }
  negate(s->system->nc, dt);
  sw_curve_split(s, dx, dt);
}

/* ---- the curve of the start ---- */

void sw_curve_change_start(sw_curve_equations *s)
{
  const sw_curve *now = &s->now;
  const sw_curve *off = &s->off;
  const double time = s->t_far - s->t_near;
  const int d = s->system->nq;
  const int m = s->system->nc;

  sw_zero(off->q, sw_curve_unknowns(s->system));
  change_foot(s, now->near, now->theta_near, s->near->w1, off->near, off->theta_near);
  stage_four_equations_times(s, s->jac, now->mu, off->nu_1);
  change_foot(s, now->far, now->theta_far, s->far->w1, off->far, off->theta_far);
  stage_four_equations_times(s, s->jac, now->lambda, off->nu_2);
  miss_critical(s, s->w, s->w + d, s->G);
  for (int i = 0; i < d; i++) {
    off->mu[i] = -(s->t_far * s->rq[i] - s->rv[i]) / time;
    off->lambda[i] = (s->t_near * s->rq[i] - s->rv[i]) / time;
  }
  negate(m, off->nu_1);
  negate(m, off->nu_2);
  sw_curve_split(s, off->mu, off->nu_1);
  sw_curve_split(s, off->lambda, off->nu_2);
  for (int i = 0; i < m; i++) {
    const double of_mu = off->nu_1[i];
    off->nu_1[i] += off->nu_2[i];
    off->nu_2[i] = s->t_far * off->nu_1[i] - time * of_mu;
  }
}

/* ---- the curve of the end ---- */

/* Corrections of mu^ and zeta, from (1 + D^2(theta.g)(x)) mu^ = mu + Dg(x)^T zeta and Dg(x) mu^ =
 * 0. */
static void change_mu(sw_curve_equations *s)
{
  const sw_curve *now = &s->now;
  const sw_curve *off = &s->off;
  const int d = s->system->nq;

  for (int i = 0; i < d; i++) {
    off->mu[i] = s->mu[i] - now->mu[i];
  }
  sw_curve_add_bent(s, s->x, -1.0, now->theta_near, now->mu, off->mu);
  if (s->system->nc > 0) {
    add_turned(s, 1.0, s->Dg_x, now->zeta, off->mu);
  }
  sw_curve_set_clock(s, 0.0, off->mu);
  stage_four_equations_times(s, s->Dg_x, now->mu, off->zeta);
  negate(s->system->nc, off->zeta);
  sw_curve_split(s, off->mu, off->zeta);
  negate(s->system->nc, off->zeta);
}

/* Corrections of lambda^, nu_1, nu_2 and v, from the critical equation, Dg(far) lambda^ = 0 with
 * its residual in s->g, and Dg(q) v = 0 with Dg(q) in s->jac. */
static void change_velocities(sw_curve_equations *s)
{
  const sw_curve *now = &s->now;
  const sw_curve *off = &s->off;
  const double h = s->t_far - s->t_near;
  const int d = s->system->nq;
  const int m = s->system->nc;

  miss_critical(s, now->q, now->v, s->jac);
  for (int i = 0; i < d; i++) {
    off->lambda[i] = -s->rq[i] - off->mu[i];
  }
  for (int i = 0; i < m; i++) {
    off->nu_1[i] = -s->g[i];
  }
  sw_curve_split(s, off->lambda, off->nu_1);
  for (int i = 0; i < d; i++) {
    s->rv[i] = -s->rv[i] - s->t_near * off->mu[i] - s->t_far * off->lambda[i];
  }
  if (m > 0) {
    /* N = -G H_pp G^T */
    times_mass(s, s->rv, off->v);
    stage_four_equations_times(s, s->G, off->v, off->nu_2);
    stage_four_equations_times(s, s->jac, now->v, s->g);
    for (int i = 0; i < m; i++) {
      off->nu_2[i] = -off->nu_2[i] - h * s->g[i];
    }
    sw_scaled_solve(&s->at.N, m, off->nu_2);
    add_turned(s, -1.0, s->G, off->nu_2, s->rv);
  }
  times_mass(s, s->rv, off->v);
  for (int i = 0; i < d; i++) {
    off->v[i] /= h;
  }
}

void sw_curve_change_end(sw_curve_equations *s)
{
  const sw_curve *now = &s->now;
  const sw_curve *off = &s->off;
  const int d = s->system->nq;
  const int m = s->system->nc;

  sw_zero(off->q, sw_curve_unknowns(s->system));
  sw_sweep_values(s->near, s->t_near, now->q); /* v follows q in memory */
  sw_sweep_values(s->far, s->t_far, now->q);
  sw_curve_surface(s, now->far, s->g, s->jac);
  stage_four_equations_times(s, s->jac, now->lambda, s->g);
  change_mu(s);
  sw_curve_surface(s, now->q, off->theta_near, s->jac);
  change_velocities(s);
  /* corrections of q and theta from R^q_near = x + Dg(x)^T theta, g(q) = 0 */
  for (int i = 0; i < d; i++) {
    off->q[i] = s->x[i] - s->near->w1[i] - s->t_near * off->v[i];
  }
  if (m > 0) {
    add_turned(s, 1.0, s->Dg_x, now->theta_near, off->q);
  }
  negate(m, off->theta_near);
  sw_curve_split(s, off->q, off->theta_near);
  negate(m, off->theta_near);
  for (int i = 0; i < d; i++) {
    off->far[i] = off->q[i] + s->t_far * off->v[i];
  }
  change_foot(s, now->far, now->theta_far, s->far->w1, off->far, off->theta_far);
}
