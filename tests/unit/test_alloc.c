/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_alloc.c -- memory: none is allocated by a step, all is released, and running out of it is a
 * status.
 *
 * The program's own malloc and its relatives count, and can be told to fail.  They see the
 * allocations of SUNDIALS and LAPACK too.  SUNDIALS' set-up does not survive a failing malloc, so
 * in sw_sim_create only the first allocation fails, which is the runtime's only one.
 * sw_model_check is swept.  A sanitizer needs the allocator for itself; then this is skipped.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "fixtures.h"
#include "near.h"
#include "sidewinder/sim.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif
#if !defined(__GLIBC__)
#define SANITIZED 1
#endif

static long allocations; /* since the program started */
static long releases;
static long fail_at; /* the allocation that fails, counted down; 0: none */

#ifndef SANITIZED

/* The GNU C library's own allocator under its other names. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *memory);

static int fails(void)
{
  allocations++;
  if (fail_at == 0 || --fail_at > 0)
    return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size)
{
  return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
  return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
  return fails() ? NULL : __libc_realloc(old, size);
}

void free(void *memory)
{
  releases += memory != NULL;
  __libc_free(memory);
}

#endif

static void need_own_allocator(void)
{
#ifdef SANITIZED
  skip();
#endif
}

static void steps_do_not_allocate(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_spherical,
                                           &sw_fixture_two, &sw_fixture_free};

  (void)state;
  need_own_allocator();
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
    for (const char *const *base = sw_base_names(); *base; base++) {
      sw_options options;
      sw_sim *sim = NULL;
      const double z[6] = {0.5, 0.5, 0.5, 0.1, 0.2, 0.3};

      sw_options_init(&options);
      options.base = *base;
      const long before_create = allocations;
      assert_int_equal(sw_sim_create(models[i], &options, &sim), SW_OK);
      assert_true(allocations > before_create);

      const long before = allocations;
      const sw_status run = sw_sim_run(sim, 0.1, 20, NULL, NULL);
      const sw_status huge = sw_sim_step(sim, 1e6);
      const sw_status refused = sw_sim_step(sim, 0.0);
      const sw_status set = sw_sim_set_state(sim, 0.0, z);
      const sw_status project = sw_sim_project(sim);
      const long after = allocations;

      assert_int_equal(after, before);
      assert_int_equal(run, SW_OK);
      assert_int_equal(huge == SW_OK, models[i]->nc == 0);
      assert_int_equal(refused, SW_ERR_ARGUMENT);
      assert_int_equal(set, SW_OK);
      assert_int_equal(project, SW_OK);
      sw_sim_free(&sim);
    }
}

static void everything_is_released(void **state)
{
  sw_sim *sim = NULL;
  long kept;

  (void)state;
  need_own_allocator();
  kept = allocations - releases;
  assert_int_equal(sw_sim_create(&sw_fixture_spherical, NULL, &sim), SW_OK);
  assert_true(allocations - releases > kept);
  sw_sim_free(&sim);
  assert_int_equal(allocations - releases, kept);
}

static void creation_without_memory_is_refused(void **state)
{
  sw_sim *sim = NULL;

  (void)state;
  need_own_allocator();
  const long before = allocations;
  fail_at = 1;
  const sw_status status = sw_sim_create(&sw_fixture_two, NULL, &sim);
  fail_at = 0;
  const long made = allocations - before;

  assert_int_equal(status, SW_ERR_MEMORY);
  assert_null(sim);
  assert_int_equal(made, 1);
}

/* Models whose memory cannot be had, or cannot even be counted. */
static void huge_models_are_refused(void **state)
{
  static const int sizes[] = {1 << 22, INT_MAX / 8, INT_MAX};
  sw_options options;

  (void)state;
  need_own_allocator();
  sw_options_init(&options);
  options.base = "midpoint";
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    sw_model model = sw_fixture_free;
    sw_sim *sim = NULL;

    model.nq = sizes[i];
    model.n_init = 0;
    model.hamiltonian_hess_pattern =
        (sw_pattern){(int)(2u * (unsigned)sizes[i]), (int)(2u * (unsigned)sizes[i]), 0, NULL, NULL};
    assert_int_equal(sw_sim_create(&model, &options, &sim), SW_ERR_MEMORY);
    assert_null(sim);
  }
}

static void check_survives_every_failure(void **state)
{
  double z[6];
  sw_check check;
  long failures = 0;

  (void)state;
  need_own_allocator();
  sw_fixture_two.init[0].state(sw_fixture_two.k_default, z);
  assert_int_equal(sw_model_check(&sw_fixture_two, NULL, z, &check), SW_OK);
  for (long n = 1;; n++) {
    const long kept = allocations - releases;

    fail_at = n;
    const sw_status status = sw_model_check(&sw_fixture_two, NULL, z, &check);
    const int failed = fail_at == 0;
    fail_at = 0;
    if (!failed) {
      assert_int_equal(status, SW_OK);
      break;
    }
    failures++;
    assert_int_equal(status, SW_ERR_MEMORY);
    /* The allocation that failed was counted, and there was nothing to release. */
    assert_int_equal(allocations - releases, kept + 1);
  }
  assert_int_equal(failures, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_do_not_allocate),
      cmocka_unit_test(everything_is_released),
      cmocka_unit_test(creation_without_memory_is_refused),
      cmocka_unit_test(huge_models_are_refused),
      cmocka_unit_test(check_survives_every_failure),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
