/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queries.c -- read access to a simulation: sizes, names, current values.
 */
#include <math.h>

#include "model/reduced.h"
#include "sim/sim_internal.h"

int sw_sim_nq(const sw_sim *sim)
{
  return sim->system->nq;
}

int sw_sim_n_state(const sw_sim *sim)
{
  return (sim->plan->method->earlier ? 4 : 2) * sim->system->nq;
}

int sw_sim_nc(const sw_sim *sim)
{
  return sw_system_whole(sim->system)->nc;
}

int sw_sim_n_independent(sw_sim *sim)
{
  sw_dependence found;

  if (sw_sim_complete(sim) != SW_OK) {
    return -1;
  }
  const int known = sw_component_dependence(&sim->work.check.component, sim->state.z, &found);
  sw_step_forget(sim);
  return sim->system->nc - (known ? found.dependent : 0);
}

int sw_sim_nk(const sw_sim *sim)
{
  return sim->system->nk;
}

int sw_sim_n_observe(const sw_sim *sim)
{
  return sim->system->n_observe;
}

int sw_sim_n_invariant(const sw_sim *sim)
{
  return sim->system->n_invariant;
}

const char *sw_sim_name(const sw_sim *sim, sw_name_kind kind, int i, char buffer[SW_NAME_BYTES])
{
  return sw_system_name(sw_system_whole(sim->system), kind, i, buffer);
}

int sw_sim_n_init(const sw_sim *sim)
{
  return sim->system->n_init;
}

const char *sw_sim_init_name(const sw_sim *sim, int i)
{
  return sw_system_init_name(sim->system, i);
}

void sw_sim_init_state(const sw_sim *sim, int i, double z[])
{
  sw_system_init(sim->system, i, sim->k, z);
}

void sw_sim_hamiltonian(sw_sim *sim, double out[])
{
  sim->system->hamiltonian(sim->system, sim->state.z, sim->k, out);
}

void sw_sim_invariant(sw_sim *sim, double out[])
{
  if (sim->system->n_invariant > 0) {
    sim->system->invariant(sim->system, sim->state.z, sim->k, out);
  }
}

double sw_sim_time(const sw_sim *sim)
{
  return sw_clock_time(&sim->state.clock);
}

const double *sw_sim_state(const sw_sim *sim)
{
  return sim->state.z;
}

const double *sw_sim_carry(const sw_sim *sim)
{
  return sim->plan->options.compensated ? sim->state.more : NULL;
}

const double *sw_sim_parameters(const sw_sim *sim)
{
  return sim->k;
}

const double *sw_sim_mean_lambda(const sw_sim *sim)
{
  if (!sim->system->whole) {
    return sim->state.lambda;
  }
  double *all = sim->work.shown_lambda + sw_sim_nc(sim);
  sw_reduced_spread(sim->system, sim->state.lambda, all);
  return all;
}

const double *sw_sim_impulses(const sw_sim *sim)
{
  const double *lambda = sw_sim_mean_lambda(sim);
  double *impulses = sim->work.shown_lambda + sw_sim_nc(sim);

  for (int i = 0; i < sw_sim_nc(sim); i++) {
    impulses[i] = sim->state.clock.h * lambda[i];
  }
  return impulses;
}

static sw_status find_multipliers(sw_sim *sim, double lambda[])
{
  const sw_redundant redundant =
      sim->plan->redundant == SW_REDUNDANT_ERROR ? SW_REDUNDANT_ERROR : SW_REDUNDANT_MIN_NORM;
  const double *z = sim->state.z;
  sw_status status = sw_sim_complete(sim);

  if (status == SW_OK && !sim->work.motion) {
    status = sw_motion_create(sw_system_whole(sim->system), redundant, 1, &sim->work.motion);
  }
  if (status != SW_OK) {
    return sw_say(sim, "multiplier", status);
  }
  if (!sw_motion_is_on_hidden(sim->work.motion, sim->k, z)) {
    double *point = sw_motion_point(sim->work.motion);
    z = point;
    status = sw_sim_hidden_point(sim, point);
    if (status != SW_OK) {
      return status;
    }
  }
  status = sw_motion_multipliers(sim->work.motion, sim->k, z, lambda);
  return status == SW_OK
             ? SW_OK
             : sw_refuse(sim, status, "the multipliers are not determined: N = {{g,H},g} is %s",
                         status == SW_ERR_SINGULAR ? "singular" : "not finite");
}

