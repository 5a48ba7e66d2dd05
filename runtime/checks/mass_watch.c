/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/mass_watch.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "common/carver.h"
#include "common/vectors.h"
#include "linear/blocks.h"

enum { GRID = 16, GOLDEN = 40, WORK = 4, ROUNDS = 6 };

static const double zero_eigenvalue = 1e-13;
static const double worth_a_search = 0.69314718055994531; /* log 2 */
static const double singular = 13.815510557964274;        /* log 10^6 */

struct sw_mass_watch {
  const sw_system *system;
  sw_pattern pattern; /* d x d, lower triangle: of H_pp */
  int *entry;         /* index in Hess H of each entry of the pattern */
  sw_blocks blocks;
  double *z;      /* 2d: a point of the segment */
  double *hess;   /* values of Hess H */
  double *scale;  /* row scales of a block */
  double *matrix; /* largest block squared */
  double *values; /* eigenvalues */
  double *work;
  int largest;  /* largest block to examine */
  void *memory; /* of all arrays above but those of the pattern and the blocks */
};

/* Properties of a block at a point. */
typedef struct look {
  int positive;
  int negative;
  double log_product; /* of the nonzero eigenvalues */
  int finite;
} look;

/* ---- create and free ---- */

/* Finds the pattern of H_pp, without values. */
static sw_status find_pattern(sw_mass_watch *w)
{
  const sw_pattern *all = &w->system->hamiltonian_hess_pattern;
  const int d = w->system->nq;
  sw_gathered own = {0};

  for (int e = 0; e < all->entries; e++) {
    if (all->row[e] >= d && all->col[e] >= d) {
      sw_gather(&own, all->row[e] - d, all->col[e] - d);
    }
  }
  return sw_gathered_pattern(&own, d, d, &w->pattern, NULL);
}

static void carve(sw_carver *c, void *of)
{
  sw_mass_watch *w = of;
  const size_t n = (size_t)w->largest;

  w->entry = sw_carve_bytes(c, (size_t)w->pattern.entries * sizeof *w->entry);
  w->z = sw_carve(c, 2, (size_t)w->system->nq);
  w->hess = sw_carve(c, (size_t)w->system->hamiltonian_hess_pattern.entries, 1);
  SW_CARVE(c, n, 1, &w->scale, &w->values);
  w->matrix = sw_carve(c, n, n);
  w->work = sw_carve(c, WORK, n);
}

static sw_status mass_watch_fill(sw_mass_watch *w)
{
  const sw_pattern *all = &w->system->hamiltonian_hess_pattern;
  sw_status status = find_pattern(w);

  if (status == SW_OK) {
    status = sw_blocks_create(&w->pattern, &w->blocks);
  }
  for (int b = 0; b < w->blocks.count && status == SW_OK; b++) {
    const int size = sw_block_size(&w->blocks, b);
    w->largest = size <= SW_MASS_BLOCK && size > w->largest ? size : w->largest;
  }
  if (status != SW_OK) {
    return status;
  }
  w->memory = sw_carve_block(carve, w);
  for (int e = 0, n = 0; e < all->entries && w->memory; e++) {
    if (all->row[e] >= w->system->nq && all->col[e] >= w->system->nq) {
      w->entry[n++] = e; /* Hess H is sorted, so H_pp has the same order */
    }
  }
  return w->memory ? SW_OK : SW_ERR_MEMORY;
}

sw_status sw_mass_watch_create(const sw_system *system, sw_mass_watch **watch)
{
  *watch = NULL;
  if (!system->model->structure.mass_watch || system->is_lean) {
    return SW_OK;
  }
  *watch = calloc(1, sizeof **watch);
  if (!*watch) {
    return SW_ERR_MEMORY;
  }
  (*watch)->system = system;
  const sw_status status = mass_watch_fill(*watch);
  if (status != SW_OK || (*watch)->largest == 0) {
    sw_mass_watch_free(watch);
  }
  return status;
}

void sw_mass_watch_free(sw_mass_watch **watch)
{
  sw_mass_watch *w = *watch;

  if (w) {
    sw_pattern_free(&w->pattern);
    sw_blocks_free(&w->blocks);
    free(w->memory);
  }
  free(w);
  *watch = NULL;
}

/* ---- one block at one point ---- */

/* Gathers block b at the point whose Hessian is in w->hess. */
static void mass_watch_gather(sw_mass_watch *w, int b)
{
  const sw_blocks *blocks = &w->blocks;
  const size_t n = (size_t)sw_block_size(blocks, b);

  sw_zero(w->matrix, n * n);
  for (int i = blocks->entry_start[b]; i < blocks->entry_start[b + 1]; i++) {
    const int e = blocks->entry[i];
    const size_t row = (size_t)blocks->local[w->pattern.row[e]];
    const size_t col = (size_t)blocks->local[w->pattern.col[e]];
    w->matrix[col * n + row] += w->hess[w->entry[e]];
    if (row != col) {
      w->matrix[row * n + col] += w->hess[w->entry[e]];
    }
  }
}

/* Powers of 2 that scale the largest entry of each row to about 1, by repeated halving of its
 * exponent. */
static void find_scale(sw_mass_watch *w, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    w->scale[i] = 1.0;
  }
  for (int round = 0; round < ROUNDS; round++) {
    for (size_t i = 0; i < n; i++) {
      double largest = 0.0;
      for (size_t j = 0; j < n; j++) {
        largest = fmax(largest, fabs(w->scale[i] * w->matrix[j * n + i] * w->scale[j]));
      }
      if (largest > 0.0 && isfinite(largest)) {
        w->scale[i] = ldexp(w->scale[i], -ilogb(largest) / 2);
      }
    }
  }
}

