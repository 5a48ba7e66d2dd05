/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_water.c -- water: three bonds and a 3 x 3 system for each molecule.
 *
 * Bond b leads from site from[b] to site to[b]; e[b] = q[to] - q[from], w = 1/m.  Multipliers mu of the
 * bonds move the sites along the bonds of the start of the step, so that
 *
 *   e1[b] = e_free[b] - sum_c K[b][c] mu[c] e[c],
 *
 * where K[b][b] = w[from] + w[to], and K[b][c] is w of the site that the bonds share, negative where one of
 * them ends and the other begins there.  Newton's method works on these three vectors alone.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "by_hand.h"

enum { MAX_ITERATIONS = 30, SITES = 3, BONDS = 3 };

/* A residual that no longer falls is accepted up to here, in units of its target. */
#define STALLED 1e4

static const int from[BONDS] = {0, 0, 1};
static const int to[BONDS] = {1, 2, 2};

struct by_hand_water {
  by_hand_water_model model;
  double w[SITES];
  double K[BONDS][BONDS];
  double length2[BONDS];
  double target_g;   /* set by each run */
  double target_rho; /* likewise */
  long iterations;   /* over all molecules */
  double *gradient;  /* 9 molecules: H_q; NULL without forces */
};

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

by_hand_water *by_hand_water_create(const by_hand_water_model *model)
{
  by_hand_water *water = calloc(1, sizeof *water);

  if (water == NULL) {
    return NULL;
  }
  water->model = *model;
  if (model->forces) {
    water->gradient = calloc((size_t)model->molecules * 9, sizeof(double));
    if (water->gradient == NULL) {
      free(water);
      return NULL;
    }
  }
  for (int s = 0; s < SITES; s++) {
    water->w[s] = 1.0 / model->m[s];
  }
  for (int b = 0; b < BONDS; b++) {
    const double x = model->along[from[b]] - model->along[to[b]];
    const double y = model->across[from[b]] - model->across[to[b]];
    water->length2[b] = x * x + y * y;
    for (int c = 0; c < BONDS; c++) {
      water->K[b][c] = (from[b] == from[c] ? water->w[from[b]] : 0.0) +
                       (to[b] == to[c] ? water->w[to[b]] : 0.0) -
                       (from[b] == to[c] ? water->w[from[b]] : 0.0) -
                       (to[b] == from[c] ? water->w[to[b]] : 0.0);
    }
  }
  return water;
}

void by_hand_water_free(by_hand_water *water)
{
  if (water != NULL) {
    free(water->gradient);
    free(water);
  }
}

const by_hand_water_model *by_hand_water_model_of(const by_hand_water *water)
{
  return &water->model;
}

/* ---- forces ---- */

/* p <- p - h H_q of the container, for one oxygen. */
static void kick_well(const by_hand_water_model *m, double h, const double q[], double p[])
{
  const double r2 = dot(q, q);
  const double factor = h * 4.0 * m->well * r2 / (m->radius * m->radius * m->radius * m->radius);

  for (int k = 0; k < 3; k++) {
    p[k] -= factor * q[k];
  }
}

/* Adds the derivative of a function of |a - b|^2, `slope` times its own, to those of a and b. */
static void add_pair(double slope, const double d[3], double of_a[], double of_b[])
{
  for (int k = 0; k < 3; k++) {
    const double f = 2.0 * slope * d[k];
    of_a[k] += f;
    of_b[k] -= f;
  }
}

static void interact(const by_hand_water_model *m, const double a[], const double b[],
                     double of_a[], double of_b[])
{
  for (int s = 0; s < SITES; s++) {
    for (int t = 0; t < SITES; t++) {
      const double d[3] = {a[3 * s] - b[3 * t], a[3 * s + 1] - b[3 * t + 1],
                           a[3 * s + 2] - b[3 * t + 2]};
      const double inverse2 = 1.0 / dot(d, d);
      double slope = -0.5 * m->coulomb * m->charge[s] * m->charge[t] * inverse2 * sqrt(inverse2);
      if (s == 0 && t == 0) {
        const double s2 = m->sigma * m->sigma * inverse2;
        const double s6 = s2 * s2 * s2;
        slope += 12.0 * m->epsilon * (s6 - 2.0 * s6 * s6) * inverse2;
      }
      add_pair(slope, d, of_a + 3 * s, of_b + 3 * t);
    }
  }
}

