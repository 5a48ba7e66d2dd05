/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_water.c -- water: forces, and a loop over molecules (by_hand_molecule.h).
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "by_hand_molecule.h"

void by_hand_water_describe(by_hand_water *water, const by_hand_water_model *model)
{
  water->model = *model;
  for (int s = 0; s < SITES; s++) {
    water->w[s] = 1.0 / model->m[s];
  }
  for (int b = 0; b < BONDS; b++) {
    const double x = model->along[from[b]] - model->along[to[b]];
    const double y = model->across[from[b]] - model->across[to[b]];
    water->length2[b] = x * x + y * y;
    for (int c = 0; c < BONDS; c++) {
      water->K[b][c] = (from[b] == from[c] ? water->w[from[b]] : 0.0) +
                       (to[b] == to[c] ? water->w[to[b]] : 0.0) -
                       (from[b] == to[c] ? water->w[from[b]] : 0.0) -
                       (to[b] == from[c] ? water->w[to[b]] : 0.0);
    }
  }
}

/* Sets the round-off targets from the magnitudes of the initial state. */
void by_hand_water_set_targets(by_hand_water *water, const double z[])
{
  const size_t n = 9 * (size_t)water->model.molecules;
  const double length = sqrt(water->length2[0]);
  double size = 0.0;
  double speed = 0.0;

  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fabs(z[i]));
    speed = fmax(speed, fabs(z[n + i]) * water->w[i % 9 / 3]);
  }
  water->target_g = 0.5 * DBL_EPSILON * 4.0 * length * fmax(size, length);
  water->target_rho = 0.5 * DBL_EPSILON * 4.0 * length * speed;
}

by_hand_water *by_hand_water_create(const by_hand_water_model *model)
{
  by_hand_water *water = calloc(1, sizeof *water);

  if (water == NULL) {
    return NULL;
  }
  by_hand_water_describe(water, model);
  if (model->forces) {
    water->gradient = calloc((size_t)model->molecules * 9, sizeof(double));
    if (water->gradient == NULL) {
      free(water);
      return NULL;
    }
  }
  return water;
}

void by_hand_water_free(by_hand_water *water)
{
  if (water != NULL) {
    free(water->gradient);
    free(water);
  }
}

const by_hand_water_model *by_hand_water_model_of(const by_hand_water *water)
{
  return &water->model;
}

/* ---- forces ---- */

/* Adds the gradient of a function of |a - b|^2 with the derivative `slope` to those of a and b. */
static void add_pair(double slope, const double d[3], double of_a[], double of_b[])
{
  for (int k = 0; k < 3; k++) {
    const double f = 2.0 * slope * d[k];
    of_a[k] += f;
    of_b[k] -= f;
  }
}

static void interact(const by_hand_water_model *m, const double a[], const double b[],
                     double of_a[], double of_b[])
{
  for (int s = 0; s < SITES; s++) {
    for (int t = 0; t < SITES; t++) {
      const double d[3] = {a[3 * s] - b[3 * t], a[3 * s + 1] - b[3 * t + 1],
                           a[3 * s + 2] - b[3 * t + 2]};
      const double inverse2 = 1.0 / dot(d, d);
      double slope = -0.5 * m->coulomb * m->charge[s] * m->charge[t] * inverse2 * sqrt(inverse2);
      if (s == 0 && t == 0) {
        const double s2 = m->sigma * m->sigma * inverse2;
        const double s6 = s2 * s2 * s2;
        slope += 12.0 * m->epsilon * (s6 - 2.0 * s6 * s6) * inverse2;
      }
      add_pair(slope, d, of_a + 3 * s, of_b + 3 * t);
    }
  }
}

/* gradient = H_q of the pair forces. */
static void forces(by_hand_water *water, const double q[])
{
  const size_t n = (size_t)water->model.molecules;
  double *gradient = water->gradient;

  for (size_t i = 0; i < 9 * n; i++) {
    gradient[i] = 0.0;
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = i + 1; j < n; j++) {
      interact(&water->model, q + 9 * i, q + 9 * j, gradient + 9 * i, gradient + 9 * j);
    }
  }
}

/* p <- p - h H_q of molecule i. */
static void kick(const by_hand_water *water, size_t i, double h, const double q[], double p[])
{
  kick_well(&water->model, h, q, p);
  for (int k = 0; water->gradient != NULL && k < 9; k++) {
    p[k] -= h * water->gradient[9 * i + (size_t)k];
  }
}

/* ---- all molecules ---- */

/* One step.  Without forces, each molecule takes the whole step before the next one, so it stays
 * in the cache. */
static int advance(by_hand_water *water, double h, double q[], double p[])
{
  const size_t n = (size_t)water->model.molecules;
  int bad = 0;

  for (size_t i = 0; i < n; i++) {
    kick(water, i, 0.5 * h, q + 9 * i, p + 9 * i);
    bad |= shake(water, h, q + 9 * i, p + 9 * i);
    if (water->gradient == NULL) {
      kick(water, i, 0.5 * h, q + 9 * i, p + 9 * i);
      bad |= project(water, q + 9 * i, p + 9 * i);
    }
  }
  if (water->gradient != NULL) {
    forces(water, q);
    for (size_t i = 0; i < n; i++) {
      kick(water, i, 0.5 * h, q + 9 * i, p + 9 * i);
      bad |= project(water, q + 9 * i, p + 9 * i);
    }
  }
  return bad;
}

int by_hand_water_run(by_hand_water *water, double h, long steps, double z[], by_hand_cost *cost)
{
  const size_t n = (size_t)water->model.molecules;
  int bad = 0;

  water->iterations = 0;
  by_hand_water_set_targets(water, z);
  if (water->gradient != NULL) {
    forces(water, z);
  }
  for (long step = 0; step < steps && bad == 0; step++) {
    bad = advance(water, h, z, z + 9 * n);
    cost->steps++;
  }
  cost->iterations += (water->iterations + (long)n / 2) / (long)n;
  return bad != 0;
}
