/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_water_8.c -- water without forces between molecules, eight at once (by_hand_molecule.h):
 * compiled with -DSW_LANES=8.
 *
 * The states of eight molecules are interleaved in blocks for the whole run.
 */
#include <stdlib.h>

#include "by_hand_molecule.h"

enum { HALF = 9, NUMBERS = 18 };

/* Converts to interleaved blocks, or back.  Lanes beyond the last molecule are copies of it. */
static void turn(int n, double z[], double blocks[], int back)
{
  for (int i = 0; i < (n + SW_LANES - 1) / SW_LANES * SW_LANES; i++) {
    const int molecule = i < n ? i : n - 1;
    for (int j = 0; j < NUMBERS; j++) {
      double *one = &z[(j < HALF ? 0 : HALF * n) + HALF * molecule + j % HALF];
      double *lane = &blocks[(i / SW_LANES * NUMBERS + j) * SW_LANES + i % SW_LANES];
      *(back ? one : lane) = back ? *lane : *one;
    }
  }
}

/* One step of eight molecules. */
static int advance(by_hand_water *water, double h, double block[])
{
  number x[NUMBERS];
  number *q = x;
  number *p = x + HALF;
  int bad = 0;

  for (int i = 0; i < NUMBERS; i++) {
    x[i] = SW_LOAD(block, i);
  }
  kick_well(&water->model, 0.5 * h, q, p);
  bad |= shake(water, h, q, p);
  kick_well(&water->model, 0.5 * h, q, p);
  bad |= project(water, q, p);
  for (int i = 0; i < NUMBERS; i++) {
    SW_STORE(block, i, x[i]);
  }
  return bad;
}

int by_hand_water_run_8(const by_hand_water_model *model, double h, long steps, double z[])
{
  const int n = (model->molecules + SW_LANES - 1) / SW_LANES;
  double *blocks = malloc((size_t)n * NUMBERS * SW_LANES * sizeof *blocks);
  by_hand_water water = {.gradient = NULL};
  int bad = blocks == NULL;

  by_hand_water_describe(&water, model);
  by_hand_water_set_targets(&water, z);
  if (!bad) {
    turn(model->molecules, z, blocks, 0);
    for (long step = 0; step < steps && !bad; step++) {
      for (int i = 0; i < n; i++) {
        bad |= advance(&water, h, blocks + (size_t)i * NUMBERS * SW_LANES);
      }
    }
    turn(model->molecules, z, blocks, 1);
  }
  free(blocks);
  return bad != 0;
}
