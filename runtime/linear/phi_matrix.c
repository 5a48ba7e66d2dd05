/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/phi_matrix.h"

#include <math.h>

#include "common/vectors.h"
#include "linear/dense.h"

/* Terms of the series.  If |h A| is at most 1/2, the first omitted term is below
 * 2^-TERMS/(TERMS+1)! < 2e-18 of the first. */
enum { TERMS = 15 };

/* 1 + |h A| is raised to the power 2^SQUARINGS. */
enum { SQUARINGS = 6 };

/* An upper bound, and an estimate, of the spectral radius of |h A|.
 *
 * The series converges if |h A| is small in some units of the unknowns, and it is the same series
 * in all units.  The bound must therefore not depend on units, as the diagonal of (1 + |h A|)^K
 * does not: it is about (1 + radius)^K, up to a factor between 1 and n.  NaN if the powers
 * overflow. */
static double phi_matrix_size_of(int n, double h, const double A[], double work[])
{
  const size_t count = (size_t)n * (size_t)n;
  double *Y = work;
  double *square = work + count;
  double exponent = 0.0; /* Y is the power times 2^-exponent */
  double most = 1.0;

  for (size_t i = 0; i < count; i++) {
    Y[i] = fabs(h * A[i]) + (i % ((size_t)n + 1) == 0 ? 1.0 : 0.0);
  }
  for (int s = 0; s < SQUARINGS; s++) {
    int shift = 0;
    sw_zero(square, count);
    sw_dense_add_product(n, n, n, 1.0, Y, Y, square);
    most = 0.0;
    for (size_t i = 0; i < count; i += (size_t)n + 1) {
      most = sw_larger_or_nan(most, square[i]);
    }
    most = frexp(most, &shift);
    for (size_t i = 0; i < count; i++) {
      square[i] = ldexp(square[i], -shift);
    }
    exponent = 2.0 * exponent + shift;
    double *other = Y;
    Y = square;
    square = other;
  }
  return exp2((exponent + log2(most * n)) / (1 << SQUARINGS)) - 1.0;
}

/* Phi = t (1 + X/2 (1 + X/3 (1 + ...))), X = t A. */
static void sum_series(int n, double t, const double A[], double Phi[], double work[])
{
  const size_t count = (size_t)n * (size_t)n;
  double *sum = Phi;
  double *next = work;

  sw_zero(sum, count);
  for (int k = TERMS + 1; k >= 1; k--) {
    /* next = 1 + X sum/(k+1); the sum is 0 at first */
    sw_zero(next, count);
    sw_dense_add_product(n, n, n, t / (k + 1), A, sum, next);
    for (int i = 0; i < n; i++) {
      next[(size_t)i * (size_t)n + (size_t)i] += 1.0;
    }
    double *other = sum;
    sum = next;
    next = other;
  }
  for (size_t i = 0; i < count; i++) {
    Phi[i] = t * sum[i];
  }
}

void sw_phi_matrix(int n, double h, const double A[], double Phi[], double work[])
{
  const size_t count = (size_t)n * (size_t)n;
  const double size = phi_matrix_size_of(n, h, A, work);
  int doublings = 0;

  if (!isfinite(size)) {
    for (size_t i = 0; i < count; i++) {
      Phi[i] = NAN;
    }
    return;
  }
  (void)frexp(size, &doublings); /* size < 2^doublings */
  doublings = doublings > -1 ? doublings + 1 : 0;
  sum_series(n, ldexp(h, -doublings), A, Phi, work);
  for (int i = 0; i < doublings; i++) {
    double *A_Phi = work;
    double *half = work + count;
    sw_zero(A_Phi, count);
    sw_dense_add_product(n, n, n, 1.0, A, Phi, A_Phi);
    sw_copy(half, Phi, count);
    for (size_t j = 0; j < count; j++) {
      Phi[j] *= 2.0;
    }
    sw_dense_add_product(n, n, n, 1.0, half, A_Phi, Phi);
  }
}
