/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/acceleration_rates.h"

#include "linear/dense.h"

int sw_rates_are_there(const sw_model *model)
{
  return model->acceleration || model->hamiltonian_fourth.values;
}

static int largest_pattern(const sw_system *system)
{
  const sw_model *model = system->model;
  const int all[] = {
      system->hamiltonian_hess_pattern.entries,   system->hidden_jac_pattern.entries,
      system->constraint_hess_pattern.entries,    system->constraint_third_pattern.entries,
      system->constraint_fourth_pattern.entries,  system->hamiltonian_third_pattern.entries,
      system->hamiltonian_fourth_pattern.entries, model->acceleration_jac.places.n,
      model->acceleration_hess.places.n};
  int most = 0;

  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    most = sw_larger_int(most, all[i]);
  }
  return most;
}

void sw_rates_carve(sw_carver *c, sw_rates *s)
{
  const int made = !s->system->model->acceleration;
  const size_t d = made ? (size_t)s->system->nq : 0;
  const size_t m = made ? (size_t)s->system->nc : 0;
  const size_t of_g = made ? (size_t)s->system->constraint_jac_pattern.entries : 0;
  const size_t n = 2 * d + m;

  s->values = sw_carve(c, (size_t)largest_pattern(s->system), 1);
  SW_CARVE(c, of_g, 1, &s->jac, &s->along);
  SW_CARVE(c, 2 * d, 1, &s->gradient, &s->X, &s->U, &s->Y);
  SW_CARVE(c, 2 * d, 2 * d, &s->hess, &s->T);
  SW_CARVE(c, 2 * d, n, &s->X_y, &s->product);
  s->A = sw_carve(c, d, 1);
  s->weights = sw_carve(c, 4 * d + m, 1);
  SW_CARVE(c, d, d, &s->second, &s->third);
  s->of_A = sw_carve(c, d, n);
}

/* ---- the field ---- */

/* Computes gradient, X, hess and A, and the values of Dg. */
static void find_field(sw_rates *s, const double y[])
{
  const sw_system *system = s->system;
  const sw_pattern *hess = &system->hamiltonian_hess_pattern;
  const int d = system->nq;

  system->hamiltonian_grad(system, y, s->k, s->gradient);
  sw_turn((size_t)d, s->gradient, s->X);
  if (system->nc > 0) {
    const sw_pattern *Dg = &system->constraint_jac_pattern;
    system->constraint_jac(system, y, s->k, s->jac);
    for (int e = 0; e < Dg->entries; e++) {
      s->X[d + Dg->col[e]] -= s->jac[e] * y[2 * d + Dg->row[e]];
    }
  }
  system->hamiltonian_hess(system, y, s->k, s->values);
  sw_dense_symmetric(hess->entries, hess->row, hess->col, s->values, 2 * d, s->hess);
  sw_zero(s->A, (size_t)d);
  sw_dense_add_times(d, 2 * d, 1.0, sw_row(s->hess, 2 * d, d), s->X, s->A);
}

/* M = (a.g)_qq, d x d. */
static void second_of_g(sw_rates *s, const double y[], const double a[], double M[])
{
  const sw_pattern *hess = &s->system->constraint_hess_pattern;

  s->system->constraint_hess(s->system, y, s->k, a, s->values);
  sw_dense_symmetric(hess->entries, hess->row, hess->col, s->values, s->system->nq, M);
}

/* Computes X_y and H_pz X_y after find_field. */
static void find_slopes(sw_rates *s, const double y[])
{
  const sw_pattern *Dg = &s->system->constraint_jac_pattern;
  const int d = s->system->nq;
  const int n = 2 * d + s->system->nc;

  sw_zero(s->X_y, 2 * (size_t)d * (size_t)n);
  sw_dense_add_corner(d, 2 * d, 1.0, sw_const_row(s->hess, 2 * d, d), n, s->X_y);
  sw_dense_add_corner(d, 2 * d, -1.0, s->hess, n, sw_row(s->X_y, n, d));
  if (s->system->nc > 0) {
    second_of_g(s, y, y + 2 * d, s->third);
    sw_dense_add_corner(d, d, -1.0, s->third, n, sw_row(s->X_y, n, d));
  }
  for (int e = 0; e < Dg->entries; e++) {
    sw_row(s->X_y, n, d + Dg->col[e])[2 * d + Dg->row[e]] -= s->jac[e];
  }
  sw_zero(s->of_A, (size_t)d * (size_t)n);
  sw_dense_add_product(d, 2 * d, n, 1.0, sw_const_row(s->hess, 2 * d, d), s->X_y, s->of_A);
}

