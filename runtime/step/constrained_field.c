/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/constrained_field.h"

#include <math.h>
#include <stdlib.h>

#include "common/vectors.h"
#include "linear/sparse.h"
#include "step/phase_plan.h"

/* 1 if the third derivatives of constrained_field.h are 0. */
static int is_simple(const sw_model *model)
{
  const sw_structure *s = &model->structure;

  return s->separable && s->mass != SW_MASS_GENERAL &&
         (model->n_constraints == 0 || (s->degree_g >= 0 && s->degree_g <= 2));
}

int sw_field_is_there(const sw_model *model)
{
  return model->acceleration || model->hamiltonian_third.values ||
         (model->structure.holonomic && is_simple(model));
}

sw_status sw_field_open(sw_field *s)
{
  return sw_momentum_block(s->system, &s->H_pp, &s->H_pp_source);
}

void sw_field_close(sw_field *s)
{
  sw_pattern_free(&s->H_pp);
  free(s->H_pp_source);
  s->H_pp_source = NULL;
}

sw_status sw_field_point_open(const sw_field *s, sw_field_point *point)
{
  sw_status status = sw_linear_create(&s->H_pp, &point->mass.linear);

  if (status == SW_OK && s->system->nc > 0) {
    status = sw_linear_create(&s->system->nondegeneracy_pattern, &point->N.linear);
  }
  return status;
}

void sw_field_point_close(sw_field_point *point)
{
  sw_linear_free(&point->mass.linear);
  sw_linear_free(&point->N.linear);
}

void sw_field_carve(sw_carver *c, sw_field *s)
{
  const sw_system *system = s->system;
  const size_t d = (size_t)system->nq;
  const size_t m = (size_t)system->nc;
  const int most = sw_larger_int(s->H_pp.entries, system->nondegeneracy_pattern.entries);
  const int third = sw_larger_int(system->hamiltonian_third_pattern.entries,
                                  system->constraint_third_pattern.entries);

  s->hess_H = sw_carve(c, (size_t)system->hamiltonian_hess_pattern.entries, 1);
  s->jac = sw_carve(c, (size_t)system->constraint_jac_pattern.entries, 1);
  s->jac_rho = sw_carve(c, (size_t)system->hidden_jac_pattern.entries, 1);
  s->second = sw_carve(c, (size_t)system->constraint_hess_pattern.entries, 1);
  s->third = sw_carve(c, (size_t)third, 1);
  s->rates = sw_carve(c, (size_t)system->model->acceleration_jac.places.n, 1);
  s->values = sw_carve(c, (size_t)most, 1);
  s->grad = sw_carve(c, 2 * d, 1);
  s->along = sw_carve(c, 2 * d, 1);
  s->x = sw_carve(c, 2 * d, 1);
  s->y = sw_carve(c, 2 * d, 1);
  s->u = sw_carve(c, 2 * d, 1);
  s->weights = sw_carve(c, d + m, 1);
  s->rate = sw_carve(c, m, 1);
  s->of_rho = sw_carve(c, m, 1);
}

void sw_field_point_carve(sw_carver *c, const sw_field *s, sw_field_point *point)
{
  const size_t d = (size_t)s->system->nq;

  point->z = sw_carve(c, 2 * d, 1);
  point->v = sw_carve(c, d, 1);
  point->A = sw_carve(c, d, 1);
  point->lambda = sw_carve(c, (size_t)s->system->nc, 1);
  point->mass.scale = sw_carve(c, d, 1);
  point->N.scale = sw_carve(c, (size_t)s->system->nc, 1);
}

/* ---- values ---- */

static int factor_mass(sw_field *s, sw_field_point *point)
{
  s->system->hamiltonian_hess(s->system, point->z, s->k, s->hess_H);
  for (int e = 0; e < s->H_pp.entries; e++) {
    s->values[e] = s->H_pp_source[e] < 0 ? 1.0 : s->hess_H[s->H_pp_source[e]];
  }
  return sw_scaled_factor(&point->mass, &s->H_pp, s->values);
}

/* Solves H_p(q,0) + H_pp p = v for p, and evaluates Hess H there. The second pass removes the
 * round-off of the first. */
