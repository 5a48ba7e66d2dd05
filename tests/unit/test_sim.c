/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_sim.c -- simulations: the numbers of SHAKE and RATTLE, and what the interface promises.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixtures.h"
#include "near.h"
#include "rows.h"
#include "sidewinder/sim.h"
#include "simulation.h"

static void states_are_those_of_the_references(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof sw_rows / sizeof sw_rows[0]; i++) {
    const sw_row_of_numbers *row = &sw_rows[i];
    sw_sim *sim = create(row->model, row->method, row->base);

    assert_int_equal(sw_sim_run(sim, 0.1, row->steps, NULL, NULL), SW_OK);
    assert_all_near(sw_sim_state(sim), row->z, 2 * row->model->n_coordinates, row->tolerance);
    const sw_stats stats = sw_sim_stats(sim);
    assert_int_equal(stats.steps, row->steps);
    assert_below(stats.residual_g, 1e-14);
    assert_below(stats.residual_solve, 1e-14);
    if (strcmp(row->method, "rattle") == 0)
      assert_below(stats.residual_hidden, 1e-14);
    else
      assert_true(stats.residual_hidden > 1e-3);
    sw_sim_free(&sim);
  }
}

/* The arguments of the fibre flow in the first step of `two`: h lambda for SHAKE, h (lambda +
 * sigma) for RATTLE. */
static void multipliers_are_those_of_the_references(void **state)
{
  const double lambda[2] = {0.027839311973499647040, -0.030346138748517410547};
  const double sigma[2] = {0.027889263704278965181, -0.030514238272967355168};
  sw_sim *shake = create(&sw_fixture_two, "shake", "midpoint");
  sw_sim *rattle = create(&sw_fixture_two, "rattle", "midpoint");

  (void)state;
  assert_near(sw_sim_impulses(shake)[0], 0.0, 0.0);
  assert_int_equal(sw_sim_step(shake, 0.1), SW_OK);
  assert_int_equal(sw_sim_step(rattle, 0.1), SW_OK);
  for (int i = 0; i < 2; i++) {
    assert_near(sw_sim_impulses(shake)[i], lambda[i], 1e-13);
    assert_near(sw_sim_impulses(rattle)[i], lambda[i] + sigma[i], 1e-13);
  }
  sw_sim_free(&shake);
  sw_sim_free(&rattle);
}

/* RATTLE with a symmetric base method is symmetric on M^H: a step back undoes a step. */
static void rattle_is_reversible(void **state)
{
  static const char *const bases[] = {"verlet", "midpoint"};
  const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_spherical, &sw_fixture_two,
                                    &sw_fixture_hopf};

  (void)state;
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < sizeof models / sizeof models[0]; j++) {
      sw_sim *sim = create(models[j], "rattle", bases[i]);
      double z0[6];

      memcpy(z0, sw_sim_state(sim), 2 * (size_t)models[j]->n_coordinates * sizeof *z0);
      assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
      assert_int_equal(sw_sim_step(sim, -0.1), SW_OK);
      assert_all_near(sw_sim_state(sim), z0, 2 * models[j]->n_coordinates, 1e-14);
      sw_sim_free(&sim);
    }
}

/* A small world behaves like a large one: with all lengths, momenta and forces scaled by a power of
 * two, so does the trajectory.  An absolute tolerance anywhere would show. */
static void units_do_not_matter(void **state)
{
  const double unit = 0x1p-60;
  const double k[2] = {unit, unit};
  const double start[4] = {0.6 * unit, -0.8 * unit, 0.4 * unit, 0.3 * unit};

  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++) {
    sw_sim *large = create(&sw_fixture_pendulum, "rattle", *base);
    sw_sim *small = create(&sw_fixture_pendulum, "rattle", *base);

    assert_int_equal(sw_sim_set_parameters(small, k), SW_OK);
    assert_int_equal(sw_sim_set_state(small, 0.0, start), SW_OK);
    assert_int_equal(sw_sim_run(large, 0.1, 20, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(small, 0.1, 20, NULL, NULL), SW_OK);
    for (int i = 0; i < 4; i++)
      assert_near(sw_sim_state(small)[i] / unit, sw_sim_state(large)[i], 1e-13);
    sw_sim_free(&large);
    sw_sim_free(&small);
  }
}

/* At rest in an equilibrium nothing moves, although the terms of the hidden constraint are all 0.
 * The rod carries the weight: 2 lambda length = gravity. */
