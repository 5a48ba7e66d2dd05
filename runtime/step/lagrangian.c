/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/layer.h"

#include <math.h>

#include "linear/dense.h"
#include "model/mass.h"

void sw_lagrangian_carve(sw_carver *c, sw_lagrangian *s)
{
  const size_t d = (size_t)s->system->nq;
  const size_t m = (size_t)s->system->nc;
  const int most =
      sw_larger_int(s->system->hamiltonian_hess_pattern.entries, s->system->nc * s->system->nc);

  s->clock = sw_mass_clock(s->system);
  s->rates.system = s->system;
  s->rates.k = s->k;
  sw_rates_carve(c, &s->rates);
  s->gradient = sw_carve(c, 2 * d, 1);
  s->hess_H = sw_carve(c, 2 * d, 2 * d);
  s->values = sw_carve(c, (size_t)most, 1);
  s->weights = sw_carve(c, 2 * (m + d), 1);
  s->hess = sw_carve(c, 2 * d + m, 2 * d + m);
  s->product = sw_carve(c, 2 * d + m, 2 * d);
}

void sw_lagrangian_point_carve(sw_carver *c, const sw_lagrangian *s, sw_lagrangian_point *point)
{
  const size_t d = (size_t)s->system->nq;
  const size_t m = (size_t)s->system->nc;

  point->y = sw_carve(c, 2 * d + m, 1);
  SW_CARVE(c, d, 1, &point->v, &point->of_mass);
  point->rate = sw_carve(c, d + m, 1);
  point->L_w = sw_carve(c, 2 * d, 1);
  point->rate_y = sw_carve(c, d + m, 2 * d + m);
  point->y_w = sw_carve(c, 2 * d + m, 2 * d);
  point->A_w = sw_carve(c, d, 2 * d);
  point->mass = sw_carve(c, d, d);
  point->N = sw_carve(c, m, m);
  point->of_N = sw_carve(c, m, 1);
  point->by_mass = sw_carve_bytes(c, d * sizeof(int));
  point->by_N = sw_carve_bytes(c, m * sizeof(int));
}

void sw_lagrangian_hessian(sw_lagrangian *s, const double z[])
{
  const sw_pattern *pattern = &s->system->hamiltonian_hess_pattern;

  s->system->hamiltonian_hess(s->system, z, s->k, s->values);
  sw_dense_symmetric(pattern->entries, pattern->row, pattern->col, s->values, 2 * s->system->nq,
                     s->hess_H);
  if (s->clock >= 0) {
    const int momentum = s->system->nq + s->clock;
    sw_row(s->hess_H, 2 * s->system->nq, momentum)[momentum] = 1.0;
  }
}

/* Solves H_p(q,0) + H_pp p = v for p. Returns 0 if H_pp is singular. */
static int lagrangian_find_momenta(sw_lagrangian *s, sw_lagrangian_point *point)
{
  const int d = s->system->nq;
  double *p = point->y + d;

  sw_zero(p, (size_t)d);
  sw_lagrangian_hessian(s, point->y);
  for (int i = 0; i < d; i++) {
    sw_copy(sw_row(point->mass, d, i), sw_const_row(s->hess_H, 2 * d, d + i) + d, (size_t)d);
  }
  if (!sw_dense_factor(d, point->mass, point->of_mass, point->by_mass)) {
    return 0;
  }
  /* The second pass removes the round-off of the first. */
  for (int pass = 0; pass < 2; pass++) {
    s->system->hamiltonian_grad(s->system, point->y, s->k, s->gradient);
    for (int i = 0; i < d; i++) {
      s->weights[i] = point->v[i] - s->gradient[d + i];
    }
    sw_dense_solve(d, point->mass, point->of_mass, point->by_mass, s->weights);
    sw_add_scaled(d, 1.0, s->weights, p);
  }
  return 1;
}

/* Computes the multipliers that make rho' zero, and the accelerations. Returns 0 if N is
 * singular. */
static int lagrangian_find_multipliers(sw_lagrangian *s, sw_lagrangian_point *point)
{
  const sw_pattern *pattern = &s->system->nondegeneracy_pattern;
  const int d = s->system->nq;
  const int m = s->system->nc;
  double *lambda = point->y + 2 * d;

  sw_zero(lambda, (size_t)m);
  sw_rates_values(&s->rates, point->y, point->rate);
  if (m == 0) {
    return 1;
  }
  s->system->nondegeneracy(s->system, point->y, s->k, s->values);
  sw_zero(point->N, (size_t)m * (size_t)m);
  for (int e = 0; e < pattern->entries; e++) {
    point->N[pattern->col[e] * m + pattern->row[e]] = s->values[e];
  }
  if (!sw_dense_factor(m, point->N, point->of_N, point->by_N)) {
    return 0;
  }
  for (int pass = 0; pass < 2; pass++) {
    sw_copy(s->weights, point->rate + d, (size_t)m);
    sw_dense_solve(m, point->N, point->of_N, point->by_N, s->weights);
    sw_add_scaled(m, -1.0, s->weights, lambda);
    sw_rates_values(&s->rates, point->y, point->rate);
  }
  return 1;
}

static void find_L_w(sw_lagrangian *s, sw_lagrangian_point *point)
{
  const int d = s->system->nq;

  s->system->hamiltonian_grad(s->system, point->y, s->k, s->gradient);
  for (int i = 0; i < d; i++) {
    point->L_w[i] = -s->gradient[i];
    point->L_w[d + i] = point->y[d + i];
  }
}