/* gradient = H_q of the pairs. */
static void forces(by_hand_water *water, const double q[])
{
  const size_t n = (size_t)water->model.molecules;
  double *gradient = water->gradient;

  for (size_t i = 0; i < 9 * n; i++) {
    gradient[i] = 0.0;
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = i + 1; j < n; j++) {
      interact(&water->model, q + 9 * i, q + 9 * j, gradient + 9 * i, gradient + 9 * j);
    }
  }
}

/* p <- p - h H_q of molecule i. */
static void kick(const by_hand_water *water, size_t i, double h, const double q[], double p[])
{
  kick_well(&water->model, h, q, p);
  for (int k = 0; water->gradient != NULL && k < 9; k++) {
    p[k] -= h * water->gradient[9 * i + (size_t)k];
  }
}

/* ---- one molecule ---- */

static void bonds(const double q[9], double e[BONDS][3])
{
  for (int b = 0; b < BONDS; b++) {
    for (int k = 0; k < 3; k++) {
      e[b][k] = q[3 * to[b] + k] - q[3 * from[b] + k];
    }
  }
}

/* x += A^{-1} r by Cramer's rule: the matrices are well conditioned. */
static void add_solution(double A[3][3], const double r[3], double x[3])
{
  const double c00 = A[1][1] * A[2][2] - A[1][2] * A[2][1];
  const double c01 = A[1][2] * A[2][0] - A[1][0] * A[2][2];
  const double c02 = A[1][0] * A[2][1] - A[1][1] * A[2][0];
  const double c10 = A[0][2] * A[2][1] - A[0][1] * A[2][2];
  const double c11 = A[0][0] * A[2][2] - A[0][2] * A[2][0];
  const double c12 = A[0][1] * A[2][0] - A[0][0] * A[2][1];
  const double c20 = A[0][1] * A[1][2] - A[0][2] * A[1][1];
  const double c21 = A[0][2] * A[1][0] - A[0][0] * A[1][2];
  const double c22 = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  const double scale = 1.0 / (A[0][0] * c00 + A[0][1] * c01 + A[0][2] * c02);

  x[0] += scale * (c00 * r[0] + c10 * r[1] + c20 * r[2]);
  x[1] += scale * (c01 * r[0] + c11 * r[1] + c21 * r[2]);
  x[2] += scale * (c02 * r[0] + c12 * r[1] + c22 * r[2]);
}

/* Moves what belongs to the sites, of weights w, along the bonds e by the multipliers factor mu. */
static void pull(const double w[SITES], double factor, const double mu[BONDS], double e[BONDS][3],
                 double x[9])
{
  for (int b = 0; b < BONDS; b++) {
    for (int k = 0; k < 3; k++) {
      const double f = factor * mu[b] * e[b][k];
      x[3 * to[b] + k] -= w[to[b]] * f;
      x[3 * from[b] + k] += w[from[b]] * f;
    }
  }
}

static double max3(const double x[3])
{
  const double a = fabs(x[0]) > fabs(x[1]) ? fabs(x[0]) : fabs(x[1]);
  return a > fabs(x[2]) ? a : fabs(x[2]);
}

/* Whether to go on: 1 for another iteration, 0 where converged, -1 where it cannot converge. */
static int go_on(double worst, double before, double target, int iteration)
{
  if (worst <= target || (!(worst < before) && worst <= STALLED * target)) {
    return 0;
  }
  return isfinite(worst) && iteration < MAX_ITERATIONS ? 1 : -1;
}

/* A = scale K[b][c] e1[b].e[c]. */
static void matrix(const by_hand_water *water, double scale, double e1[BONDS][3],
                   double e[BONDS][3], double A[3][3])
{
  for (int b = 0; b < BONDS; b++) {
    for (int c = 0; c < BONDS; c++) {
      A[b][c] = scale * water->K[b][c] * dot(e1[b], e[c]);
    }
  }
}

