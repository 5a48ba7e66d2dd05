/* SPDX-License-Identifier: BSD-3-Clause */
#include "reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_PARAMETERS = 8 };

static void require_ok(const sw_sim *sim, sw_status status)
{
  if (status != SW_OK)
    fail_msg("%s: %s: %s", sw_sim_model(sim)->name, sw_status_name(status), sw_sim_message(sim));
}

static void set_parameter(sw_sim *sim, const char *name, double value)
{
  const sw_model *model = sw_sim_model(sim);
  double k[MAX_PARAMETERS];
  int found = 0;
  assert_true(model->n_parameters <= MAX_PARAMETERS);
  for (int i = 0; i < model->n_parameters; i++) {
    int here = strcmp(model->parameters[i].name, name) == 0;
    k[i] = here ? value : sw_sim_parameters(sim)[i];
    found += here;
  }
  assert_int_equal(found, 1);
  require_ok(sim, sw_sim_set_parameters(sim, k));
}

static void set_initial_state(sw_sim *sim, const char *name)
{
  const sw_model *model = sw_sim_model(sim);
  double z[REFERENCE_MAX];
  assert_true(2 * model->n_coordinates <= REFERENCE_MAX);
  for (int i = 0; i < model->n_init; i++) {
    if (strcmp(model->init[i].name, name) != 0)
      continue;
    model->init[i].state(NULL, sw_sim_parameters(sim), z);
    require_ok(sim, sw_sim_set_state(sim, 0.0, z));
    return;
  }
  fail_msg("%s has no initial state '%s'", model->name, name);
}

sw_sim *reference_start(const reference_problem *problem, const char *init, const char *method,
                        const char *base)
{
  sw_options options;
  sw_sim *sim = NULL;
  sw_status status;
  sw_options_init(&options);
  options.method = method;
  options.base = base;
  status = sw_sim_create(problem->model, &options, &sim);
  if (status != SW_OK)
    fail_msg("%s, %s over %s: %s", problem->model->name, method, base, sw_status_name(status));
  if (problem->parameter != NULL)
    set_parameter(sim, problem->parameter, problem->value);
  set_initial_state(sim, init);
  return sim;
}

void reference_advance(sw_sim *sim, double step, long steps)
{
  require_ok(sim, sw_sim_run(sim, step, steps, NULL, NULL));
}

double reference_distance(int n, const double a[], const double b[])
{
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    double difference = fabs(a[i] - b[i]);
    if (!isfinite(difference))
      return INFINITY;
    worst = fmax(worst, difference);
  }
  return worst;
}

double reference_rows_error(const reference_problem *problem, int n, const reference_row rows[])
{
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    sw_sim *sim = reference_start(problem, rows[i].init, rows[i].method, rows[i].base);
    reference_advance(sim, rows[i].step, rows[i].steps);
    worst = fmax(
        worst, reference_distance(2 * problem->model->n_coordinates, sw_sim_state(sim), rows[i].z));
    sw_sim_free(&sim);
  }
  return worst;
}

typedef struct energy_bounds {
  double low;
  double high;
} energy_bounds;

static int watch_energy(const sw_sim *sim, long step, void *user)
{
  energy_bounds *bounds = (energy_bounds *)user;
  double energy;
  if (step == 0)
    return 0;
  sw_sim_model(sim)->hamiltonian(NULL, sw_sim_state(sim), sw_sim_parameters(sim), &energy);
  bounds->low = fmin(bounds->low, energy);
  bounds->high = fmax(bounds->high, energy);
  return 0;
}

double reference_ranges_error(const reference_problem *problem, int n,
                              const reference_range ranges[])
{
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    const reference_range *range = &ranges[i];
    const double wanted[2] = {range->low, range->high};
    energy_bounds bounds = {INFINITY, -INFINITY};
    sw_sim *sim = reference_start(problem, range->init, range->method, range->base);
    require_ok(sim, sw_sim_run(sim, range->step, range->steps, watch_energy, &bounds));
    sw_sim_free(&sim);
    const double found[2] = {bounds.low - range->offset, bounds.high - range->offset};
    worst = fmax(worst, reference_distance(2, found, wanted));
  }
  return worst;
}

void reference_accept(const char *what, double error, double tolerance)
{
  print_message("  %-58s worst error %8.2e, allowed %7.1e\n", what, error, tolerance);
  if (!(error <= tolerance))
    fail_msg("%s: error %.3e exceeds %.1e", what, error, tolerance);
}

void reference_refuse(const char *what, double error, double tolerance)
{
  print_message("  %-58s worst error %8.2e, refused\n", what, error);
  if (error <= tolerance)
    fail_msg("%s: error %.3e passes for %.1e although a number is wrong", what, error, tolerance);
}
