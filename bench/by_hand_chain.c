/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_chain.c -- the chain: N nodes, N-1 links, tridiagonal solves.
 *
 * With e = q[l+1] - q[l] for link l, and w = 1/m (0 for the pinned node), a step is
 *
 *   p <- p - h/2 H_q(q),  q1 = q + h w p - w B(q) mu,  |e1|^2 = a^2,
 *   p <- p - B(q) mu/h - h/2 H_q(q1),
 *   p <- p - B(q1) nu,    e1 . (w p differences) = 0.
 *
 * (B(q) x)[i] = x[i-1] e[i-1] - x[i] e[i], mu = 2 h^2 lambda, nu = 2 h sigma.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "by_hand.h"

enum { MAX_ITERATIONS = 30 };

/* A residual that no longer decreases is accepted up to this multiple of its target. */
#define STALLED 1e4

struct by_hand_chain {
  by_hand_chain_model model;
  double *w;     /* nodes */
  double *bend;  /* 3 nodes: derivative of the bending energy; NULL where kappa = 0 */
  double *e;     /* 3 links: link vectors at the start of the step */
  double *e1;    /* 3 links: link vectors at its end */
  double *free;  /* 3 nodes: positions at the end without multipliers */
  double *g;     /* links: residual */
  double *mu;    /* links */
  double *upper; /* links: superdiagonal of the factorised matrix */
  double *lower; /* links: subdiagonal of the matrix */
  double *pivot; /* links: reciprocal pivots */
};

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

by_hand_chain *by_hand_chain_create(const by_hand_chain_model *model)
{
  by_hand_chain *c = calloc(1, sizeof *c);
  const size_t n = (size_t)model->nodes;

  if (c == NULL) {
    return NULL;
  }
  c->model = *model;
  c->w = calloc(n, sizeof(double));
  c->bend = model->kappa > 0.0 ? calloc(3 * n, sizeof(double)) : NULL;
  c->e = calloc(3 * n, sizeof(double));
  c->e1 = calloc(3 * n, sizeof(double));
  c->free = calloc(3 * n, sizeof(double));
  c->g = calloc(n, sizeof(double));
  c->mu = calloc(n, sizeof(double));
  c->upper = calloc(n, sizeof(double));
  c->lower = calloc(n, sizeof(double));
  c->pivot = calloc(n, sizeof(double));
  if (c->w == NULL || (model->kappa > 0.0 && c->bend == NULL) || c->e == NULL || c->e1 == NULL ||
      c->free == NULL || c->g == NULL || c->mu == NULL || c->upper == NULL || c->lower == NULL ||
      c->pivot == NULL) {
    by_hand_chain_free(c);
    return NULL;
  }
  for (size_t i = 1; i < n; i++) {
    c->w[i] = 1.0 / model->m[i];
  }
  return c;
}

void by_hand_chain_free(by_hand_chain *c)
{
  if (c == NULL) {
    return;
  }
  free(c->w);
  free(c->bend);
  free(c->e);
  free(c->e1);
  free(c->free);
  free(c->g);
  free(c->mu);
  free(c->upper);
  free(c->lower);
  free(c->pivot);
  free(c);
}

/* bend = d/dq of kappa/(2 a^3) sum_i |q[i-1] - 2 q[i] + q[i+1]|^2. */
static void bending(by_hand_chain *c, const double q[])
{
  const int n = c->model.nodes;
  const double stiffness = c->model.kappa / (c->model.a * c->model.a * c->model.a);
  double *bend = c->bend;

  for (int i = 0; i < 3 * n; i++) {
    bend[i] = 0.0;
  }
  for (int i = 3; i < 3 * (n - 1); i++) {
    const double s = stiffness * (q[i - 3] - 2.0 * q[i] + q[i + 3]);
    bend[i - 3] += s;
    bend[i] -= 2.0 * s;
    bend[i + 3] += s;
  }
}