/* Moves q by h w p and onto the constraints, and p by what that takes. */
static int shake(by_hand_water *water, double h, double q[9], double p[9])
{
  static const double unit[SITES] = {1.0, 1.0, 1.0};
  double e[BONDS][3];
  double e_free[BONDS][3];
  double mu[BONDS] = {0.0, 0.0, 0.0};
  double before = INFINITY;
  int state = 1;

  bonds(q, e);
  for (int i = 0; i < 9; i++) {
    q[i] += h * water->w[i / 3] * p[i];
  }
  bonds(q, e_free);
  for (int iteration = 0;; iteration++) {
    double e1[BONDS][3];
    double g[BONDS];
    double A[3][3];
    for (int b = 0; b < BONDS; b++) {
      for (int k = 0; k < 3; k++) {
        e1[b][k] =
            e_free[b][k] - (water->K[b][0] * mu[0] * e[0][k] + water->K[b][1] * mu[1] * e[1][k] +
                            water->K[b][2] * mu[2] * e[2][k]);
      }
      g[b] = dot(e1[b], e1[b]) - water->length2[b];
    }
    const double worst = max3(g);
    state = go_on(worst, before, water->target_g, iteration);
    if (state != 1) {
      break;
    }
    before = worst;
    matrix(water, 2.0, e1, e, A);
    add_solution(A, g, mu);
    water->iterations++;
  }
  pull(water->w, 1.0, mu, e, q);
  pull(unit, 1.0 / h, mu, e, p);
  return state;
}

/* Makes p tangent. */
static int project(by_hand_water *water, const double q[9], double p[9])
{
  static const double unit[SITES] = {1.0, 1.0, 1.0};
  double e[BONDS][3];
  double A[3][3];
  double before = INFINITY;

  bonds(q, e);
  matrix(water, 1.0, e, e, A);
  for (int iteration = 0;; iteration++) {
    double rho[BONDS];
    double nu[BONDS] = {0.0, 0.0, 0.0};
    for (int b = 0; b < BONDS; b++) {
      rho[b] = 0.0;
      for (int k = 0; k < 3; k++) {
        rho[b] +=
            e[b][k] * (water->w[to[b]] * p[3 * to[b] + k] - water->w[from[b]] * p[3 * from[b] + k]);
      }
    }
    const double worst = max3(rho);
    const int state = go_on(worst, before, water->target_rho, iteration);
    if (state != 1) {
      return state;
    }
    before = worst;
    add_solution(A, rho, nu);
    pull(unit, 1.0, nu, e, p);
    water->iterations++;
  }
}

/* ---- all of them ---- */

/* What round-off is, from the sizes of the state that a run starts with. */
static void set_targets(by_hand_water *water, const double z[])
{
  const size_t n = 9 * (size_t)water->model.molecules;
  const double length = sqrt(water->length2[0]);
  double size = 0.0;
  double speed = 0.0;

  for (size_t i = 0; i < n; i++) {
    const double v = fabs(z[n + i]) * water->w[i % 9 / 3];
    size = fabs(z[i]) > size ? fabs(z[i]) : size;
    speed = v > speed ? v : speed;
  }
  water->target_g = 0.5 * DBL_EPSILON * 4.0 * length * fmax(size, length);
  water->target_rho = 0.5 * DBL_EPSILON * 4.0 * length * speed;
}

/* One step.  Without forces between them the molecules go one by one, so that each stays in the cache. */
static int advance(by_hand_water *water, double h, double q[], double p[])
{
  const size_t n = (size_t)water->model.molecules;
  int bad = 0;

  for (size_t i = 0; i < n; i++) {
    kick(water, i, 0.5 * h, q + 9 * i, p + 9 * i);
    bad |= shake(water, h, q + 9 * i, p + 9 * i);
    if (water->gradient == NULL) {
      kick(water, i, 0.5 * h, q + 9 * i, p + 9 * i);
      bad |= project(water, q + 9 * i, p + 9 * i);
    }
  }
  if (water->gradient != NULL) {
    forces(water, q);
    for (size_t i = 0; i < n; i++) {
      kick(water, i, 0.5 * h, q + 9 * i, p + 9 * i);
      bad |= project(water, q + 9 * i, p + 9 * i);
    }
  }
  return bad;
}

int by_hand_water_run(by_hand_water *water, double h, long steps, double z[], by_hand_cost *cost)
{
  const size_t n = (size_t)water->model.molecules;
  int bad = 0;

  water->iterations = 0;
  set_targets(water, z);
  if (water->gradient != NULL) {
    forces(water, z);
  }
  for (long step = 0; step < steps && bad == 0; step++) {
    bad = advance(water, h, z, z + 9 * n);
    cost->steps++;
  }
  cost->iterations += (water->iterations + (long)n / 2) / (long)n;
  return bad != 0;
}
