/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_system_sizes.c -- looped models at sizes that can be had and that cannot, the names of their
 * entries, and running out of memory while a system is made.
 *
 * The program's own malloc and its relatives count, and can be told to fail, as in test_alloc.c.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "failing_malloc.h"
#include "loops.h"
#include "near.h"
#include "system/system.h"

static sw_status open_at(const sw_model *model, int n_sizes, const sw_size sizes[],
                         sw_system *system, char message[])
{
  memset(system, 0, sizeof *system);
  system->model = model;
  return sw_looped_open(system, n_sizes, sizes, message);
}

/* Opening fails with that status and a message in which every one of the texts stands. */
static void refuse(const sw_model *model, int n_sizes, const sw_size sizes[], sw_status expected,
                   int n_texts, const char *const texts[])
{
  char message[SW_SYSTEM_MESSAGE] = "";
  sw_system system;

  const sw_status status = open_at(model, n_sizes, sizes, &system, message);
  sw_looped_close(&system);
  assert_null(system.looped);
  assert_int_equal(status, expected);
  for (int i = 0; i < n_texts; i++) {
    if (!strstr(message, texts[i])) {
      fail_msg("'%s' is not in '%s'", texts[i], message);
    }
  }
  /* A message is not needed. */
  assert_int_equal(open_at(model, n_sizes, sizes, &system, NULL), expected);
  sw_looped_close(&system);
}

#define REFUSE(model, n_sizes, sizes, ...)                                                         \
  do {                                                                                             \
    static const char *const texts_[] = {__VA_ARGS__};                                             \
    refuse(model, n_sizes, sizes, SW_ERR_SIZE, (int)(sizeof texts_ / sizeof texts_[0]), texts_);   \
  } while (0)

static void sizes_are_defaults_and_settings(void **state)
{
  static const sw_size sizes[] = {{"M", 7}, {"M", 2}};
  char message[SW_SYSTEM_MESSAGE];
  sw_system system;

  (void)state;
  assert_int_equal(open_at(&sw_fixture_loops_spins, 0, NULL, &system, message), SW_OK);
  assert_int_equal(sw_looped_sizes(&system)[0], 3);
  assert_int_equal(sw_looped_sizes(&system)[1], 4);
  assert_int_equal(system.nq, 14);
  assert_int_equal(system.nc, 9);
  assert_int_equal(system.nk, 4);
  assert_int_equal(system.n_init, 0);
  assert_near(system.k_default[2], 1.5, 0.0);
  sw_looped_close(&system);
  assert_int_equal(open_at(&sw_fixture_loops_spins, 2, sizes, &system, message), SW_OK);
  assert_int_equal(sw_looped_sizes(&system)[0], 3);
  assert_int_equal(sw_looped_sizes(&system)[1], 2);
  assert_int_equal(system.nq, 10);
  assert_int_equal(system.nc, 5);
  sw_looped_close(&system);
}

static void sizes_that_are_no_sizes_are_refused(void **state)
{
  static const sw_size unknown[] = {{"N", 3}, {"n", 3}};
  static const sw_size far[] = {{"temperature", 3}};
  static const sw_size negative[] = {{"N", -1}};
  static const sw_size huge[] = {{"N", 1000000001}};
  static const sw_size largest[] = {{"N", LONG_MAX}};
  static const sw_size smallest[] = {{"N", LONG_MIN}};
  static const sw_size nameless[] = {{NULL, 3}};

  (void)state;
  REFUSE(&sw_fixture_loops_spins, 2, unknown, "unknown size 'n'", "N, M");
  REFUSE(&sw_fixture_loops_spins, 1, far, "unknown size 'temperature'", "known: N, M");
  REFUSE(&sw_fixture_loops_chain, 1, negative, "size N = -1 is negative", "0 to 1000000000");
  REFUSE(&sw_fixture_loops_chain, 1, huge, "size N = 1000000001 is too large");
  REFUSE(&sw_fixture_loops_chain, 1, largest, "is too large");
  REFUSE(&sw_fixture_loops_chain, 1, smallest, "is negative");
  refuse(&sw_fixture_loops_chain, 1, nameless, SW_ERR_ARGUMENT, 0, NULL);
  refuse(&sw_fixture_loops_chain, 1, NULL, SW_ERR_ARGUMENT, 0, NULL);
}

