/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/variational_step.h"

#include <math.h>

#include "linear/dense.h"
#include "linear/dense_lu.h"
#include "model/mass.h"
#include "model/scale.h"
#include "step/descent.h"

/* ---- g ---- */

static void sw_surface_carve(sw_carver *c, sw_surface *s)
{
  const sw_system *system = s->system;
  const size_t d = (size_t)system->nq;
  const int second = sw_larger_int(system->constraint_hess_pattern.entries,
                                   system->constraint_third_pattern.entries);

  s->clock = sw_mass_clock(system);
  s->z = sw_carve(c, 2 * d, 1);
  s->values = sw_carve(c, (size_t)sw_larger_int(second, system->constraint_jac_pattern.entries), 1);
  s->weights = sw_carve(c, (size_t)system->nc + d, 1);
  s->hess = sw_carve(c, d, d);
}

static const double *at(sw_surface *s, const double x[])
{
  return sw_copy_and_zero(s->z, x, (size_t)s->system->nq);
}

static void sw_surface_values(sw_surface *s, const double x[], double g[])
{
  if (s->system->nc > 0) {
    s->system->constraint(s->system, at(s, x), s->k, g);
  }
}

static void sw_surface_slopes(sw_surface *s, const double x[], double Dg[])
{
  const sw_pattern *pattern = &s->system->constraint_jac_pattern;
  const int d = s->system->nq;

  if (s->system->nc == 0) {
    return;
  }
  s->system->constraint_jac(s->system, at(s, x), s->k, s->values);
  sw_zero(Dg, (size_t)s->system->nc * (size_t)d);
  for (int e = 0; e < pattern->entries; e++) {
    sw_row(Dg, d, pattern->row[e])[pattern->col[e]] = s->values[e];
  }
}

void sw_surface_second(sw_surface *s, const double x[], const double a[], double H[])
{
  const sw_pattern *pattern = &s->system->constraint_hess_pattern;
  const int d = s->system->nq;

  sw_zero(H, (size_t)d * (size_t)d);
  if (s->system->nc > 0) {
    s->system->constraint_hess(s->system, at(s, x), s->k, a, s->values);
    sw_dense_symmetric(pattern->entries, pattern->row, pattern->col, s->values, d, H);
  }
}

/* Gu, m x d: row i is the Hessian of g_i times u. */
static void sw_surface_along(sw_surface *s, const double x[], const double u[], double Gu[])
{
  const int d = s->system->nq;
  const int m = s->system->nc;

  sw_zero(Gu, (size_t)m * (size_t)d);
  for (int i = 0; i < m; i++) {
    sw_zero(s->weights, (size_t)m);
    s->weights[i] = 1.0;
    sw_surface_second(s, x, s->weights, s->hess);
    sw_dense_add_times(d, d, 1.0, s->hess, u, sw_row(Gu, d, i));
  }
}

/* H += b times the second derivatives of a.Dg(x) u; d x d. */
static void sw_surface_add_third(sw_surface *s, const double x[], const double a[],
                                 const double u[], double b, double H[])
{
  const sw_pattern *third = &s->system->constraint_third_pattern;
  const int d = s->system->nq;
  const int m = s->system->nc;

  if (third->entries == 0) {
    return;
  }
  sw_copy(s->weights, a, (size_t)m);
  sw_copy(s->weights + m, u, (size_t)d);
  s->system->constraint_third(s->system, at(s, x), s->k, s->weights, s->values);
  sw_dense_symmetric(third->entries, third->row, third->col, s->values, d, s->hess);
  sw_add_scaled(d * d, b, s->hess, H);
}

/* scale_i: the largest power of two not above the largest entry of row i of Dg. */
static void sw_surface_scale(const sw_surface *s, const double Dg[], double scale[])
{
  const int d = s->system->nq;

  for (int i = 0; i < s->system->nc; i++) {
    scale[i] = sw_power_below(sw_max_abs((size_t)d, sw_const_row(Dg, d, i)));
  }
}

/* ---- the foot ---- */

