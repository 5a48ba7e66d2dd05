/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/variational_step.h"

#include <math.h>

#include "linear/dense.h"

int sw_variational_unknowns(const sw_system *system)
{
  return 2 * (system->nq + system->nc);
}

void sw_variational_carve(sw_carver *c, const sw_system *system, const double k[],
                          const sw_layer_method method[2], const double bias[2], size_t n,
                          sw_variational *s)
{
  const size_t d = (size_t)system->nq;

  s->system = system;
  s->k = k;
  s->bias = bias;
  sw_legendre_carve(c, s->system, s->k, &method[1], &method[0], &s->plus);
  sw_legendre_carve(c, s->system, s->k, &method[0], &method[1], &s->minus);
  s->at = sw_carve(c, (size_t)sw_variational_unknowns(s->system), 1);
  s->lambda = sw_carve(c, (size_t)s->system->nc, 1);
  s->hess = sw_carve(c, d, d);
  s->changes = sw_carve(c, d, n);
}

/* ---- values ---- */

/* The distance from z to u. Constraint forces may cancel the forces H_q; the momentum is then known
 * to the round-off of both, so its distance counts at least h H_q times `balance`. */
static sw_sizes moved_by(sw_variational *s, const double u[], const double z[])
{
  const double balance = 1.0 / 64.0; /* keeps this round-off within the tolerance */
  const size_t d = (size_t)s->system->nq;
  double *gradient = s->minus.lagrangian.gradient;
  sw_sizes moved = sw_sizes_between(d, u, z);

  s->system->hamiltonian_grad(s->system, z, s->k, gradient);
  if (s->plus.surface.clock >= 0) {
    gradient[s->plus.surface.clock] = 0.0; /* a rate of energy, not a force */
  }
  moved.p = sw_larger_or_nan(moved.p, balance * fabs(s->step->h) * sw_max_abs(d, gradient));
  return moved;
}

int sw_variational_begin(sw_variational *s, const double z[], double u[])
{
  const int d = s->system->nq;
  const double h = s->step->h;
  sw_explicit *guess = &s->minus.near.of;
  double *w = s->minus.near.a;

  s->derived = 0;
  sw_legendre_values(&s->plus, h * s->bias[1], h * s->bias[0], z);
  sw_copy(w, z, (size_t)d);
  sw_copy(w + d, s->plus.v, (size_t)d);
  sw_explicit_values(guess, h, w, 0);
  sw_lagrangian_at(&s->minus.lagrangian, guess->w1, guess->w1 + d, 0, &guess->point[0]);
  sw_copy(u, guess->point[0].y, 2 * (size_t)d);
  sw_zero(u + 2 * d, 2 * (size_t)s->system->nc);
  if (s->plus.surface.clock >= 0) {
    u[d + s->plus.surface.clock] = z[d + s->plus.surface.clock]; /* no velocity determines it */
  }
  return sw_step_measure_at(s->step, s->system, s->k, moved_by(s, u, z)) &&
         (s->system->nc == 0 ||
          (sw_requirement_scales(s->g, s->step) && sw_requirement_scales(s->rho, s->step)));
}

static double scale_of(const sw_variational *s, int i)
{
  const int d = s->system->nq;
  const int m = s->system->nc;

  return i < d           ? sw_nonzero_scale(s->step->size.q)
         : i < 2 * d     ? sw_nonzero_scale(s->step->size.p)
         : i < 2 * d + m ? s->g->scale[i - 2 * d]
                         : s->rho->scale[i - 2 * d - m];
}

void sw_variational_values(sw_variational *s, const double u[], double F[])
{
  const double *Dg = s->plus.near_foot.Dg; /* at x */
  const double h = s->step->h;
  const int d = s->system->nq;
  const int m = s->system->nc;

  sw_variational_move(s, u);
  sw_legendre_values(&s->minus, h * s->bias[0], h * s->bias[1], u);
  for (int i = 0; i < d; i++) {
    F[i] = s->minus.near_foot.x[i] - s->plus.near_foot.x[i];
    F[d + i] = s->minus.mu[i] - s->plus.mu[i];
  }
  sw_dense_add_transposed_times(m, d, 1.0, Dg, u + 2 * d, F);
  sw_dense_add_transposed_times(m, d, 1.0, Dg, u + 2 * d + m, F + d);
  if (m > 0) {
    s->g->function(s->system, u, s->k, F + 2 * d);
    s->rho->function(s->system, u, s->k, F + 2 * d + m);
  }
  for (int i = 0; i < 2 * (d + m); i++) {
    F[i] /= scale_of(s, i);
  }
}

