/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_molecule.h -- the step of a rigid water molecule, or of SW_LANES of them side by side
 * (sidewinder/lanes.h): three bonds and a 3 x 3 system.
 *
 * Bond b leads from site from[b] to site to[b]; e[b] = q[to] - q[from], w = 1/m.  Multipliers mu of
 * the bonds move the sites along the bonds of the start of the step, so that
 *
 *   e1[b] = e_free[b] - sum_c K[b][c] mu[c] e[c].
 *
 * K[b][b] = w[from] + w[to].  K[b][c] is w of the site that the bonds share, negative if one bond
 * ends and the other begins there.  Newton's method needs these three vectors only.  All lanes
 * iterate until the last one has converged.
 */
#ifndef BENCH_BY_HAND_MOLECULE_H
#define BENCH_BY_HAND_MOLECULE_H

#include "by_hand.h"
#include "sidewinder/lanes.h"

enum { MAX_ITERATIONS = 30, SITES = 3, BONDS = 3 };

/* A residual that no longer decreases is accepted up to this multiple of its target. */
#define STALLED 1e4

static const int from[BONDS] = {0, 0, 1};
static const int to[BONDS] = {1, 2, 2};

struct by_hand_water {
  by_hand_water_model model;
  double w[SITES];
  double K[BONDS][BONDS];
  double length2[BONDS];
  double length;     /* of the first bond */
  double target_g;   /* for g; set by each run */
  double target_rho; /* for rho; set by each run */
  long iterations;   /* over all molecules */
  double *gradient;  /* 9 values per molecule: H_q; NULL without forces */
};

/* by_hand_water_describe sets everything except the targets; by_hand_water_set_targets sets the
 * targets from the initial state, 18 values per molecule.  (by_hand_water.c) */
void by_hand_water_describe(by_hand_water *water, const by_hand_water_model *model);
void by_hand_water_set_targets(by_hand_water *water, const double z[]);

static inline number dot(const number a[3], const number b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* p <- p - h H_q of the container, for one oxygen. */
static inline void kick_well(const by_hand_water_model *m, double h, const number q[], number p[])
{
  const number r2 = dot(q, q);
  const number factor = h * 4.0 * m->well * r2 / (m->radius * m->radius * m->radius * m->radius);

  for (int k = 0; k < 3; k++) {
    p[k] -= factor * q[k];
  }
}

static inline void bonds(const number q[9], number e[BONDS][3])
{
  for (int b = 0; b < BONDS; b++) {
    for (int k = 0; k < 3; k++) {
      e[b][k] = q[3 * to[b] + k] - q[3 * from[b] + k];
    }
  }
}

/* x += A^{-1} r by Cramer's rule: the matrices are well conditioned. */
static inline void add_solution(number A[3][3], const number r[3], number x[3])
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

  x[0] += scale * (c00 * r[0] + c10 * r[1] + c20 * r[2]);
  x[1] += scale * (c01 * r[0] + c11 * r[1] + c21 * r[2]);
  x[2] += scale * (c02 * r[0] + c12 * r[1] + c22 * r[2]);
}

/* x[site] += the sum over its bonds of +-w factor mu[b] e[b]. */
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

/* 1: iterate again; 0: converged; -1: no convergence possible. */
static inline int go_on(number worst, number before, double target, int iteration)
{
  const truth done = SW_AT_MOST(worst, target) |
                     (SW_NOT(SW_LESS(worst, before)) & SW_AT_MOST(worst, STALLED * target));
  if (!SW_ANY(SW_NOT(done))) {
    return 0;
  }
  return !SW_ANY(SW_NOT(SW_EQUAL(worst - worst, 0.0))) && iteration < MAX_ITERATIONS ? 1 : -1;
}

/* A = scale K[b][c] e1[b].e[c]. */
static inline void matrix(const by_hand_water *water, double scale, number e1[BONDS][3],
                          number e[BONDS][3], number A[3][3])
{
  for (int b = 0; b < BONDS; b++) {
    for (int c = 0; c < BONDS; c++) {
      A[b][c] = scale * water->K[b][c] * dot(e1[b], e[c]);
    }
  }
}

/* SHAKE: moves q by h w p, then onto the constraints, and adds the corresponding momentum to p. */
static inline int shake(by_hand_water *water, double h, number q[9], number p[9])
{
  static const double unit[SITES] = {1.0, 1.0, 1.0};
  number e[BONDS][3];
  number e_free[BONDS][3];
  number mu[BONDS] = {SW_SPREAD(0.0), SW_SPREAD(0.0), SW_SPREAD(0.0)};
  number before = SW_SPREAD(INFINITY);
  int state = 1;

  bonds(q, e);
  for (int i = 0; i < 9; i++) {
    q[i] += h * water->w[i / 3] * p[i];
  }
  bonds(q, e_free);
  for (int iteration = 0;; iteration++) {
    number e1[BONDS][3];
    number g[BONDS];
    number A[3][3];
    for (int b = 0; b < BONDS; b++) {
      for (int k = 0; k < 3; k++) {
        e1[b][k] =
            e_free[b][k] - (water->K[b][0] * mu[0] * e[0][k] + water->K[b][1] * mu[1] * e[1][k] +
                            water->K[b][2] * mu[2] * e[2][k]);
      }
      g[b] = dot(e1[b], e1[b]) - water->length2[b];
    }
    const number worst = max3(g);
    state = go_on(worst, before, water->target_g, iteration);
    if (state != 1) {
      break;
    }
    before = worst;
    matrix(water, 2.0, e1, e, A);
    add_solution(A, g, mu);
    water->iterations += SW_LANES;
  }
  pull(water->w, 1.0, mu, e, q);
  pull(unit, 1.0 / h, mu, e, p);
  return state;
}

/* Projects p onto the tangent space. */
static inline int project(by_hand_water *water, const number q[9], number p[9])
{
  static const double unit[SITES] = {1.0, 1.0, 1.0};
  number e[BONDS][3];
  number A[3][3];
  number before = SW_SPREAD(INFINITY);

  bonds(q, e);
  matrix(water, 1.0, e, e, A);
  for (int iteration = 0;; iteration++) {
    number rho[BONDS];
    number nu[BONDS] = {SW_SPREAD(0.0), SW_SPREAD(0.0), SW_SPREAD(0.0)};
    for (int b = 0; b < BONDS; b++) {
      rho[b] = SW_SPREAD(0.0);
      for (int k = 0; k < 3; k++) {
        rho[b] +=
            e[b][k] * (water->w[to[b]] * p[3 * to[b] + k] - water->w[from[b]] * p[3 * from[b] + k]);
      }
    }
    const number worst = max3(rho);
    const int state = go_on(worst, before, water->target_rho, iteration);
    if (state != 1) {
      return state;
    }
    before = worst;
    add_solution(A, rho, nu);
    pull(unit, 1.0, nu, e, p);
    water->iterations += SW_LANES;
  }
}

#endif
