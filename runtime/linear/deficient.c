/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/deficient.c -- A x = b where some of the unknowns are multipliers of dependent
 * constraints.
 *
 * Dropped rows and columns are replaced by those of the unit matrix.  A_RR is thus factorised in
 * the pattern of A with a full diagonal, whatever is dropped.
 */
#include "linear/deficient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/zeros.h"
#include "linear/linear_solver.h"
#include "linear/pattern.h"
#include "linear/redundancy.h"
#include "linear/sparse.h"

/* A vector of the null space, on the unknowns of one block.  Each component is multiplied by its
 * weight; the multiplier parts of all vectors are orthonormal. */
typedef struct {
  int n;
  const int *index;
  double *value;
} null_vector;

struct sw_deficient {
  sw_multipliers multipliers;
  int n;
  int entries; /* of A */
  sw_linear *linear;
  sw_team *team; /* NULL for one thread */
  int *scratch;  /* n */

  /* The members below are NULL or 0 for SW_REDUNDANT_ERROR. */
  sw_redundancy *redundancy;
  sw_pattern pattern; /* of A with a full diagonal */
  int *place;         /* number in `pattern` of each entry of A, then of the n diagonal entries */
  const int *column;  /* entries: the columns of A's entries */
  double *whole;      /* the values in `pattern` */
  double *weight;     /* n: the largest entry of each column of A, rounded down to a power of two */
  const double *given; /* n: weights to use instead; or NULL */
  int dropped;
  int regular;             /* 1 if a matrix since sw_deficient_begin had no dependent columns */
  null_vector *null_space; /* multipliers.count + 1 */
  double *pool;            /* storage of the null vectors' values */
  size_t used;
  int vectors;
};

static int deficient_is_multiplier(const sw_deficient *d, int unknown)
{
  return unknown >= d->multipliers.first && unknown < d->multipliers.first + d->multipliers.count;
}

/* Makes the pattern of A with a full diagonal. */
static sw_status complete_pattern(sw_deficient *d, const sw_pattern *A)
{
  sw_gathered all = {0};

  sw_gather_pattern(&all, A, 0, 0);
  for (int i = 0; i < A->rows; i++) {
    sw_gather(&all, i, i);
  }
  return sw_gathered_pattern(&all, A->rows, A->rows, &d->pattern, &d->place);
}

static sw_status deficient_make(sw_deficient *d, const sw_pattern *A)
{
  sw_status status;

  if (d->multipliers.how == SW_REDUNDANT_ERROR) {
    return sw_linear_create(A, &d->linear);
  }
  status = complete_pattern(d, A);
  if (status == SW_OK) {
    status = sw_linear_create(&d->pattern, &d->linear);
  }
  if (status == SW_OK) {
    status = sw_redundancy_create(A, d->multipliers.first, d->multipliers.count,
                                  SW_REDUNDANCY_BLOCK, &d->redundancy);
  }
  if (status != SW_OK) {
    return status;
  }
  d->whole = sw_zeros((size_t)d->pattern.entries, sizeof *d->whole);
  d->weight = sw_zeros((size_t)d->n, sizeof *d->weight);
  d->null_space = sw_zeros((size_t)d->multipliers.count + 1, sizeof *d->null_space);
  d->pool = sw_zeros(sw_redundancy_room(d->redundancy) + 1, sizeof *d->pool);
  return d->whole && d->weight && d->null_space && d->pool ? SW_OK : SW_ERR_MEMORY;
}

sw_status sw_deficient_create(const sw_pattern *A, sw_multipliers multipliers,
                              sw_deficient **deficient)
{
  sw_deficient *d = calloc(1, sizeof *d);

  *deficient = d;
  if (!d) {
    return SW_ERR_MEMORY;
  }
  d->multipliers = multipliers;
  d->n = A->rows;
  d->entries = A->entries;
  d->column = A->col;
  d->scratch = sw_zeros((size_t)d->n + 1, sizeof *d->scratch);
  const sw_status status = d->scratch ? deficient_make(d, A) : SW_ERR_MEMORY;
  if (status != SW_OK) {
    sw_deficient_free(deficient);
  }
  return status;
}

void sw_deficient_free(sw_deficient **deficient)
{
  sw_deficient *d = deficient ? *deficient : NULL;

  if (!d) {
    return;
  }
  sw_linear_free(&d->linear);
  sw_redundancy_free(&d->redundancy);
  sw_pattern_free(&d->pattern);
  free(d->place);
  free(d->scratch);
  free(d->whole);
  free(d->weight);
  free(d->null_space);
  free(d->pool);
  free(d);
  *deficient = NULL;
}

void sw_deficient_share(sw_deficient *d, sw_team *team)
{
  d->team = team;
  sw_linear_share(d->linear, team);
}

void sw_deficient_weigh(sw_deficient *d, const double weight[])
{
  d->given = weight;
}

static void forget_dropped(sw_deficient *d)
{
  d->dropped = 0;
  d->vectors = 0;
  d->used = 0;
}

void sw_deficient_begin(sw_deficient *d)
{
  d->regular = 0;
  forget_dropped(d);
}

/* The inner product of the multiplier parts of two vectors on the same unknowns. */
static double inner_product(const sw_deficient *d, const null_vector *v, const null_vector *w)
{
  double sum = 0.0;

  for (int i = 0; i < v->n; i++) {
    sum += deficient_is_multiplier(d, v->index[i]) ? v->value[i] * w->value[i] : 0.0;
  }
  return sum;
}

/* Adds the relation to the orthonormal vectors of the null space, by the Gram-Schmidt process,
 * applied twice. */