/* Sets the array pointers of *s, whose `surface` is set. */
static void sw_foot_carve(sw_carver *c, sw_foot *s)
{
  const size_t d = (size_t)s->surface->system->nq;
  const size_t m = (size_t)s->surface->system->nc;

  s->x = sw_carve(c, d, 1);
  SW_CARVE(c, m, 1, &s->theta, &s->scale);
  s->Dg = sw_carve(c, m, d);
  s->hess = sw_carve(c, d, d);
  s->matrix = sw_carve(c, d + m, d + m);
  s->exchange = sw_carve_bytes(c, (d + m) * sizeof(int));
  s->step = sw_carve(c, d + m, 1);
}

/* Factorises the matrix. Returns 0 if it is singular. */
static int foot_factor(sw_foot *s)
{
  const int d = s->surface->system->nq;
  const int m = s->surface->system->nc;
  const int n = d + m;
  const int clock = s->surface->clock;
  double least = 0.0;

  sw_surface_slopes(s->surface, s->x, s->Dg);
  sw_surface_scale(s->surface, s->Dg, s->scale);
  sw_surface_second(s->surface, s->x, s->theta, s->hess);
  sw_zero(s->matrix, (size_t)n * (size_t)n);
  for (int i = 0; i < d; i++) {
    sw_copy(sw_row(s->matrix, n, i), sw_const_row(s->hess, d, i), (size_t)d);
    sw_row(s->matrix, n, i)[i] += 1.0;
    for (int j = 0; j < m; j++) {
      const double scaled = sw_row(s->Dg, d, j)[i] / s->scale[j];
      sw_row(s->matrix, n, i)[d + j] = scaled;
      sw_row(s->matrix, n, d + j)[i] = scaled;
    }
  }
  for (int j = 0; j < n && clock >= 0; j++) { /* the row of the clock, the only asymmetric row */
    sw_row(s->matrix, n, j)[clock] = j == clock ? 1.0 : 0.0;
  }
  return sw_lu_factor(n, s->matrix, s->exchange, &least) == 0;
}

/* One step of Newton's method. Returns the displacement of x relative to x, or NaN. */
static double foot_improve(sw_foot *s, const double above[])
{
  const int d = s->surface->system->nq;
  const int m = s->surface->system->nc;

  if (!foot_factor(s)) {
    return NAN;
  }
  for (int i = 0; i < d; i++) {
    s->step[i] = above[i] - s->x[i];
  }
  sw_dense_add_transposed_times(m, d, -1.0, s->Dg, s->theta, s->step);
  if (s->surface->clock >= 0) {
    s->step[s->surface->clock] = 0.0;
  }
  sw_surface_values(s->surface, s->x, s->step + d);
  for (int j = 0; j < m; j++) {
    s->step[d + j] /= -s->scale[j];
  }
  sw_lu_solve(d + m, s->matrix, s->exchange, s->step);
  sw_add_scaled(d, 1.0, s->step, s->x);
  for (int j = 0; j < m; j++) {
    s->theta[j] += s->step[d + j] / s->scale[j];
  }
  return sw_max_abs((size_t)d, s->step) / sw_nonzero_scale(sw_max_abs((size_t)d, s->x));
}

/* The foot of x^; NaN if Newton's method does not converge to round-off. */
static void sw_foot_find(sw_foot *s, const double above[])
{
  enum { most_iterations = 30 };
  const int d = s->surface->system->nq;
  sw_descent path = sw_descent_begin();

  sw_copy(s->x, above, (size_t)d);
  sw_zero(s->theta, (size_t)s->surface->system->nc);
  while (s->surface->system->nc > 0 &&
         sw_descent_goes_on(&path, most_iterations, foot_improve(s, above))) {
  }
  if (path.failed || !foot_factor(s)) {
    sw_fill(s->x, NAN, (size_t)d);
  }
}

/* Replaces n directions of x^ in DX (d x n) by directions of x, and writes the directions of theta
 * to DT (m x n). */