/* Signs and product of the eigenvalues of the scaled block in w->matrix. */
static look mass_watch_count(sw_mass_watch *w, size_t n)
{
  look found = {.finite = isfinite(sw_max_abs(n * n, w->matrix))};

  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      w->matrix[j * n + i] *= w->scale[i] * w->scale[j];
    }
  }
  w->values[0] = w->matrix[0];
  if (!found.finite ||
      (n > 1 && LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'L', (int)n, w->matrix, (int)n, w->values,
                                   w->work, (int)(WORK * n)) != 0)) {
    found.finite = 0;
    return found;
  }
  const double largest = sw_max_abs(n, w->values);
  for (size_t i = 0; i < n; i++) {
    const double size = fabs(w->values[i]);
    if (size > zero_eigenvalue * largest) {
      found.positive += w->values[i] > 0.0;
      found.negative += w->values[i] < 0.0;
      found.log_product += log(size);
    }
  }
  return found;
}

/* Evaluates block b at z0 + s (z1 - z0). */
static look mass_watch_look_at(sw_mass_watch *w, int b, const double z0[], const double z1[],
                               const double k[], double s, int scales)
{
  const size_t n = (size_t)sw_block_size(&w->blocks, b);

  for (int i = 0; i < 2 * w->system->nq; i++) {
    w->z[i] = s == 1.0 ? z1[i] : z0[i] + s * (z1[i] - z0[i]);
  }
  w->system->hamiltonian_hess(w->system, w->z, k, w->hess);
  mass_watch_gather(w, b);
  if (scales) {
    find_scale(w, n);
  }
  return mass_watch_count(w, n);
}

/* ---- along a step ---- */

typedef struct segment {
  sw_mass_watch *w;
  int b;
  const double *z0;
  const double *z1;
  const double *k;
  look start;
  double sign; /* 1: search a pole, -1: search a zero */
} segment;

/* sign times log |product|; infinite if the block is not finite, or its signs differ from those at
 * the start. */
static double height(const segment *s, double at)
{
  const look found = mass_watch_look_at(s->w, s->b, s->z0, s->z1, s->k, at, 0);

  return found.finite && found.positive == s->start.positive && found.negative == s->start.negative
             ? s->sign * found.log_product
             : INFINITY;
}

/* The maximum of `height` on the segment, by a grid and golden sections; *at is its position. */
static double highest(const segment *s, double *at)
{
  const double ratio = 0.61803398874989485;
  double best = -INFINITY;
  double a = 0.0;
  double b = 1.0;

  for (int i = 1; i < GRID; i++) {
    const double here = height(s, (double)i / GRID);
    if (here > best) {
      best = here;
      *at = (double)i / GRID;
    }
  }
  a = *at - 1.0 / GRID;
  b = *at + 1.0 / GRID;
  for (int i = 0; i < GOLDEN && best < INFINITY; i++) {
    const double left = b - ratio * (b - a);
    const double right = a + ratio * (b - a);
    const double of_left = height(s, left);
    const double of_right = height(s, right);
    if (of_left > of_right) {
      b = right;
    } else {
      a = left;
    }
    if (fmax(of_left, of_right) > best) {
      best = fmax(of_left, of_right);
      *at = of_left > of_right ? left : right;
    }
  }
  return best;
}

static sw_status mass_watch_fail(const sw_mass_watch *w, int b, double at, sw_failure *failure)
{
  return sw_fail(failure, SW_ERR_MASS,
                 (sw_failure){.cause = SW_CAUSE_MASS,
                              .at_end = 1,
                              .index = w->blocks.member[w->blocks.start[b]],
                              .value = at});
}

/* Checks one block along the step. */
static sw_status look_along(segment *s, sw_failure *failure)
{
  s->start = mass_watch_look_at(s->w, s->b, s->z0, s->z1, s->k, 0.0, 1);
  const look end = mass_watch_look_at(s->w, s->b, s->z0, s->z1, s->k, 1.0, 0);
  if (!s->start.finite || !end.finite || s->start.positive != end.positive ||
      s->start.negative != end.negative) {
    return mass_watch_fail(s->w, s->b, 1.0, failure);
  }
  const look middle = mass_watch_look_at(s->w, s->b, s->z0, s->z1, s->k, 0.5, 0);
  const double ends[2] = {s->start.log_product, end.log_product};
  const double change = fmax(fabs(ends[0] - ends[1]), fabs(middle.log_product - ends[0]));
  if (middle.finite && middle.positive == end.positive && middle.negative == end.negative &&
      change <= worth_a_search) {
    return SW_OK;
  }
  for (s->sign = -1.0; s->sign <= 1.0; s->sign += 2.0) {
    double at = 0.5;
    if (highest(s, &at) > fmax(s->sign * ends[0], s->sign * ends[1]) + singular) {
      return mass_watch_fail(s->w, s->b, at, failure);
    }
  }
  return SW_OK;
}

sw_status sw_mass_watch_step(sw_mass_watch *watch, const double z0[], const double z1[],
                             const double k[], sw_failure *failure)
{
  sw_status status = SW_OK;

  for (int b = 0; watch && b < watch->blocks.count && status == SW_OK; b++) {
    const int examined = sw_block_size(&watch->blocks, b) <= SW_MASS_BLOCK &&
                         watch->blocks.entry_start[b] < watch->blocks.entry_start[b + 1];
    segment s = {.w = watch, .b = b, .z0 = z0, .z1 = z1, .k = k};
    status = examined ? look_along(&s, failure) : SW_OK;
  }
  return status;
}
