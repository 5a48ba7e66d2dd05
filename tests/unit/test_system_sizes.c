/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_system_sizes.c -- looped models at sizes that are possible and at others, the names of their
 * entries, and running out of memory while a system is made.
 *
 * The program's own malloc and its relatives count, and can be told to fail, as in test_alloc.c.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "failing_malloc.h"
#include "loops.h"
#include "model/system.h"
#include "near.h"

/* Opening fails with that status and a message in which every one of the texts stands. */
static void refuse(const sw_model *model, int n_sizes, const sw_size sizes[], sw_status expected,
                   int n_texts, const char *const texts[])
{
  char message[SW_SYSTEM_MESSAGE] = "";
  sw_system *system = NULL;

  const sw_status status = sw_system_create(model, n_sizes, sizes, &system, message);
  assert_null(system);
  assert_int_equal(status, expected);
  for (int i = 0; i < n_texts; i++) {
    if (!strstr(message, texts[i])) {
      fail_msg("'%s' is not in '%s'", texts[i], message);
    }
  }
  /* A message is not needed. */
  assert_int_equal(sw_system_create(model, n_sizes, sizes, &system, NULL), expected);
  sw_system_free(&system);
}

#define REFUSE(model, n_sizes, sizes, ...)                                                         \
  do {                                                                                             \
    static const char *const texts_[] = {__VA_ARGS__};                                             \
    refuse(model, n_sizes, sizes, SW_ERR_SIZE, (int)(sizeof texts_ / sizeof texts_[0]), texts_);   \
  } while (0)

static void sizes_are_defaults_and_settings(void **state)
{
  static const sw_size sizes[] = {{.name = "M", .value = 7}, {.name = "M", .value = 2}};
  char message[SW_SYSTEM_MESSAGE];
  sw_system *system = NULL;

  (void)state;
  assert_int_equal(sw_system_create(&sw_fixture_loops_spins, 0, NULL, &system, message), SW_OK);
  assert_int_equal(sw_system_sizes(system)[0], 3);
  assert_int_equal(sw_system_sizes(system)[1], 4);
  assert_int_equal(system->nq, 14);
  assert_int_equal(system->nc, 9);
  assert_int_equal(system->nk, 4);
  assert_int_equal(system->n_init, 0);
  assert_near(system->k_default[2], 1.5, 0.0);
  sw_system_free(&system);
  assert_int_equal(sw_system_create(&sw_fixture_loops_spins, 2, sizes, &system, message), SW_OK);
  assert_int_equal(sw_system_sizes(system)[0], 3);
  assert_int_equal(sw_system_sizes(system)[1], 2);
  assert_int_equal(system->nq, 10);
  assert_int_equal(system->nc, 5);
  sw_system_free(&system);
}

static void sizes_that_are_no_sizes_are_refused(void **state)
{
  static const sw_size unknown[] = {{.name = "N", .value = 3}, {.name = "n", .value = 3}};
  static const sw_size far[] = {{.name = "temperature", .value = 3}};
  static const sw_size negative[] = {{.name = "N", .value = -1}};
  static const sw_size huge[] = {{.name = "N", .value = 1000000001}};
  static const sw_size largest[] = {{.name = "N", .value = LONG_MAX}};
  static const sw_size smallest[] = {{.name = "N", .value = LONG_MIN}};
  static const sw_size nameless[] = {{.name = NULL, .value = 3}};

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
  static const sw_size zero[] = {{.name = "N", .value = 0}};
  static const sw_size one[] = {{.name = "N", .value = 1}};
  static const sw_size large[] = {{.name = "N", .value = 1000000000}};
  static const sw_size no_site[] = {{.name = "N", .value = 0}, {.name = "M", .value = 3}};
  static const sw_size nothing[] = {{.name = "N", .value = 0}, {.name = "M", .value = 0}};

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
  sw_fixture_loops_chain.ranges(n, first, last);
  last[1] = -7.0;
}

