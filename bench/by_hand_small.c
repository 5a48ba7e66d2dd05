/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_small.c -- compiled once for one trajectory and once with -DSW_LANES=8, as are the
 * models' generated steps.
 */
#include "by_hand_small.h"

#include "sidewinder/lanes.h"

#define NAME_OF_(name, lanes) by_hand_##name##_##lanes
#define NAME_OF(name, lanes)  NAME_OF_(name, lanes)
#define BY_HAND(name)         NAME_OF(name, SW_LANES)

enum { MAX_ITERATIONS = 20, LINKS = 5, NODES = 6 };

/* Round-off of a sum of a few squares with the value 1. */
#define TARGET 8.9e-16

/* ---- H = |p|^2/2 + y, g = x^2 + y^2 - 1 ---- */

void BY_HAND(pendulum)(double z[], double h, long steps)
{
  number x = SW_LOAD(z, 0);
  number y = SW_LOAD(z, 1);
  number px = SW_LOAD(z, 2);
  number py = SW_LOAD(z, 3);

  for (long n = 0; n < steps; n++) {
    const number free_x = x + h * px;
    const number free_y = y + h * (py - 0.5 * h);
    number lambda = SW_SPREAD(0.0);
    number x1 = free_x;
    number y1 = free_y;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
      x1 = free_x - 2 * h * h * lambda * x;
      y1 = free_y - 2 * h * h * lambda * y;
      const number g = x1 * x1 + y1 * y1 - 1;
      if (!SW_ANY(SW_LESS(TARGET, fabs(g)))) {
        break;
      }
      lambda += g / (4 * h * h * (x * x1 + y * y1));
    }
    px -= 2 * h * lambda * x;
    py -= 2 * h * lambda * y + h;
    const number mu = (x1 * px + y1 * py) / (x1 * x1 + y1 * y1);
    px -= mu * x1;
    py -= mu * y1;
    x = x1;
    y = y1;
  }
  SW_STORE(z, 0, x);
  SW_STORE(z, 1, y);
  SW_STORE(z, 2, px);
  SW_STORE(z, 3, py);
}

/* ---- H = |p|^2/2 - f.q, g = |q|^2 + |p|^2 - 1, whose flow rotates (q, p) ---- */

/* The (q, p) planes of two coordinates. */
typedef struct planes {
  number q[2];
  number p[2];
} planes;

/* z rotated by the angle with this cosine and sine. */
static inline planes turned(const planes *z, number c, number s)
{
  planes to;
  for (int k = 0; k < 2; k++) {
    to.q[k] = c * z->q[k] + s * z->p[k];
    to.p[k] = c * z->p[k] - s * z->q[k];
  }
  return to;
}

/* H_q = -f, so the midpoint method is exact.  *end is the image of the rotated state under the
 * base method. Returns g at *end, and its derivative in the angle in *slope. */
static inline number moved(const planes *z, const double f[2], double h, planes *end, number *slope)
{
  number g = SW_SPREAD(-1.0);
  number d = SW_SPREAD(0.0);
  for (int k = 0; k < 2; k++) {
    end->p[k] = z->p[k] + h * f[k];
    end->q[k] = z->q[k] + h * (z->p[k] + 0.5 * h * f[k]);
    g += end->q[k] * end->q[k] + end->p[k] * end->p[k];
    d += end->q[k] * (z->p[k] - h * z->q[k]) - end->p[k] * z->q[k];
  }
  *slope = 2 * d;
  return g;
}

/* rho/2 = (q + f).p, and its derivative. */
static inline number hidden(const planes *z, const double f[2], number *slope)
{
  number rho = SW_SPREAD(0.0);
  number d = SW_SPREAD(0.0);
  for (int k = 0; k < 2; k++) {
    rho += (z->q[k] + f[k]) * z->p[k];
    d += z->p[k] * z->p[k] - (z->q[k] + f[k]) * z->q[k];
  }
  *slope = d;
  return rho;
}

