/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <math.h>
#include <string.h>

#include "page.h"

enum { MAX_PARAMETERS = 64 };

static void set_parameter(sw_sim *sim, const char *name, double value)
{
  double k[MAX_PARAMETERS];
  char text[SW_NAME_BYTES];
  const int nk = sw_sim_nk(sim);

  for (int i = 0; i < nk && i < MAX_PARAMETERS; i++) {
    const int here = strcmp(sw_sim_name(sim, SW_K, i, text), name) == 0;
    k[i] = here ? value : sw_sim_parameters(sim)[i];
  }
  if (sw_sim_set_parameters(sim, k) != SW_OK) {
    page_die("%s: %s", sw_sim_model(sim)->name, sw_sim_message(sim));
  }
}

static const sw_initial_state *find_initial(const sw_model *model, const char *name)
{
  for (int i = 0; i < model->n_init; i++) {
    if (name == NULL || strcmp(model->init[i].name, name) == 0) {
      return &model->init[i];
    }
  }
  page_die("%s has no initial state '%s'", model->name, name);
}

sw_sim *run_start(const run_setup *setup)
{
  double z[REFERENCE_MAX];
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = setup->method != NULL ? setup->method : options.method;
  options.base = setup->base != NULL ? setup->base : options.base;
  options.compose = setup->compose != NULL ? setup->compose : options.compose;
  for (int i = 0; i < 2 && setup->bias[1] > setup->bias[0]; i++) {
    options.bias[i] = setup->bias[i];
  }
  options.base_minus = setup->base_minus != NULL ? setup->base_minus : options.base_minus;
  options.adjoint = setup->adjoint != NULL ? setup->adjoint : options.adjoint;
  options.redundant = setup->redundant != NULL ? setup->redundant : options.redundant;
  options.tolerance = setup->tolerance > 0.0 ? setup->tolerance : options.tolerance;
  options.max_iterations =
      setup->max_iterations > 0 ? setup->max_iterations : options.max_iterations;
  const sw_status status = sw_sim_create(setup->model, &options, &sim);
  if (status != SW_OK) {
    page_die("%s, %s: %s; %s", setup->model->name, options.method, sw_status_text(status),
             sw_options_objection(setup->model, &options));
  }
  if (setup->parameter != NULL) {
    set_parameter(sim, setup->parameter, setup->value);
  }
  find_initial(setup->model, setup->init)->state(NULL, sw_sim_parameters(sim), z);
  run_set_state(sim, z);
  return sim;
}

void run_set_state(sw_sim *sim, const double z[])
{
  if (sw_sim_set_state(sim, 0.0, z) != SW_OK) {
    page_die("%s: %s", sw_sim_model(sim)->name, sw_sim_message(sim));
  }
}

void run_advance(sw_sim *sim, double h, long steps)
{
  const sw_status status = sw_sim_run(sim, h, steps, NULL, NULL);

  if (status != SW_OK) {
    page_die("%s: %s: %s", sw_sim_model(sim)->name, sw_status_name(status), sw_sim_message(sim));
  }
}

void run_initial(const sw_model *model, const char *init, double z[])
{
  double k[MAX_PARAMETERS];

  if (model->parameter_values != NULL) {
    model->parameter_values(NULL, k);
  }
  find_initial(model, init)->state(NULL, k, z);
}

double run_energy(sw_sim *sim)
{
  double energy = NAN;

  sw_sim_hamiltonian(sim, &energy);
  return energy;
}

double run_largest(int n, const double a[])
{
  double largest = 0.0;

  for (int i = 0; i < n; i++) {
    largest = isfinite(a[i]) ? fmax(largest, fabs(a[i])) : INFINITY;
  }
  return largest;
}

double run_distance(int n, const double a[], const double b[])
{
  double largest = 0.0;

  for (int i = 0; i < n; i++) {
    const double d = fabs(a[i] - b[i]);
    largest = isfinite(d) ? fmax(largest, d) : INFINITY;
  }
  return largest;
}

double run_distance_2(int n, const double a[], const double b[])
{
  double sum = 0.0;

  for (int i = 0; i < n; i++) {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return sqrt(sum);
}

double run_rows_distance(const run_setup *setup, int n, const reference_row rows[])
{
  double worst = 0.0;
  int found = 0;

  for (int i = 0; i < n; i++) {
    if (strcmp(rows[i].method, setup->method) != 0 ||
        (setup->init != NULL && strcmp(rows[i].init, setup->init) != 0)) {
      continue;
    }
    run_setup one = *setup;
    one.init = rows[i].init;
    one.base = rows[i].base;
    sw_sim *sim = run_start(&one);
    run_advance(sim, rows[i].step, rows[i].steps);
    worst = fmax(worst, run_distance(2 * sw_sim_nq(sim), sw_sim_state(sim), rows[i].z));
    sw_sim_free(&sim);
    found++;
  }
  return found > 0 ? worst : NAN;
}
