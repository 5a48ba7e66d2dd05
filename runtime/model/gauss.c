/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/gauss.h"

#include <math.h>

/* P[0..n] = the Legendre polynomials of degree 0 to n at x in [-1,1]. */
static void legendre(int n, double x, double P[])
{
  P[0] = 1.0;
  P[1] = x;
  for (int k = 1; k < n; k++) {
    P[k + 1] = ((2.0 * k + 1.0) * x * P[k] - k * P[k - 1]) / (k + 1.0);
  }
}

/* Root i, in increasing order, of the Legendre polynomial of degree s, by Newton's method.  *slope
 * is the derivative there. */
static double root(int s, int i, double *slope)
{
  double P[SW_GAUSS_STAGES + 2];
  double x = -cos(3.14159265358979323846 * (i + 0.75) / (s + 0.5));

  for (int round = 0; round < 10; round++) {
    legendre(s, x, P);
    *slope = s * (x * P[s] - P[s - 1]) / (x * x - 1.0);
    x -= P[s] / *slope;
  }
  return x;
}

/* The mean growth of a vector in rounds 200 to 399 of multiplication by a; the mean is needed since
 * the largest eigenvalues are a complex pair. */
static double spectral_radius(const sw_gauss *rule)
{
  double v[SW_GAUSS_STAGES];
  double growth = 0.0;
  const int s = rule->stages;

  for (int i = 0; i < s; i++) {
    v[i] = 1.0 + 0.1 * i;
  }
  for (int round = 0; round < 400; round++) {
    double w[SW_GAUSS_STAGES];
    double largest = 0.0;
    for (int i = 0; i < s; i++) {
      w[i] = 0.0;
      for (int j = 0; j < s; j++) {
        w[i] += rule->a[i][j] * v[j];
      }
      largest = fmax(largest, fabs(w[i]));
    }
    for (int i = 0; i < s; i++) {
      v[i] = w[i] / largest;
    }
    growth += round >= 200 ? log(largest) : 0.0;
  }
  return exp(growth / 200.0);
}

/* a_ij = b_j sum_k (2k+1) P_k(c_j) (integral of P_k from 0 to c_i), as the P_k are orthogonal. */
void sw_gauss_make(int stages, sw_gauss *rule)
{
  double P[SW_GAUSS_STAGES][SW_GAUSS_STAGES + 2];
  const int s = stages;

  rule->stages = s;
  for (int i = 0; i < s; i++) {
    double slope = 0.0;
    const double x = root(s, i, &slope);
    legendre(s, x, P[i]);
    rule->b[i] = 1.0 / ((1.0 - x * x) * slope * slope);
  }
  for (int i = 0; i < s; i++) {
    for (int j = 0; j < s; j++) {
      double sum = 0.5 * (1.0 + P[i][1]);
      for (int k = 1; k < s; k++) {
        sum += 0.5 * (P[i][k + 1] - P[i][k - 1]) * P[j][k];
      }
      rule->a[i][j] = rule->b[j] * sum;
    }
    rule->last[0][i] = (2.0 * s - 1.0) * rule->b[i] * P[i][s - 1];
    rule->last[1][i] = (2.0 * s - 3.0) * rule->b[i] * P[i][s - 2];
  }
  rule->radius = spectral_radius(rule);
}