/* The cosine and sine of the angle with the parameter u; returns the derivative of the angle in
 * u. */
static inline number angle(int cayley, number u, number *c, number *s)
{
  if (!cayley) {
    *c = cos(u);
    *s = sin(u);
    return SW_SPREAD(1.0);
  }
  const number over = 1 / (1 + u * u);
  *c = (1 - u * u) * over;
  *s = 2 * u * over;
  return 2 * over;
}

static inline void hopf(int cayley, double z[], double h, long steps)
{
  const double f[2] = {0.0, -1.0};
  planes at;
  planes turn;
  planes end;
  number c;
  number s;
  number slope;

  for (int k = 0; k < 2; k++) {
    at.q[k] = SW_LOAD(z, k);
    at.p[k] = SW_LOAD(z, 2 + k);
  }
  for (long n = 0; n < steps; n++) {
    number u = SW_SPREAD(0.0);
    turn = at;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
      const number of_u = angle(cayley, u, &c, &s);
      turn = turned(&at, c, s);
      const number g = moved(&turn, f, h, &end, &slope);
      if (!SW_ANY(SW_LESS(TARGET, fabs(g)))) {
        break;
      }
      u -= g / (slope * of_u);
    }
    u = SW_SPREAD(0.0);
    for (int i = 0; i < MAX_ITERATIONS; i++) {
      const number of_u = angle(cayley, u, &c, &s);
      at = turned(&end, c, s);
      const number rho = hidden(&at, f, &slope);
      if (!SW_ANY(SW_LESS(TARGET, fabs(rho)))) {
        break;
      }
      u -= rho / (slope * of_u);
    }
  }
  for (int k = 0; k < 2; k++) {
    SW_STORE(z, k, at.q[k]);
    SW_STORE(z, 2 + k, at.p[k]);
  }
}

void BY_HAND(hopf)(double z[], double h, long steps)
{
  hopf(0, z, h, steps);
}

void BY_HAND(hopf_cayley)(double z[], double h, long steps)
{
  hopf(1, z, h, steps);
}

/* ---- six nodes: springs between second neighbours, links of length 1 ---- */

/* p <- p - h H_q. */
static inline void kick(number q[NODES][2], double h, number p[NODES][2])
{
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < NODES - 2; i++) {
      const number pull = 5 * h * (q[i][k] - q[i + 2][k]);
      p[i][k] -= pull;
      p[i + 2][k] += pull;
    }
  }
}

/* Solves for x: lower[i] x[i-1] + middle[i] x[i] + upper[i] x[i+1] = b[i]. */
static inline void solve(const number lower[], const number middle[], const number upper[],
                         const number b[], number x[])
{
  number over[LINKS];
  number right[LINKS];

  over[0] = 1 / middle[0];
  right[0] = b[0];
  for (int i = 1; i < LINKS; i++) {
    const number factor = lower[i] * over[i - 1];
    over[i] = 1 / (middle[i] - factor * upper[i - 1]);
    right[i] = b[i] - factor * right[i - 1];
  }
  x[LINKS - 1] = right[LINKS - 1] * over[LINKS - 1];
  for (int i = LINKS - 2; i >= 0; i--) {
    x[i] = (right[i] - upper[i] * x[i + 1]) * over[i];
  }
}

/* e[i] = q[i+1] - q[i]. */
static inline void links(number q[NODES][2], number e[LINKS][2])
{
  for (int i = 0; i < LINKS; i++) {
    for (int k = 0; k < 2; k++) {
      e[i][k] = q[i + 1][k] - q[i][k];
    }
  }
}

static inline number dot(const number a[2], const number b[2])
{
  return a[0] * b[0] + a[1] * b[1];
}