static void equilibria_stay(void **state)
{
  const double z[4] = {0.0, -1.0, 0.0, 0.0};
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle", "verlet");
  double lambda = NAN;

  (void)state;
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_run(sim, 0.1, 100, NULL, NULL), SW_OK);
  assert_all_near(sw_sim_state(sim), z, 4, 1e-15);
  assert_int_equal(sw_sim_multipliers(sim, &lambda), SW_OK);
  assert_near(lambda, 0.5, 1e-15);
  assert_near(sw_sim_impulses(sim)[0], 0.05, 1e-14);
  sw_sim_free(&sim);
}

/* Where N is singular the theory says nothing: q = (0, 1), p = 0 is on M and M^H, and N = 4 (|p|^2
 * - |q|^2
 * - g.q) is 0 there for g = (0, -1). */
static void singular_states_are_refused(void **state)
{
  const double z[4] = {0.0, 1.0, 0.0, 0.0};
  sw_sim *rattle = create(&sw_fixture_hopf, "rattle", "midpoint");

  (void)state;
  assert_int_equal(sw_sim_set_state(rattle, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_step(rattle, 0.1), SW_ERR_SINGULAR);
  assert_memory_equal(sw_sim_state(rattle), z, sizeof z);
  sw_sim_free(&rattle);
}

/* A step that is too large finds a root on another component of M^H, where det N has the other
 * sign: the first seven of these are good, the eighth is not, and a smaller one from the same state
 * is. */
static void jumps_to_another_component_are_refused(void **state)
{
  double before[4];
  sw_sim *sim = create(&sw_fixture_hopf, "rattle", "euler-a");

  (void)state;
  assert_int_equal(sw_sim_run(sim, 0.3, 7, NULL, NULL), SW_OK);
  memcpy(before, sw_sim_state(sim), sizeof before);
  assert_int_equal(sw_sim_step(sim, 0.3), SW_ERR_COMPONENT);
  assert_non_null(strstr(sw_sim_message(sim), "another component"));
  assert_memory_equal(sw_sim_state(sim), before, sizeof before);
  assert_int_equal(sw_sim_step(sim, 0.05), SW_OK);
  sw_sim_free(&sim);
}

static void states_off_m_are_refused(void **state)
{
  const double off_m[4] = {0.6, -0.7, 0.0, 0.0};
  const double off_mh[4] = {0.6, -0.8, 0.4, 0.4};
  sw_sim *rattle = create(&sw_fixture_pendulum, "rattle", "verlet");
  sw_sim *shake = create(&sw_fixture_pendulum, "shake", "verlet");

  (void)state;
  assert_int_equal(sw_sim_set_state(rattle, 1.5, off_m), SW_OK);
  assert_int_equal(sw_sim_step(rattle, 0.1), SW_ERR_OFF_M);
  assert_memory_equal(sw_sim_state(rattle), off_m, sizeof off_m);
  assert_near(sw_sim_time(rattle), 1.5, 0.0);
  assert_non_null(strstr(sw_sim_message(rattle), "at t = 1.5: "));
  assert_non_null(strstr(sw_sim_message(rattle), "'rod' is -0.15 "));
  assert_non_null(strstr(sw_sim_message(rattle), "ask for projection (sw_sim_project)"));

  assert_int_equal(sw_sim_set_state(rattle, 0.0, off_mh), SW_OK);
  assert_int_equal(sw_sim_step(rattle, 0.1), SW_ERR_OFF_MH);
  assert_non_null(strstr(sw_sim_message(rattle), "M^H"));
  assert_non_null(strstr(sw_sim_message(rattle), "'rod' is -0.16 "));
  assert_int_equal(sw_sim_set_state(shake, 0.0, off_mh), SW_OK);
  assert_int_equal(sw_sim_step(shake, 0.1), SW_OK);

  /* New parameters move M away from the state. */
  const double k[2] = {1.0, 1.001};
  assert_int_equal(sw_sim_set_parameters(shake, k), SW_OK);
  assert_int_equal(sw_sim_step(shake, 0.1), SW_ERR_OFF_M);
  sw_sim_free(&rattle);
  sw_sim_free(&shake);
}

typedef struct {
  long calls;
  long stop_at;
  double times[16];
} log_of_times;

static int watch(const sw_sim *sim, long step, void *user)
{
  log_of_times *log = user;

  assert_int_equal(step, log->calls);
  log->times[log->calls++] = sw_sim_time(sim);
  return step == log->stop_at;
}

static void runs_are_observed(void **state)
{
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle", "verlet");
  log_of_times all = {.stop_at = -1};
  log_of_times some = {.stop_at = 3};
  log_of_times none = {.stop_at = -1};

  (void)state;
  assert_int_equal(sw_sim_set_state(sim, 0.3, sw_sim_state(sim)), SW_OK);
  assert_int_equal(sw_sim_run(sim, 0.1, 10, watch, &all), SW_OK);
  assert_int_equal(all.calls, 11);
  for (int n = 0; n <= 10; n++)
    assert_near(all.times[n], 0.3 + n * 0.1, 0.0);
  assert_int_equal(sw_sim_run(sim, 0.1, 10, watch, &some), SW_ERR_STOPPED);
  assert_int_equal(some.calls, 4);
  assert_int_equal(sw_sim_stats(sim).steps, 13);
  assert_int_equal(sw_sim_run(sim, 0.1, 0, watch, &none), SW_OK);
  assert_int_equal(none.calls, 1);
  assert_int_equal(sw_sim_run(sim, 0.1, -1, watch, &none), SW_ERR_ARGUMENT);
  assert_int_equal(sw_sim_run(sim, NAN, LONG_MAX, NULL, NULL), SW_ERR_ARGUMENT);
  sw_sim_free(&sim);
}

static void quantities_and_names_are_the_models(void **state)
{
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle", "verlet");
  char name[SW_NAME_BYTES];
  double H = NAN;
  double observed[2] = {NAN, NAN};
  double lambda = NAN;
  double invariant = NAN;

  (void)state;
  assert_int_equal(sw_sim_nq(sim), 2);
  assert_int_equal(sw_sim_nc(sim), 1);
  assert_int_equal(sw_sim_nk(sim), 2);
  assert_int_equal(sw_sim_n_observe(sim), 2);
  assert_int_equal(sw_sim_n_invariant(sim), 1);
  assert_string_equal(sw_sim_name(sim, SW_Q, 1, name), "q.y");
  assert_string_equal(sw_sim_name(sim, SW_K, 0, name), "gravity");
  assert_string_equal(sw_sim_name(sim, SW_OBSERVE, 1, name), "tension");
  assert_int_equal(sw_sim_run(sim, 0.1, 3, NULL, NULL), SW_OK);
  sw_sim_hamiltonian(sim, &H);
  sw_sim_observe(sim, observed);
  sw_sim_invariant(sim, &invariant);
  const double *z = sw_sim_state(sim);
  assert_near(H, 0.5 * (z[2] * z[2] + z[3] * z[3]) + z[1], 1e-15);
  assert_near(invariant, H, 0.0);
  assert_int_equal(sw_sim_multipliers(sim, &lambda), SW_OK);
  assert_near(observed[0], lambda, 0.0);
  assert_near(observed[1], 2.0 * lambda, 0.0);
  sw_sim_free(&sim);
}

static void parameters_have_bounds(void **state)
{
  static const struct {
    double k[2];
    sw_status status;
  } cases[] = {
      {{9.81, 2.0}, SW_OK},
      {{0.0, 2.0}, SW_OK}, /* the bound itself is allowed */
      {{-1e-9, 2.0}, SW_ERR_PARAMETER},
      {{1.0, 0.0}, SW_ERR_PARAMETER},
      {{NAN, 2.0}, SW_ERR_PARAMETER},
      {{1.0, INFINITY}, SW_ERR_PARAMETER},
  };
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle", "verlet");

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const double before[2] = {sw_sim_parameters(sim)[0], sw_sim_parameters(sim)[1]};

    assert_int_equal(sw_sim_set_parameters(sim, cases[i].k), cases[i].status);
    assert_memory_equal(sw_sim_parameters(sim), cases[i].status == SW_OK ? cases[i].k : before,
                        sizeof before);
  }
  assert_string_equal(sw_sim_message(sim),
                      "parameter length = inf is outside its bounds, (0, inf)");
  sw_sim_free(&sim);
}

