/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_indices.c -- models whose sets and arrays of indices are data: what is refused, in which
 * words, and that such a model is the one that has the same graph written in loops.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/step_check.h"
#include "failing_malloc.h"
#include "loops.h"
#include "model/system.h"
#include "near.h"
#include "sidewinder/sim.h"
#include "sim/sim_internal.h"

enum { LINKS = 4, NODES = LINKS + 1 };

static const sw_model *const bonds = &sw_fixture_loops_bonds;

static const long from[LINKS] = {1, 2, 3, 4};
static const long to[LINKS] = {2, 3, 4, 5};
static const long kinds[NODES] = {0, 0, 1, 0, 1};

#define ARRAY(array, values)                                                                       \
  {                                                                                                \
    .name = (array), .value = (long)(sizeof(values) / sizeof *(values)), .indices = (values)       \
  }
#define SIZE(size, number)                                                                         \
  {                                                                                                \
    .name = (size), .value = (number)                                                              \
  }
#define PATH ARRAY("a", from), ARRAY("b", to), ARRAY("kind", kinds)

static void refuse(int n, const sw_size sizes[], const char *expected)
{
  char message[SW_SYSTEM_MESSAGE] = "";
  sw_system *system = NULL;

  assert_int_equal(sw_system_create(bonds, n, sizes, &system, message), SW_ERR_SIZE);
  assert_null(system);
  assert_string_equal(message, expected);
}

#define REFUSE(expected, ...)                                                                      \
  do {                                                                                             \
    const sw_size sizes_[] = {__VA_ARGS__};                                                        \
    refuse((int)(sizeof sizes_ / sizeof *sizes_), sizes_, expected);                               \
  } while (0)

static void what_is_missing_is_said(void **state)
{
  (void)state;
  refuse(0, NULL,
         "the number of elements of 'atom' comes from data: give it with --data FILE, or n_atom "
         "and its "
         "arrays in sw_options.sizes");
  REFUSE("the number of elements of 'bond' comes from data: give it with --data FILE, or n_bond "
         "and its "
         "arrays in sw_options.sizes",
         SIZE("n_atom", 5));
  REFUSE("the array of indices 'b' comes from data: give its 4 values with --data FILE, or in "
         "sw_options.sizes",
         ARRAY("a", from), ARRAY("kind", kinds));
}

static void a_wrong_entry_is_said(void **state)
{
  static const long far[LINKS] = {1, 2, 6, 4};
  static const long early[LINKS] = {1, 2, 3, 0};
  static const long no_kind[NODES] = {0, 0, 2, 0, 1};

  (void)state;
  REFUSE("a[3] = 6 is not in atom = 1 .. 5", PATH, ARRAY("a", far));
  REFUSE("b[4] = 0 is not in atom = 1 .. 5", PATH, ARRAY("b", early));
  REFUSE("kind[3] = 2 is not in species = {C, H}, which are 0 .. 1", PATH, ARRAY("kind", no_kind));
}

static void other_things_are_refused(void **state)
{
  static const long three[3] = {1, 2, 3};

  (void)state;
  REFUSE("'b' has 3 entries, and not 4, one for each element of bond", PATH, ARRAY("b", three));
  REFUSE("'a' has 4 entries, and not 7, one for each element of bond", PATH, SIZE("n_bond", 7));
  REFUSE("'n_bond' is a size, one number, and no array", PATH, ARRAY("n_bond", three));
  REFUSE("'a' is an array of indices, and no size: give it with --data FILE, or its values in "
         "sw_options.sizes",
         PATH, SIZE("a", 4));
  REFUSE("unknown size 'kinds'; did you mean 'kind'? known: n_atom, n_bond, a, b, kind", PATH,
         ARRAY("kinds", kinds));
  REFUSE("size n_atom = -1 is negative; give one from 0 to 1000000000", PATH, SIZE("n_atom", -1));
  REFUSE("a[1] = 1 is not in atom, which has no elements", ARRAY("a", from), ARRAY("b", to),
         SIZE("n_atom", 0));
}

/* Indices of a model that says nonsense of them are not looked at. */
static void a_wrong_model_is_refused(void **state)
{
  static const sw_index_array no_set[] = {{"a", 4, 0}, {"b", 1, 0}, {"kind", 0, 3}};
  static const sw_index_array no_target[] = {{"a", 1, 0}, {"b", 1, -1}, {"kind", 0, 3}};
  const sw_size sizes[] = {PATH};
  sw_model model = *bonds;
  sw_system *system = NULL;

  (void)state;
  model.indices = no_set;
  assert_int_equal(sw_system_create(&model, 3, sizes, &system, NULL), SW_ERR_ARGUMENT);
  model.indices = no_target;
  assert_int_equal(sw_system_create(&model, 3, sizes, &system, NULL), SW_ERR_ARGUMENT);
  model.indices = NULL;
  assert_int_equal(sw_system_create(&model, 3, sizes, &system, NULL), SW_ERR_ARGUMENT);
}

