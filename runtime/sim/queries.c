/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queries.c -- what a simulation has: sizes, names, the current values.
 */
#include "sim/sim_internal.h"

int sw_sim_nq(const sw_sim *sim)
{
  return sim->system->nq;
}

int sw_sim_n_state(const sw_sim *sim)
{
  return (sim->method->earlier ? 4 : 2) * sim->system->nq;
}

int sw_sim_nc(const sw_sim *sim)
{
  return sim->system->nc;
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
  return sw_system_name(sim->system, kind, i, buffer);
}

void sw_sim_hamiltonian(sw_sim *sim, double out[])
{
  sim->system->hamiltonian(sim->system, sim->z, sim->k, out);
}

void sw_sim_observe(sw_sim *sim, double out[])
{
  if (sim->system->n_observe > 0) {
    sim->system->observe(sim->system, sim->z, sim->k, sim->lambda, out);
  }
}

void sw_sim_invariant(sw_sim *sim, double out[])
{
  if (sim->system->n_invariant > 0) {
    sim->system->invariant(sim->system, sim->z, sim->k, out);
  }
}

double sw_sim_time(const sw_sim *sim)
{
  return sim->t;
}

const double *sw_sim_state(const sw_sim *sim)
{
  return sim->z;
}

const double *sw_sim_parameters(const sw_sim *sim)
{
  return sim->k;
}

const double *sw_sim_lambda(const sw_sim *sim)
{
  return sim->lambda;
}

int sw_sim_order(const sw_sim *sim)
{
  return sim->order;
}

const sw_model *sw_sim_model(const sw_sim *sim)
{
  return sim->system->model;
}

sw_stats sw_sim_stats(const sw_sim *sim)
{
  return sim->stats;
}

const char *sw_sim_message(const sw_sim *sim)
{
  return sim->message;
}