static int constrained_field_find_momenta(sw_field *s, sw_field_point *point)
{
  const int d = s->system->nq;

  sw_zero(point->z + d, (size_t)d);
  if (!factor_mass(s, point)) {
    return 0;
  }
  for (int pass = 0; pass < 2; pass++) {
    s->system->hamiltonian_grad(s->system, point->z, s->k, s->grad);
    for (int i = 0; i < d; i++) {
      s->x[i] = point->v[i] - s->grad[d + i];
    }
    sw_scaled_solve(&point->mass, d, s->x);
    sw_add_scaled(d, 1.0, s->x, point->z + d);
  }
  s->system->hamiltonian_hess(s->system, point->z, s->k, s->hess_H);
  return 1;
}

/* s->along = X, from s->jac. */
static void constrained_field_find_along(sw_field *s, const sw_field_point *point)
{
  const sw_system *system = s->system;
  const int d = system->nq;

  system->hamiltonian_grad(system, point->z, s->k, s->grad);
  for (int i = 0; i < d; i++) {
    s->along[i] = s->grad[d + i];
    s->along[d + i] = s->grad[i];
  }
  if (system->nc > 0) {
    sw_add_transposed(&system->constraint_jac_pattern, s->jac, point->lambda, s->along + d);
  }
  for (int i = 0; i < d; i++) {
    s->along[d + i] = -s->along[d + i];
  }
}

/* Computes A and rho' from s->jac, s->jac_rho and s->hess_H. */
static void find_rates(sw_field *s, sw_field_point *point)
{
  const sw_system *system = s->system;
  const int d = system->nq;

  constrained_field_find_along(s, point);
  sw_symmetric_multiply(&system->hamiltonian_hess_pattern, s->hess_H, 1, s->along, s->x);
  sw_copy(point->A, s->x + d, (size_t)d);
  if (system->nc > 0) {
    sw_multiply(&system->hidden_jac_pattern, s->jac_rho, 1, s->along, s->rate);
  }
}

/* Computes the multipliers that make rho' zero, and A. */
static int constrained_field_find_multipliers(sw_field *s, sw_field_point *point)
{
  const sw_system *system = s->system;
  const int m = system->nc;

  sw_zero(point->lambda, (size_t)m);
  if (m > 0) {
    system->constraint_jac(system, point->z, s->k, s->jac);
    system->hidden_jac(system, point->z, s->k, s->jac_rho);
    system->nondegeneracy(system, point->z, s->k, s->values);
    if (!sw_scaled_factor(&point->N, &system->nondegeneracy_pattern, s->values)) {
      return 0;
    }
  }
  find_rates(s, point);
  for (int pass = 0; pass < 2 && m > 0; pass++) {
    sw_scaled_solve(&point->N, m, s->rate);
    sw_add_scaled(m, -1.0, s->rate, point->lambda);
    find_rates(s, point);
  }
  return 1;
}

int sw_field_at(sw_field *s, const double q[], const double v[], sw_field_point *point)
{
  const size_t d = (size_t)s->system->nq;

  sw_copy(point->z, q, d);
  sw_copy(point->v, v, d);
  if (!constrained_field_find_momenta(s, point) || !constrained_field_find_multipliers(s, point)) {
    sw_fill(point->A, NAN, d);
    return 0;
  }
  return 1;
}

/* ---- backwards ---- */

/* x = Hess H (0, a), 2d values: H_qp a, then H_pp a. */
static void constrained_field_times_mass(sw_field *s, const double a[], double x[])
{
  const size_t d = (size_t)s->system->nq;

  sw_zero(s->y, d);
  sw_copy(s->y + d, a, d);
  sw_symmetric_multiply(&s->system->hamiltonian_hess_pattern, s->hess_H, 1, s->y, x);
}

/* y += f D^2(a.g) u; y, u: d. */
static void add_curvature(sw_field *s, const sw_field_point *point, double f, const double a[],
                          const double u[], double y[])
{
  s->system->constraint_hess(s->system, point->z, s->k, a, s->second);
  sw_symmetric_add(&s->system->constraint_hess_pattern, f, s->second, u, y);
}

/* s->grad = derivatives in q and p of a.A + s->of_rho.rho' with fixed multipliers, from the
 * generated functions. */
static void go_back_generated(sw_field *s, const sw_field_point *point, const double a[])
{
  const sw_lambda_matrix *jac = &s->system->model->acceleration_jac;
  const int d = s->system->nq;

  jac->values(NULL, point->z, s->k, point->lambda, s->rates);
  sw_zero(s->grad, 2 * (size_t)d);
  for (int e = 0; e < jac->places.n; e++) {
    const int row = jac->places.row[e];
    const double weight = row < d ? a[row] : s->of_rho[row - d];
    if (jac->places.col[e] < 2 * d) {
      s->grad[jac->places.col[e]] += weight * s->rates[e];
    }
  }
}