/* p <- p - h H_q, except for the pinned node. */
static void kick(const by_hand_chain *c, double h, double p[])
{
  const int n = c->model.nodes;
  const double fall = h * c->model.gravity;

  for (int i = 1; i < n; i++) {
    p[3 * i + 2] -= fall * c->model.m[i];
  }
  for (int i = 3; c->bend != NULL && i < 3 * n; i++) {
    p[i] -= h * c->bend[i];
  }
}

/* p <- p - factor B x with the links e. */
static void pull(int nodes, double factor, const double x[], const double e[], double p[])
{
  for (int i = 1; i < nodes - 1; i++) {
    const double before = factor * x[i - 1];
    const double after = factor * x[i];
    for (int k = 0; k < 3; k++) {
      p[3 * i + k] -= before * e[3 * (i - 1) + k] - after * e[3 * i + k];
    }
  }
  for (int k = 0; k < 3; k++) {
    p[3 * (nodes - 1) + k] -= factor * x[nodes - 2] * e[3 * (nodes - 2) + k];
  }
}

/* free = q + h w p, and the links at the start. */
static void drift(by_hand_chain *c, double h, const double q[], const double p[])
{
  const int n = c->model.nodes;

  for (int i = 0; i < n; i++) {
    const double step = h * c->w[i];
    for (int k = 0; k < 3; k++) {
      c->free[3 * i + k] = q[3 * i + k] + step * p[3 * i + k];
    }
  }
  for (int i = 0; i < 3 * (n - 1); i++) {
    c->e[i] = q[i + 3] - q[i];
  }
}

/* q1 = free - w B mu, its links, and g = |e1|^2 - a^2; returns max |g|. */
static double positions(by_hand_chain *c, double q1[])
{
  const int links = c->model.nodes - 1;
  const double a2 = c->model.a * c->model.a;
  const double *e = c->e;
  double worst = 0.0;

  for (int l = 0; l < links; l++) {
    const double here = c->w[l + 1] * c->mu[l];
    const double next = l + 1 < links ? c->w[l + 1] * c->mu[l + 1] : 0.0;
    for (int k = 0; k < 3; k++) {
      const int i = 3 * l + k;
      q1[i + 3] = c->free[i + 3] - (here * e[i] - next * e[i + 3]);
      c->e1[i] = q1[i + 3] - q1[i];
    }
    c->g[l] = dot(c->e1 + 3 * l, c->e1 + 3 * l) - a2;
    worst = larger(fabs(c->g[l]), worst);
  }
  return worst;
}

/* Factorises A with A[l][l] = scale e1[l].e[l] (w[l] + w[l+1]) and A[l][j] = -scale e1[l].e[j] w
 * of the shared node, and performs the forward substitution of x in the same sweep.  The
 * critical path has one division per row. */
static void eliminate(by_hand_chain *c, double scale, const double e1[], const double e[],
                      double x[])
{
  const int links = c->model.nodes - 1;
  double pivot = 1.0;
  double above = 0.0;
  double last = 0.0;

  for (int l = 0; l < links; l++) {
    const double *to = e1 + 3 * l;
    const double w0 = scale * c->w[l];
    const double w1 = scale * c->w[l + 1];
    const double below = l > 0 ? -w0 * dot(to, e + 3 * (l - 1)) : 0.0;
    pivot = (w0 + w1) * dot(to, e + 3 * l) - below * above / pivot;
    above = l + 1 < links ? -w1 * dot(to, e + 3 * (l + 1)) : 0.0;
    const double inverse = 1.0 / pivot;
    last = (x[l] - below * last) * inverse;
    x[l] = last;
    c->lower[l] = below;
    c->upper[l] = above * inverse;
    c->pivot[l] = inverse;
  }
}

/* Forward substitution with the stored factors. */
static void forward(const by_hand_chain *c, double x[])
{
  const int links = c->model.nodes - 1;
  double last = 0.0;

  for (int l = 0; l < links; l++) {
    last = (x[l] - c->lower[l] * last) * c->pivot[l];
    x[l] = last;
  }
}

