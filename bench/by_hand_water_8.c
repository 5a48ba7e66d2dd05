/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_water_8.c -- the water of by_hand_water.c without forces between molecules, eight of them at once: compiled with -DSW_LANES=8.
 *
 * Blocks of eight molecules keep their 18 numbers side by side for the whole run, and go on until the last of them has converged.
 */
#include <float.h>
#include <stdlib.h>

#include "by_hand.h"
#include "sidewinder/lanes.h"

enum { MAX_ITERATIONS = 30, SITES = 3, BONDS = 3, NUMBERS = 18 };

static const int from[BONDS] = {0, 0, 1};
static const int to[BONDS] = {1, 2, 2};

typedef struct constants {
  double h;
  double w[SITES];
  double K[BONDS][BONDS];
  double length2[BONDS];
  double well;
  double target_g;
  double target_rho;
} constants;

static inline number dot(const number a[3], const number b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void bonds(const number q[9], number e[BONDS][3])
{
  for (int b = 0; b < BONDS; b++) {
    for (int k = 0; k < 3; k++) {
      e[b][k] = q[3 * to[b] + k] - q[3 * from[b] + k];
    }
  }
}

/* x += A^{-1} r in the lanes that are busy. */
static inline void add_solution(number A[3][3], const number r[3], truth busy, number x[3])
{
  const number c00 = A[1][1] * A[2][2] - A[1][2] * A[2][1];
  const number c01 = A[1][2] * A[2][0] - A[1][0] * A[2][2];
  const number c02 = A[1][0] * A[2][1] - A[1][1] * A[2][0];
  const number c10 = A[0][2] * A[2][1] - A[0][1] * A[2][2];
  const number c11 = A[0][0] * A[2][2] - A[0][2] * A[2][0];
  const number c12 = A[0][1] * A[2][0] - A[0][0] * A[2][1];
  const number c20 = A[0][1] * A[1][2] - A[0][2] * A[1][1];
  const number c21 = A[0][2] * A[1][0] - A[0][0] * A[1][2];
  const number c22 = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  const number scale = 1.0 / (A[0][0] * c00 + A[0][1] * c01 + A[0][2] * c02);

  x[0] = SW_SELECT(busy, x[0] + scale * (c00 * r[0] + c10 * r[1] + c20 * r[2]), x[0]);
  x[1] = SW_SELECT(busy, x[1] + scale * (c01 * r[0] + c11 * r[1] + c21 * r[2]), x[1]);
  x[2] = SW_SELECT(busy, x[2] + scale * (c02 * r[0] + c12 * r[1] + c22 * r[2]), x[2]);
}

static inline void pull(const double w[SITES], double factor, const number mu[BONDS],
                        number e[BONDS][3], number x[9])
{
  for (int b = 0; b < BONDS; b++) {
    for (int k = 0; k < 3; k++) {
      const number f = factor * mu[b] * e[b][k];
      x[3 * to[b] + k] -= w[to[b]] * f;
      x[3 * from[b] + k] += w[from[b]] * f;
    }
  }
}

static inline number max3(const number x[3])
{
  const number a = SW_LARGER(fabs(x[0]), fabs(x[1]));
  return SW_LARGER(a, fabs(x[2]));
}

/* The lanes that have to go on. */
static inline truth still_busy(number worst, number before, double target)
{
  return (worst > target) & ((worst < before) | (worst > 1e4 * target));
}

static inline void matrix(const constants *c, double scale, number e1[BONDS][3], number e[BONDS][3],
                          number A[3][3])
{
  for (int b = 0; b < BONDS; b++) {
    for (int d = 0; d < BONDS; d++) {
      A[b][d] = scale * c->K[b][d] * dot(e1[b], e[d]);
    }
  }
}

static inline void kick(const constants *c, const number q[9], number p[9])
{
  const number factor = 0.5 * c->h * c->well * dot(q, q);

  for (int k = 0; k < 3; k++) {
    p[k] -= factor * q[k];
  }
}

static int shake(const constants *c, number q[9], number p[9])
{
  static const double unit[SITES] = {1.0, 1.0, 1.0};
  number e[BONDS][3];
  number e_free[BONDS][3];
  number mu[BONDS] = {{0.0}, {0.0}, {0.0}};
  number before = SW_SPREAD(1e300);
  int iteration = 0;

  bonds(q, e);
  for (int i = 0; i < 9; i++) {
    q[i] += c->h * c->w[i / 3] * p[i];
  }
  bonds(q, e_free);
  for (;;) {
    number e1[BONDS][3];
    number g[BONDS];
    number A[3][3];
    for (int b = 0; b < BONDS; b++) {
      for (int k = 0; k < 3; k++) {
        e1[b][k] = e_free[b][k] - (c->K[b][0] * mu[0] * e[0][k] + c->K[b][1] * mu[1] * e[1][k] +
                                   c->K[b][2] * mu[2] * e[2][k]);
      }
      g[b] = dot(e1[b], e1[b]) - c->length2[b];
    }
    const number worst = max3(g);
    const truth busy = still_busy(worst, before, c->target_g);
    if (!SW_ANY(busy) || iteration == MAX_ITERATIONS) {
      break;
    }
    before = worst;
    matrix(c, 2.0, e1, e, A);
    add_solution(A, g, busy, mu);
    iteration++;
  }
  pull(c->w, 1.0, mu, e, q);
  pull(unit, 1.0 / c->h, mu, e, p);
  return iteration;
}

static int project(const constants *c, const number q[9], number p[9])
{
  static const double unit[SITES] = {1.0, 1.0, 1.0};
  number e[BONDS][3];
  number A[3][3];
  number before = SW_SPREAD(1e300);
  int iteration = 0;

  bonds(q, e);
  matrix(c, 1.0, e, e, A);
  for (;;) {
    number rho[BONDS];
    number nu[BONDS] = {{0.0}, {0.0}, {0.0}};
    for (int b = 0; b < BONDS; b++) {
      rho[b] = SW_SPREAD(0.0);
      for (int k = 0; k < 3; k++) {
        rho[b] += e[b][k] * (c->w[to[b]] * p[3 * to[b] + k] - c->w[from[b]] * p[3 * from[b] + k]);
      }
    }
    const number worst = max3(rho);
    const truth busy = still_busy(worst, before, c->target_rho);
    if (!SW_ANY(busy) || iteration == MAX_ITERATIONS) {
      return iteration;
    }
    before = worst;
    add_solution(A, rho, busy, nu);
    pull(unit, 1.0, nu, e, p);
    iteration++;
  }
}

/* Round-off, as in by_hand_water.c. */
static constants constants_of(const by_hand_water_model *m, double h, const double z[])
{
  const size_t n = 9 * (size_t)m->molecules;
  const double r2 = m->radius * m->radius;
  constants c = {.h = h, .well = 4.0 * m->well / (r2 * r2)};
  double size = 0.0;
  double speed = 0.0;

  for (int s = 0; s < SITES; s++) {
    c.w[s] = 1.0 / m->m[s];
  }
  for (int b = 0; b < BONDS; b++) {
    const double x = m->along[from[b]] - m->along[to[b]];
    const double y = m->across[from[b]] - m->across[to[b]];
    c.length2[b] = x * x + y * y;
    for (int d = 0; d < BONDS; d++) {
      c.K[b][d] = (from[b] == from[d] ? c.w[from[b]] : 0.0) + (to[b] == to[d] ? c.w[to[b]] : 0.0) -
                  (from[b] == to[d] ? c.w[from[b]] : 0.0) - (to[b] == from[d] ? c.w[to[b]] : 0.0);
    }
  }
  for (size_t i = 0; i < n; i++) {
    const double q = z[i] < 0.0 ? -z[i] : z[i];
    const double p = (z[n + i] < 0.0 ? -z[n + i] : z[n + i]) * c.w[i % 9 / 3];
    size = q > size ? q : size;
    speed = p > speed ? p : speed;
  }
  c.target_g = 2.0 * DBL_EPSILON * 0.1 * size;
  c.target_rho = 2.0 * DBL_EPSILON * 0.1 * speed;
  return c;
}

/* The 18 numbers of eight molecules side by side, or back; molecules behind the last one are that one. */
static void turn(int n, double z[], double block[], int back)
{
  for (int i = 0; i < (n + SW_LANES - 1) / SW_LANES * SW_LANES; i++) {
    const int molecule = i < n ? i : n - 1;
    for (int j = 0; j < NUMBERS; j++) {
      double *one = &z[(j < 9 ? 0 : 9 * n) + 9 * molecule + j % 9];
      double *lane = &block[(i / SW_LANES * NUMBERS + j) * SW_LANES + i % SW_LANES];
      *(back ? one : lane) = back ? *lane : *one;
    }
  }
}

int by_hand_water_run_8(const by_hand_water_model *m, double h, long steps, double z[])
{
  const int blocks = (m->molecules + SW_LANES - 1) / SW_LANES;
  const constants c = constants_of(m, h, z);
  double *all = malloc((size_t)blocks * NUMBERS * SW_LANES * sizeof *all);
  int most = 0;

  if (all == NULL) {
    return 1;
  }
  turn(m->molecules, z, all, 0);
  for (long step = 0; step < steps; step++) {
    for (int b = 0; b < blocks; b++) {
      double *block = all + (size_t)b * NUMBERS * SW_LANES;
      number x[NUMBERS];
      for (int j = 0; j < NUMBERS; j++) {
        x[j] = SW_LOAD(block, j);
      }
      kick(&c, x, x + 9);
      const int i = shake(&c, x, x + 9);
      kick(&c, x, x + 9);
      const int k = project(&c, x, x + 9);
      most = i > most ? i : most;
      most = k > most ? k : most;
      for (int j = 0; j < NUMBERS; j++) {
        SW_STORE(block, j, x[j]);
      }
    }
  }
  turn(m->molecules, z, all, 1);
  free(all);
  return most >= MAX_ITERATIONS;
}