/* ---- derivatives along directions ---- */

/* T = second derivatives of grad H . u. */
static void third_of_H(sw_rates *s, const double y[], const double u[])
{
  const sw_pattern *third = &s->system->hamiltonian_third_pattern;

  s->system->hamiltonian_third(s->system, y, s->k, u, s->values);
  sw_dense_symmetric(third->entries, third->row, third->col, s->values, 2 * s->system->nq, s->T);
}

/* Adds the second derivatives of u . Hess H w to the upper left corner of K. */
static void add_fourth_of_H(sw_rates *s, const double y[], const double u[], const double w[],
                            double K[])
{
  const sw_pattern *fourth = &s->system->hamiltonian_fourth_pattern;
  const int dim = 2 * s->system->nq;
  const int n = dim + s->system->nc;

  sw_copy(s->weights, u, (size_t)dim);
  sw_copy(s->weights + dim, w, (size_t)dim);
  s->system->hamiltonian_fourth(s->system, y, s->k, s->weights, s->values);
  sw_dense_symmetric(fourth->entries, fourth->row, fourth->col, s->values, dim, s->T);
  sw_dense_add_corner(dim, dim, 1.0, s->T, n, K);
}

/* third = second derivatives of tau . Dg u, or, with w, of u . (tau.g)_qq w. */
static void derive_g(sw_rates *s, const double y[], const double tau[], const double u[],
                     const double w[])
{
  const sw_system *system = s->system;
  const sw_pattern *pattern =
      w ? &system->constraint_fourth_pattern : &system->constraint_third_pattern;
  const size_t d = (size_t)system->nq;
  const size_t m = (size_t)system->nc;

  sw_copy(s->weights, tau, m);
  sw_copy(s->weights + m, u, d);
  if (w) {
    sw_copy(s->weights + m + d, w, d);
    system->constraint_fourth(system, y, s->k, s->weights, s->values);
  } else {
    system->constraint_third(system, y, s->k, s->weights, s->values);
  }
  sw_dense_symmetric(pattern->entries, pattern->row, pattern->col, s->values, system->nq, s->third);
}

/* along: row i is g_i,qq u, in the pattern of Dg. */
static void turn_Dg(sw_rates *s, const double y[], const double u[])
{
  const double *v = sw_copy_and_zero(s->weights, u, (size_t)s->system->nq);

  s->system->constraint_jac_along(s->system, y, s->k, v, s->along);
}

/* ---- first derivatives ---- */

/* Derivatives of rho' = g_qq[v,v] + Dg A; those of A are already in rate_y. */
static void slopes_of_rho(sw_rates *s, const double y[], double rate_y[])
{
  const sw_pattern *Dg = &s->system->constraint_jac_pattern;
  const int d = s->system->nq;
  const int m = s->system->nc;
  const int n = 2 * d + m;
  double *unit = s->Y;
  double *rows = sw_row(rate_y, n, d);

  for (int e = 0; e < Dg->entries; e++) {
    sw_add_scaled(n, s->jac[e], sw_const_row(rate_y, n, Dg->col[e]), sw_row(rows, n, Dg->row[e]));
  }
  turn_Dg(s, y, s->A);
  for (int e = 0; e < Dg->entries; e++) {
    sw_row(rows, n, Dg->row[e])[Dg->col[e]] += s->along[e];
  }
  turn_Dg(s, y, s->X);
  for (int e = 0; e < Dg->entries; e++) {
    sw_add_scaled(2 * d, 2.0 * s->along[e], sw_const_row(s->hess, 2 * d, d + Dg->col[e]),
                  sw_row(rows, n, Dg->row[e]));
  }
  sw_zero(unit, (size_t)m);
  for (int i = 0; i < m && s->system->constraint_third_pattern.entries > 0; i++) {
    unit[i] = 1.0;
    derive_g(s, y, unit, s->X, NULL);
    sw_dense_add_times(d, d, 1.0, s->third, s->X, sw_row(rows, n, i));
    unit[i] = 0.0;
  }
}