static void sw_foot_directions(sw_foot *s, int n, double DX[], double DT[])
{
  const int d = s->surface->system->nq;
  const int m = s->surface->system->nc;

  for (int j = 0; j < n && m > 0; j++) {
    for (int i = 0; i < d + m; i++) {
      s->step[i] = i < d ? DX[i * n + j] : 0.0;
    }
    sw_lu_solve(d + m, s->matrix, s->exchange, s->step);
    for (int i = 0; i < d; i++) {
      DX[i * n + j] = s->step[i];
    }
    for (int i = 0; i < m; i++) {
      DT[i * n + j] = s->step[d + i] / s->scale[i];
    }
  }
}

void sw_legendre_carve(sw_carver *c, const sw_system *system, const double k[],
                       const sw_layer_method *near, const sw_layer_method *far, sw_legendre *s)
{
  const size_t d = (size_t)system->nq;
  const size_t m = (size_t)system->nc;
  const size_t n = 2 * (d + m);

  s->lagrangian.system = s->surface.system = system;
  s->lagrangian.k = s->surface.k = k;
  s->near.method = near;
  s->far.method = far;
  s->near_foot.surface = s->far_foot.surface = &s->surface;
  sw_lagrangian_carve(c, &s->lagrangian);
  sw_surface_carve(c, &s->surface);
  sw_layer_carve(c, &s->lagrangian, &s->near);
  sw_layer_carve(c, &s->lagrangian, &s->far);
  sw_foot_carve(c, &s->near_foot);
  sw_foot_carve(c, &s->far_foot);
  s->z = sw_carve(c, 2 * d, 1);
  SW_CARVE(c, d, 1, &s->v, &s->mu);
  SW_CARVE(c, m, d, &s->Dg, &s->Dg_v, &s->along);
  s->scale = sw_carve(c, m, 1);
  s->matrix = sw_carve(c, n, n);
  s->exchange = sw_carve_bytes(c, n * sizeof(int));
  SW_CARVE(c, n, 1, &s->u, &s->column);
  SW_CARVE(c, 2 * d, 2 * d, &s->K, &s->by_z);
  s->du = sw_carve(c, n, 2 * d);
  SW_CARVE(c, d, 2 * d, &s->dx, &s->dx_far);
  s->dtheta = sw_carve(c, 2 * m, 2 * d);
  if (s->surface.clock >= 0) {
    sw_lagrangian_point_carve(c, &s->lagrangian, &s->here);
    SW_CARVE(c, 2 * d, 1, &s->along_motion, &s->energy);
  }
}

/* ---- values ---- */

/* Scales a right-hand side of the linear equations to the units of the matrix. */
static void scale_equations(const sw_legendre *s, double b[])
{
  const int d = s->surface.system->nq;
  const int m = s->surface.system->nc;

  for (int i = 0; i < d; i++) {
    b[d + i] /= i == s->surface.clock ? 1.0 : s->time;
  }
  for (int i = 0; i < m; i++) {
    b[2 * d + i] /= s->near_foot.scale[i];
    b[2 * d + m + i] /= s->far_foot.scale[i];
  }
}

/* Replaces the equation for the derivative in the clock's velocity by the equation for the clock's
 * momentum. */
static void set_clock(sw_legendre *s)
{
  const int clock = s->surface.clock;
  const int d = s->surface.system->nq;
  const int n = 2 * (d + s->surface.system->nc);

  for (int j = 0; j < n && clock >= 0; j++) {
    double *entry = &sw_row(s->matrix, n, j)[d + clock];
    *entry = 0.0;
    if (j < d) {
      sw_dense_add_times(1, 2 * d, 1.0, sw_const_row(s->near.q_w, 2 * d, j), s->along_motion,
                         entry);
    }
  }
}

/* Computes and factorises the matrix of the linear equations for u, column-major. Returns 0 if it
 * is singular. */
