/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solve/kinsol_vectors.c -- vectors for KINSOL, all allocated before it asks for them.
 *
 * Sums and maxima run in four lanes, in an order that does not depend on the compiler.
 */
#include "solve/kinsol_vectors.h"

#include <math.h>
#include <stdlib.h>

#include "common/shared_vectors.h"

enum { lanes = 4 };

/* The content of a vector. */
typedef struct {
  double *data;
  sw_vectors *stock;
  int taken;
} content;

struct sw_vectors {
  sunindextype n;
  sw_team *team; /* NULL for one thread */
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

static sw_team *team_of(N_Vector v)
{
  return content_of(v)->stock->team;
}

void sw_vectors_share(sw_vectors *stock, sw_team *team)
{
  stock->team = team;
}

static N_Vector clone(N_Vector v)
{
  return sw_vectors_take(content_of(v)->stock);
}

static void kinsol_vectors_put_back(N_Vector v)
{
  content_of(v)->taken = 0;
}

/* ---- sums and maxima ---- */

static sunrealtype max_norm(N_Vector x)
{
  const double norm = sw_share_max_abs(team_of(x), (size_t)length(x), sw_vector_data(x));

  /* KINSOL compares norms, and every comparison with NaN is false; infinity fails the tests as it
   * should. */
  return isnan(norm) ? (double)INFINITY : norm;
}

/* Two arrays; some sums multiply the entries of the first by those of the second. */
typedef struct arrays {
  const double *a;
  const double *b;
} arrays;

static double products(const void *context, size_t first, size_t end)
{
  const arrays *x = context;
  double sum[lanes] = {0.0};
  size_t i = first;

  for (; i + lanes <= end; i += lanes) {
    for (size_t k = 0; k < lanes; k++) {
      sum[k] += x->a[i + k] * x->b[i + k];
    }
  }
  for (; i < end; i++) {
    sum[0] += x->a[i] * x->b[i];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Adds the partial sums in a fixed order. */
static double sum_of(N_Vector x, sw_part_job *of, const arrays *both)
{
  double part[SW_TEAM_RANGES];
  const int n = sw_share_parts(team_of(x), (size_t)length(x), of, both, part);
  double sum = part[0];

  for (int i = 1; i < n; i++) {
    sum += part[i];
  }
  return sum;
}

static sunrealtype dot_product(N_Vector x, N_Vector y)
{
  const arrays both = {sw_vector_data(x), sw_vector_data(y)};

  return sum_of(x, products, &both);
}

static double squares(const void *context, size_t first, size_t end)
{
  const arrays *x = context;
  double sum[lanes] = {0.0};
  size_t i = first;

  for (; i + lanes <= end; i += lanes) {
    for (size_t k = 0; k < lanes; k++) {
      const double scaled = x->a[i + k] * x->b[i + k];
      sum[k] += scaled * scaled;
    }
  }
  for (; i < end; i++) {
    const double scaled = x->a[i] * x->b[i];
    sum[0] += scaled * scaled;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static sunrealtype weighted_norm(N_Vector x, N_Vector w)
{
  const arrays both = {sw_vector_data(x), sw_vector_data(w)};

  return sqrt(sum_of(x, squares, &both));
}

static double least_of(const void *context, size_t first, size_t end)
{
  const double *a = context;
  double least[lanes] = {a[first], a[first], a[first], a[first]};
  size_t i = first;

  for (; i + lanes <= end; i += lanes) {
    for (size_t k = 0; k < lanes; k++) {
      least[k] = a[i + k] < least[k] ? a[i + k] : least[k];
    }
  }
  for (; i < end; i++) {
    least[0] = a[i] < least[0] ? a[i] : least[0];
  }
  for (int k = 1; k < lanes; k++) {
    least[0] = least[k] < least[0] ? least[k] : least[0];
  }
  return least[0];
}

static sunrealtype smallest(N_Vector x)
{
  double part[SW_TEAM_RANGES];
  const int n = sw_share_parts(team_of(x), (size_t)length(x), least_of, sw_vector_data(x), part);
  double least = part[0];

  for (int i = 1; i < n; i++) {
    least = part[i] < least ? part[i] : least;
  }
  return least;
}

/* ---- operations by component: the result may be one of the arguments ---- */

typedef struct components {
  double a;
  const double *x;
  double b;
  const double *y;
  double *z;
} components;

/* Defines a function with the given head, and the loop body for its threads: z[i] = value. */
#define BY_COMPONENTS(name, head, of, one, other, to, first_factor, second_factor, value)          \
  static void name##_range(void *context, size_t first, size_t end)                                \
  {                                                                                                \
    const components c = *(const components *)context;                                             \
    for (size_t i = first; i < end; i++) {                                                         \
      c.z[i] = value;                                                                              \
    }                                                                                              \
  }                                                                                                \
  static void name head                                                                            \
  {                                                                                                \
    components c = {first_factor, one, second_factor, other, sw_vector_data(to)};                  \
    sw_team_share(team_of(of), (size_t)length(of), name##_range, &c);                              \
  }

#define DATA(v) sw_vector_data(v)
BY_COMPONENTS(linear_sum, (sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z), x,
              DATA(x), DATA(y), z, a, b, c.a *c.x[i] + c.b * c.y[i])
BY_COMPONENTS(constant, (sunrealtype a, N_Vector z), z, NULL, NULL, z, a, 0.0, c.a)
BY_COMPONENTS(product, (N_Vector x, N_Vector y, N_Vector z), x, DATA(x), DATA(y), z, 0.0, 0.0,
              c.x[i] * c.y[i])
BY_COMPONENTS(quotient, (N_Vector x, N_Vector y, N_Vector z), x, DATA(x), DATA(y), z, 0.0, 0.0,
              c.x[i] / c.y[i])
BY_COMPONENTS(scale, (sunrealtype a, N_Vector x, N_Vector z), x, DATA(x), NULL, z, a, 0.0,
              c.a *c.x[i])
BY_COMPONENTS(absolute, (N_Vector x, N_Vector z), x, DATA(x), NULL, z, 0.0, 0.0, fabs(c.x[i]))
BY_COMPONENTS(inverse, (N_Vector x, N_Vector z), x, DATA(x), NULL, z, 0.0, 0.0, 1.0 / c.x[i])

static void set_operations(N_Vector v)
{
  v->ops->nvgetlength = length;
  v->ops->nvclone = clone;
  v->ops->nvdestroy = kinsol_vectors_put_back;
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
