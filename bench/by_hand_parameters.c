/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_parameters.c -- copies parameters of a simulation to hand-written steppers.
 */
#include "by_hand_parameters.h"

#include <string.h>

int parameter_index(const sw_sim *sim, const char *name)
{
  char buffer[SW_NAME_BYTES];

  for (int i = sw_sim_nk(sim) - 1; i >= 0; i--) {
    if (strcmp(sw_sim_name(sim, SW_K, i, buffer), name) == 0) {
      return i;
    }
  }
  return -1;
}

/* Copies n parameters, starting with the one of this name.  Returns 0 if it does not exist. */
static int take(const sw_sim *sim, const char *name, int n, double values[])
{
  const int first = parameter_index(sim, name);

  for (int i = 0; first >= 0 && i < n; i++) {
    values[i] = sw_sim_parameters(sim)[first + i];
  }
  return first >= 0;
}

by_hand_chain *by_hand_chain_of(const sw_sim *sim)
{
  by_hand_chain_model model = {.nodes = sw_sim_nq(sim) / 3, .m = sw_sim_parameters(sim)};
  char first[SW_NAME_BYTES];

  if (strcmp(sw_sim_name(sim, SW_K, 0, first), "m.1") != 0 || !take(sim, "a", 1, &model.a) ||
      !take(sim, "gravity", 1, &model.gravity) || !take(sim, "kappa", 1, &model.kappa)) {
    return NULL;
  }
  return by_hand_chain_create(&model);
}

by_hand_water *by_hand_water_of(const sw_sim *sim, int forces)
{
  by_hand_water_model model = {.molecules = sw_sim_nq(sim) / 9, .forces = forces};

  if (!take(sim, "m.O", 3, model.m) || !take(sim, "along.O", 3, model.along) ||
      !take(sim, "across.O", 3, model.across) || !take(sim, "charge.O", 3, model.charge) ||
      !take(sim, "coulomb", 1, &model.coulomb) || !take(sim, "sigma", 1, &model.sigma) ||
      !take(sim, "epsilon", 1, &model.epsilon) || !take(sim, "well", 1, &model.well) ||
      !take(sim, "radius", 1, &model.radius)) {
    return NULL;
  }
  return by_hand_water_create(&model);
}
