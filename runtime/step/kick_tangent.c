/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/kick_tangent.h"

#include <math.h>

#include "linear/sparse.h"

void sw_kick_tangent_carve(sw_carver *c, size_t columns, sw_kick_tangent *t)
{
  const sw_system *system = t->kick->system;
  const size_t entries = (size_t)system->force_jac_pattern.entries;

  SW_CARVE(c, entries, 1, &t->jac, &t->of_one);
  t->hess = sw_carve(c, t->kick->m > 0 ? (size_t)system->constraint_hess_pattern.entries : 0, 1);
  t->end = sw_carve(c, 2 * (size_t)system->nq, columns);
}

/* phi'(x) = (x e^x - e^x + 1)/x^2 = sum_n x^n (n + 1)/(n + 2)! */
static double slope_of_phi(double x)
{
  enum { TERMS = 14 };
  double sum = 0.0;
  double factor = 0.5;

  if (fabs(x) > 0.5) {
    return (x * exp(x) - expm1(x)) / (x * x);
  }
  for (int n = 0; n < TERMS; n++) {
    sum += factor * (n + 1);
    factor *= x / (n + 3);
  }
  return sum;
}

/* Writes the derivative of F at (q, p) with all momenta equal. */
static void jac_with_momenta(const sw_kick *kick, double p, double values[])
{
  const sw_system *system = kick->system;

  for (int i = 0; i < system->nq; i++) {
    kick->mid[system->nq + i] = p;
  }
  system->force_jac(system, kick->mid, kick->k, values);
}

void sw_kick_along(sw_kick_tangent *t)
{
  sw_kick *kick = t->kick;
  const sw_system *system = kick->system;
  const int entries = system->force_jac_pattern.entries;

  if (kick->is_exact) {
    const double size = sw_nonzero_scale(kick->step.size.p);
    jac_with_momenta(kick, 0.0, t->jac);
    jac_with_momenta(kick, size, t->of_one);
    for (int e = 0; e < entries; e++) {
      t->of_one[e] = (t->of_one[e] - t->jac[e]) / size;
    }
    system->force_jac(system, kick->step.z0, kick->k, t->jac);
  } else {
    for (int i = 0; i < system->nq; i++) {
      kick->mid[system->nq + i] = 0.5 * (kick->step.z0[system->nq + i] + kick->u[i]);
    }
    system->force_jac(system, kick->mid, kick->k, t->jac);
  }
  if (kick->m > 0) {
    system->constraint_hess(system, kick->z1, kick->k, kick->u + system->nq, t->hess);
    sw_requirement_jac(kick->rho, kick->z1);
  }
}

/* The derivative of p1 without sigma along the start, for entry e of the derivative of F; and half
 * of it along p1 itself if the flow is unknown and the entry is in a column of a momentum. */
static double coefficient(const sw_kick_tangent *t, int e)
{
  const sw_kick *kick = t->kick;
  const int i = kick->system->force_jac_pattern.row[e];
  const int of_p = kick->system->force_jac_pattern.col[e] >= kick->system->nq;
  const double h = kick->h;

  if (!kick->is_exact) {
    return (of_p ? 0.5 : 1.0) * h * t->jac[e];
  }
  const double rate = kick->decay[i] < 0 ? 0.0 : kick->slope[kick->decay[i]];
  const double of_rate = of_p ? 0.0 : h * h * slope_of_phi(rate * h) * kick->F[i] * t->of_one[e];
  return h * sw_kick_phi(rate * h) * t->jac[e] + of_rate;
}

/* Writes the directions of p1 without sigma to the momenta of t->end. */
static void flow_directions(const sw_kick_tangent *t, int n, const double V[], const double DU[])
{
  const sw_pattern *jac = &t->kick->system->force_jac_pattern;
  const int d = t->kick->system->nq;

  sw_copy(t->end, V, 2 * (size_t)d * (size_t)n);
  for (int e = 0; e < jac->entries; e++) {
    const int j = jac->col[e];
    const double by = coefficient(t, e);
    double *to = sw_row(t->end, n, d + jac->row[e]);
    sw_add_scaled(n, by, sw_const_row(V, n, j), to);
    if (!t->kick->is_exact && j >= d) {
      sw_add_scaled(n, by, sw_const_row(DU, n, j - d), to);
    }
  }
}

