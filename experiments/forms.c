/* SPDX-License-Identifier: BSD-3-Clause */
#include "forms.h"

#include <math.h>

#include "page.h"

enum { MAX_Z = 24, MAX_NORMALS = 12 };

static double dot(int n, const double a[], const double b[])
{
  double sum = 0.0;

  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

/* u.J v with u = (u_q, u_p): u_q . v_p - u_p . v_q. */
static double omega(int d, const double u[], const double v[])
{
  return dot(d, u, v + d) - dot(d, u + d, v);
}

/* Makes row `count` orthogonal to those before, of length 1. */
static void make_orthonormal(int n, int count, double rows[][MAX_Z])
{
  double *row = rows[count];

  for (int s = 0; s < count; s++) {
    const double part = dot(n, row, rows[s]);
    for (int i = 0; i < n; i++) {
      row[i] -= part * rows[s][i];
    }
  }
  const double length = sqrt(dot(n, row, row));
  for (int i = 0; i < n; i++) {
    row[i] /= length;
  }
}

/* The gradients of the constraints, and of rho where `hidden` is 1, made orthonormal; returns how many. */
static int normals(const sw_sim *sim, int hidden, double out[][MAX_Z])
{
  const sw_model *model = sw_sim_model(sim);
  const sw_matrix *matrices[] = {&model->constraint_jac, &model->hidden_jac};
  const int n = 2 * sw_sim_nq(sim);
  const int m = sw_sim_nc(sim);
  int count = 0;

  if (n > MAX_Z || m * (1 + hidden) > MAX_NORMALS) {
    page_die("%s is too large", model->name);
  }
  for (int r = 0; r <= hidden; r++) {
    double values[MAX_Z * MAX_NORMALS];
    double rows[MAX_NORMALS][MAX_Z] = {{0.0}};
    matrices[r]->values(NULL, sw_sim_state(sim), sw_sim_parameters(sim), values);
    for (int e = 0; e < matrices[r]->places.n; e++) {
      rows[matrices[r]->places.row[e]][matrices[r]->places.col[e]] += values[e];
    }
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        out[count][j] = rows[i][j];
      }
      make_orthonormal(n, count++, out);
    }
  }
  return count;
}

double forms_defect(const run_setup *setup, const double z[], double h, int hidden)
{
  sw_sim *sim = run_start(setup);
  const int d = sw_sim_nq(sim);
  double normal[MAX_NORMALS][MAX_Z];
  double tangent[MAX_Z * MAX_Z];
  double moved[MAX_Z * MAX_Z];
  double worst = 0.0;

  run_set_state(sim, z);
  const int n_normal = normals(sim, hidden, normal);
  for (int i = 0; i < 2 * d; i++) {
    double *v = &tangent[2 * d * i];
    for (int j = 0; j < 2 * d; j++) {
      v[j] = i == j;
    }
    for (int r = 0; r < n_normal; r++) {
      const double part = normal[r][i];
      for (int j = 0; j < 2 * d; j++) {
        v[j] -= part * normal[r][j];
      }
    }
  }
  if (sw_sim_tangent_times(sim, h, 2 * d, tangent, moved) != SW_OK) {
    page_die("no derivative of a step: %s", sw_sim_message(sim));
  }
  for (int i = 0; i < 2 * d; i++) {
    for (int j = 0; j < i; j++) {
      worst = fmax(worst, fabs(omega(d, &moved[2 * d * i], &moved[2 * d * j]) -
                               omega(d, &tangent[2 * d * i], &tangent[2 * d * j])));
    }
  }
  sw_sim_free(&sim);
  return worst;
}
