/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ensemble_alloc.c -- memory of an ensemble: none is allocated by its steps, all is released,
 * and running out of it is a status.  As test_alloc.c says, a simulation is swept as a whole only
 * where it needs no solver.
 */
#include "failing_malloc.h"
#include "fixtures.h"
#include "near.h"
#include "sidewinder/ensemble.h"

enum { COUNT = 20 };

static void measure(sw_sim *sim, long step, int worker, double values[], void *user)
{
  (void)step, (void)worker, (void)user;
  sw_sim_hamiltonian(sim, values);
}

/* Of simulations like that one, with parameters of their own; the status of what fails first. */
static sw_status run(const sw_sim *like)
{
  sw_ensemble *e = NULL;
  sw_ensemble_options options;

  sw_ensemble_options_init(&options);
  options.count = COUNT;
  options.n_values = 1;
  options.measure = measure;
  sw_status status = sw_ensemble_create(like, &options, &e);
  if (status == SW_OK)
    status = sw_ensemble_set_parameters(e, 3, sw_sim_parameters(like));
  if (status == SW_OK) {
    const long before = allocations;
    status = sw_ensemble_run(e, 0.1, 20, 5, NULL, NULL);
    assert_int_equal(allocations, before);
    assert_int_equal(sw_ensemble_failed(e), 0);
  }
  sw_ensemble_free(&e);
  return status;
}

static void steps_do_not_allocate(void **state)
{
  sw_sim *like = NULL;

  (void)state;
  assert_int_equal(sw_sim_create(&sw_fixture_pendulum, NULL, &like), SW_OK);
  assert_int_equal(run(like), SW_OK);
  sw_sim_free(&like);
}

static void every_failure_is_a_status(void **state)
{
  sw_sim *like = NULL;

  (void)state;
  assert_int_equal(sw_sim_create(&sw_fixture_free, NULL, &like), SW_OK);
  const long start = allocations;
  assert_int_equal(run(like), SW_OK);
  const long all = allocations - start;
  assert_true(all > 10);
  for (long n = 1; n <= all; n++) {
    const long kept = allocations - releases;
    fail_at = n;
    const sw_status status = run(like);
    fail_at = 0;
    assert_int_equal(status, SW_ERR_MEMORY);
    assert_int_equal(allocations - releases, kept);
  }
  sw_sim_free(&like);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_do_not_allocate),
      cmocka_unit_test(every_failure_is_a_status),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