static void sizes_at_which_there_is_no_system_are_refused(void **state)
{
  static const sw_size zero[] = {{"N", 0}};
  static const sw_size one[] = {{"N", 1}};
  static const sw_size large[] = {{"N", 1000000000}};
  static const sw_size no_site[] = {{"N", 0}, {"M", 3}};
  static const sw_size nothing[] = {{"N", 0}, {"M", 0}};

  (void)state;
  REFUSE(&sw_fixture_loops_chain, 1, zero, "nothing to integrate", "N = 0");
  REFUSE(&sw_fixture_loops_chain, 1, one, "parameter a is inf", "N = 1");
  REFUSE(&sw_fixture_loops_chain, 1, large, "coordinate q is too large", "N = 1000000000",
         "3000000000");
  REFUSE(&sw_fixture_loops_spins, 2, no_site, "s[1,1] in hamiltonian", "N = 0, M = 3");
  REFUSE(&sw_fixture_loops_spins, 2, nothing, "nothing to integrate");
}

/* ---- models of which one thing is changed ---- */

static long no_instances(const long n[], long index[])
{
  (void)n;
  (void)index;
  return 0;
}

static long too_many_instances(const long n[], long index[])
{
  (void)n;
  assert_null(index);
  return 1L + INT_MAX / 8;
}

static long no_contributions(const long n[], int row[], int col[])
{
  (void)n;
  (void)row;
  (void)col;
  return 0;
}

static long too_many_contributions(const long n[], int row[], int col[])
{
  (void)n;
  assert_null(row);
  assert_null(col);
  return 1L + INT_MAX;
}

static void ranges_of_nan(const double n[], double first[], double last[])
{
  (void)n;
  for (int i = 0; i < 3; i++) {
    first[i] = 0.0;
    last[i] = NAN;
  }
}

static void wide_ranges(const double n[], double first[], double last[])
{
  (void)n;
  for (int i = 0; i < 3; i++) {
    first[i] = -2147483647.0;
    last[i] = 2147483647.0;
  }
}

static void ranges_backwards(const double n[], double first[], double last[])
{
  sw_fixture_loops_of_chain.ranges(n, first, last);
  last[1] = -7.0;
}

static void changed_models_are_refused(void **state)
{
  static const int cube[] = {1, 1, 1};
  static const sw_array wide[] = {{"w", 3, cube}, {"a", 0, NULL}, {"gravity", 0, NULL}};
  static const sw_size large[] = {{"N", 1000001}};
  const sw_family pairs[] = {{"pair", 2, cube, NULL, SW_FIBRE_SHIFT_P}};
  const sw_family many[] = {{"pair", 2, cube, too_many_instances, SW_FIBRE_SHIFT_P}};
  sw_loops loops = sw_fixture_loops_of_chain;
  sw_model model = sw_fixture_loops_chain;

  (void)state;
  model.loops = &loops;
  loops.parameters = wide;
  REFUSE(&model, 1, large, "parameter w is too large", "N = 1000001");
  loops = sw_fixture_loops_of_chain;
  loops.n_constraints = 1;
  loops.constraints = pairs;
  REFUSE(&model, 1, large, "constraint pair is too large", "1e+12");
  REFUSE(&model, 0, NULL, "16 constraints are too many for 15 degrees of freedom", "N = 5");
  loops.constraints = many;
  REFUSE(&model, 0, NULL, "constraint pair is too large");
  loops = sw_fixture_loops_of_chain;
  loops.ranges = ranges_of_nan;
  REFUSE(&model, 0, NULL, "set node = 0 .. nan is too large");
  loops.ranges = wide_ranges;
  REFUSE(&model, 0, NULL, "set node = -2147483647 .. 2147483647 is too large");
  loops = sw_fixture_loops_of_chain;
  loops.hamiltonian_hess.contributions = too_many_contributions;
  REFUSE(&model, 0, NULL, "the Hessian of H is too large", "2147483648");
  loops = sw_fixture_loops_of_chain;
  loops.constraint_jac.contributions = too_many_contributions;
  REFUSE(&model, 0, NULL, "the Jacobian of the constraints is too large");
  loops = sw_fixture_loops_of_chain;
  loops.constraint_hess.contributions = too_many_contributions;
  REFUSE(&model, 0, NULL, "the Hessian of the constraints is too large");
  loops = sw_fixture_loops_of_spins;
  loops.fibre_flow_z.contributions = too_many_contributions;
  REFUSE(&model, 0, NULL, "the derivative of the fibre flow is too large");
}

