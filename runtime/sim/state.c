/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.c -- the time and the state of a simulation, and the array from which a run can be
 * resumed.
 *
 * sidewinder/sim.h describes the layout of this array.
 */
#include <math.h>

#include "model/reduced.h"
#include "sim/sim_internal.h"

sw_clock sw_clock_next(const sw_clock *clock, double h)
{
  if (clock->n > 0 && clock->h == h) {
    return (sw_clock){clock->t0, clock->n + 1, h};
  }
  return (sw_clock){sw_clock_time(clock), 1, h};
}

void sw_state_copy(const sw_sim *sim, sw_state *to, const sw_state *from)
{
  const sw_state arrays = *to;

  if (to->z && from->z) {
    *to = *from;
    to->z = arrays.z;
    to->lambda = arrays.lambda;
    to->more = arrays.more;
    sw_share_copy(sim->system->team, to->z, from->z, 2 * (size_t)sim->system->nq);
    sw_share_copy(sim->system->team, to->lambda, from->lambda, (size_t)sim->system->nc);
    sw_copy(to->more, from->more, sim->plan->n_more);
  }
}

/* The largest number of steps that a double holds exactly. */
static const double most_steps = 9007199254740992.0;

/* Copies a state whose values are finite.  The next step must check it. */
static void take_state(sw_sim *sim, sw_clock clock, const double z[])
{
  sw_copy(sim->state.z, z, 2 * (size_t)sim->system->nq);
  sim->state.known.extent = sw_sizes_of(sim->system, z);
  sim->state.clock = clock;
  sim->state.known.checked = 0;
  sim->energy = (sw_energy_course){.begun = 0};
  sw_step_forget(sim);
  sim->stats = (sw_stats){0};
}

sw_status sw_sim_set_state(sw_sim *sim, double t, const double z[])
{
  const int d = sim->system->nq;

  sw_say_nothing(sim);
  if (!isfinite(t)) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "the time is not finite");
  }
  for (int i = 0; i < 2 * d; i++) {
    if (!isfinite(z[i])) {
      return sw_refuse(sim, SW_ERR_ARGUMENT, "entry %d of the state is not finite", i);
    }
  }
  take_state(sim, (sw_clock){t, 0, 0.0}, z);
  sw_zero(sim->state.lambda, (size_t)sim->system->nc);
  sw_begin_more(sim);
  return SW_OK;
}

sw_status sw_sim_set_seed(sw_sim *sim, long seed, long trajectory)
{
  static const long most = 9007199254740992; /* 2^53: all counts up to it are doubles */
  double *numbers = sw_heat_seed(sim);

  sw_say_nothing(sim);
  if (!numbers) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "a seed is for methods with noise, and %s has none",
                     sim->plan->method->name);
  }
  if (seed < 0 || seed > most || trajectory < 0 || trajectory > most) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "the seed and the trajectory must be 0 .. 2^53");
  }
  numbers[SW_SEED_KEY] = (double)seed;
  numbers[SW_SEED_TRAJECTORY] = (double)trajectory;
  return SW_OK;
}

size_t sw_sim_saved_count(const sw_sim *sim)
{
  return SW_SAVED_Z + 2 * (size_t)sim->system->nq + (size_t)sw_sim_nc(sim) + sim->plan->n_more;
}

void sw_sim_save(const sw_sim *sim, double saved[])
{
  const size_t dim = 2 * (size_t)sim->system->nq;

  saved[SW_SAVED_T0] = sim->state.clock.t0;
  saved[SW_SAVED_N] = (double)sim->state.clock.n;
  saved[SW_SAVED_H] = sim->state.clock.h;
  sw_copy(saved + SW_SAVED_Z, sim->state.z, dim);
  sw_copy(saved + SW_SAVED_Z + dim, sw_sim_mean_lambda(sim), (size_t)sw_sim_nc(sim));
  sw_copy(saved + SW_SAVED_Z + dim + (size_t)sw_sim_nc(sim), sim->state.more, sim->plan->n_more);
}

sw_status sw_sim_restore(sw_sim *sim, const double saved[])
{
  const size_t dim = 2 * (size_t)sim->system->nq;
  const size_t count = sw_sim_saved_count(sim);
  const double n = saved[SW_SAVED_N];

  sw_say_nothing(sim);
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(saved[i])) {
      return sw_refuse(sim, SW_ERR_ARGUMENT, "entry %zu of the saved state is not finite", i);
    }
  }
  if (!(n >= 0.0 && n <= most_steps && n == floor(n)) || (n > 0.0 && saved[SW_SAVED_H] == 0.0)) {
    return sw_refuse(
        sim, SW_ERR_ARGUMENT,
        "the saved state has %.17g steps of size %g behind it; their number must be one "
        "of 0, 1, 2, ..., and the size not zero",
        n, saved[SW_SAVED_H]);
  }
  const sw_clock clock = {saved[SW_SAVED_T0], (long)n, saved[SW_SAVED_H]};
  if (!isfinite(sw_clock_time(&clock))) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "the time of the saved state is not finite");
  }
  take_state(sim, clock, saved + SW_SAVED_Z);
  if (sim->system->whole) {
    sw_reduced_gather(sim->system, saved + SW_SAVED_Z + dim, sim->state.lambda);
  } else {
    sw_copy(sim->state.lambda, saved + SW_SAVED_Z + dim, (size_t)sim->system->nc);
  }
  saved += SW_SAVED_Z + dim + (size_t)sw_sim_nc(sim);
  sw_copy(sim->state.more, saved, sim->plan->n_more);
  return SW_OK;
}

void sw_sim_show(const sw_sim *sim, const double z[], sw_sim *shown)
{
  sw_state_copy(sim, &shown->state, &sim->state);
  sw_copy(shown->state.z, z, 2 * (size_t)sim->system->nq);
  sw_copy(shown->k, sim->k, (size_t)sim->system->nk);
  shown->stats = sim->stats;
}