void sw_variational_jacobian(sw_variational *s, double J[])
{
  const double *Dg = s->plus.near_foot.Dg;
  const int d = s->system->nq;
  const int m = s->system->nc;
  const int n = 2 * (d + m);
  sw_requirement *required[2] = {s->g, s->rho};

  sw_legendre_derivative(&s->minus);
  sw_zero(J, (size_t)n * (size_t)n);
  for (int i = 0; i < 2 * d; i++) {
    double *row = sw_row(J, n, i);
    sw_copy(row, sw_const_row(s->minus.by_z, 2 * d, i), 2 * (size_t)d);
    for (int j = 0; j < m; j++) {
      row[2 * d + (i < d ? 0 : m) + j] = sw_const_row(Dg, d, j)[i % d];
    }
  }
  for (int f = 0; f < 2 && m > 0; f++) {
    sw_requirement_jac(required[f], s->at);
    for (int e = 0; e < required[f]->pattern->entries; e++) {
      const int row = 2 * d + f * m + required[f]->pattern->row[e];
      sw_row(J, n, row)[required[f]->pattern->col[e]] = required[f]->jac[e];
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      sw_row(J, n, i)[j] /= scale_of(s, i);
    }
  }
}

/* ---- directions ---- */

void sw_variational_move(sw_variational *s, const double u[])
{
  s->derived = 0;
  sw_copy(s->at, u, (size_t)sw_variational_unknowns(s->system));
}

void sw_variational_along(sw_variational *s, const double z[])
{
  const double h = s->step->h;

  if (!s->derived) {
    sw_legendre_values(&s->plus, h * s->bias[1], h * s->bias[0], z);
    sw_legendre_values(&s->minus, h * s->bias[0], h * s->bias[1], s->at);
    sw_legendre_derivative(&s->plus);
    sw_legendre_derivative(&s->minus);
    s->derived = 1;
  }
}

/* Rows += the derivative of Dg(x)^T a along the displacement of x. */
static void add_change_of_Dg(sw_variational *s, int n, const double a[], double rows[])
{
  const int d = s->system->nq;

  sw_surface_second(&s->plus.surface, s->plus.near_foot.x, a, s->hess);
  sw_dense_add_product(d, d, n, 1.0, s->hess, s->changes, rows);
}

void sw_variational_directions(sw_variational *s, int n, const double V[], const double DU[],
                               double DF[])
{
  const double *Dg = s->plus.near_foot.Dg;
  const int d = s->system->nq;
  const int m = s->system->nc;
  double *of_mu = sw_row(DF, n, d);
  sw_requirement *required[2] = {s->g, s->rho};

  sw_zero(DF, 2 * (size_t)(d + m) * (size_t)n);
  sw_dense_add_product(2 * d, 2 * d, n, 1.0, s->minus.by_z, DU, DF);
  sw_dense_add_product(2 * d, 2 * d, n, -1.0, s->plus.by_z, V, DF);
  for (int f = 0; f < 2 && m > 0; f++) {
    sw_requirement_jac(required[f], s->at);
    sw_multiply(required[f]->pattern, required[f]->jac, n, DU, sw_row(DF, n, 2 * d + f * m));
    sw_dense_add_transposed(m, d, n, 1.0, Dg, sw_const_row(DU, n, 2 * d + f * m),
                            f == 0 ? DF : of_mu);
  }
  if (m > 0) {
    sw_zero(s->changes, (size_t)d * (size_t)n);
    sw_dense_add_product(d, 2 * d, n, 1.0, s->plus.by_z, V, s->changes);
    add_change_of_Dg(s, n, s->at + 2 * d, DF);
    add_change_of_Dg(s, n, s->at + 2 * d + m, of_mu);
  }
  for (int i = 0; i < 2 * (d + m); i++) {
    for (int j = 0; j < n; j++) {
      sw_row(DF, n, i)[j] /= scale_of(s, i);
    }
  }
}

void sw_variational_lambda(sw_variational *s, const double z[])
{
  const int d = s->system->nq;
  sw_lagrangian_point *point = &s->minus.near.of.point[0];

  s->system->hamiltonian_grad(s->system, z, s->k, s->minus.lagrangian.gradient);
  sw_lagrangian_at(&s->minus.lagrangian, z, s->minus.lagrangian.gradient + d, 0, point);
  sw_copy(s->lambda, point->y + 2 * d, (size_t)s->system->nc);
}