/* One contribution, which is written nowhere. */
static long unwritten_contribution(const long n[], int row[], int col[])
{
  (void)n;
  (void)row;
  (void)col;
  return 1;
}

static long contribution_outside(const long n[], int row[], int col[])
{
  (void)n;
  if (row) {
    row[0] = 30;
    col[0] = 0;
  }
  return 1;
}

static long contribution_above(const long n[], int row[], int col[])
{
  (void)n;
  if (row) {
    row[0] = 0;
    col[0] = 1;
  }
  return 1;
}

static void refuse_contributions(const char *text, long (*wrong)(const long n[], int[], int[]),
                                 sw_sized_matrix *matrix, const sw_model *model)
{
  const sw_sized_matrix right = *matrix;

  matrix->contributions = wrong;
  refuse(model, 0, NULL, SW_ERR_ARGUMENT, 1, &text);
  *matrix = right;
}

/* Every contribution has a place in its matrix. */
static void contributions_have_places(void **state)
{
  sw_loops loops = sw_fixture_loops_of_chain;
  sw_model model = sw_fixture_loops_chain;

  (void)state;
  model.loops = &loops;
  refuse_contributions("the Hessian of H has no row -1, column -1", unwritten_contribution,
                       &loops.hamiltonian_hess, &model);
  refuse_contributions("the Jacobian of the constraints has no row -1", unwritten_contribution,
                       &loops.constraint_jac, &model);
  refuse_contributions("the Hessian of the constraints has no row -1", unwritten_contribution,
                       &loops.constraint_hess, &model);
  refuse_contributions("the Hessian of H has no row 30", contribution_outside,
                       &loops.hamiltonian_hess, &model);
  refuse_contributions("the Hessian of the constraints has no row 0, column 1", contribution_above,
                       &loops.constraint_hess, &model);
  loops = sw_fixture_loops_of_spins;
  refuse_contributions("the derivative of the fibre flow has no row -1", unwritten_contribution,
                       &loops.fibre_flow_z, &model);
}

/* Sets may be empty, and filters may select nothing. */
static void families_may_be_empty(void **state)
{
  static const int link[] = {1};
  const sw_family none[] = {{"length", 1, link, no_instances, SW_FIBRE_SHIFT_P}};
  sw_loops loops = sw_fixture_loops_of_chain;
  sw_model model = sw_fixture_loops_chain;
  char message[SW_SYSTEM_MESSAGE];
  sw_system system;
  double out[1];

  (void)state;
  model.loops = &loops;
  loops.n_constraints = 1;
  loops.constraints = loops.observe = none;
  assert_int_equal(open_at(&model, 0, NULL, &system, message), SW_OK);
  assert_int_equal(system.nq, 15);
  assert_int_equal(system.nc, 0);
  assert_int_equal(system.n_observe, 0);
  assert_null(system.constraint);
  assert_null(system.observe);
  assert_int_equal(system.constraint_jac_pattern.rows, 0);
  assert_int_equal(system.constraint_jac_pattern.cols, 30);
  assert_int_equal(system.hamiltonian_hess_pattern.entries, 15);
  const double z[30] = {[29] = 1.0};
  system.hamiltonian(&system, z, system.k_default, out);
  assert_near(out[0], 2.5, 1e-15);
  sw_looped_close(&system);

  loops = sw_fixture_loops_of_chain;
  loops.ranges = ranges_backwards;
  loops.constraint_jac.contributions = no_contributions;
  loops.constraint_hess.contributions = no_contributions;
  assert_int_equal(open_at(&model, 0, NULL, &system, message), SW_OK);
  assert_int_equal(system.nc, 3);
  assert_int_equal(system.nondegeneracy_pattern.entries, 0);
  sw_looped_close(&system);
}

/* ---- names ---- */

static void check_name(const sw_system *system, sw_name_kind kind, int i, const char *expected)
{
  char buffer[SW_NAME_BYTES];

  sw_looped_name(system, kind, i, buffer);
  assert_string_equal(buffer, expected);
}