/* A bound itself is allowed where it is closed: [ or ] in the model. */
static void bounds_are_open_or_closed(void **state)
{
  (void)state;
  for (unsigned closed = 0; closed < 4; closed++) {
    const sw_bounds bounds[] = {{-1.0, 3.0, (unsigned char)closed}, {0.0, INFINITY, 0}};
    sw_model model = sw_fixture_pendulum;
    model.bounds = bounds;
    sw_sim *sim = create(&model, "rattle", "verlet");
    for (int side = 0; side < 2; side++) {
      const double at[] = {side ? 3.0 : -1.0, 1.0};
      const double outside[] = {nextafter(at[0], side ? 4.0 : -2.0), 1.0};
      const double inside[] = {nextafter(at[0], 0.0), 1.0};
      const int is_closed = (closed >> side & 1u) != 0;
      char bound[16];
      assert_int_equal(sw_sim_set_parameters(sim, at), is_closed ? SW_OK : SW_ERR_PARAMETER);
      assert_int_equal(sw_sim_set_parameters(sim, inside), SW_OK);
      assert_int_equal(sw_sim_set_parameters(sim, outside), SW_ERR_PARAMETER);
      snprintf(bound, sizeof bound, "%c-1, 3%c", closed & 1u ? '[' : '(', closed & 2u ? ']' : ')');
      assert_non_null(strstr(sw_sim_message(sim), bound));
    }
    sw_sim_free(&sim);
  }
}

