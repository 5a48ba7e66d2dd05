/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_threads.c -- simulations of one model in several threads do not meet.
 */
#include <pthread.h>
#include <string.h>

#include "fixtures.h"
#include "near.h"
#include "sidewinder/sim.h"

enum { threads = 4, steps = 500 };

typedef struct {
  sw_status status;
  double z[6];
} outcome;

static void *simulate(void *argument)
{
  outcome *out = argument;
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.base = "midpoint";
  out->status = sw_sim_create(&sw_fixture_two, &options, &sim);
  if (out->status == SW_OK)
    out->status = sw_sim_run(sim, 0.1, steps, NULL, NULL);
  if (out->status == SW_OK)
    memcpy(out->z, sw_sim_state(sim), sizeof out->z);
  sw_sim_free(&sim);
  return NULL;
}

static void threads_agree_bit_for_bit(void **state)
{
  pthread_t thread[threads];
  outcome alone = {.status = SW_OK};
  outcome out[threads];

  (void)state;
  memset(out, 0, sizeof out);
  simulate(&alone);
  assert_int_equal(alone.status, SW_OK);
  for (int i = 0; i < threads; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, simulate, &out[i]), 0);
  for (int i = 0; i < threads; i++)
    assert_int_equal(pthread_join(thread[i], NULL), 0);
  for (int i = 0; i < threads; i++) {
    assert_int_equal(out[i].status, SW_OK);
    assert_memory_equal(out[i].z, alone.z, sizeof alone.z);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_agree_bit_for_bit),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