static void entries_have_names(void **state)
{
  char message[SW_SYSTEM_MESSAGE];
  sw_system system;

  (void)state;
  assert_int_equal(open_at(&sw_fixture_loops_chain, 0, NULL, &system, message), SW_OK);
  check_name(&system, SW_Q, 0, "q.1.x");
  check_name(&system, SW_Q, 14, "q.5.z");
  check_name(&system, SW_P, 4, "p.2.y");
  check_name(&system, SW_K, 0, "m.1");
  check_name(&system, SW_K, 6, "gravity");
  check_name(&system, SW_C, 2, "pin.z");
  check_name(&system, SW_C, 3, "length.1");
  check_name(&system, SW_C, 6, "length.4");
  check_name(&system, SW_OBSERVE, 3, "tension.4");
  check_name(&system, SW_INVARIANT, 0, "energy");
  assert_near(sw_looped_bounds(&system, 4).lower, 0.0, 0.0);
  assert_true(isinf(sw_looped_bounds(&system, 5).lower));
  sw_looped_close(&system);

  assert_int_equal(open_at(&sw_fixture_loops_spins, 0, NULL, &system, message), SW_OK);
  check_name(&system, SW_Q, 5, "s.3.2");
  check_name(&system, SW_Q, 6, "b.1");
  check_name(&system, SW_P, 13, "v.4");
  check_name(&system, SW_C, 2, "track.3");
  check_name(&system, SW_C, 3, "sphere.1");
  /* The filter leaves out the second. */
  check_name(&system, SW_C, 6, "spin.1");
  check_name(&system, SW_C, 7, "spin.3");
  check_name(&system, SW_C, 8, "spin.4");
  sw_looped_close(&system);
}

/* With no beads the first family is empty, and its name is passed over. */
static void empty_families_have_no_names(void **state)
{
  static const sw_size sizes[] = {{"M", 0}};
  char message[SW_SYSTEM_MESSAGE];
  sw_system system;

  (void)state;
  assert_int_equal(open_at(&sw_fixture_loops_spins, 1, sizes, &system, message), SW_OK);
  check_name(&system, SW_C, 0, "sphere.1");
  sw_looped_close(&system);
}

/* ---- memory ---- */

static void check_every_failure(const sw_model *model, long least)
{
  char message[SW_SYSTEM_MESSAGE];
  sw_system system;
  long failures = 0;

  /* What the C library allocates once, it has by now. */
  assert_int_equal(open_at(model, 0, NULL, &system, message), SW_OK);
  sw_looped_close(&system);
  for (long n = 1;; n++) {
    const long kept = allocations - releases;

    message[0] = '\0';
    fail_at = n;
    const sw_status status = open_at(model, 0, NULL, &system, message);
    const int failed = fail_at == 0;
    fail_at = 0;
    sw_looped_close(&system);
    if (!failed) {
      assert_int_equal(status, SW_OK);
      assert_int_equal(allocations - releases, kept);
      break;
    }
    failures++;
    assert_int_equal(status, SW_ERR_MEMORY);
    assert_non_null(strstr(message, "out of memory"));
    assert_int_equal(allocations - releases, kept);
  }
  assert_true(failures >= least);
}

static void every_failure_is_survived(void **state)
{
  (void)state;
  check_every_failure(&sw_fixture_loops_chain, 80);
  check_every_failure(&sw_fixture_loops_spins, 80);
}

static void evaluation_does_not_allocate(void **state)
{
  static double z[2 * 14];
  static double lambda[9];
  static double out[2000];
  char message[SW_SYSTEM_MESSAGE];
  sw_system s;

  (void)state;
  assert_int_equal(open_at(&sw_fixture_loops_spins, 0, NULL, &s, message), SW_OK);
  const long before = allocations;
  s.hidden(&s, z, s.k_default, out);
  s.hidden_scale(&s, z, s.k_default, out);
  s.hidden_jac(&s, z, s.k_default, out);
  s.nondegeneracy(&s, z, s.k_default, out);
  s.coisotropy(&s, z, s.k_default, out);
  s.fibre_flow(&s, z, s.k_default, lambda, out);
  s.fibre_flow_lambda(&s, z, s.k_default, lambda, out);
  s.fibre_flow_z(&s, z, s.k_default, lambda, out);
  assert_int_equal(allocations, before);
  sw_looped_close(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_defaults_and_settings),
      cmocka_unit_test(sizes_that_are_no_sizes_are_refused),
      cmocka_unit_test(sizes_at_which_there_is_no_system_are_refused),
      cmocka_unit_test(changed_models_are_refused),
      cmocka_unit_test(contributions_have_places),
      cmocka_unit_test(families_may_be_empty),
      cmocka_unit_test(entries_have_names),
      cmocka_unit_test(empty_families_have_no_names),
      cmocka_unit_test(every_failure_is_survived),
      cmocka_unit_test(evaluation_does_not_allocate),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