/* Y += Hess_qq(sigma . g) X. */
static void add_hessian(const sw_kick_tangent *t, int n, const double X[], double Y[])
{
  const sw_pattern *hess = &t->kick->system->constraint_hess_pattern;

  for (int e = 0; e < hess->entries; e++) {
    const int i = hess->row[e];
    const int j = hess->col[e];
    if (i < t->kick->system->nq) { /* the lower triangle, so j < d */
      sw_add_scaled(n, t->hess[e], sw_const_row(X, n, j), sw_row(Y, n, i));
    }
    if (i < t->kick->system->nq && i != j) {
      sw_add_scaled(n, t->hess[e], sw_const_row(X, n, i), sw_row(Y, n, j));
    }
  }
}

/* Adds the directions of Dg(q)^T sigma. */
static void add_normals(const sw_kick_tangent *t, int n, const double V[], const double DU[],
                        double DF[])
{
  const sw_kick *kick = t->kick;
  const sw_pattern *jac = &kick->system->constraint_jac_pattern;
  const int d = kick->system->nq;

  for (int e = 0; e < jac->entries; e++) {
    if (jac->col[e] < d) {
      sw_add_scaled(n, kick->jac[e], sw_const_row(DU, n, d + jac->row[e]),
                    sw_row(DF, n, jac->col[e]));
    }
  }
  add_hessian(t, n, V, DF);
}

const double *sw_kick_directions(sw_kick_tangent *t, int n, const double V[], const double DU[],
                                 double DF[])
{
  const sw_kick *kick = t->kick;
  const int d = kick->system->nq;
  const size_t half = (size_t)d * (size_t)n;
  const double over_size = 1.0 / sw_nonzero_scale(kick->step.size.p);

  flow_directions(t, n, V, DU);
  if (!sw_kick_needs_solve(kick)) {
    return t->end;
  }
  for (size_t i = 0; i < half; i++) {
    DF[i] = DU[i] - t->end[half + i];
  }
  if (kick->m > 0) {
    add_normals(t, n, V, DU, DF);
  }
  for (size_t i = 0; i < half; i++) {
    DF[i] *= over_size;
  }
  sw_copy(t->end + half, DU, half);
  if (kick->m > 0) {
    sw_multiply(kick->rho->pattern, kick->rho->jac, n, t->end, DF + half);
  }
  for (int i = 0; i < kick->m; i++) {
    for (int j = 0; j < n; j++) {
      sw_row(DF, n, d + i)[j] /= kick->rho->scale[i];
    }
  }
  return t->end;
}

/* The transpose of flow_directions, for weights of p1 without sigma. */
static void pull_flow(const sw_kick_tangent *t, const double weight[], double of_z[], double of_u[])
{
  const sw_pattern *jac = &t->kick->system->force_jac_pattern;
  const int d = t->kick->system->nq;

  sw_add_scaled(d, 1.0, weight, of_z + d);
  for (int e = 0; e < jac->entries; e++) {
    const int j = jac->col[e];
    const double by = coefficient(t, e) * weight[jac->row[e]];
    of_z[j] += by;
    if (!t->kick->is_exact && j >= d) {
      of_u[j - d] += by;
    }
  }
}

void sw_kick_pull(sw_kick_tangent *t, const double of_end[], const double of_F[], double of_z[],
                  double of_u[])
{
  const sw_kick *kick = t->kick;
  const sw_pattern *jac = &kick->system->constraint_jac_pattern;
  const sw_pattern *rho = kick->m > 0 ? kick->rho->pattern : NULL;
  const int d = kick->system->nq;
  double *weight = t->end;      /* of p1 without sigma */
  double *normals = t->end + d; /* Hess(sigma . g) times the weights of p1's equations */

  sw_zero(of_z, 2 * (size_t)d);
  sw_copy(of_z, of_end, (size_t)d);
  if (!sw_kick_needs_solve(kick)) {
    pull_flow(t, of_end + d, of_z, of_u);
    return;
  }
  sw_zero(of_u, (size_t)d + (size_t)kick->m);
  for (int i = 0; i < d; i++) {
    weight[i] = of_F[i] / sw_nonzero_scale(kick->step.size.p);
    of_u[i] = of_end[d + i] - weight[i];
  }
  pull_flow(t, weight, of_z, of_u);
  if (kick->m == 0) {
    return;
  }
  for (int e = 0; e < jac->entries; e++) {
    of_u[d + jac->row[e]] -= jac->col[e] < d ? kick->jac[e] * weight[jac->col[e]] : 0.0;
  }
  sw_zero(normals, (size_t)d);
  add_hessian(t, 1, weight, normals);
  sw_add_scaled(d, -1.0, normals, of_z);
  for (int e = 0; e < rho->entries; e++) {
    const double by = -kick->rho->jac[e] * of_F[d + rho->row[e]] / kick->rho->scale[rho->row[e]];
    double *to = rho->col[e] < d ? of_z + rho->col[e] : of_u + rho->col[e] - d;
    *to += by;
  }
}
