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

/* Writes the directions of p1 without sigma to the momenta of t->end. */
static void flow_directions(const sw_kick_tangent *t, int n, const double V[], const double DU[])
{
  const sw_kick *kick = t->kick;
  const sw_pattern *jac = &kick->system->force_jac_pattern;
  const int d = kick->system->nq;
  const double h = kick->h;

  sw_copy(t->end, V, 2 * (size_t)d * (size_t)n);
  for (int e = 0; e < jac->entries; e++) {
    const int i = jac->row[e];
    const int j = jac->col[e];
    double *to = sw_row(t->end, n, d + i);
    double of_start = h * t->jac[e];
    if (kick->is_exact) {
      const double rate = kick->decay[i] < 0 ? 0.0 : kick->slope[kick->decay[i]];
      of_start *= sw_kick_phi(rate * h);
      of_start += j < d ? h * h * slope_of_phi(rate * h) * kick->F[i] * t->of_one[e] : 0.0;
    } else if (j >= d) {
      of_start *= 0.5;
      sw_add_scaled(n, of_start, sw_const_row(DU, n, j - d), to);
    }
    sw_add_scaled(n, of_start, sw_const_row(V, n, j), to);
  }
}

/* Adds the directions of Dg(q)^T sigma. */
static void add_normals(const sw_kick_tangent *t, int n, const double V[], const double DU[],
                        double DF[])
{
  const sw_kick *kick = t->kick;
  const sw_pattern *jac = &kick->system->constraint_jac_pattern;
  const sw_pattern *hess = &kick->system->constraint_hess_pattern;
  const int d = kick->system->nq;

  for (int e = 0; e < jac->entries; e++) {
    if (jac->col[e] < d) {
      sw_add_scaled(n, kick->jac[e], sw_const_row(DU, n, d + jac->row[e]),
                    sw_row(DF, n, jac->col[e]));
    }
  }
  for (int e = 0; e < hess->entries; e++) {
    const int i = hess->row[e];
    const int j = hess->col[e];
    if (i < d) { /* the lower triangle, so j < d */
      sw_add_scaled(n, t->hess[e], sw_const_row(V, n, j), sw_row(DF, n, i));
    }
    if (i < d && i != j) {
      sw_add_scaled(n, t->hess[e], sw_const_row(V, n, i), sw_row(DF, n, j));
    }
  }
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
