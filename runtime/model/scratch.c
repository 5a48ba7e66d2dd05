/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scratch.c -- the scratch memory of the functions of one system, so that evaluation allocates
 * nothing.
 */
#include "common/carver.h"
#include "model/numerical_fibre.h"
#include "model/system_plan.h"

/* The largest number of values that a function of the model writes before they are moved. */
static int most_given(const sw_plan *plan, int n_force)
{
  /* The values of D(Dg) are always buffered, since they are added to Drho. */
  int most = plan->placed[SW_PLACED_constraint_jac].n;

  for (int i = 0; i < SW_PLACED_MATRICES; i++) {
    const sw_placed *placed = &plan->placed[i];
    most = placed->place && placed->n > most ? placed->n : most;
  }
  most = plan->flow_places > most ? plan->flow_places : most;
  return n_force > most ? n_force : most;
}

static sw_scratch *scratch_carve(sw_carver *c, const sw_system *system)
{
  const sw_plan *plan = system->plan;
  const size_t dim = 2 * (size_t)system->nq;
  const int hidden =
      plan->needs_hidden_jac ? system->hidden_jac_pattern.entries : plan->reached.entries;
  sw_scratch *place = sw_carve_bytes(c, sizeof *place);
  const sw_scratch made = {
      .gradient = sw_carve(c, dim, 1),
      .velocity = sw_carve(c, dim, 1),
      .state = sw_carve(c, dim, 1),
      .jac = sw_carve(c, (size_t)system->constraint_jac_pattern.entries, 1),
      .hess_H = sw_carve(c, (size_t)system->hamiltonian_hess_pattern.entries, 1),
      .hess_g = sw_carve(c, (size_t)system->constraint_hess_pattern.entries, 1),
      .field = sw_carve(c, (size_t)plan->field_pattern.entries, 1),
      .hidden_jac = sw_carve(c, (size_t)hidden, 1),
      .given = sw_carve(c, (size_t)most_given(plan, system->n_force), 1)};

  if (place) {
    *place = made;
  }
  return place;
}

static sw_fibre_scratch *carve_fibre(sw_carver *c, const sw_system *system)
{
  const struct sw_fibre *fibre = system->fibre;
  const size_t dim = (size_t)fibre->dim;
  const size_t stages = SW_GAUSS_STAGES;
  const size_t most =
      (size_t)(fibre->by_z.entries > fibre->by_lambda.entries ? fibre->by_z.entries
                                                              : fibre->by_lambda.entries);
  sw_fibre_scratch *place = sw_carve_bytes(c, sizeof *place);
  const sw_fibre_scratch made = {
      .jac = sw_carve(c, stages, (size_t)system->constraint_jac_pattern.entries),
      .hess = sw_carve(c, stages + 1, (size_t)system->constraint_hess_pattern.entries),
      .at = sw_carve(c, dim, 1),
      .next = sw_carve(c, dim, 1),
      .column = sw_carve(c, dim, 1),
      .column_end = sw_carve(c, dim, 1),
      .stage = sw_carve(c, dim, 1),
      .floor = sw_carve(c, dim, 1),
      .D = sw_carve(c, stages, dim),
      .F = sw_carve(c, stages, dim),
      .values = sw_carve(c, most, 1),
      .next_values = sw_carve(c, most, 1)};

  if (place) {
    *place = made;
  }
  return place;
}

sw_scratch *sw_scratch_create(const sw_system *system)
{
  sw_carver walk = {NULL, 0, 0};

  (void)scratch_carve(&walk, system);
  walk = sw_carver_open(walk);
  return walk.block ? scratch_carve(&walk, system) : NULL;
}

sw_fibre_scratch *sw_fibre_scratch_create(const sw_system *system)
{
  sw_carver walk = {NULL, 0, 0};

  (void)carve_fibre(&walk, system);
  walk = sw_carver_open(walk);
  return walk.block ? carve_fibre(&walk, system) : NULL;
}
