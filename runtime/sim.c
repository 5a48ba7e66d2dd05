/* SPDX-License-Identifier: BSD-3-Clause */
#include "sidewinder/sim.h"

#include <math.h>
#include <stdlib.h>

#include "sim_internal.h"

static const char *const method_names[] = {"shake", "rattle", NULL};

const char *const *sw_method_names(void)
{
  return method_names;
}

void sw_options_init(sw_options *options)
{
  options->method = "rattle";
  options->base = "verlet";
  options->tolerance = 1e-12;
  options->max_iterations = 30;
}

/* The entry of method_names, or NULL. */
static const char *find_method(const char *name)
{
  for (size_t i = 0; name && method_names[i]; i++) {
    if (strcmp(method_names[i], name) == 0) {
      return method_names[i];
    }
  }
  return NULL;
}

/* A solver for n unknowns in its part of the workspace; none for n = 0. */
static sw_status make_solver(const sw_sim *sim, void *memory, int n, sw_solver **solver)
{
  if (n == 0) {
    return SW_OK;
  }
  return sw_solver_init(memory, n, sim->options.tolerance, sim->options.max_iterations, solver);
}

static sw_status make_solvers(sw_sim *sim)
{
  const int m = sim->model->nc;
  const int projected = m > 0 ? 2 * sim->model->nq + m : 0;
  sw_status status = make_solver(sim, sim->shake_memory, sim->shake.n, &sim->shake_solver);

  if (status == SW_OK) {
    status = make_solver(sim, sim->slide_memory, m, &sim->slide_solver);
  }
  if (status == SW_OK) {
    status = make_solver(sim, sim->projection_memory, projected, &sim->projection_solver);
  }
  return status;
}

sw_status sw_sim_create(const sw_model *model, const sw_options *options, sw_sim **sim)
{
  sw_options chosen;
  sw_status status;

  if (!sim) {
    return SW_ERR_ARGUMENT;
  }
  *sim = NULL;
  sw_options_init(&chosen);
  if (options) {
    chosen = *options;
  }
  status = sw_model_validate(model);
  if (status != SW_OK) {
    return status;
  }
  chosen.method = find_method(chosen.method);
  const sw_base *base = sw_base_find(chosen.base);
  if (!chosen.method || !base || !(chosen.tolerance > 0.0 && chosen.tolerance < 1.0) ||
      chosen.max_iterations < 1 || chosen.max_iterations > 200) {
    return SW_ERR_OPTION;
  }
  chosen.base = base->name;

  status = sw_workspace_create(model, base, sim);
  if (status != SW_OK) {
    return status;
  }
  (*sim)->options = chosen;
  (*sim)->rattle = strcmp(chosen.method, "rattle") == 0;
  sw_copy((*sim)->k, model->k_default, (size_t)model->nk);
  if (model->n_init > 0) {
    model->init[0].state((*sim)->k, (*sim)->z);
  }
  status = make_solvers(*sim);
  if (status != SW_OK) {
    sw_sim_free(sim);
  }
  return status;
}

void sw_sim_free(sw_sim **sim)
{
  if (!sim || !*sim) {
    return;
  }
  sw_solver_free((*sim)->shake_solver);
  sw_solver_free((*sim)->slide_solver);
  sw_solver_free((*sim)->projection_solver);
  free(*sim);
  *sim = NULL;
}

/* 1 where value i is finite and inside the bounds that the model gives. */
static int parameter_allowed(const sw_model *model, int i, double value)
{
  const int above =
      value > model->k_lower[i] || ((model->k_closed[i] & 1u) != 0 && value == model->k_lower[i]);
  const int below =
      value < model->k_upper[i] || ((model->k_closed[i] & 2u) != 0 && value == model->k_upper[i]);

  return isfinite(value) && above && below;
}

sw_status sw_sim_set_parameters(sw_sim *sim, const double k[])
{
  const sw_model *model = sim->model;

  sim->message[0] = '\0';
  for (int i = 0; i < model->nk; i++) {
    if (!parameter_allowed(model, i, k[i])) {
      return sw_fail(sim, SW_ERR_PARAMETER, "parameter %s = %g is outside its bounds, %s%g, %g%s",
                     model->k_names[i], k[i], (model->k_closed[i] & 1u) != 0 ? "[" : "(",
                     model->k_lower[i], model->k_upper[i],
                     (model->k_closed[i] & 2u) != 0 ? "]" : ")");
    }
  }
  sw_copy(sim->k, k, (size_t)model->nk);
  sim->checked = 0;
  return SW_OK;
}

sw_status sw_sim_set_state(sw_sim *sim, double t, const double z[])
{
  const sw_model *model = sim->model;
  const int d = model->nq;

  sim->message[0] = '\0';
  if (!isfinite(t)) {
    return sw_fail(sim, SW_ERR_ARGUMENT, "the time is not finite");
  }
  for (int i = 0; i < 2 * d; i++) {
    if (!isfinite(z[i])) {
      return sw_fail(sim, SW_ERR_ARGUMENT, "entry %d of the state is not finite", i);
    }
  }
  sw_copy(sim->z, z, 2 * (size_t)d);
  sw_zero(sim->lambda, (size_t)model->nc);
  sim->t = t;
  sim->checked = 0;
  sim->stats = (sw_stats){0};
  return SW_OK;
}

sw_status sw_sim_step(sw_sim *sim, double h)
{
  return sw_step_to(sim, h, sim->t + h);
}

sw_status sw_sim_run(sw_sim *sim, double h, long steps, sw_observer *observe, void *user)
{
  const double t0 = sim->t;

  sim->message[0] = '\0';
  if (steps < 0) {
    return sw_fail(sim, SW_ERR_ARGUMENT, "the number of steps is negative: %ld", steps);
  }
  for (long n = 0;; n++) {
    const sw_status status = n > 0 ? sw_step_to(sim, h, t0 + (double)n * h) : SW_OK;

    if (status != SW_OK) {
      return status;
    }
    if (observe && observe(sim, n, user) != 0) {
      return sw_fail(sim, SW_ERR_STOPPED, "the observer asked to stop after step %ld", n);
    }
    if (n == steps) {
      return SW_OK;
    }
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

const sw_model *sw_sim_model(const sw_sim *sim)
{
  return sim->model;
}

sw_stats sw_sim_stats(const sw_sim *sim)
{
  return sim->stats;
}

const char *sw_sim_message(const sw_sim *sim)
{
  return sim->message;
}