sw_status sw_sim_multipliers(sw_sim *sim, double lambda[])
{
  const sw_status status = sw_sim_nc(sim) > 0 ? find_multipliers(sim, lambda) : SW_OK;

  if (status != SW_OK) {
    sw_fill(lambda, NAN, (size_t)sw_sim_nc(sim));
  }
  return status;
}

const double *sw_sim_shown_multipliers(sw_sim *sim)
{
  if (sw_sim_multipliers(sim, sim->work.shown_lambda) != SW_OK) {
    sw_say_nothing(sim);
  }
  return sim->work.shown_lambda;
}

void sw_sim_observe(sw_sim *sim, double out[])
{
  const sw_system *system = sw_system_whole(sim->system);
  const unsigned char *reads_of = system->model->reads_lambda;
  int reads = 0;

  for (int f = 0; reads_of && f < system->model->n_observe; f++) {
    reads |= reads_of[f];
  }
  if ((reads & SW_READS_MULTIPLIERS) != 0) {
    sw_sim_shown_multipliers(sim);
  }
  if ((reads & SW_READS_IMPULSES) != 0) {
    sw_sim_impulses(sim);
  }
  if (system->n_observe > 0) {
    system->observe(system, sim->state.z, sim->k, sim->work.shown_lambda, out);
  }
}

int sw_sim_drops(const sw_sim *sim, int i)
{
  const sw_system *system = sim->system;
  const int place = system->whole ? sw_reduced_place(system, i) : i;

  return place < 0 || (sim->work.dropped && sim->work.dropped[place]);
}

int sw_sim_order(const sw_sim *sim)
{
  return sim->plan->order;
}

const sw_model *sw_sim_model(const sw_sim *sim)
{
  return sim->system->model;
}

void sw_stats_add(sw_stats *to, const sw_stats *of)
{
#define ADD_COUNT(name)   to->name += of->name;
#define ADD_LARGEST(name) to->name = fmax(to->name, of->name);
  SW_STATS(ADD_COUNT, ADD_LARGEST, ADD_COUNT)
}

void sw_stats_save(const sw_stats *stats, double to[SW_STATS_NUMBERS])
{
#define SAVE(name) *to++ = (double)stats->name;
  SW_STATS(SAVE, SAVE, SAVE)
}

sw_stats sw_stats_restore(const double from[SW_STATS_NUMBERS])
{
  sw_stats stats = {0};

#define RESTORE_COUNT(name)   stats.name = (long)*from++;
#define RESTORE_LARGEST(name) stats.name = *from++;
  SW_STATS(RESTORE_COUNT, RESTORE_LARGEST, RESTORE_LARGEST)
  return stats;
}

sw_stats sw_sim_stats(const sw_sim *sim)
{
  return sim->stats;
}

double sw_heat_temperature(sw_sim *sim, const sw_stats *stats)
{
  const int all = sim->plan->redundant == SW_REDUNDANT_ERROR;
  const int m = all ? sim->system->nc : sw_sim_n_independent(sim);
  const int free = sim->work.noise ? sw_noise_degrees(sim->work.noise, sim->state.z) - m : 0;

  return stats->steps > 0 && free > 0 ? stats->heat / ((double)stats->steps * free) : NAN;
}

double sw_sim_temperature(sw_sim *sim)
{
  return sw_heat_temperature(sim, &sim->stats);
}

const char *sw_sim_message(const sw_sim *sim)
{
  return sim->message;
}

const char *sw_tangent_objection(const sw_sim *sim)
{
  const sw_layer_method *layer = sim->plan->phase[0].layer;

  if (sim->plan->has_noise) {
    return "its steps contain noise, and the derivatives of such steps are not available; take "
           "rattle";
  }
  for (int i = 0; i < 2 && layer; i++) {
    if (layer[i].map && !layer[i].map->second) {
      return "it takes second derivatives of the one-step methods";
    }
  }
  return NULL;
}

int sw_sim_has_tangent(const sw_sim *sim)
{
  return sw_tangent_objection(sim) == NULL;
}
