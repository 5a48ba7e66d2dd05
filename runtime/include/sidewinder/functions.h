/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/functions.h -- the functions that generated code calls besides those of <math.h>.
 *
 * The universal functions
 *
 *   G_k(c, t) = sum over j >= 0 of c^j t^(2j+k) / (2j+k)!,          k = 0, 1, 2, 3
 *
 * solve G'' = c G in t and are entire in c and t:
 *
 *   G_0 = cosh(sqrt(c) t),   G_1 = sinh(sqrt(c) t) / sqrt(c),   G_2 = (G_0 - 1) / c,
 *   G_3 = (G_1 - t) / c,     dG_k/dt = G_{k-1},   dG_0/dt = c G_1
 *
 * with cos and sin for c < 0, and t^k/k! for c = 0. The flow of z' = A z with A^2 = c I is exp(t A)
 * = I + G_1(c,t) A + c G_2(c,t) I, so one formula serves rotations, shears and hyperbolic flows.
 * With c = -b they are the G-functions of E. L. Stiefel and G. Scheifele, "Linear and Regular
 * Celestial Mechanics", section 11, and G_k(c, t) = t^k c_k(c t^2) with the functions c_k of K.
 * Stumpff.
 *
 * Accuracy: each result is within four units in the last place of the exact value at a c and a t
 * that differ from the arguments by at most two units in the last place. The error is therefore
 * relative to round-off if |c| t^2 <= 1, however small the result, and absolute if c < 0. No value
 * of c divides by zero. Overflow gives infinity, as in <math.h>.
 */
#ifndef SIDEWINDER_FUNCTIONS_H
#define SIDEWINDER_FUNCTIONS_H

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline double sw_g0(double c, double t)
{
  const double s = sqrt(fabs(c)) * t;
  return c < 0.0 ? cos(s) : cosh(s);
}

static inline double sw_g1(double c, double t)
{
  const double w = sqrt(fabs(c));
  const double s = w * t;
  if (fabs(s) < 1e-8) { /* s^2/6 is below the round-off */
    return t;
  }
  if (c < 0.0) {
    return sin(s) / w;
  }
  if (fabs(s) > 700.0) { /* sinh(s) may overflow although sinh(s)/w does not */
    const double half = exp(0.5 * fabs(s));
    return copysign(0.5 * half / w * half, t);
  }
  return sinh(s) / w;
}

static inline double sw_g2(double c, double t)
{
  const double half = sw_g1(c, 0.5 * t);
  return 2.0 * half * half;
}

static inline double sw_g3(double c, double t)
{
  const double s = sqrt(fabs(c)) * t;
  const double square = c < 0.0 ? -s * s : s * s;
  if (fabs(square) > 4.0) {
    return (sw_g1(c, t) - t) / c;
  }
  double sum = 1.0;
  for (int n = 24; n > 2; n -= 2) {
    sum = 1.0 + sum * square / (double)(n * (n + 1));
  }
  return t * (t * (t * sum / 6.0));
}

/* 1 if x >= 0, else NaN, also for NaN. As a factor it restores the domain of a formula that the
 * generator simplified: for example x sw_inside(x) for sqrt(x)^2. */
static inline double sw_inside(double x)
{
  return x >= 0.0 ? 1.0 : (double)NAN;
}

#ifdef __cplusplus
}
#endif

#endif