static void acceleration_rates_make_jacobian(sw_rates *s, const double y[], double rate_y[])
{
  const int d = s->system->nq;
  const int m = s->system->nc;
  const int n = 2 * d + m;

  find_field(s, y);
  find_slopes(s, y);
  third_of_H(s, y, s->X);
  sw_zero(rate_y, (size_t)(d + m) * (size_t)n);
  sw_copy(rate_y, s->of_A, (size_t)d * (size_t)n);
  sw_dense_add_corner(d, 2 * d, 1.0, sw_const_row(s->T, 2 * d, d), n, rate_y);
  if (m > 0) {
    slopes_of_rho(s, y, rate_y);
  }
}

/* ---- second derivatives ---- */

/* Adds a (M + M^T) to the upper left corner of K; M: rows x cols. */
static void add_both(const sw_rates *s, int rows, int cols, double a, const double M[], double K[])
{
  const int n = 2 * s->system->nq + s->system->nc;

  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) {
      const double value = a * sw_const_row(M, cols, i)[j];
      sw_row(K, n, i)[j] += value;
      sw_row(K, n, j)[i] += value;
    }
  }
}

/* Adds the constraint terms of U^T Hess H X, from the derivatives of U = (0, a + Dg^T b) and of X
 * through lambda.g; Y = Hess H U. */
static void add_bent(sw_rates *s, const double y[], const double b[], double K[])
{
  const sw_pattern *Dg = &s->system->constraint_jac_pattern;
  const int d = s->system->nq;
  const int n = 2 * d + s->system->nc;

  third_of_H(s, y, s->X);
  sw_zero(s->product, (size_t)d * (size_t)n);
  /* U_q^T (H_pz X_y + third of X) */
  sw_dense_add_corner(d, 2 * d, 1.0, sw_const_row(s->T, 2 * d, d), n, s->of_A);
  sw_dense_add_product(d, d, n, 1.0, s->second, s->of_A, s->product);
  add_both(s, d, n, 1.0, s->product, K);
  derive_g(s, y, b, s->A, NULL);
  sw_dense_add_corner(d, d, 1.0, s->third, n, K);
  derive_g(s, y, y + 2 * d, s->Y + d, NULL);
  sw_dense_add_corner(d, d, -1.0, s->third, n, K);
  turn_Dg(s, y, s->Y + d);
  for (int e = 0; e < Dg->entries; e++) {
    sw_row(K, n, 2 * d + Dg->row[e])[Dg->col[e]] -= s->along[e];
    sw_row(K, n, Dg->col[e])[2 * d + Dg->row[e]] -= s->along[e];
  }
}

/* (b.g)_qq[v,v] without the terms with second derivatives of v. */
static void add_squares(sw_rates *s, const double y[], const double b[], double K[])
{
  const int d = s->system->nq;
  const int n = 2 * d + s->system->nc;
  const double *v_z = sw_const_row(s->hess, 2 * d, d);

  derive_g(s, y, b, s->X, s->X);
  sw_dense_add_corner(d, d, 1.0, s->third, n, K);
  derive_g(s, y, b, s->X, NULL);
  sw_zero(s->product, 2 * (size_t)d * (size_t)d);
  sw_dense_add_product(d, d, 2 * d, 1.0, s->third, v_z, s->product);
  add_both(s, d, 2 * d, 2.0, s->product, K);
  sw_zero(s->product, 2 * (size_t)d * (size_t)d);
  sw_dense_add_product(d, d, 2 * d, 1.0, s->second, v_z, s->product);
  sw_zero(s->T, 4 * (size_t)d * (size_t)d);
  sw_dense_add_transposed(d, 2 * d, 2 * d, 2.0, v_z, s->product, s->T);
  sw_dense_add_corner(2 * d, 2 * d, 1.0, s->T, n, K);
}