static void changed_models_are_refused(void **state)
{
  static const int cube[] = {1, 1, 1};
  static const sw_array wide[] = {{"w", 3, cube}, {"a", 0, NULL}, {"gravity", 0, NULL}};
  static const sw_size large[] = {{.name = "N", .value = 1000001}};
  const sw_family pairs[] = {{"pair", 2, cube, NULL, SW_FIBRE_SHIFT_P}};
  const sw_family many[] = {{"pair", 2, cube, too_many_instances, SW_FIBRE_SHIFT_P}};
  sw_model model = sw_fixture_loops_chain;

  (void)state;
  model.parameters = wide;
  REFUSE(&model, 1, large, "parameter w is too large", "N = 1000001");
  model = sw_fixture_loops_chain;
  model.n_constraints = 1;
  model.constraints = pairs;
  REFUSE(&model, 1, large, "constraint pair is too large", "1e+12");
  model.constraints = many;
  REFUSE(&model, 0, NULL, "constraint pair is too large");
  model = sw_fixture_loops_chain;
  model.ranges = ranges_of_nan;
  REFUSE(&model, 0, NULL, "set node = 0 .. nan is too large");
  model.ranges = wide_ranges;
  REFUSE(&model, 0, NULL, "set node = -2147483647 .. 2147483647 is too large");
  model = sw_fixture_loops_chain;
  model.hamiltonian_hess.places.list = too_many_contributions;
  REFUSE(&model, 0, NULL, "the Hessian of H is too large", "2147483648");
  model = sw_fixture_loops_chain;
  model.constraint_jac.places.list = too_many_contributions;
  REFUSE(&model, 0, NULL, "the Jacobian of the constraints is too large");
  model = sw_fixture_loops_chain;
  model.constraint_hess.places.list = too_many_contributions;
  REFUSE(&model, 0, NULL, "the Hessian of the constraints is too large");
  model = sw_fixture_loops_spins;
  model.family_flow_z.places.list = too_many_contributions;
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

static void refuse_places(const char *text, long (*wrong)(const long n[], int[], int[]),
                          sw_places *places, const sw_model *model)
{
  const sw_places right = *places;

  places->list = wrong;
  refuse(model, 0, NULL, SW_ERR_ARGUMENT, 1, &text);
  *places = right;
}

/* Every value has a place in its matrix. */
static void values_have_places(void **state)
{
  sw_model model = sw_fixture_loops_chain;

  (void)state;
  refuse_places("the Hessian of H has an entry at (-1, -1)", unwritten_contribution,
                &model.hamiltonian_hess.places, &model);
  refuse_places("the Jacobian of the constraints has an entry at (-1, -1)", unwritten_contribution,
                &model.constraint_jac.places, &model);
  refuse_places("the Hessian of the constraints has an entry at (-1, -1)", unwritten_contribution,
                &model.constraint_hess.places, &model);
  refuse_places("the Hessian of H has an entry at (30, 0)", contribution_outside,
                &model.hamiltonian_hess.places, &model);
  refuse_places("the Hessian of the constraints has an entry at (0, 1)", contribution_above,
                &model.constraint_hess.places, &model);
  model = sw_fixture_loops_spins;
  refuse_places("the derivative of the fibre flow has an entry at (-1, -1)", unwritten_contribution,
                &model.family_flow_z.places, &model);
}

/* Sets may be empty, and filters may select nothing. */
static void families_may_be_empty(void **state)
{
  static const int link[] = {1};
  const sw_family none[] = {{"length", 1, link, no_instances, SW_FIBRE_SHIFT_P}};
  sw_model model = sw_fixture_loops_chain;
  char message[SW_SYSTEM_MESSAGE];
  sw_system *system = NULL;
  double out[1];

  (void)state;
  model.n_constraints = 1;
  model.constraints = model.observables = none;
  assert_int_equal(sw_system_create(&model, 0, NULL, &system, message), SW_OK);
  assert_int_equal(system->nq, 15);
  assert_int_equal(system->nc, 0);
  assert_int_equal(system->n_observe, 0);
  assert_null(system->constraint);
  assert_null(system->observe);
  assert_int_equal(system->constraint_jac_pattern.rows, 0);
  assert_int_equal(system->constraint_jac_pattern.cols, 30);
  assert_int_equal(system->hamiltonian_hess_pattern.entries, 15);
  const double z[30] = {[29] = 1.0};
  system->hamiltonian(system, z, system->k_default, out);
  assert_near(out[0], 2.5, 1e-15);
  sw_system_free(&system);

  model = sw_fixture_loops_chain;
  model.ranges = ranges_backwards;
  model.constraint_jac.places.list = no_contributions;
  model.constraint_hess.places.list = no_contributions;
  assert_int_equal(sw_system_create(&model, 0, NULL, &system, message), SW_OK);
  assert_int_equal(system->nc, 3);
  assert_int_equal(system->nondegeneracy_pattern.entries, 0);
  sw_system_free(&system);
}

/* ---- names ---- */

static void check_name(const sw_system *system, sw_name_kind kind, int i, const char *expected)
{
  char buffer[SW_NAME_BYTES];

  sw_system_name(system, kind, i, buffer);
  assert_string_equal(buffer, expected);
}

static void entries_have_names(void **state)
{
  char message[SW_SYSTEM_MESSAGE];
  sw_system *system = NULL;

  (void)state;
  assert_int_equal(sw_system_create(&sw_fixture_loops_chain, 0, NULL, &system, message), SW_OK);
  check_name(system, SW_Q, 0, "q.1.x");
  check_name(system, SW_Q, 14, "q.5.z");
  check_name(system, SW_P, 4, "p.2.y");
  check_name(system, SW_K, 0, "m.1");
  check_name(system, SW_K, 6, "gravity");
  check_name(system, SW_C, 2, "pin.z");
  check_name(system, SW_C, 3, "length.1");
  check_name(system, SW_C, 6, "length.4");
  check_name(system, SW_OBSERVE, 3, "tension.4");
  check_name(system, SW_INVARIANT, 0, "energy");
  assert_near(sw_system_bounds(system, 4).lower, 0.0, 0.0);
  assert_true(isinf(sw_system_bounds(system, 5).lower));
  sw_system_free(&system);

  assert_int_equal(sw_system_create(&sw_fixture_loops_spins, 0, NULL, &system, message), SW_OK);
  check_name(system, SW_Q, 5, "s.3.2");
  check_name(system, SW_Q, 6, "b.1");
  check_name(system, SW_P, 13, "v.4");
  check_name(system, SW_C, 2, "track.3");
  check_name(system, SW_C, 3, "sphere.1");
  /* The filter leaves out the second. */
  check_name(system, SW_C, 6, "spin.1");
  check_name(system, SW_C, 7, "spin.3");
  check_name(system, SW_C, 8, "spin.4");
  sw_system_free(&system);
}

/* With no beads the first family is empty, and its name is passed over. */
static void empty_families_have_no_names(void **state)
{
  static const sw_size sizes[] = {{.name = "M", .value = 0}};
  char message[SW_SYSTEM_MESSAGE];
  sw_system *system = NULL;

  (void)state;
  assert_int_equal(sw_system_create(&sw_fixture_loops_spins, 1, sizes, &system, message), SW_OK);
  check_name(system, SW_C, 0, "sphere.1");
  sw_system_free(&system);
}

/* ---- memory ---- */

static void check_every_failure(const sw_model *model, long least)
{
  char message[SW_SYSTEM_MESSAGE];
  sw_system *system = NULL;
  long failures = 0;

  /* What the C library allocates once, it has by now. */
  assert_int_equal(sw_system_create(model, 0, NULL, &system, message), SW_OK);
  sw_system_free(&system);
  for (long n = 1;; n++) {
    const long kept = allocations - releases;

    message[0] = '\0';
    fail_at = n;
    const sw_status status = sw_system_create(model, 0, NULL, &system, message);
    const int failed = fail_at == 0;
    fail_at = 0;
    sw_system_free(&system);
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
  sw_system *s = NULL;

  (void)state;
  assert_int_equal(sw_system_create(&sw_fixture_loops_spins, 0, NULL, &s, message), SW_OK);
  const long before = allocations;
  s->hidden(s, z, s->k_default, out);
  s->hidden_scale(s, z, s->k_default, out);
  s->hidden_jac(s, z, s->k_default, out);
  s->nondegeneracy(s, z, s->k_default, out);
  s->coisotropy(s, z, s->k_default, out);
  s->fibre_flow(s, z, s->k_default, lambda, out);
  s->fibre_flow_lambda(s, z, s->k_default, lambda, out);
  s->fibre_flow_z(s, z, s->k_default, lambda, out);
  assert_int_equal(allocations, before);
  sw_system_free(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_defaults_and_settings),
      cmocka_unit_test(sizes_that_are_no_sizes_are_refused),
      cmocka_unit_test(sizes_at_which_there_is_no_system_are_refused),
      cmocka_unit_test(changed_models_are_refused),
      cmocka_unit_test(values_have_places),
      cmocka_unit_test(families_may_be_empty),
      cmocka_unit_test(entries_have_names),
      cmocka_unit_test(empty_families_have_no_names),
      cmocka_unit_test(every_failure_is_survived),
      cmocka_unit_test(evaluation_does_not_allocate),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