/* Back-substitution; adds the solution to sum. */
static void backward(const by_hand_chain *c, double x[], double sum[])
{
  double last = 0.0;

  for (int l = c->model.nodes - 2; l >= 0; l--) {
    last = x[l] - c->upper[l] * last;
    x[l] = last;
    sum[l] += last;
  }
}

/* 1: iterate again; 0: converged; -1: no convergence possible. */
static int go_on(double worst, double before, double target, int iteration)
{
  if (worst <= target || (!(worst < before) && worst <= STALLED * target)) {
    return 0;
  }
  return isfinite(worst) && iteration < MAX_ITERATIONS ? 1 : -1;
}

/* SHAKE: solves for mu, and sets q1 to the positions at the end. */
static int shake(by_hand_chain *c, double q1[], by_hand_cost *cost)
{
  const int links = c->model.nodes - 1;
  const double a = c->model.a;
  const double target = 0.5 * DBL_EPSILON * 4.0 * a * (a * links);
  double before = INFINITY;

  for (int l = 0; l < links; l++) {
    c->mu[l] = 0.0;
  }
  for (int iteration = 0;; iteration++) {
    const double worst = positions(c, q1);
    const int state = go_on(worst, before, target, iteration);
    if (state != 1) {
      return state;
    }
    before = worst;
    eliminate(c, 2.0, c->e1, c->e, c->g);
    backward(c, c->g, c->mu);
    cost->iterations++;
  }
}

/* g = e1 . (w p differences); returns max |g|, and max |w p| in *speed. */
static double velocities(by_hand_chain *c, const double p[], double *speed)
{
  const int links = c->model.nodes - 1;
  double v[3] = {0.0, 0.0, 0.0};
  double worst = 0.0;
  double fastest = 0.0;

  for (int l = 0; l < links; l++) {
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
      const double v1 = c->w[l + 1] * p[3 * (l + 1) + k];
      sum += c->e1[3 * l + k] * (v1 - v[k]);
      v[k] = v1;
      fastest = larger(fabs(v1), fastest);
    }
    c->g[l] = sum;
    worst = larger(fabs(sum), worst);
  }
  *speed = fastest;
  return worst;
}

/* Projects p onto the tangent space; mu becomes mu + nu.  The equations are linear, so one
 * factorisation suffices. */
static int project(by_hand_chain *c, double p[], by_hand_cost *cost)
{
  double before = INFINITY;

  for (int iteration = 0;; iteration++) {
    double speed = 0.0;
    const double worst = velocities(c, p, &speed);
    const double target = 0.5 * DBL_EPSILON * 4.0 * c->model.a * speed;
    const int state = go_on(worst, before, target, iteration);
    if (state != 1) {
      return state;
    }
    before = worst;
    if (iteration == 0) {
      eliminate(c, 1.0, c->e1, c->e1, c->g);
    } else {
      forward(c, c->g);
    }
    backward(c, c->g, c->mu);
    pull(c->model.nodes, 1.0, c->g, c->e1, p);
    cost->iterations++;
  }
}

int by_hand_chain_run(by_hand_chain *c, double h, long steps, double z[], by_hand_cost *cost)
{
  const int n = c->model.nodes;
  double *q = z;
  double *p = z + 3 * (size_t)n;

  if (c->bend != NULL) {
    bending(c, q);
  }
  for (long step = 0; step < steps; step++) {
    kick(c, 0.5 * h, p);
    drift(c, h, q, p);
    if (shake(c, q, cost) != 0) {
      return 1;
    }
    pull(n, 1.0 / h, c->mu, c->e, p);
    if (c->bend != NULL) {
      bending(c, q);
    }
    kick(c, 0.5 * h, p);
    if (project(c, p, cost) != 0) {
      return 1;
    }
    cost->steps++;
  }
  return 0;
}
