/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_threads.c -- simulations of one model in several threads do not meet, whether they share
 * memory or not.
 *
 * test_threads_watched is this file and the runtime under ThreadSanitizer.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "near.h"
#include "sidewinder/sim.h"
#include "spin_chain.h"

enum { threads = 4, steps = 10, directions = 2, size = 12 };

typedef struct {
  const sw_model *model;
  const char *base;
  const char *redundant;
  int numerical_fibre;
  int check_reversible;
  double h;
} setting;

static const setting settings[] = {
    {&sw_model_chain, "verlet", "error", 0, 0, 1e-3},
    {&sw_model_chain, "midpoint", "drop", 0, 0, 1e-3},
    {&sw_model_chain, "euler-a", "error", 0, 1, 1e-3}, /* whose inverse is another method */
    {&sw_model_spin_chain, "midpoint", "error", 0, 1, 5e-2},
    {&sw_model_spin_chain, "verlet", "min-norm", 1, 0, 5e-2},
};

/* One thread: what it is given, and the state that it ends in. */
typedef struct {
  const setting *of;
  const sw_sim *like; /* NULL: a simulation that shares nothing */
  pthread_barrier_t *made;
  double h;
  sw_status status;
  double *z;
} worker;

static sw_status create(const worker *w, sw_sim **sim)
{
  const sw_size N = {.name = "N", .value = size};
  sw_options options;

  if (w->like)
    return sw_sim_create_like(w->like, sim);
  sw_options_init(&options);
  options.base = w->of->base;
  options.redundant = w->of->redundant;
  options.numerical_fibre = w->of->numerical_fibre;
  options.check_reversible = w->of->check_reversible;
  options.n_sizes = 1;
  options.sizes = &N;
  return sw_sim_create(w->of->model, &options, sim);
}

/* The derivative of a step makes what steps of the chain do without. */
static sw_status differentiate(sw_sim *sim, double h, size_t dim)
{
  double *V = calloc(directions * dim, sizeof *V);
  sw_status status = SW_ERR_MEMORY;

  if (V) {
    V[0] = V[directions * dim - 1] = 1.0;
    status = sw_sim_tangent_times(sim, h, directions, V, V);
  }
  free(V);
  return status;
}

static void *simulate(void *argument)
{
  worker *w = argument;
  sw_sim *sim = NULL;

  w->status = create(w, &sim);
  if (w->made)
    (void)pthread_barrier_wait(w->made);
  if (w->status == SW_OK) {
    const size_t dim = 2 * (size_t)sw_sim_nq(sim);
    w->status = sw_sim_run(sim, w->h, steps, NULL, NULL);
    if (w->status == SW_OK)
      w->status = differentiate(sim, w->h, dim);
    if (w->status == SW_OK)
      w->status = sw_sim_project(sim);
    if (w->status == SW_OK)
      w->status = sw_sim_run(sim, w->h, steps, NULL, NULL);
    w->z = calloc(dim, sizeof *w->z);
    if (w->z)
      memcpy(w->z, sw_sim_state(sim), dim * sizeof *w->z);
  }
  sw_sim_free(&sim);
  return NULL;
}

static void equal_a_run_alone(const worker *w, size_t dim)
{
  worker alone = {.of = w->of, .h = w->h};

  simulate(&alone);
  assert_int_equal(alone.status, SW_OK);
  assert_int_equal(w->status, SW_OK);
  assert_true(w->z && alone.z);
  assert_memory_equal(w->z, alone.z, dim * sizeof *w->z);
  free(alone.z);
}

/* As many threads, each with another step size; what they share with is freed while they run. */
static void agree(const setting *of, int shared)
{
  pthread_barrier_t made;
  pthread_t thread[threads];
  worker w[threads];
  sw_sim *first = NULL;

  assert_int_equal(create(&(worker){.of = of}, &first), SW_OK);
  const size_t dim = 2 * (size_t)sw_sim_nq(first);
  assert_int_equal(pthread_barrier_init(&made, NULL, threads + 1), 0);
  for (int i = 0; i < threads; i++) {
    w[i] = (worker){
        .of = of, .like = shared ? first : NULL, .made = &made, .h = of->h * (1.0 + 0.1 * i)};
    assert_int_equal(pthread_create(&thread[i], NULL, simulate, &w[i]), 0);
  }
  /* Those that share are made while it is in use. */
  assert_int_equal(sw_sim_run(first, of->h, steps, NULL, NULL), SW_OK);
  (void)pthread_barrier_wait(&made);
  sw_sim_free(&first);
  for (int i = 0; i < threads; i++)
    assert_int_equal(pthread_join(thread[i], NULL), 0);
  for (int i = 0; i < threads; i++) {
    equal_a_run_alone(&w[i], dim);
    free(w[i].z);
  }
  assert_int_equal(pthread_barrier_destroy(&made), 0);
}

static void threads_agree_bit_for_bit(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
    agree(&settings[i], 0);
}

static void threads_that_share_agree_bit_for_bit(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
    agree(&settings[i], 1);
}

/* A family of simulations, each made like the one before it, whose oldest are freed first. */
static void they_are_freed_in_any_order(void **state)
{
  const worker of = {.of = &settings[3]};
  sw_sim *sim[threads] = {NULL};

  (void)state;
  assert_int_equal(create(&of, &sim[0]), SW_OK);
  for (int i = 1; i < threads; i++) {
    assert_int_equal(sw_sim_create_like(sim[i - 1], &sim[i]), SW_OK);
    sw_sim_free(&sim[i - 1]);
  }
  assert_int_equal(sw_sim_run(sim[threads - 1], of.of->h, steps, NULL, NULL), SW_OK);
  sw_sim_free(&sim[threads - 1]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_agree_bit_for_bit),
      cmocka_unit_test(threads_that_share_agree_bit_for_bit),
      cmocka_unit_test(they_are_freed_in_any_order),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
