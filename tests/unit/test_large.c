/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_large.c -- what a step costs does not grow faster than the model: Newton iterations do not
 * depend on the number of nodes, and memory is proportional to it.
 *
 * Each run is a process of its own, so that its largest resident size can be asked for.
 *
 * Memory, counted for the chain, per node (3 degrees of freedom, 1 constraint): some 40 arrays of
 * 2d or d values of a simulation, about 1.2 kB; Hess H, Dg, Drho, N, the fibre flow and the lists
 * of their contributions and products, some 60 entries of 8 to 24 bytes, about 1 kB; the factors of
 * three tridiagonal matrices.  3.3 kB are measured; 5 kB per node are allowed.  The spin chain (2,
 * 1) solves for 4 stage values as well, 5 unknowns with some 40 entries of J, in KLU's index lists
 * and factors once more, and for a block of dense columns in 15 colours: 5.2 kB are measured, 8 kB
 * allowed.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chain.h"
#include "near.h"
#include "sanitized.h"
#include "sidewinder/sim.h"
#include "spin_chain.h"

enum { steps = 10 };

/* What a run of `steps` steps is like. */
typedef struct {
  sw_status status;
  double iterations; /* of Newton's method, per solve */
  double residual;   /* largest scaled residual of a solve */
  double bytes;      /* largest resident size */
} cost;

static cost run(const sw_model *model, long N, double h)
{
  const sw_size size = {.name = "N", .value = N};
  sw_options options;
  sw_sim *sim = NULL;
  cost result = {SW_OK, NAN, NAN, NAN};

  sw_options_init(&options);
  options.base = model->run.base;
  options.n_sizes = 1;
  options.sizes = &size;
  result.status = sw_sim_create(model, &options, &sim);
  if (result.status == SW_OK) {
    result.status = sw_sim_run(sim, h, steps, NULL, NULL);
  }
  if (result.status == SW_OK) {
    const sw_stats stats = sw_sim_stats(sim);
    result.iterations = (double)stats.newton_iterations / (double)stats.solves;
    result.residual = stats.residual_solve;
  }
  sw_sim_free(&sim);
  return result;
}

/* The same in a process of its own. */
static cost measure(const sw_model *model, long N, double h)
{
  cost result = {SW_ERR_MEMORY, NAN, NAN, NAN};
  struct rusage usage;
  int ends[2];
  int status = 0;

  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    result = run(model, N, h);
    _exit(write(ends[1], &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
  }
  close(ends[1]);
  assert_int_equal(read(ends[0], &result, sizeof result), sizeof result);
  close(ends[0]);
  assert_int_equal(wait4(child, &status, 0, &usage), child);
  assert_int_equal(status, 0);
  assert_int_equal(result.status, SW_OK);
  assert_below(result.residual, 1e-12);
  result.bytes = 1024.0 * (double)usage.ru_maxrss;
  return result;
}

/* A hundred nodes, a fifth of a large number and the large number; h gives the step.  Sanitizers
 * take memory of their own and ten times as long: with them only iterations are counted, of fewer
 * nodes. */
static void check(const sw_model *model, long most, double (*h)(long N), double most_iterations,
                  double bytes_per_node)
{
  const long large = SANITIZED ? most / 10 : most;
  const cost small = measure(model, 100, h(100));
  const cost fifth = measure(model, large / 5, h(large / 5));
  const cost whole = measure(model, large, h(large));

  assert_true(small.iterations >= 1.0 && small.iterations <= most_iterations);
  assert_below(fabs(fifth.iterations - small.iterations), 1.0);
  assert_below(fabs(whole.iterations - small.iterations), 1.0);
  if (!SANITIZED) {
    /* What a process takes without a model is in `small`. */
    assert_below(whole.bytes - small.bytes, bytes_per_node * (double)large);
    assert_below((whole.bytes - small.bytes) / (fifth.bytes - small.bytes), 5.5);
  }
}

/* The links are as long as 1/(N-1): with a step in proportion a link turns as far. */
static double step_of_chain(long N)
{
  return 0.2 / (double)N;
}

static void chain_is_linear(void **state)
{
  (void)state;
  check(&sw_model_chain, 100000, step_of_chain, 3.0, 5e3);
}

/* The spins move as fast in a chain of any length. */
static double step_of_spins(long N)
{
  (void)N;
  return 0.05;
}

static void spin_chain_is_linear(void **state)
{
  (void)state;
  check(&sw_model_spin_chain, 20000, step_of_spins, 6.0, 8e3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain_is_linear),
      cmocka_unit_test(spin_chain_is_linear),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
