/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solver/kinsol_vectors.c -- vectors for KINSOL: SUNDIALS' serial ones, with operations of ours.
 *
 * Sums and maxima run in four lanes, in an order that does not depend on the compiler.
 */
#include "solver/kinsol_vectors.h"

#include <math.h>
#include <nvector/nvector_serial.h>

#include "vectors.h"

enum { lanes = 4 };

double *sw_vector_data(N_Vector v)
{
  return NV_DATA_S(v);
}

static sunrealtype max_norm(N_Vector x)
{
  const double norm = sw_max_abs((size_t)NV_LENGTH_S(x), NV_DATA_S(x));

  /* KINSOL compares, and no comparison with NaN holds. */
  return isnan(norm) ? (double)INFINITY : norm;
}

static sunrealtype dot_product(N_Vector x, N_Vector y)
{
  const sunindextype n = NV_LENGTH_S(x);
  const double *a = NV_DATA_S(x);
  const double *b = NV_DATA_S(y);
  double sum[lanes] = {0.0};
  sunindextype i = 0;

  for (; i + lanes <= n; i += lanes) {
    for (int k = 0; k < lanes; k++) {
      sum[k] += a[i + k] * b[i + k];
    }
  }
  for (; i < n; i++) {
    sum[0] += a[i] * b[i];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static sunrealtype weighted_norm(N_Vector x, N_Vector w)
{
  const sunindextype n = NV_LENGTH_S(x);
  const double *a = NV_DATA_S(x);
  const double *weight = NV_DATA_S(w);
  double sum[lanes] = {0.0};
  sunindextype i = 0;

  for (; i + lanes <= n; i += lanes) {
    for (int k = 0; k < lanes; k++) {
      const double scaled = a[i + k] * weight[i + k];
      sum[k] += scaled * scaled;
    }
  }
  for (; i < n; i++) {
    const double scaled = a[i] * weight[i];
    sum[0] += scaled * scaled;
  }
  return sqrt((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

static sunrealtype smallest(N_Vector x)
{
  const sunindextype n = NV_LENGTH_S(x);
  const double *a = NV_DATA_S(x);
  double least = a[0];

  for (sunindextype i = 1; i < n; i++) {
    least = a[i] < least ? a[i] : least;
  }
  return least;
}

/* The results may be one of the arguments; component by component that does no harm. */

static void linear_sum(sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z)
{
  const sunindextype n = NV_LENGTH_S(x);
  const double *left = NV_DATA_S(x);
  const double *right = NV_DATA_S(y);
  double *sum = NV_DATA_S(z);

  for (sunindextype i = 0; i < n; i++) {
    sum[i] = a * left[i] + b * right[i];
  }
}

static void constant(sunrealtype c, N_Vector z)
{
  const sunindextype n = NV_LENGTH_S(z);
  double *out = NV_DATA_S(z);

  for (sunindextype i = 0; i < n; i++) {
    out[i] = c;
  }
}

static void product(N_Vector x, N_Vector y, N_Vector z)
{
  const sunindextype n = NV_LENGTH_S(x);
  const double *left = NV_DATA_S(x);
  const double *right = NV_DATA_S(y);
  double *out = NV_DATA_S(z);

  for (sunindextype i = 0; i < n; i++) {
    out[i] = left[i] * right[i];
  }
}

static void quotient(N_Vector x, N_Vector y, N_Vector z)
{
  const sunindextype n = NV_LENGTH_S(x);
  const double *left = NV_DATA_S(x);
  const double *right = NV_DATA_S(y);
  double *out = NV_DATA_S(z);

  for (sunindextype i = 0; i < n; i++) {
    out[i] = left[i] / right[i];
  }
}

static void scale(sunrealtype c, N_Vector x, N_Vector z)
{
  const sunindextype n = NV_LENGTH_S(x);
  const double *in = NV_DATA_S(x);
  double *out = NV_DATA_S(z);

  for (sunindextype i = 0; i < n; i++) {
    out[i] = c * in[i];
  }
}

static void absolute(N_Vector x, N_Vector z)
{
  const sunindextype n = NV_LENGTH_S(x);
  const double *in = NV_DATA_S(x);
  double *out = NV_DATA_S(z);

  for (sunindextype i = 0; i < n; i++) {
    out[i] = fabs(in[i]);
  }
}

static void inverse(N_Vector x, N_Vector z)
{
  const sunindextype n = NV_LENGTH_S(x);
  const double *in = NV_DATA_S(x);
  double *out = NV_DATA_S(z);

  for (sunindextype i = 0; i < n; i++) {
    out[i] = 1.0 / in[i];
  }
}

N_Vector sw_vector_create(int n, SUNContext context)
{
  N_Vector v = N_VNew_Serial(n, context);

  if (v) {
    v->ops->nvmaxnorm = max_norm;
    v->ops->nvdotprod = dot_product;
    v->ops->nvwl2norm = weighted_norm;
    v->ops->nvmin = smallest;
    v->ops->nvlinearsum = linear_sum;
    v->ops->nvconst = constant;
    v->ops->nvprod = product;
    v->ops->nvdiv = quotient;
    v->ops->nvscale = scale;
    v->ops->nvabs = absolute;
    v->ops->nvinv = inverse;
  }
  return v;
}
