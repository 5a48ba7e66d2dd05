/* SPDX-License-Identifier: BSD-3-Clause */
#include "naive.h"

#include <math.h>
#include <string.h>

enum { MAX_D = 8, MAX_M = 4, MAX_ENTRIES = 64, ITERATIONS = 60 };

typedef double rows[MAX_M][MAX_D];
typedef double square[MAX_M][MAX_M];

/* Solves a x = b by elimination with row exchanges; x in the place of b.  Returns 1 where a is singular. */
static int solve(int m, square a, double b[])
{
  for (int c = 0; c < m; c++) {
    int pivot = c;
    for (int r = c + 1; r < m; r++) {
      pivot = fabs(a[r][c]) > fabs(a[pivot][c]) ? r : pivot;
    }
    if (!(fabs(a[pivot][c]) > 0.0)) {
      return 1;
    }
    for (int j = 0; j < m; j++) {
      const double swapped = a[c][j];
      a[c][j] = a[pivot][j];
      a[pivot][j] = swapped;
    }
    const double swapped = b[c];
    b[c] = b[pivot];
    b[pivot] = swapped;
    for (int r = c + 1; r < m; r++) {
      const double factor = a[r][c] / a[c][c];
      for (int j = c; j < m; j++) {
        a[r][j] -= factor * a[c][j];
      }
      b[r] -= factor * b[c];
    }
  }
  for (int r = m - 1; r >= 0; r--) {
    for (int j = r + 1; j < m; j++) {
      b[r] -= a[r][j] * b[j];
    }
    b[r] /= a[r][r];
  }
  return 0;
}

/* G at the positions of z. */
static void gradients(const naive_method *method, const double z[], rows G)
{
  const sw_matrix *jac = &method->model->constraint_jac;
  double values[MAX_ENTRIES];

  jac->values(NULL, z, method->k, values);
  memset(G, 0, sizeof(rows));
  for (int e = 0; e < jac->places.n; e++) {
    if (jac->places.col[e] < method->d) {
      G[jac->places.row[e]][jac->places.col[e]] += values[e];
    }
  }
}

/* The diagonal of M^{-1} = H_pp. */
static void inverse_mass(const naive_method *method, const double z[], double inverse[MAX_D])
{
  const sw_matrix *hess = &method->model->hamiltonian_hess;
  double values[MAX_ENTRIES];

  hess->values(NULL, z, method->k, values);
  for (int e = 0; e < hess->places.n; e++) {
    if (hess->places.row[e] >= method->d) {
      inverse[hess->places.row[e] - method->d] = values[e];
    }
  }
}

/* L M^{-1} R^T + eps I. */
static void product(const naive_method *method, rows L, rows R, const double inverse[], square out)
{
  for (int i = 0; i < method->m; i++) {
    for (int j = 0; j < method->m; j++) {
      out[i][j] = i == j ? method->eps : 0.0;
      for (int a = 0; a < method->d; a++) {
        out[i][j] += L[i][a] * inverse[a] * R[j][a];
      }
    }
  }
}

static void kick(const naive_method *method, double h, double z[])
{
  double grad[2 * MAX_D];

  method->model->hamiltonian_grad(NULL, z, method->k, grad);
  for (int a = 0; a < method->d; a++) {
    z[method->d + a] -= h * grad[a];
  }
}

/* q <- q + M^{-1} R^T lambda with g(q) + eps lambda = 0, by Newton's method. */
static int correct_positions(const naive_method *method, rows R, const double inverse[], double z[])
{
  double lambda[MAX_M] = {0.0};
  double start[MAX_D];
  double best = INFINITY;

  memcpy(start, z, (size_t)method->d * sizeof *start);
  for (int i = 0; i < ITERATIONS; i++) {
    double residual[MAX_M];
    double size = 0.0;
    rows G;
    square A;
    method->model->constraint(NULL, z, method->k, residual);
    for (int r = 0; r < method->m; r++) {
      residual[r] = -(residual[r] + method->eps * lambda[r]);
      size = fmax(size, fabs(residual[r]));
    }
    if (size < 1e-13 && size >= best / 2.0) {
      return 0;
    }
    best = fmin(best, size);
    gradients(method, z, G);
    product(method, G, R, inverse, A);
    if (!isfinite(size) || solve(method->m, A, residual)) {
      return 1;
    }
    for (int r = 0; r < method->m; r++) {
      lambda[r] += residual[r];
    }
    for (int a = 0; a < method->d; a++) {
      z[a] = start[a];
      for (int r = 0; r < method->m; r++) {
        z[a] += inverse[a] * R[r][a] * lambda[r];
      }
    }
  }
  return 1;
}

/* p <- p + G^T gamma with G M^{-1} p + eps gamma = 0. */
static int correct_momenta(const naive_method *method, const double inverse[], double z[])
{
  double *const p = z + method->d;
  double gamma[MAX_M] = {0.0};
  rows G;
  square A;

  gradients(method, z, G);
  product(method, G, G, inverse, A);
  for (int r = 0; r < method->m; r++) {
    for (int a = 0; a < method->d; a++) {
      gamma[r] -= G[r][a] * inverse[a] * p[a];
    }
  }
  if (solve(method->m, A, gamma)) {
    return 1;
  }
  for (int a = 0; a < method->d; a++) {
    for (int r = 0; r < method->m; r++) {
      p[a] += G[r][a] * gamma[r];
    }
  }
  return 0;
}

int naive_step(const naive_method *method, double h, double z[])
{
  double inverse[MAX_D];
  double start[MAX_D];
  rows G;

  inverse_mass(method, z, inverse);
  memcpy(start, z, (size_t)method->d * sizeof *start);
  gradients(method, z, G);
  kick(method, h / 2.0, z);
  for (int a = 0; a < method->d; a++) {
    z[a] += h * inverse[a] * z[method->d + a];
  }
  if (method->kind == NAIVE_PROJECTED) {
    kick(method, h / 2.0, z);
    gradients(method, z, G);
  }
  if (correct_positions(method, G, inverse, z)) {
    return 1;
  }
  if (method->kind == NAIVE_REGULARISED) {
    for (int a = 0; a < method->d; a++) {
      z[method->d + a] = (z[a] - start[a]) / (h * inverse[a]);
    }
  }
  if (method->kind != NAIVE_PROJECTED) {
    kick(method, h / 2.0, z);
  }
  return correct_momenta(method, inverse, z);
}
