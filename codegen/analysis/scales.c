/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/setup.h"

#include <math.h>
#include <string.h>

#include "analysis/approach.h"
#include "analysis/surface.h"

/* Steps to a point of M from far away: each may halve the distance. */
enum { FAR_ITERATIONS = 300 };
/* Powers of two among which the size of momenta is sought. */
enum { LARGEST_EXPONENT = 480 };

/* The largest entry of the array that z_j belongs to. */
static double array_size(const study *s, const double z[], int j)
{
  const ir_program *p = s->p;
  int first = j < p->nq ? 0 : p->nq;
  double size = 0;
  for (int i = 0; i < p->nq; i++) {
    if (p->q_array[i] == p->q_array[j - first]) {
      size = fmax(size, fabs(z[first + i]));
    }
  }
  return size;
}

static void from_states(study *s)
{
  const setting *at = &s->settings[0];
  for (int k = 0; k < at->n_states; k++) {
    const double *z = at->states + (size_t)k * (size_t)s->n;
    for (int j = 0; j < s->n; j++) {
      s->scale[j] = fmax(s->scale[j], array_size(s, z, j));
    }
  }
}

/* Entries without a scale get that of others of their kind, or 1; known[j] says which had one. */
static void fill(study *s, char known[])
{
  int d = s->p->nq;
  for (int half = 0; half < 2; half++) {
    double largest = 0;
    for (int j = half * d; j < (half + 1) * d; j++) {
      known[j] = (char)(s->scale[j] > 0);
      largest = fmax(largest, s->scale[j]);
    }
    for (int j = half * d; j < (half + 1) * d; j++) {
      s->scale[j] = known[j] ? s->scale[j] : largest > 0 ? largest : 1;
    }
  }
}

/* log2 of what H changes by with the momenta, over what it changes by with the positions, for momenta of size
 * 2^exponent; not finite where one of them is zero. */
static double imbalance(study *s, const approach *a, const char known[], int exponent)
{
  const ir_function *slope = &s->p->functions[IR_HAMILTONIAN_GRAD];
  int d = s->p->nq;
  double by_p = 0;
  double by_q = 0;
  double *z = ARENA_ARRAY(s->memory, s->n, double);
  for (int j = 0; j < s->n; j++) {
    z[j] = j < d || known[j] ? a->z[j] : ldexp(a->z[j], exponent);
  }
  study_begin(s, &s->settings[0], z);
  for (int e = 0; e < slope->n; e++) {
    int j = slope->entries[e].row;
    double value = fabs(ir_evaluator_value(s->doubles, slope->entries[e].value));
    if (j < d) {
      by_q = fmax(by_q, value * s->scale[j]);
    } else if (!known[j]) {
      by_p = fmax(by_p, value * ldexp(s->scale[j], exponent));
    }
  }
  return log2(by_p) - log2(by_q);
}

/* Momenta without a scale: kinetic and potential energy are to be alike. */
static void from_energy(study *s, char known[])
{
  int wanted = 0;
  for (int j = s->p->nq; j < s->n; j++) {
    wanted |= !known[j];
  }
  if (!wanted) {
    return;
  }
  approach *a = approach_create(s, 1);
  approach_start(a, &s->settings[0], s->settings[0].n_states + 2);
  int best = 0;
  double least = (double)INFINITY;
  for (int step = 32; step >= 1; step /= 4) {
    int middle = best;
    int reach = step == 32 ? LARGEST_EXPONENT : 4 * step;
    for (int k = -reach; k <= reach; k += step) {
      double off = fabs(imbalance(s, a, known, middle + k));
      if (off < least) {
        least = off;
        best = middle + k;
      }
    }
  }
  for (int j = s->p->nq; j < s->n && isfinite(least); j++) {
    s->scale[j] = known[j] ? s->scale[j] : ldexp(s->scale[j], best);
    known[j] = 1;
  }
}

/* Entries that have a scale move as if it were so much smaller, which is only where nothing else can. */
#define HELD (-200)

/* Holds what has a scale, with by = HELD, or lets it go, with by = -HELD. */
static void hold(study *s, const char wanted[], int by)
{
  for (int j = 0; j < s->n; j++) {
    s->scale[j] = wanted[j] ? s->scale[j] : ldexp(s->scale[j], by);
  }
}

/* Where constraints determine entries without a scale, a point of M tells their size: Newton's method comes to it from
 * far away, from where a sum of squares leads to the size of its terms. */
static void from_constraints(study *s, char known[])
{
  static const int distances[] = {120, 60, 25, 8, 0};
  const ir_function *jac = &s->p->functions[IR_CONSTRAINT_JAC];
  char *wanted = ARENA_ARRAY(s->memory, s->n, char);
  int any = 0;
  for (int e = 0; e < jac->n; e++) {
    wanted[jac->entries[e].col] = (char)!known[jac->entries[e].col];
    any |= wanted[jac->entries[e].col];
  }
  const surface *M = any ? surface_M(s) : NULL;
  approach *a = any ? approach_create(s, M->rows) : NULL;
  int found = 0;
  for (size_t i = 0; i < sizeof distances / sizeof *distances && any && !found; i++) {
    approach_start_anywhere(a);
    for (int j = 0; j < s->n; j++) {
      a->z[j] = wanted[j] ? ldexp(a->z[j], distances[i]) : a->z[j];
    }
    double far = ldexp(0.01, distances[i]);
    hold(s, wanted, HELD);
    found = approach_reach(a, &s->settings[0], M, FAR_ITERATIONS);
    hold(s, wanted, -HELD);
    for (int j = 0; j < s->n && found; j++) {
      double size = array_size(s, a->z, j);
      found = !wanted[j] || (isfinite(size) && (distances[i] == 0 || size < far * s->scale[j]));
    }
  }
  double *size = ARENA_ARRAY(s->memory, s->n, double);
  for (int j = 0; j < s->n && found; j++) {
    size[j] = array_size(s, a->z, j);
  }
  for (int j = 0; j < s->n && found; j++) {
    if (wanted[j] && size[j] > 0) {
      s->scale[j] = size[j];
      known[j] = 1;
    }
  }
}

void scales_find(study *s)
{
  char *known = ARENA_ARRAY(s->memory, s->n, char);
  s->scale = ARENA_ARRAY(s->memory, s->n, double);
  from_states(s);
  fill(s, known);
  from_energy(s, known);
  if (s->p->nc > 0) {
    from_constraints(s, known);
  }
}
