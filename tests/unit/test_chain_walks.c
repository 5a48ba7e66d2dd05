/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_chain_walks.c -- steps of long chains block by block (step/holonomic_chain.h) are those of step/holonomic.h for all rows at once: the
 * same bits, messages and statistics, by one thread and by several.
 *
 * test_chain_walks_watched is this file and the runtime under ThreadSanitizer.
 */
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "near.h"
#include "sim/sim_internal.h"

enum { NODES = 70001, DIM = 2 * 3 * NODES };

typedef struct setting {
  const char *base;
  const char *compose;
  double h;       /* over the number of nodes */
  double kappa;   /* bending */
  double unequal; /* how much masses differ from node to node, so that no row is as another one */
  int refused; /* parts of steps that blocks do not take: the first one of a run, which is looked at as a whole, those that they refuse, and
                     some behind these */
} setting;

static const setting settings[] = {
    {"verlet", "none", 0.064, 0.0, 0.3, 1}, {"verlet", "none", 0.2, 0.0, 0.3, 1},
    {"verlet", "none", 0.064, 0.0, 0.0, 1}, {"verlet", "none", 0.2, 0.0, 0.0, 3},
    {"verlet", "none", 0.1, 1e-10, 0.3, 1}, {"euler-a", "none", 0.01, 0.0, 0.3, 1},
    {"euler-b", "none", 0.03, 0.0, 0.3, 1}, {"verlet", "triple-jump-4", 0.02, 0.0, 0.3, 3},
};

/* Under ThreadSanitizer all is slow. */
#ifdef __SANITIZE_THREAD__
static const int threads[] = {2};
enum { SETTINGS = 1, STEPS = 2, LEAST_ITERATIONS = 0 };
#else
static const int threads[] = {1, 2};
enum { SETTINGS = sizeof settings / sizeof *settings, STEPS = 3, LEAST_ITERATIONS = 10 };
#endif
enum { NUMBERS = sizeof threads / sizeof *threads };

static void set_parameters(sw_sim *sim, const setting *of)
{
  const int nk = sw_sim_nk(sim);
  double *k = malloc((size_t)nk * sizeof *k);

  assert_non_null(k);
  memcpy(k, sw_sim_parameters(sim), (size_t)nk * sizeof *k);
  for (int i = 0; i < NODES; i++) {
    k[i] *= 1.0 + of->unequal * (double)(i % 7);
  }
  k[NODES + 2] = of->kappa;
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  free(k);
}

/* in_blocks: 0 for all rows at once. */
static sw_sim *make(const setting *of, int number, int in_blocks)
{
  const sw_size size = {.name = "N", .value = NODES};
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.base = of->base;
  options.compose = of->compose;
  options.n_sizes = 1;
  options.sizes = &size;
  options.threads = number;
  assert_int_equal(sw_sim_create(&sw_model_chain, &options, &sim), SW_OK);
  set_parameters(sim, of);
  sim->chain.applies = in_blocks ? 0 : -1;
  return sim;
}

static void assert_same(sw_sim *one, sw_sim *other)
{
  const sw_stats a = sw_sim_stats(one);
  const sw_stats b = sw_sim_stats(other);

  assert_memory_equal(sw_sim_state(one), sw_sim_state(other), DIM * sizeof(double));
  assert_memory_equal(sw_sim_lambda(one), sw_sim_lambda(other),
                      (size_t)sw_sim_nc(one) * sizeof(double));
  assert_string_equal(sw_sim_message(one), sw_sim_message(other));
  assert_memory_equal(&a, &b, sizeof a);
}

static void blocks_make_the_same_steps(void **state)
{
  long iterations = 0; /* but one for each solve */

  (void)state;
  for (int i = 0; i < SETTINGS; i++) {
    const setting *of = &settings[i];
    const double h = of->h / NODES;
    sw_sim *whole = make(of, 1, 0);
    assert_int_equal(sw_sim_run(whole, h, STEPS, NULL, NULL), SW_OK);
    assert_int_equal(whole->chain.slides, 0);
    iterations += sw_sim_stats(whole).newton_iterations - sw_sim_stats(whole).solves;
    for (int t = 0; t < NUMBERS; t++) {
      sw_sim *blocks = make(of, threads[t], 1);
      assert_int_equal(sw_sim_run(blocks, h, STEPS, NULL, NULL), SW_OK);
      assert_int_equal(blocks->chain.applies, 1);
      assert_int_equal(blocks->chain.slides, STEPS * blocks->composition->n - of->refused);
      assert_same(whole, blocks);
      sw_sim_free(&blocks);
    }
    sw_sim_free(&whole);
  }
  assert_true(iterations > LEAST_ITERATIONS);
}

/* What blocks refuse is taken, or refused, by the others, from the same state. */
static void what_blocks_refuse_ends_alike(void **state)
{
  static const double sizes_of_steps[] = {3.0 / NODES, 1e-2, 1e3};
  const setting *of = &settings[0];

  (void)state;
  for (int i = 0; i < 3; i++) {
    sw_sim *whole = make(of, 1, 0);
    sw_sim *blocks = make(of, 2, 1);
    for (int step = 0; step < 2; step++) {
      const double h = step ? sizes_of_steps[i] : of->h / NODES;
      assert_int_equal(sw_sim_step(whole, h), sw_sim_step(blocks, h));
      assert_same(whole, blocks);
    }
    sw_sim_free(&whole);
    sw_sim_free(&blocks);
  }
}

static void blocks_go_on_from_a_saved_state(void **state)
{
  const setting *of = &settings[0];
  const double h = of->h / NODES;
  sw_sim *whole = make(of, 2, 1);
  sw_sim *second = make(of, 1, 1);

  (void)state;
  assert_int_equal(sw_sim_run(whole, h, 2, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_set_state(second, sw_sim_time(whole), sw_sim_state(whole)), SW_OK);
  assert_int_equal(sw_sim_run(whole, h, 2, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(second, h, 2, NULL, NULL), SW_OK);
  assert_true(whole->chain.slides > second->chain.slides && second->chain.slides > 0);
  assert_memory_equal(sw_sim_state(whole), sw_sim_state(second), DIM * sizeof(double));
  sw_sim_free(&whole);
  sw_sim_free(&second);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_make_the_same_steps),
#ifndef __SANITIZE_THREAD__
      cmocka_unit_test(what_blocks_refuse_ends_alike),
      cmocka_unit_test(blocks_go_on_from_a_saved_state),
#endif
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