static void the_functions_get_sizes_and_arrays(void **state)
{
  const sw_size sizes[] = {PATH};
  sw_system *system = NULL;
  sw_system *again = NULL;

  (void)state;
  assert_int_equal(sw_system_create(bonds, 3, sizes, &system, NULL), SW_OK);
  const long expected[] = {5, 4, 1, 2, 3, 4, 2, 3, 4, 5, 0, 0, 1, 0, 1};
  assert_memory_equal(sw_system_sizes(system), expected, sizeof expected);
  sw_size *given = sw_sizes_given(bonds, expected);
  assert_int_equal(sw_system_create(bonds, 5, given, &again, NULL), SW_OK);
  assert_memory_equal(sw_system_sizes(again), expected, sizeof expected);
  assert_true(sw_system_indices_digest(system) == sw_system_indices_digest(again));
  free(given);
  sw_system_free(&again);
  const long other[NODES] = {0, 0, 1, 1, 0};
  const sw_size changed[] = {PATH, ARRAY("kind", other)};
  assert_int_equal(sw_system_create(bonds, 4, changed, &again, NULL), SW_OK);
  assert_true(sw_system_indices_digest(system) != sw_system_indices_digest(again));
  sw_system_free(&again);
  sw_system_free(&system);
}

static void memory_may_be_short(void **state)
{
  const sw_size sizes[] = {PATH};
  const long before = allocations - releases;
  sw_system *system = NULL;
  sw_status status = SW_ERR_MEMORY;
  long at = 0;

  (void)state;
  while (status == SW_ERR_MEMORY) {
    fail_at = ++at;
    status = sw_system_create(bonds, 3, sizes, &system, NULL);
    fail_at = 0;
    assert_int_equal(allocations - releases == before, status != SW_OK);
  }
  assert_int_equal(status, SW_OK);
  assert_true(at > 10);
  sw_system_free(&system);
  assert_int_equal(allocations - releases, before);
}

/* What is proved for the model's own defaults is not proved for others that take their place. */
static void defaults_of_data_are_not_those_that_were_proved(void **state)
{
  sw_system *system = NULL;
  double k[7];

  (void)state;
  assert_int_equal(sw_system_create(&sw_fixture_loops_chain, 0, NULL, &system, NULL), SW_OK);
  memcpy(k, system->k_default, sizeof k);
  sw_system_set_defaults(system, k);
  assert_true(sw_covered(system, system->k_default, SW_PROVED_BY_DEFAULT));
  k[2] *= 2.0;
  sw_system_set_defaults(system, k);
  assert_memory_equal(system->k_default, k, sizeof k);
  assert_false(sw_covered(system, system->k_default, SW_PROVED_BY_DEFAULT));
  assert_true(sw_covered(system, system->k_default, SW_PROVED));
  sw_system_free(&system);
}

/* ---- steps ---- */

static sw_sim *open_chain(const sw_options *options)
{
  sw_options own = *options;
  const sw_size N = SIZE("N", NODES);
  sw_sim *sim = NULL;

  own.n_sizes = 1;
  own.sizes = &N;
  assert_int_equal(sw_sim_create(&sw_fixture_loops_chain, &own, &sim), SW_OK);
  double k[NODES + 2];
  for (int i = 0; i < NODES; i++) {
    k[i] = kinds[i] == 0 ? 2.0 : 0.5;
  }
  k[NODES] = 0.25;
  k[NODES + 1] = 9.81;
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  return sim;
}

/* Masses of the two kinds, lengths, gravity and x, of that chain. */
static void choose_parameters(double k[], const double x[])
{
  k[0] = 2.0;
  k[1] = 0.5;
  for (int e = 0; e < LINKS; e++) {
    k[2 + e] = 0.25;
  }
  k[2 + LINKS] = 9.81;
  memcpy(k + 3 + LINKS, x, 3 * NODES * sizeof *x);
}

static sw_sim *open_bonds(const sw_options *options, const double x[])
{
  static const sw_size sizes[] = {PATH};
  sw_options own = *options;
  double k[3 + LINKS + 3 * NODES];
  double z[6 * NODES];
  sw_sim *sim = NULL;

  own.n_sizes = 3;
  own.sizes = sizes;
  assert_int_equal(sw_sim_create(bonds, &own, &sim), SW_OK);
  choose_parameters(k, x);
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  sw_sim_init_state(sim, 0, z);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  return sim;
}