static int legendre_factor(sw_legendre *s)
{
  const int d = s->surface.system->nq;
  const int m = s->surface.system->nc;
  const int n = 2 * (d + m);
  double least = 0.0;

  sw_zero(s->matrix, (size_t)n * (size_t)n);
  for (int j = 0; j < d; j++) {
    double *of_mu = sw_row(s->matrix, n, j);
    double *of_lambda = sw_row(s->matrix, n, d + j);
    sw_copy(of_mu, sw_const_row(s->near.q_w, 2 * d, j), 2 * (size_t)d);
    sw_copy(of_lambda, sw_const_row(s->far.q_w, 2 * d, j), 2 * (size_t)d);
    for (int i = 0; i < m && j != s->surface.clock; i++) {
      of_mu[2 * d + i] = sw_row(s->near_foot.Dg, d, i)[j];
      of_lambda[2 * d + m + i] = sw_row(s->far_foot.Dg, d, i)[j];
    }
    scale_equations(s, of_mu);
    scale_equations(s, of_lambda);
  }
  for (int i = 0; i < m; i++) {
    double *of_nu_1 = sw_row(s->matrix, n, 2 * d + i);
    double *of_nu_2 = sw_row(s->matrix, n, 2 * d + m + i);
    for (int j = 0; j < d; j++) {
      of_nu_1[j] = sw_const_row(s->Dg, d, i)[j] / s->scale[i];
      of_nu_2[j] = sw_const_row(s->Dg_v, d, i)[j] / s->scale[i] * s->time;
      of_nu_2[d + j] = of_nu_1[j];
    }
  }
  set_clock(s);
  return sw_lu_factor(n, s->matrix, s->exchange, &least) == 0;
}

/* Right-hand side of the clock's equation, p.v + D S_near (v,A). */
static double start_clock(sw_legendre *s, const double z[])
{
  const int d = s->surface.system->nq;
  double sum = 0.0;

  sw_lagrangian_at(&s->lagrangian, z, s->v, 1, &s->here);
  sw_copy(s->along_motion, s->v, (size_t)d);
  sw_copy(s->along_motion + d, s->here.rate, (size_t)d);
  sw_dense_add_times(1, d, 1.0, z + d, s->v, &sum);
  sw_dense_add_times(1, 2 * d, 1.0, s->near.S_w, s->along_motion, &sum);
  return sum;
}

void sw_legendre_values(sw_legendre *s, double t_near, double t_far, const double z[])
{
  const int clock = s->surface.clock;
  const int d = s->surface.system->nq;
  const int m = s->surface.system->nc;

  s->time = sw_power_below(fabs(t_near - t_far));
  sw_copy(s->z, z, 2 * (size_t)d);
  s->surface.system->hamiltonian_grad(s->surface.system, z, s->surface.k, s->lagrangian.gradient);
  sw_copy(s->v, s->lagrangian.gradient + d, (size_t)d);
  sw_layer_values(&s->near, t_near, z, s->v, 1);
  sw_layer_values(&s->far, t_far, z, s->v, 1);
  sw_foot_find(&s->near_foot, s->near.q);
  sw_foot_find(&s->far_foot, s->far.q);
  sw_surface_slopes(&s->surface, z, s->Dg);
  sw_surface_scale(&s->surface, s->Dg, s->scale);
  sw_surface_along(&s->surface, z, s->v, s->Dg_v);
  sw_zero(s->u, 2 * (size_t)(d + m));
  for (int i = 0; i < 2 * d; i++) {
    s->u[i] = s->near.S_w[i] - s->far.S_w[i];
  }
  if (clock >= 0) {
    s->u[d + clock] = start_clock(s, z);
  }
  if (!isfinite(sw_max_abs((size_t)d, s->near_foot.x)) ||
      !isfinite(sw_max_abs((size_t)d, s->far_foot.x)) || !legendre_factor(s)) {
    s->u[0] = NAN;
  } else {
    scale_equations(s, s->u);
    sw_lu_solve(2 * (d + m), s->matrix, s->exchange, s->u);
  }
  for (int i = 0; i < m; i++) {
    s->u[2 * d + i] /= s->scale[i];
    s->u[2 * d + m + i] *= s->time / s->scale[i];
  }
  sw_copy(s->mu, s->u, (size_t)d);
  if (clock >= 0) { /* the remaining code handles mu^ of the other positions */
    s->u[clock] = s->u[d + clock] = 0.0;
  }
  if (m > 0) {
    sw_dense_add_times(d, d, 1.0, s->near_foot.hess, s->u, s->mu);
  }
}

