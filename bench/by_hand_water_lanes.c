/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_water_lanes.c -- SW_LANES molecules of water without forces between them at once (by_hand_molecule.h).
 */
#include "by_hand_molecule.h"

enum { DIM = 9 };

/* Targets from the sizes of the state that a run starts with. */
static void measure(by_hand_water *water, int blocks, const double z[])
{
  double size[2] = {0.0, 0.0};

  for (int i = 0; i < blocks * 2 * DIM * SW_LANES; i++) {
    const int entry = i / SW_LANES % (2 * DIM);
    const int moves = entry >= DIM;
    const double x = (z[i] < 0.0 ? -z[i] : z[i]) * (moves ? water->w[(entry - DIM) / 3] : 1.0);
    size[moves] = x > size[moves] ? x : size[moves];
  }
  set_targets(water, size[0], size[1]);
}

int by_hand_water_run_8(by_hand_water *water, double h, long steps, double z[], by_hand_cost *cost)
{
  const int blocks = water->model.molecules / SW_LANES;
  int bad = 0;

  water->iterations = 0;
  measure(water, blocks, z);
  for (long step = 0; step < steps && bad == 0; step++) {
    for (int block = 0; block < blocks; block++) {
      double *at = z + (size_t)block * 2 * DIM * SW_LANES;
      number q[DIM];
      number p[DIM];
      for (int i = 0; i < DIM; i++) {
        q[i] = SW_LOAD(at, i);
        p[i] = SW_LOAD(at, DIM + i);
      }
      kick_well(&water->model, 0.5 * h, q, p);
      bad |= shake(water, h, q, p);
      kick_well(&water->model, 0.5 * h, q, p);
      bad |= project(water, q, p);
      for (int i = 0; i < DIM; i++) {
        SW_STORE(at, i, q[i]);
        SW_STORE(at, DIM + i, p[i]);
      }
    }
    cost->steps++;
  }
  cost->iterations += water->iterations / (blocks * SW_LANES);
  return bad != 0;
}