/* The same chain from the same state, bit for bit, also where the system is completed in
 * between. */
static void a_path_is_a_chain(void **state)
{
  static const char *const bases[] = {"verlet", "gauss-4"};

  (void)state;
  for (int b = 0; b < 2; b++) {
    sw_options options;
    sw_options_init(&options);
    options.method = "rattle";
    options.base = bases[b];
    sw_sim *chain = open_chain(&options);
    double z[6 * NODES];
    sw_sim_init_state(chain, 0, z);
    assert_int_equal(sw_sim_set_state(chain, 0.0, z), SW_OK);
    sw_sim *graph = open_bonds(&options, z);
    assert_memory_equal(sw_sim_state(graph), z, sizeof z);
    assert_int_equal(sw_sim_run(chain, 0.01, 50, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(graph, 0.01, 50, NULL, NULL), SW_OK);
    assert_memory_equal(sw_sim_state(graph), sw_sim_state(chain), sizeof z);
    assert_memory_equal(sw_sim_impulses(graph), sw_sim_impulses(chain), (3 + LINKS) * sizeof *z);
    assert_true(fabs(z[5] - sw_sim_state(chain)[5]) > 0.01); /* it has moved */
    sw_sim_free(&graph);
    sw_sim_free(&chain);
  }
}

static void no_step_is_made_with_parameters_that_have_no_value(void **state)
{
  static const sw_size sizes[] = {PATH};
  sw_options options;
  double k[3 + LINKS + 3 * NODES];
  double z[6 * NODES];
  sw_sim *sim = NULL;

  (void)state;
  sw_options_init(&options);
  options.n_sizes = 3;
  options.sizes = sizes;
  assert_int_equal(sw_sim_create(bonds, &options, &sim), SW_OK);
  for (int i = 0; i < 6 * NODES; i++) {
    z[i] = 0.1 * i;
  }
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_step(sim, 0.01), SW_ERR_PARAMETER);
  assert_string_equal(
      sw_sim_message(sim),
      "step refused at t = 0: parameter length.1 comes from data and has no value: give it "
      "with --data FILE or --set length.1=VALUE, or by sw_sim_set_parameters");
  assert_memory_equal(sw_sim_state(sim), z, sizeof z);
  choose_parameters(k, z);
  k[4] = NAN;
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_ERR_PARAMETER);
  assert_non_null(strstr(sw_sim_message(sim), "length.3 comes from data and has no value"));
  k[4] = -1.0;
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_ERR_PARAMETER);
  assert_non_null(strstr(sw_sim_message(sim), "length.3 = -1 is outside its bounds"));
  sw_sim_free(&sim);
}

/* A million entries take no time to speak of; the test would run into its limit. */
static void a_million_entries_are_checked(void **state)
{
  const long n = 1000000;
  long *a = calloc((size_t)n, sizeof *a);
  long *kind = calloc((size_t)n + 1, sizeof *kind);
  sw_system *system = NULL;
  sw_index_fault fault;
  char message[SW_SYSTEM_MESSAGE];

  (void)state;
  for (long i = 0; i < n; i++) {
    a[i] = i + 1;
  }
  const sw_size sizes[] = {{.name = "a", .value = n, .indices = a},
                           {.name = "b", .value = n, .indices = a},
                           {.name = "kind", .value = n + 1, .indices = kind}};
  assert_int_equal(sw_system_measure(bonds, 3, sizes, &system, &fault, message), SW_OK);
  assert_int_equal(fault.array, -1);
  assert_int_equal(system->nc, n + 3);
  sw_system_free(&system);
  kind[n] = 7;
  assert_int_equal(sw_system_measure(bonds, 3, sizes, &system, &fault, message), SW_ERR_SIZE);
  assert_string_equal(message, "kind[1000001] = 7 is not in species = {C, H}, which are 0 .. 1");
  assert_int_equal(fault.array, 2);
  assert_int_equal(fault.entry, n);
  free(kind);
  free(a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_missing_is_said),
      cmocka_unit_test(a_wrong_entry_is_said),
      cmocka_unit_test(other_things_are_refused),
      cmocka_unit_test(a_wrong_model_is_refused),
      cmocka_unit_test(the_functions_get_sizes_and_arrays),
      cmocka_unit_test(memory_may_be_short),
      cmocka_unit_test(defaults_of_data_are_not_those_that_were_proved),
      cmocka_unit_test(a_path_is_a_chain),
      cmocka_unit_test(no_step_is_made_with_parameters_that_have_no_value),
      cmocka_unit_test(a_million_entries_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