/* Replaces the n columns of X by the solutions. */
static void solve_columns(int rows, const double factors[], const double scale[],
                          const int exchange[], int n, double X[], double column[])
{
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < rows; i++) {
      column[i] = X[i * n + j];
    }
    sw_dense_solve(rows, factors, scale, exchange, column);
    for (int i = 0; i < rows; i++) {
      X[i * n + j] = column[i];
    }
  }
}

/* Computes y_w: p_w from H_pq + H_pp p_w = v_w, lambda_w from the rate of rho, which stays zero. */
static void lagrangian_find_derivatives(sw_lagrangian *s, sw_lagrangian_point *point)
{
  const int d = s->system->nq;
  const int m = s->system->nc;
  const int rows = 2 * d + m;
  double *p_w = sw_row(point->y_w, 2 * d, d);
  double *lambda_w = sw_row(point->y_w, 2 * d, 2 * d);

  sw_rates_jacobian(&s->rates, point->y, point->rate_y);
  sw_lagrangian_hessian(s, point->y);
  sw_zero(point->y_w, (size_t)rows * 2 * (size_t)d);
  for (int i = 0; i < d; i++) {
    sw_row(point->y_w, 2 * d, i)[i] = 1.0;
    sw_row(p_w, 2 * d, i)[d + i] = 1.0;
    for (int j = 0; j < d; j++) {
      sw_row(p_w, 2 * d, i)[j] = -sw_row(s->hess_H, 2 * d, d + i)[j];
    }
  }
  solve_columns(d, point->mass, point->of_mass, point->by_mass, 2 * d, p_w, s->weights);
  for (int i = 0; i < m; i++) {
    const double *rate_y = sw_const_row(point->rate_y, rows, d + i);
    sw_dense_add_product(1, 2 * d, 2 * d, -1.0, rate_y, point->y_w, sw_row(lambda_w, 2 * d, i));
  }
  solve_columns(m, point->N, point->of_N, point->by_N, 2 * d, lambda_w, s->weights);
  sw_zero(point->A_w, 2 * (size_t)d * (size_t)d);
  sw_dense_add_product(d, rows, 2 * d, 1.0, point->rate_y, point->y_w, point->A_w);
}

void sw_lagrangian_at(sw_lagrangian *s, const double q[], const double v[], int with_derivatives,
                      sw_lagrangian_point *point)
{
  const int d = s->system->nq;
  const int m = s->system->nc;

  sw_copy(point->y, q, (size_t)d);
  sw_copy(point->v, v, (size_t)d);
  if (!lagrangian_find_momenta(s, point) || !lagrangian_find_multipliers(s, point)) {
    sw_fill(point->y, NAN, 2 * (size_t)d + (size_t)m);
    sw_fill(point->rate, NAN, (size_t)d + (size_t)m);
    with_derivatives = 0;
  }
  if (with_derivatives) {
    find_L_w(s, point);
    lagrangian_find_derivatives(s, point);
  }
}

/* Computes the weights of rho' and of H_p that make a.A + b.rho' + c.H_p stationary in lambda and
 * in p. Second derivatives of this sum along y_w are then those of a.A(q,v). */
static void find_weights(sw_lagrangian *s, const sw_lagrangian_point *point, const double a[])
{
  const int d = s->system->nq;
  const int m = s->system->nc;
  const int rows = 2 * d + m;
  double *of_A = s->weights + m;
  double *of_rho = of_A + d;
  double *of_v = of_rho + m;

  sw_copy(s->weights, point->y + 2 * d, (size_t)m);
  sw_copy(of_A, a, (size_t)d);
  sw_zero(of_rho, (size_t)m + (size_t)d);
  for (int i = 0; i < d; i++) {
    sw_add_scaled(m, -a[i], sw_const_row(point->rate_y, rows, i) + 2 * d, of_rho);
  }
  sw_dense_solve(m, point->N, point->of_N, point->by_N, of_rho);
  for (int i = 0; i < d + m; i++) {
    sw_add_scaled(d, -of_A[i], sw_const_row(point->rate_y, rows, i) + d, of_v);
  }
  sw_dense_solve(d, point->mass, point->of_mass, point->by_mass, of_v);
}

void sw_lagrangian_second(sw_lagrangian *s, const sw_lagrangian_point *point, const double a[],
                          double b, double K[])
{
  const int d = s->system->nq;
  const int rows = 2 * d + s->system->nc;

  if (!sw_is_zero(d, a)) {
    find_weights(s, point, a);
    sw_rates_second(&s->rates, point->y, s->weights, s->hess);
    sw_zero(s->product, (size_t)rows * 2 * (size_t)d);
    sw_dense_add_product(rows, rows, 2 * d, 1.0, s->hess, point->y_w, s->product);
    sw_dense_add_transposed(rows, 2 * d, 2 * d, 1.0, point->y_w, s->product, K);
  }
  if (b != 0.0) {
    sw_lagrangian_hessian(s, point->y);
    sw_dense_add_product(d, 2 * d, 2 * d, -b, s->hess_H, point->y_w, K);
    sw_add_scaled(2 * d * d, b, sw_const_row(point->y_w, 2 * d, d), sw_row(K, 2 * d, d));
  }
}