/* y += D^3(a.g)[u, u]; y, u: d. */
static void add_third_of_g(sw_field *s, const sw_field_point *point, const double a[],
                           const double u[], double y[])
{
  const sw_pattern *lower = &s->system->constraint_third_pattern;
  const size_t d = (size_t)s->system->nq;
  const size_t m = (size_t)s->system->nc;

  if (lower->entries == 0) {
    return;
  }
  sw_copy(s->weights, a, m);
  sw_copy(s->weights + m, u, d);
  s->system->constraint_third(s->system, point->z, s->k, s->weights, s->third);
  sw_symmetric_add(lower, 1.0, s->third, u, y);
}

/* The same by the formula of constrained_field.h. */
static void go_back_along(sw_field *s, const sw_field_point *point, const double a[])
{
  const sw_system *system = s->system;
  const sw_pattern *hess = &system->hamiltonian_hess_pattern;
  const sw_pattern *third = &system->hamiltonian_third_pattern;
  const int d = system->nq;
  double *Y = s->x;

  sw_zero(s->u, (size_t)d);
  sw_copy(s->u + d, a, (size_t)d);
  if (system->nc > 0) {
    sw_add_transposed(&system->constraint_jac_pattern, s->jac, s->of_rho, s->u + d);
  }
  sw_symmetric_multiply(hess, s->hess_H, 1, s->u, Y);
  if (third->entries > 0) {
    system->hamiltonian_third(system, point->z, s->k, s->u, s->third);
  }
  for (int i = 0; i < d; i++) {
    s->u[i] = -Y[d + i];
    s->u[d + i] = Y[i];
  }
  if (system->nc > 0) {
    add_curvature(s, point, 2.0, s->of_rho, point->v, s->u + d);
  }
  if (third->entries > 0) {
    constrained_field_find_along(s, point);
  }
  sw_symmetric_multiply(hess, s->hess_H, 1, s->u, s->grad);
  sw_symmetric_add(third, 1.0, s->third, s->along, s->grad);
  if (system->nc > 0) {
    add_curvature(s, point, -1.0, point->lambda, Y + d, s->grad);
    add_curvature(s, point, 1.0, s->of_rho, point->A, s->grad);
    add_third_of_g(s, point, s->of_rho, point->v, s->grad);
  }
}

/* Computes the weights of rho' and of H_p that make a.A + of_rho.rho' + of_v.H_p stationary in
 * lambda and in p, as in lagrangian.c. The derivative of the sum in q, and -of_v, are then the
 * derivatives of a.A(q,v) in q and v. */
static void add_field(sw_field *s, const sw_field_point *point, const double a[], double by_q[],
                      double by_v[])
{
  const sw_system *system = s->system;
  const int d = system->nq;

  system->hamiltonian_hess(system, point->z, s->k, s->hess_H);
  if (system->nc > 0) {
    system->constraint_jac(system, point->z, s->k, s->jac);
    constrained_field_times_mass(s, a, s->x);
    sw_copy(s->along, s->x + d, (size_t)d);
    sw_zero(s->along + d, (size_t)d);
    sw_multiply(&system->constraint_jac_pattern, s->jac, 1, s->along, s->of_rho);
    sw_scaled_solve(&point->N, system->nc, s->of_rho);
  }
  if (system->model->acceleration) {
    go_back_generated(s, point, a);
  } else {
    go_back_along(s, point, a);
  }
  for (int i = 0; i < d; i++) {
    by_q[i] += s->grad[i];
    s->along[i] = -s->grad[d + i];
  }
  sw_scaled_solve(&point->mass, d, s->along);
  constrained_field_times_mass(s, s->along, s->x);
  for (int i = 0; i < d; i++) {
    by_q[i] += s->x[i];
    by_v[i] -= s->along[i];
  }
}

void sw_field_back(sw_field *s, const sw_field_point *point, const double a[], double b,
                   double by_q[], double by_v[])
{
  const int d = s->system->nq;

  if (!sw_is_zero(d, a)) {
    add_field(s, point, a, by_q, by_v);
  }
  if (b != 0.0) {
    s->system->hamiltonian_grad(s->system, point->z, s->k, s->grad);
    sw_add_scaled(d, -b, s->grad, by_q);
    sw_add_scaled(d, b, point->z + d, by_v);
  }
}