void sw_legendre_tangent(sw_legendre *s, double mu[])
{
  const double *Dg = s->near_foot.Dg;
  const int d = s->surface.system->nq;
  const int m = s->surface.system->nc;
  double *G = s->along; /* Dg without the clock's column */

  for (int i = 0; i < m * d; i++) {
    G[i] = i % d == s->surface.clock ? 0.0 : Dg[i];
  }
  sw_zero(s->column, (size_t)m);
  sw_dense_add_times(m, d, 1.0, G, mu, s->column);
  for (int i = 0; i < m; i++) {
    sw_zero(s->matrix + (size_t)i * (size_t)m, (size_t)m);
    sw_dense_add_times(m, d, 1.0, G, sw_const_row(G, d, i), s->matrix + (size_t)i * (size_t)m);
  }
  if (sw_dense_factor(m, s->matrix, s->scale, s->exchange)) {
    sw_dense_solve(m, s->matrix, s->scale, s->exchange, s->column);
    sw_dense_add_transposed_times(m, d, -1.0, Dg, s->column, mu);
  }
}

/* ---- the derivative ---- */

/* K += second derivatives in w of nu_1.g + nu_2.Dg v. */
static void add_second_of_g(sw_legendre *s)
{
  const int d = s->surface.system->nq;
  const double *nu_1 = s->u + 2 * d;
  const double *nu_2 = nu_1 + s->surface.system->nc;
  double *part = s->by_z; /* d x d: one block; by_z is computed later */

  sw_surface_second(&s->surface, s->z, nu_1, part);
  sw_surface_add_third(&s->surface, s->z, nu_2, s->v, 1.0, part);
  sw_dense_add_corner(d, d, 1.0, part, 2 * d, s->K);
  sw_surface_second(&s->surface, s->z, nu_2, part);
  sw_dense_add_corner(d, d, 1.0, part, 2 * d, s->K + d);
  sw_dense_add_corner(d, d, 1.0, part, 2 * d, sw_row(s->K, 2 * d, d));
}

/* The same for the clock's equation; K holds the second derivatives of mu^.R_near - S_near. row:
 * 2d. */
static void find_second_of_clock(sw_legendre *s, double row[])
{
  const int d = s->surface.system->nq;
  const double *p = s->here.y + d;
  const double *p_w = sw_const_row(s->here.y_w, 2 * d, d);

  for (int i = 0; i < 2 * d; i++) {
    s->energy[i] = -s->near.S_w[i];
  }
  sw_dense_add_transposed_times(d, 2 * d, 1.0, s->near.q_w, s->u, s->energy);
  sw_zero(row, 2 * (size_t)d);
  sw_dense_add_times(2 * d, 2 * d, 1.0, s->K, s->along_motion, row);
  sw_dense_add_transposed_times(d, 2 * d, 1.0, s->here.A_w, s->energy + d, row);
  sw_dense_add_transposed_times(d, 2 * d, -1.0, p_w, s->v, row);
  for (int i = 0; i < d; i++) {
    row[d + i] += s->energy[i] - p[i];
  }
}

/* Derivatives in w of the residuals of the first 2d equations: second derivatives of mu^.R^q_near +
 * lambda^.R^q_far + nu_1.g + nu_2.Dg v - S_near + S_far. */
static void find_second(sw_legendre *s)
{
  const int clock = s->surface.clock;
  const int d = s->surface.system->nq;

  sw_zero(s->K, 4 * (size_t)d * (size_t)d);
  sw_layer_second(&s->near, s->u, -1.0, s->K);
  if (clock >= 0) {
    find_second_of_clock(s, s->column);
  }
  sw_layer_second(&s->far, s->u + d, 1.0, s->K);
  if (s->surface.system->nc > 0) {
    add_second_of_g(s);
  }
  if (clock >= 0) {
    sw_copy(sw_row(s->K, 2 * d, d + clock), s->column, 2 * (size_t)d);
    for (int i = 0; i < 2 * d; i++) {
      sw_row(s->K, 2 * d, i)[d + clock] = i == d + clock ? -s->v[clock] : 0.0;
    }
  }
}

