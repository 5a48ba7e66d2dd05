/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_fork.c -- the threads of a team stay with the process that started them: a forked child does
 * their work alone, frees what it has of them, and starts threads of its own.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "chain.h"
#include "common/team.h"
#include "pendulum.h"
#include "sidewinder/ensemble.h"

enum { COUNT = 100, THREADS = 3, PIECES = 1000, SIZE = 20000, SECONDS = 10 };

/* Whether a child that calls the function ends well before a signal ends it. */
static int good_in_child(int (*function)(void *), void *argument)
{
  int status = 0;
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    alarm(SECONDS);
    _exit(function(argument) ? 0 : 1);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- a team ---- */

static void count_piece(void *context, long piece, int worker)
{
  (void)worker;
  atomic_fetch_add((atomic_long *)context, piece + 1);
}

static int does_all_pieces(sw_team *team)
{
  atomic_long sum = 0;
  sw_team_run(team, count_piece, &sum, PIECES);
  return sum == (long)PIECES * (PIECES + 1) / 2;
}

static int nothing(void *argument)
{
  (void)argument;
  return 1;
}

static int work_in_child_and_grandchild(void *argument)
{
  sw_team *team = argument;
  sw_team *own = NULL;
  int good = does_all_pieces(team) && sw_team_create(THREADS, &own) == SW_OK;
  good = good && does_all_pieces(own) && good_in_child(nothing, NULL) && does_all_pieces(own);
  sw_team_free(&own);
  sw_team_free(&team);
  return good && team == NULL;
}

static void a_team_in_a_child(void **state)
{
  sw_team *team = NULL;
  (void)state;
  assert_int_equal(sw_team_create(THREADS, &team), SW_OK);
  assert_true(does_all_pieces(team));
  for (int i = 0; i < 20; i++) {
    assert_true(does_all_pieces(team)); /* after which its threads may hold the lock for a moment */
    assert_true(good_in_child(work_in_child_and_grandchild, team));
  }
  assert_true(does_all_pieces(team));
  sw_team_free(&team);
}

/* ---- an ensemble, and a simulation with threads ---- */

typedef struct {
  sw_ensemble *ensemble;
  double z[COUNT][4];
} ensemble_case;

static sw_ensemble *make_ensemble(void)
{
  sw_ensemble_options options;
  sw_sim *like = NULL;
  sw_ensemble *made = NULL;
  sw_ensemble_options_init(&options);
  options.count = COUNT;
  options.threads = THREADS;
  assert_int_equal(sw_sim_create(&sw_model_pendulum, NULL, &like), SW_OK);
  assert_int_equal(sw_ensemble_create(like, &options, &made), SW_OK);
  for (long i = 0; i < COUNT; i++) {
    const double z[4] = {0.0, -1.0, 0.01 * (double)i, 0.0};
    assert_int_equal(sw_ensemble_set_state(made, i, 0.0, z), SW_OK);
  }
  sw_sim_free(&like);
  return made;
}

static int goes_on(void *argument)
{
  ensemble_case *c = argument;
  int good = sw_ensemble_advance(c->ensemble, 0.1, 20) == SW_OK;
  for (long i = 0; i < COUNT; i++) {
    good = good && memcmp(sw_ensemble_state(c->ensemble, i), c->z[i], sizeof c->z[i]) == 0;
  }
  sw_ensemble_free(&c->ensemble);
  return good && c->ensemble == NULL;
}

static void an_ensemble_in_a_child(void **state)
{
  ensemble_case c = {.ensemble = make_ensemble()};
  (void)state;
  assert_int_equal(sw_ensemble_advance(c.ensemble, 0.1, 30), SW_OK);
  for (long i = 0; i < COUNT; i++)
    memcpy(c.z[i], sw_ensemble_state(c.ensemble, i), sizeof c.z[i]);
  sw_ensemble_free(&c.ensemble);

  c.ensemble = make_ensemble();
  assert_int_equal(sw_ensemble_advance(c.ensemble, 0.1, 10), SW_OK);
  assert_true(good_in_child(goes_on, &c));
  assert_true(goes_on(&c));
}

typedef struct {
  sw_sim *sim;
  double *z;
  size_t bytes;
} chain_case;

static sw_sim *make_chain(void)
{
  const sw_size N = {.name = "N", .value = SIZE};
  sw_options options;
  sw_sim *made = NULL;
  sw_options_init(&options);
  options.method = "rattle";
  options.base = "verlet";
  options.n_sizes = 1;
  options.sizes = &N;
  options.threads = THREADS;
  assert_int_equal(sw_sim_create(&sw_model_chain, &options, &made), SW_OK);
  double *z = malloc(2 * (size_t)sw_sim_nq(made) * sizeof *z);
  assert_non_null(z);
  sw_sim_init_state(made, 0, z);
  assert_int_equal(sw_sim_set_state(made, 0.0, z), SW_OK);
  free(z);
  return made;
}

static int takes_a_step(void *argument)
{
  chain_case *c = argument;
  const int good =
      sw_sim_step(c->sim, 1e-6) == SW_OK && memcmp(sw_sim_state(c->sim), c->z, c->bytes) == 0;
  sw_sim_free(&c->sim);
  return good && c->sim == NULL;
}

static void a_simulation_in_a_child(void **state)
{
  chain_case c = {.sim = make_chain()};
  (void)state;
  c.bytes = 2 * (size_t)sw_sim_nq(c.sim) * sizeof *c.z;
  c.z = malloc(c.bytes);
  assert_non_null(c.z);
  assert_int_equal(sw_sim_run(c.sim, 1e-6, 3, NULL, NULL), SW_OK);
  memcpy(c.z, sw_sim_state(c.sim), c.bytes);
  sw_sim_free(&c.sim);

  c.sim = make_chain();
  assert_int_equal(sw_sim_run(c.sim, 1e-6, 2, NULL, NULL), SW_OK);
  assert_true(good_in_child(takes_a_step, &c));
  assert_true(takes_a_step(&c));
  free(c.z);
}

/* ---- a fork while another thread has the team work ---- */

typedef struct {
  sw_ensemble *ensemble;
  atomic_int ends;
} busy_case;

static void *keep_busy(void *argument)
{
  busy_case *c = argument;
  while (!atomic_load(&c->ends))
    (void)sw_ensemble_advance(c->ensemble, 0.1, 5);
  return NULL;
}

static int only_frees(void *argument)
{
  busy_case *c = argument;
  sw_ensemble_free(&c->ensemble);
  return 1;
}

static void a_busy_ensemble_is_freed_in_a_child(void **state)
{
  busy_case c = {.ensemble = make_ensemble()};
  pthread_t other;
  (void)state;
  assert_int_equal(pthread_create(&other, NULL, keep_busy, &c), 0);
  for (int i = 0; i < 20; i++)
    assert_true(good_in_child(only_frees, &c));
  atomic_store(&c.ends, 1);
  pthread_join(other, NULL);
  sw_ensemble_free(&c.ensemble);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_team_in_a_child),
      cmocka_unit_test(an_ensemble_in_a_child),
      cmocka_unit_test(a_simulation_in_a_child),
      cmocka_unit_test(a_busy_ensemble_is_freed_in_a_child),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
