/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solve/kinsol_vectors.c -- vectors for KINSOL, all made before it asks for them.
 *
 * Sums and maxima run in four lanes, in an order that does not depend on the compiler.
 */
#include "solve/kinsol_vectors.h"

#include <math.h>
#include <stdlib.h>

#include "common/vectors.h"

enum { lanes = 4 };

/* The content of a vector. */
typedef struct {
  double *data;
  sw_vectors *stock;
  int taken;
} content;

struct sw_vectors {
  sunindextype n;
  int count;
  double *data;      /* count x n */
  content *contents; /* count */
  N_Vector *vectors; /* count */
};

static content *content_of(N_Vector v)
{
  return v->content;
}

static sunindextype length(N_Vector v)
{
  return content_of(v)->stock->n;
}

double *sw_vector_data(N_Vector v)
{
  return content_of(v)->data;
}

static N_Vector clone(N_Vector v)
{
  return sw_vectors_take(content_of(v)->stock);
}

static void put_back(N_Vector v)
{
  content_of(v)->taken = 0;
}

static sunrealtype max_norm(N_Vector x)
{
  const double norm = sw_max_abs((size_t)length(x), sw_vector_data(x));

  /* KINSOL compares, and no comparison with NaN holds. */
  return isnan(norm) ? (double)INFINITY : norm;
}

static sunrealtype dot_product(N_Vector x, N_Vector y)
{
  const sunindextype n = length(x);
  const double *a = sw_vector_data(x);
  const double *b = sw_vector_data(y);
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
  const sunindextype n = length(x);
  const double *a = sw_vector_data(x);
  const double *weight = sw_vector_data(w);
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
  const sunindextype n = length(x);
  const double *a = sw_vector_data(x);
  double least[lanes] = {a[0], a[0], a[0], a[0]};
  sunindextype i = 0;

  for (; i + lanes <= n; i += lanes) {
    for (int k = 0; k < lanes; k++) {
      least[k] = a[i + k] < least[k] ? a[i + k] : least[k];
    }
  }
  for (; i < n; i++) {
    least[0] = a[i] < least[0] ? a[i] : least[0];
  }
  for (int k = 1; k < lanes; k++) {
    least[0] = least[k] < least[0] ? least[k] : least[0];
  }
  return least[0];
}

/* The results may be one of the arguments; component by component that does no harm. */

static void linear_sum(sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z)
{
  const sunindextype n = length(x);
  const double *left = sw_vector_data(x);
  const double *right = sw_vector_data(y);
  double *sum = sw_vector_data(z);

  for (sunindextype i = 0; i < n; i++) {
    sum[i] = a * left[i] + b * right[i];
  }
}

static void constant(sunrealtype c, N_Vector z)
{
  const sunindextype n = length(z);
  double *out = sw_vector_data(z);

  for (sunindextype i = 0; i < n; i++) {
    out[i] = c;
  }
}

static void product(N_Vector x, N_Vector y, N_Vector z)
{
  const sunindextype n = length(x);
  const double *left = sw_vector_data(x);
  const double *right = sw_vector_data(y);
  double *out = sw_vector_data(z);

  for (sunindextype i = 0; i < n; i++) {
    out[i] = left[i] * right[i];
  }
}

static void quotient(N_Vector x, N_Vector y, N_Vector z)
{
  const sunindextype n = length(x);
  const double *left = sw_vector_data(x);
  const double *right = sw_vector_data(y);
  double *out = sw_vector_data(z);

  for (sunindextype i = 0; i < n; i++) {
    out[i] = left[i] / right[i];
  }
}

static void scale(sunrealtype c, N_Vector x, N_Vector z)
{
  const sunindextype n = length(x);
  const double *in = sw_vector_data(x);
  double *out = sw_vector_data(z);

  for (sunindextype i = 0; i < n; i++) {
    out[i] = c * in[i];
  }
}

static void absolute(N_Vector x, N_Vector z)
{
  const sunindextype n = length(x);
  const double *in = sw_vector_data(x);
  double *out = sw_vector_data(z);

  for (sunindextype i = 0; i < n; i++) {
    out[i] = fabs(in[i]);
  }
}

static void inverse(N_Vector x, N_Vector z)
{
  const sunindextype n = length(x);
  const double *in = sw_vector_data(x);
  double *out = sw_vector_data(z);

  for (sunindextype i = 0; i < n; i++) {
    out[i] = 1.0 / in[i];
  }
}

static void set_operations(N_Vector v)
{
  v->ops->nvgetlength = length;
  v->ops->nvclone = clone;
  v->ops->nvdestroy = put_back;
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

sw_vectors *sw_vectors_create(int n, int count, SUNContext context)
{
  sw_vectors *stock = calloc(1, sizeof *stock);

  if (!stock) {
    return NULL;
  }
  stock->n = n;
  stock->count = count;
  stock->data = calloc((size_t)n, (size_t)count * sizeof *stock->data);
  stock->contents = calloc((size_t)count, sizeof *stock->contents);
  stock->vectors = calloc((size_t)count, sizeof(N_Vector));
  int made = stock->data && stock->contents && stock->vectors;
  for (int i = 0; i < count && made; i++) {
    N_Vector v = N_VNewEmpty(context);
    stock->vectors[i] = v;
    made = v != NULL;
    if (made) {
      stock->contents[i] = (content){stock->data + (size_t)i * (size_t)n, stock, 0};
      v->content = &stock->contents[i];
      set_operations(v);
    }
  }
  if (!made) {
    sw_vectors_free(stock);
    return NULL;
  }
  return stock;
}

void sw_vectors_free(sw_vectors *stock)
{
  if (!stock) {
    return;
  }
  for (int i = 0; i < stock->count && stock->vectors; i++) {
    if (stock->vectors[i]) {
      N_VFreeEmpty(stock->vectors[i]);
    }
  }
  free(stock->vectors);
  free(stock->contents);
  free(stock->data);
  free(stock);
}

N_Vector sw_vectors_take(sw_vectors *stock)
{
  for (int i = 0; i < stock->count; i++) {
    if (!stock->contents[i].taken) {
      stock->contents[i].taken = 1;
      return stock->vectors[i];
    }
  }
  return NULL;
}