static void keep_relation(void *context, int dropped, int n, const int index[],
                          const double coefficient[])
{
  sw_deficient *d = context;
  null_vector *v = &d->null_space[d->vectors];

  (void)dropped;
  *v = (null_vector){n, index, d->pool + d->used};
  for (int i = 0; i < n; i++) {
    v->value[i] = coefficient[i] * d->weight[index[i]];
  }
  for (int pass = 0; pass < 2; pass++) {
    for (int k = d->vectors - 1; k >= 0 && d->null_space[k].index == index; k--) {
      const double part = inner_product(d, v, &d->null_space[k]);
      for (int i = 0; i < n; i++) {
        v->value[i] -= part * d->null_space[k].value[i];
      }
    }
  }
  /* The length is not zero: each relation has a multiplier that no other relation contains. */
  const double length = sqrt(inner_product(d, v, v));
  for (int i = 0; i < n; i++) {
    v->value[i] /= length;
  }
  d->used += (size_t)n;
  d->vectors++;
}

/* Copies the values of A into the pattern with the full diagonal.  Dropped rows and columns become
 * those of the unit matrix. */
static void spread(sw_deficient *d, const double values[])
{
  const unsigned char *dropped = sw_redundancy_dropped(d->redundancy);
  const int *diagonal = d->place + d->entries;

  memset(d->whole, 0, (size_t)d->pattern.entries * sizeof *d->whole);
  for (int e = 0; e < d->entries; e++) {
    d->whole[d->place[e]] = values[e];
  }
  if (d->dropped == 0) {
    return;
  }
  for (int e = 0; e < d->pattern.entries; e++) {
    if (dropped[d->pattern.row[e]] || dropped[d->pattern.col[e]]) {
      d->whole[e] = 0.0;
    }
  }
  for (int i = 0; i < d->n; i++) {
    if (dropped[i]) {
      d->whole[diagonal[i]] = 1.0;
    }
  }
}

static int all_finite(int n, const double values[])
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(values[i])) {
      return 0;
    }
  }
  return 1;
}

sw_status sw_deficient_make_and_factor(sw_deficient *d, const double values[],
                                       const sw_row_maker *maker)
{
  if (d->multipliers.how == SW_REDUNDANT_ERROR) {
    return sw_linear_make_and_factor(d->linear, values, maker);
  }
  sw_make_rows(maker, d->team, (size_t)d->n);
  return sw_deficient_factor(d, values);
}

sw_status sw_deficient_factor(sw_deficient *d, const double values[])
{
  if (d->multipliers.how == SW_REDUNDANT_ERROR) {
    return sw_linear_factor(d->linear, values);
  }
  /* The factorisation cannot see NaN in dropped rows and columns. */
  if (d->dropped > 0 && !all_finite(d->entries, values)) {
    return SW_ERR_SINGULAR;
  }
  spread(d, values);
  if (d->dropped > 0) {
    const sw_status status = sw_linear_factor(d->linear, d->whole);
    if (status != SW_ERR_SINGULAR) {
      return status;
    }
    forget_dropped(d);
    spread(d, values);
  }
  const sw_status clear = sw_linear_factor_clearly(d->linear, d->whole);
  if (clear != SW_ERR_SINGULAR) {
    d->regular |= clear == SW_OK;
    return clear;
  }
  sw_column_weights(d->n, d->entries, d->column, values, d->weight);
  if (d->given) {
    sw_copy(d->weight, d->given, (size_t)d->n);
  }
  const int shortest = d->multipliers.how == SW_REDUNDANT_MIN_NORM || d->regular;
  const int found = sw_redundancy_find(d->redundancy, values, shortest ? keep_relation : NULL, d);
  if (found < 0) {
    return SW_ERR_SINGULAR;
  }
  d->dropped = found;
  d->regular |= found == 0;
  spread(d, values);
  return sw_linear_factor(d->linear, d->whole);
}

void sw_deficient_solve(sw_deficient *d, double x[])
{
  if (d->dropped > 0) {
    const unsigned char *dropped = sw_redundancy_dropped(d->redundancy);
    for (int i = 0; i < d->n; i++) {
      x[i] = dropped[i] ? 0.0 : x[i];
    }
  }
  sw_linear_solve(d->linear, x);
  for (int k = 0; k < d->vectors; k++) {
    const null_vector *v = &d->null_space[k];
    double part = 0.0;
    for (int i = 0; i < v->n; i++) {
      const int j = v->index[i];
      part += deficient_is_multiplier(d, j) ? v->value[i] * (x[j] * d->weight[j]) : 0.0;
    }
    for (int i = 0; i < v->n; i++) {
      x[v->index[i]] -= part * v->value[i] / d->weight[v->index[i]];
    }
  }
}

int sw_deficient_sign(const sw_deficient *d)
{
  return sw_linear_sign(d->linear);
}

sw_signature sw_deficient_signature(const sw_deficient *d)
{
  return sw_linear_signature(d->linear, d->scratch);
}

const int *sw_deficient_blocks(const sw_deficient *d)
{
  return sw_linear_blocks(d->linear);
}

int sw_deficient_dropped(const sw_deficient *d)
{
  return d->dropped;
}

int sw_deficient_drops(const sw_deficient *d, int unknown)
{
  return d->dropped > 0 && d->vectors == 0 && sw_redundancy_dropped(d->redundancy)[unknown];
}

int sw_deficient_was_regular(const sw_deficient *d)
{
  return d->regular;
}

int sw_deficient_clear(const sw_deficient *d)
{
  return sw_linear_clear(d->linear);
}
