/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queries.c -- what a simulation has: sizes, names, the current values.
 */
#include <math.h>
#include <stdlib.h>

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

int sw_sim_has_legendre(const sw_sim *sim)
{
  return sim->plan[0].layer != NULL;
}

static sw_status refuse_end(sw_sim *sim, double h)
{
  return sw_refuse(sim, SW_ERR_NOT_FINITE,
                   "discrete momentum refused: the curve of this state has no end for h = %.15g",
                   h);
}

/* By fixed-point iteration, without the derivative. */
static sw_status iterate_legendre(sw_sim *sim, double h, double x[])
{
  const sw_status status = sw_stage_four_legendre(sim->stage_four, h, sim->extent, sim->z, x);
  return status == SW_OK ? SW_OK : refuse_end(sim, h);
}

/* By the linear equations of *plus. */
static sw_status solve_legendre(sw_sim *sim, sw_legendre *plus, double h, double x[], double D[])
{
  const double *bias = sim->plan[0].bias;
  const size_t d = (size_t)sim->system->nq;

  sw_legendre_values(plus, h * bias[1], h * bias[0], sim->z);
  sw_copy(x, plus->near_foot.x, d);
  sw_copy(x + d, plus->mu, d);
  if (D) {
    sw_legendre_derivative(plus);
    for (size_t i = 0; i < 4 * d * d; i++) {
      D[i % (2 * d) * (2 * d) + i / (2 * d)] = plus->by_z[i];
    }
  }
  sw_legendre_tangent(plus, x + d);
  return isfinite(sw_max_abs(2 * d, x)) ? SW_OK : refuse_end(sim, h);
}

/* The same where steps need no such equations, with memory for them. */
static sw_status derive_legendre(sw_sim *sim, double h, double x[], double D[])
{
  const sw_layer_method *layer = sim->plan[0].layer;
  sw_carver walk = {NULL, 0, 0};
  sw_legendre plus = {0};

  if (!sw_sim_has_tangent(sim)) {
    return sw_refuse(sim, SW_ERR_OPTION, "derivative of the discrete momentum refused: %s",
                     sw_no_tangent);
  }
  sw_legendre_carve(&walk, sim->system, sim->k, &layer[1], &layer[0], &plus);
  void *block = walk.overflow ? NULL : calloc(1, walk.used + 1);
  if (!block) {
    return sw_refuse(sim, SW_ERR_MEMORY, "derivative of the discrete momentum: out of memory");
  }
  walk = (sw_carver){block, 0, 0};
  sw_legendre_carve(&walk, sim->system, sim->k, &layer[1], &layer[0], &plus);
  const sw_status status = solve_legendre(sim, &plus, h, x, D);
  free(block);
  return status;
}

sw_status sw_sim_legendre(sw_sim *sim, double h, double x[], double D[])
{
  sw_say_nothing(sim);
  if (!sw_sim_has_legendre(sim)) {
    return sw_refuse(sim, SW_ERR_OPTION, "discrete momentum refused: the method %s has none",
                     sim->method->name);
  }
  if (sim->plan[0].fixed_point) {
    return D ? derive_legendre(sim, h, x, D) : iterate_legendre(sim, h, x);
  }
  return solve_legendre(sim, &sim->phase[0].variational.plus, h, x, D);
}

double sw_sim_time(const sw_sim *sim)
{
  return sim->t;
}

const double *sw_sim_state(const sw_sim *sim)
{
  return sim->z;
}

const double *sw_sim_carry(const sw_sim *sim)
{
  return sim->options.compensated ? sim->carry.now : NULL;
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

void sw_stats_add(sw_stats *to, const sw_stats *of)
{
  to->steps += of->steps;
  to->fused_steps += of->fused_steps;
  to->solves += of->solves;
  to->newton_iterations += of->newton_iterations;
  to->residual_g = fmax(to->residual_g, of->residual_g);
  to->residual_hidden = fmax(to->residual_hidden, of->residual_hidden);
  to->residual_solve = fmax(to->residual_solve, of->residual_solve);
  to->fibre_flows += of->fibre_flows;
  to->fibre_steps += of->fibre_steps;
  to->fibre_evaluations += of->fibre_evaluations;
  to->fibre_error = fmax(to->fibre_error, of->fibre_error);
}

sw_stats sw_sim_stats(const sw_sim *sim)
{
  return sim->stats;
}

const char *sw_sim_message(const sw_sim *sim)
{
  return sim->message;
}