/* Computes U, Y, and (b.g)_qq. */
static void find_directions(sw_rates *s, const double y[], const double a[], const double b[])
{
  const sw_pattern *Dg = &s->system->constraint_jac_pattern;
  const int d = s->system->nq;

  sw_zero(s->U, (size_t)d);
  sw_copy(s->U + d, a, (size_t)d);
  for (int e = 0; e < Dg->entries; e++) {
    s->U[d + Dg->col[e]] += s->jac[e] * b[Dg->row[e]];
  }
  sw_zero(s->Y, 2 * (size_t)d);
  sw_dense_add_times(2 * d, 2 * d, 1.0, s->hess, s->U, s->Y);
  if (s->system->nc > 0) {
    second_of_g(s, y, b, s->second);
  }
}

static void make_second(sw_rates *s, const double y[], const double weights[], double K[])
{
  const int d = s->system->nq;
  const int m = s->system->nc;
  const int n = 2 * d + m;
  const double *a = weights + m;
  const double *b = a + d;
  const double *c = b + m;

  sw_zero(K, (size_t)n * (size_t)n);
  find_field(s, y);
  find_slopes(s, y);
  find_directions(s, y, a, b);
  add_fourth_of_H(s, y, s->U, s->X, K);
  /* the weights of the second derivatives of H_z in X, in H_p, and in (b.g)_qq[v,v] */
  for (int i = 0; i < d; i++) {
    s->weights[i] = -s->Y[d + i];
    s->weights[d + i] = s->Y[i] + c[i];
  }
  if (m > 0) {
    sw_dense_add_times(d, d, 2.0, s->second, s->X, s->weights + d);
  }
  third_of_H(s, y, s->weights);
  sw_dense_add_corner(2 * d, 2 * d, 1.0, s->T, n, K);
  third_of_H(s, y, s->U);
  sw_zero(s->product, 2 * (size_t)d * (size_t)n);
  sw_dense_add_product(2 * d, 2 * d, n, 1.0, s->T, s->X_y, s->product);
  add_both(s, 2 * d, n, 1.0, s->product, K);
  if (m > 0) {
    add_bent(s, y, b, K);
    add_squares(s, y, b, K);
  }
}

/* ---- the model's own rates, or computed ones ---- */

void sw_rates_values(sw_rates *s, const double y[], double rate[])
{
  const sw_system *system = s->system;
  const int d = system->nq;

  if (system->acceleration) {
    system->acceleration(system, y, s->k, y + 2 * d, rate);
    return;
  }
  find_field(s, y);
  sw_copy(rate, s->A, (size_t)d);
  if (system->nc > 0) {
    system->hidden_jac(system, y, s->k, s->values);
    sw_multiply(&system->hidden_jac_pattern, s->values, 1, s->X, rate + d);
  }
}

void sw_rates_jacobian(sw_rates *s, const double y[], double rate_y[])
{
  const sw_system *system = s->system;
  const sw_pattern *pattern = &system->acceleration_jac_pattern;
  const int d = system->nq;
  const int m = system->nc;

  if (!system->acceleration) {
    acceleration_rates_make_jacobian(s, y, rate_y);
    return;
  }
  system->acceleration_jac(system, y, s->k, y + 2 * d, s->values);
  sw_zero(rate_y, (size_t)(d + m) * (size_t)(2 * d + m));
  for (int e = 0; e < pattern->entries; e++) {
    sw_row(rate_y, 2 * d + m, pattern->row[e])[pattern->col[e]] = s->values[e];
  }
}

void sw_rates_second(sw_rates *s, const double y[], const double weights[], double K[])
{
  const sw_system *system = s->system;
  const sw_pattern *pattern = &system->acceleration_hess_pattern;

  if (!system->acceleration) {
    make_second(s, y, weights, K);
    return;
  }
  system->acceleration_hess(system, y, s->k, weights, s->values);
  sw_dense_symmetric(pattern->entries, pattern->row, pattern->col, s->values,
                     2 * system->nq + system->nc, K);
}