static void arguments_are_checked(void **state)
{
  sw_model bad = sw_fixture_pendulum;
  const double z[4] = {0.0, INFINITY, 0.0, 0.0};
  sw_options options;
  sw_sim *sim = NULL;

  (void)state;
  assert_int_equal(sw_sim_create(NULL, NULL, &sim), SW_ERR_ARGUMENT);
  bad.abi = SW_MODEL_ABI + 1;
  assert_int_equal(sw_sim_create(&bad, NULL, &sim), SW_ERR_ABI);
  bad = sw_fixture_pendulum;
  bad.n_coordinates = 0;
  assert_int_equal(sw_sim_create(&bad, NULL, &sim), SW_ERR_ARGUMENT);
  bad = sw_fixture_pendulum;
  bad.n_constraints = -1;
  assert_int_equal(sw_sim_create(&bad, NULL, &sim), SW_ERR_ARGUMENT);
  bad = sw_fixture_pendulum;
  bad.hidden_jac.values = NULL; /* and there is nothing to make it of */
  assert_int_equal(sw_sim_create(&bad, NULL, &sim), SW_ERR_ARGUMENT);
  bad = sw_fixture_pendulum;
  bad.hamiltonian_hess.places.n = -1;
  assert_int_equal(sw_sim_create(&bad, NULL, &sim), SW_ERR_ARGUMENT);
  sw_options_init(&options);
  options.method = "spark";
  assert_int_equal(sw_sim_create(&sw_fixture_pendulum, &options, &sim), SW_ERR_OPTION);
  sw_options_init(&options);
  options.base = "verlet-2";
  assert_int_equal(sw_sim_create(&sw_fixture_pendulum, &options, &sim), SW_ERR_OPTION);
  sw_options_init(&options);
  options.max_iterations = 201;
  assert_int_equal(sw_sim_create(&sw_fixture_pendulum, &options, &sim), SW_ERR_OPTION);
  sw_options_init(&options);
  options.tolerance = NAN;
  assert_int_equal(sw_sim_create(&sw_fixture_pendulum, &options, &sim), SW_ERR_OPTION);
  assert_null(sim);
  assert_int_equal(sw_sim_create(&sw_fixture_pendulum, NULL, &sim), SW_OK);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_ERR_ARGUMENT);
  assert_int_equal(sw_sim_set_state(sim, NAN, sw_sim_state(sim)), SW_ERR_ARGUMENT);
  sw_sim_free(&sim);
  assert_null(sim);
  sw_sim_free(&sim);
  sw_sim_free(NULL);
}

static void every_status_has_a_name(void **state)
{
  (void)state;
  assert_string_equal(sw_status_name(SW_OK), "SW_OK");
  assert_string_equal(sw_status_name(SW_ERR_OFF_M), "SW_ERR_OFF_M");
  for (int i = 0; i < (int)SW_STATUS_COUNT; i++)
    assert_true(strlen(sw_status_text((sw_status)i)) > 0);
  assert_string_equal(sw_status_name(SW_STATUS_COUNT), "SW_ERR_UNKNOWN");
  assert_string_equal(sw_status_name((sw_status)1000), "SW_ERR_UNKNOWN");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_are_those_of_the_references),
      cmocka_unit_test(multipliers_are_those_of_the_references),
      cmocka_unit_test(rattle_is_reversible),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(equilibria_stay),
      cmocka_unit_test(singular_states_are_refused),
      cmocka_unit_test(jumps_to_another_component_are_refused),
      cmocka_unit_test(states_off_m_are_refused),
      cmocka_unit_test(runs_are_observed),
      cmocka_unit_test(quantities_and_names_are_the_models),
      cmocka_unit_test(parameters_have_bounds),
      cmocka_unit_test(bounds_are_open_or_closed),
      cmocka_unit_test(arguments_are_checked),
      cmocka_unit_test(every_status_has_a_name),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