/* Right-hand side rows of Dg(x) u = 0 at an end: - D^2 g u dx. */
static void move_end(sw_legendre *s, const double x[], const double u[], const double dx[],
                     double rows[])
{
  const int d = s->surface.system->nq;
  const int m = s->surface.system->nc;

  sw_surface_along(&s->surface, x, u, s->along);
  sw_zero(rows, 2 * (size_t)d * (size_t)m);
  sw_dense_add_product(m, d, 2 * d, -1.0, s->along, dx, rows);
}

/* Computes the derivative of u in w from the linear equations. */
static void find_du(sw_legendre *s)
{
  const int d = s->surface.system->nq;
  const int m = s->surface.system->nc;
  const int n = 2 * (d + m);

  find_second(s);
  for (int i = 0; i < 4 * d * d; i++) {
    s->du[i] = -s->K[i];
  }
  move_end(s, s->near_foot.x, s->u, s->dx, sw_row(s->du, 2 * d, 2 * d));
  move_end(s, s->far_foot.x, s->u + d, s->dx_far, sw_row(s->du, 2 * d, 2 * d + m));
  for (int j = 0; j < 2 * d; j++) {
    for (int i = 0; i < n; i++) {
      s->column[i] = s->du[i * 2 * d + j];
    }
    scale_equations(s, s->column);
    sw_lu_solve(n, s->matrix, s->exchange, s->column);
    for (int i = 0; i < d; i++) { /* the rows that are read */
      s->du[i * 2 * d + j] = s->column[i];
    }
  }
}

/* Converts columns for w = (q,v) to columns for z with v = H_p(z). The column of the clock's
 * velocity becomes that of its momentum. */
static void change_to_z(sw_legendre *s, const double by_w[], double by_z[])
{
  const int d = s->surface.system->nq;

  for (int i = 0; i < 2 * d; i++) {
    const double *from = sw_const_row(by_w, 2 * d, i);
    double *to = sw_row(by_z, 2 * d, i);
    sw_copy(to, from, (size_t)d);
    sw_zero(to + d, (size_t)d);
    sw_dense_add_product(1, d, 2 * d, 1.0, from + d, sw_const_row(s->lagrangian.hess_H, 2 * d, d),
                         to);
  }
}

void sw_legendre_derivative(sw_legendre *s)
{
  const int clock = s->surface.clock;
  const int d = s->surface.system->nq;
  const int m = s->surface.system->nc;
  double *of_mu = sw_row(s->K, 2 * d, d);

  sw_copy(s->dx, s->near.q_w, 2 * (size_t)d * (size_t)d);
  sw_copy(s->dx_far, s->far.q_w, 2 * (size_t)d * (size_t)d);
  for (int i = 0; i < d && clock >= 0; i++) {
    sw_row(s->dx, 2 * d, i)[d + clock] = sw_row(s->dx_far, 2 * d, i)[d + clock] = 0.0;
  }
  sw_foot_directions(&s->near_foot, 2 * d, s->dx, s->dtheta);
  sw_foot_directions(&s->far_foot, 2 * d, s->dx_far, s->dtheta + 2 * (size_t)d * (size_t)m);
  find_du(s);
  /* derivatives of x, and of mu = mu^ + D^2(theta.g)(x) mu^, overwriting K */
  sw_copy(s->K, s->dx, 2 * (size_t)d * (size_t)d);
  sw_copy(of_mu, s->du, 2 * (size_t)d * (size_t)d);
  if (clock >= 0) {
    sw_zero(sw_row(s->du, 2 * d, clock), 2 * (size_t)d);
  }
  if (m > 0) {
    double *third = s->by_z;
    sw_dense_add_product(d, d, 2 * d, 1.0, s->near_foot.hess, s->du, of_mu);
    sw_surface_along(&s->surface, s->near_foot.x, s->u, s->along);
    sw_dense_add_transposed(m, d, 2 * d, 1.0, s->along, s->dtheta, of_mu);
    sw_zero(third, (size_t)d * (size_t)d);
    sw_surface_add_third(&s->surface, s->near_foot.x, s->near_foot.theta, s->u, 1.0, third);
    sw_dense_add_product(d, d, 2 * d, 1.0, third, s->dx, of_mu);
  }
  sw_lagrangian_hessian(&s->lagrangian, s->z);
  change_to_z(s, s->K, s->by_z);
}