/* to -= factor sum_i x[i] (the pull of link i on its two ends). */
static inline void pull(const number x[], number e[LINKS][2], double factor, number to[NODES][2])
{
  for (int i = 0; i < LINKS; i++) {
    for (int k = 0; k < 2; k++) {
      const number by = factor * x[i] * e[i][k];
      to[i][k] += by;
      to[i + 1][k] -= by;
    }
  }
}

/* SHAKE: moves the free positions back onto M along the links e; sets mu, e1 and q. */
static inline void onto_links(number e[LINKS][2], number q[NODES][2], number e1[LINKS][2],
                              number mu[])
{
  number free[LINKS][2];
  number g[LINKS];
  number lower[LINKS];
  number middle[LINKS];
  number upper[LINKS];
  number change[LINKS];

  links(q, free);
  for (int i = 0; i < LINKS; i++) {
    mu[i] = SW_SPREAD(0.0);
  }
  for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    number largest = SW_SPREAD(0.0);
    for (int i = 0; i < LINKS; i++) {
      for (int k = 0; k < 2; k++) {
        number x = free[i][k] - 2 * mu[i] * e[i][k];
        x += i > 0 ? mu[i - 1] * e[i - 1][k] : SW_SPREAD(0.0);
        x += i < LINKS - 1 ? mu[i + 1] * e[i + 1][k] : SW_SPREAD(0.0);
        e1[i][k] = x;
      }
      g[i] = dot(e1[i], e1[i]) - 1;
      largest = SW_LARGER(fabs(g[i]), largest);
    }
    if (!SW_ANY(SW_LESS(4 * TARGET, largest))) {
      break;
    }
    for (int i = 0; i < LINKS; i++) {
      middle[i] = 4 * dot(e1[i], e[i]);
      lower[i] = i > 0 ? -2 * dot(e1[i], e[i - 1]) : SW_SPREAD(0.0);
      upper[i] = i < LINKS - 1 ? -2 * dot(e1[i], e[i + 1]) : SW_SPREAD(0.0);
    }
    solve(lower, middle, upper, g, change);
    for (int i = 0; i < LINKS; i++) {
      mu[i] += change[i];
    }
  }
  pull(mu, e, 1, q);
}

void BY_HAND(chain6)(double z[], double h, long steps)
{
  number q[NODES][2];
  number p[NODES][2];
  number e[LINKS][2];
  number e1[LINKS][2];
  number mu[LINKS];
  number lower[LINKS];
  number middle[LINKS];
  number upper[LINKS];
  number right[LINKS];

  for (int i = 0; i < 2 * NODES; i++) {
    q[i / 2][i % 2] = SW_LOAD(z, i);
    p[i / 2][i % 2] = SW_LOAD(z, 2 * NODES + i);
  }
  links(q, e);
  for (long n = 0; n < steps; n++) {
    kick(q, 0.5 * h, p);
    for (int i = 0; i < 2 * NODES; i++) {
      q[i / 2][i % 2] += h * p[i / 2][i % 2];
    }
    onto_links(e, q, e1, mu);
    pull(mu, e, 1 / h, p);
    kick(q, 0.5 * h, p);
    for (int i = 0; i < LINKS; i++) {
      number by[2];
      for (int k = 0; k < 2; k++) {
        by[k] = p[i + 1][k] - p[i][k];
        e[i][k] = e1[i][k];
      }
      right[i] = dot(e1[i], by);
      middle[i] = 2 * dot(e1[i], e1[i]);
      lower[i] = i > 0 ? -dot(e1[i], e1[i - 1]) : SW_SPREAD(0.0);
      upper[i] = i < LINKS - 1 ? -dot(e1[i], e1[i + 1]) : SW_SPREAD(0.0);
    }
    solve(lower, middle, upper, right, mu);
    pull(mu, e, 1, p);
  }
  for (int i = 0; i < 2 * NODES; i++) {
    SW_STORE(z, i, q[i / 2][i % 2]);
    SW_STORE(z, 2 * NODES + i, p[i / 2][i % 2]);
  }
}
