/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_compose.c -- steps made of shorter ones: their orders, and that all a step is holds for
 * them, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/symplectic.h"
#include "methods/compositions.h"
#include "near.h"
#include "shipped.h"
#include "sidewinder/sim.h"

extern const sw_model sw_model_index1;
extern const sw_model sw_model_square;
extern const sw_model sw_model_pendulum_angles;

enum { most = 16 };

static sw_status make(const sw_model *model, const char *method, const char *base,
                      const char *compose, int check_reversible, sw_sim **sim)
{
  sw_options options;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.compose = compose;
  options.redundant = model == &sw_model_square
                          ? "min-norm"
                          : "error"; /* one of its bars follows from the others */
  options.check_reversible = check_reversible;
  return sw_sim_create(model, &options, sim);
}

/* At the model's own first state; but hopf's is near to where N is singular, so that its last is
 * taken. */
static sw_sim *simulation(const sw_model *model, const char *base, const char *compose)
{
  sw_sim *sim = NULL;
  double z[most];

  assert_int_equal(make(model, "rattle", base, compose, 0, &sim), SW_OK);
  model->init[model == &sw_model_hopf ? model->n_init - 1 : 0].state(NULL, sw_sim_parameters(sim),
                                                                     z);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_project(sim), SW_OK);
  return sim;
}

/* Where n steps lead over a time t_end. */
static void end_of(const sw_model *model, const char *base, const char *compose, double t_end,
                   long n, double z[])
{
  sw_sim *sim = simulation(model, base, compose);

  assert_int_equal(sw_sim_run(sim, t_end / (double)n, n, NULL, NULL), SW_OK);
  memcpy(z, sw_sim_state(sim), 2 * (size_t)sw_sim_nq(sim) * sizeof *z);
  sw_sim_free(&sim);
}

static double apart(int dim, const double a[], const double b[])
{
  double largest = 0.0;

  for (int i = 0; i < dim; i++)
    largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

/* The slope of the error against a solution with smaller steps, over the pairs of step sizes for
 * which it is above round-off and the one before below 1e-2. */
static double slope_of(const sw_model *model, const char *base, const char *compose, double t_end,
                       long first)
{
  enum { halvings = 7 };
  const int dim = 2 * model->n_coordinates;
  double z[halvings][most];
  double fine[most];
  double slope = NAN;

  assert_true(dim <= most);
  end_of(model, "verlet", "kahan-li-8", t_end, first << 5, fine);
  for (int i = 0; i < halvings; i++) {
    end_of(model, base, compose, t_end, first << i, z[i]);
    const double error = apart(dim, z[i], fine);
    if (i > 0 && error > 3e-13) {
      const double before = apart(dim, z[i - 1], fine);
      if (before < 1e-2)
        slope = log2(before / error);
    }
  }
  return slope;
}

static const struct {
  const sw_model *model;
  double t_end;
  double steps; /* of the longest that are tried, in a unit of time */
} cases[] = {{&sw_model_hopf, 1.0, 5.7},
             {&sw_model_two_constraints, 2.8, 5.7},
             {&sw_model_double_pendulum, 2.8, 5.7},
             {&sw_model_index1, 2.8, 2.0},
             {&sw_model_square, 2.8, 2.5}};

static void orders_are_as_stated(void **state)
{
  (void)state;
  for (const char *const *name = sw_composition_names(); *name; name++) {
    const int stated = sw_composition_find(*name)->order;
    if (sw_composition_find(*name)->of_order > 2) {
      continue; /* test_holonomic_methods has their orders over lobatto-4 */
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      const long first = lround((stated >= 6 ? 1.0 : 1.26) * cases[i].steps * cases[i].t_end);
      const double slope = slope_of(cases[i].model, "verlet", *name, cases[i].t_end, first);
      printf("%s over verlet, %s: slope %.3f\n", cases[i].model->name, *name, slope);
      assert_near(slope, stated > 0 ? stated : 2.0, stated == 8 ? 0.2 : 0.05);
    }
  }
}

/* The same bits as the steps that it is made of, which are taken one by one. */
static void steps_are_those_they_are_made_of(void **state)
{
  const double h = 0.05;

  (void)state;
  for (const char *const *name = sw_composition_names(); *name; name++) {
    const sw_composition *c = sw_composition_find(*name);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && c->of_order <= 2; i++) {
      const size_t dim = 2 * (size_t)cases[i].model->n_coordinates;
      sw_sim *whole = simulation(cases[i].model, "verlet", *name);
      sw_sim *parts = simulation(cases[i].model, "verlet", "none");
      for (int step = 0; step < 5; step++) {
        double sum = 0.0;
        assert_int_equal(sw_sim_step(whole, h), SW_OK);
        for (int part = 0; part < c->n; part++) {
          assert_int_equal(sw_sim_step(parts, c->factor[part] * h), SW_OK);
          sum += sw_sim_impulses(parts)[0];
        }
        assert_memory_equal(sw_sim_state(whole), sw_sim_state(parts), dim * sizeof(double));
        assert_near(sw_sim_impulses(whole)[0], sum, 1e-13 * h);
        assert_near(sw_sim_time(whole), (step + 1) * h, 1e-15);
      }
      assert_int_equal(sw_sim_stats(whole).steps, 5);
      sw_sim_free(&whole);
      sw_sim_free(&parts);
    }
  }
}

/* The derivative is the product of those of the parts, and symplectic. */
static void tangents_are_products(void **state)
{
  enum { n = 3 };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const int dim = 2 * cases[i].model->n_coordinates;
    const sw_composition *c = sw_composition_find("triple-jump-4");
    sw_sim *whole = simulation(cases[i].model, "midpoint", "triple-jump-4");
    sw_sim *parts = simulation(cases[i].model, "midpoint", "none");
    double V[n * most];
    double DV[n * most];
    double product[n * most];
    double defect = NAN;
    double z0[most];

    memcpy(z0, sw_sim_state(whole), (size_t)dim * sizeof *z0);
    for (int j = 0; j < n * dim; j++)
      V[j] = product[j] = sin(1.0 + 37.0 * j);
    assert_int_equal(sw_sim_tangent_times(whole, 0.1, n, V, DV), SW_OK);
    assert_memory_equal(sw_sim_state(whole), z0, (size_t)dim * sizeof *z0);
    for (int part = 0; part < c->n; part++) {
      assert_int_equal(sw_sim_tangent_times(parts, c->factor[part] * 0.1, n, product, product),
                       SW_OK);
      assert_int_equal(sw_sim_step(parts, c->factor[part] * 0.1), SW_OK);
    }
    assert_all_near(DV, product, n * dim, 1e-10);
    assert_int_equal(sw_symplectic_defect(whole, 0.1, n, V, DV, &defect), SW_OK);
    assert_below(defect, 1e-12);
    sw_sim_free(&whole);
    sw_sim_free(&parts);
  }
}

/* A step of which one part fails leaves the state, the time and the multipliers as they were, bit
 * for bit. */
static void a_part_that_fails_undoes_the_others(void **state)
{
  const size_t dim = 2 * (size_t)sw_model_double_pendulum.n_coordinates;
  sw_sim *sim = simulation(&sw_model_double_pendulum, "verlet", "kahan-li-8");
  sw_sim *same = simulation(&sw_model_double_pendulum, "verlet", "kahan-li-8");
  int failed = 0;

  (void)state;
  assert_int_equal(sw_sim_step(sim, 0.01), SW_OK);
  assert_int_equal(sw_sim_step(same, 0.01), SW_OK);
  for (int i = 0; i < 12; i++) {
    const double h = 0.75 * (i + 1);
    double z[most];
    const double lambda = sw_sim_impulses(sim)[0];
    memcpy(z, sw_sim_state(sim), dim * sizeof *z);
    if (sw_sim_step(sim, h) != SW_OK) {
      failed++;
      assert_memory_equal(sw_sim_state(sim), z, dim * sizeof *z);
      assert_memory_equal(&lambda, sw_sim_impulses(sim), sizeof lambda);
      assert_near(sw_sim_time(sim), sw_sim_time(same), 0.0);
    } else {
      assert_int_equal(sw_sim_step(same, h), SW_OK);
    }
    assert_int_equal(sw_sim_step(sim, 0.01), SW_OK);
    assert_int_equal(sw_sim_step(same, 0.01), SW_OK);
    assert_memory_equal(sw_sim_state(sim), sw_sim_state(same), dim * sizeof *z);
  }
  assert_true(failed >= 3);
  sw_sim_free(&sim);
  sw_sim_free(&same);
}

/* A simulation that takes up the saved state of another goes on as that one does, bit for bit. */
static void runs_are_taken_up_again(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const size_t dim = 2 * (size_t)cases[i].model->n_coordinates;
    sw_sim *whole = simulation(cases[i].model, "verlet", "suzuki-4");
    sw_sim *second = simulation(cases[i].model, "verlet", "suzuki-4");
    double saved[3 + 2 * most];

    assert_true(sw_sim_saved_count(whole) <= sizeof saved / sizeof *saved);
    assert_int_equal(sw_sim_run(whole, 0.05, 7, NULL, NULL), SW_OK);
    sw_sim_save(whole, saved);
    assert_int_equal(sw_sim_restore(second, saved), SW_OK);
    assert_int_equal(sw_sim_run(whole, 0.05, 7, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(second, 0.05, 7, NULL, NULL), SW_OK);
    assert_memory_equal(sw_sim_state(whole), sw_sim_state(second), dim * sizeof(double));
    sw_sim_free(&whole);
    sw_sim_free(&second);
  }
}

static void what_has_no_symmetry_is_refused(void **state)
{
  static const struct {
    const char *method, *base, *compose;
    sw_status status;
  } asked[] = {{"rattle", "midpoint", "suzuki-4", SW_OK},
               {"rattle", "euler-a", "suzuki-4", SW_ERR_OPTION},
               {"rattle", "rk4", "triple-jump-4", SW_ERR_OPTION},
               {"shake", "verlet", "triple-jump-4", SW_ERR_OPTION},
               {"shake", "verlet", "none", SW_OK},
               {"rattle", "verlet", "yoshida", SW_ERR_OPTION},
               {"rattle", "verlet", NULL, SW_ERR_OPTION}};

  (void)state;
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
    sw_sim *sim = NULL;
    assert_int_equal(
        make(&sw_model_hopf, asked[i].method, asked[i].base, asked[i].compose, 0, &sim),
        asked[i].status);
    sw_sim_free(&sim);
  }
}

static int has(const char *text, const char *part)
{
  return strstr(text, part) != NULL;
}

/* A composition that leaves the order of its method as it is would only cost more; the message has
 * sizes that raise it. */
static void what_does_not_raise_the_order_is_refused(void **state)
{
  static const struct {
    const sw_model *model;
    const char *method, *base, *compose;
    int order;         /* of the composition; 0: refused */
    const char *words; /* of the refusal */
  } asked[] = {
      {&sw_model_double_pendulum, "lobatto", "lobatto-2", "suzuki-4", 4, ""},
      {&sw_model_double_pendulum, "lobatto", "lobatto-4", "suzuki-4", 0, "a = 1/(4 - 4^(1/5))"},
      {&sw_model_double_pendulum, "lobatto", "lobatto-4", "triple-jump-4", 0, "c_i^5 = 0"},
      {&sw_model_double_pendulum, "lobatto", "lobatto-4", "suzuki-6", 6, ""},
      {&sw_model_double_pendulum, "lobatto", "lobatto-4", "triple-jump-6", 6, ""},
      {&sw_model_double_pendulum, "lobatto", "lobatto-4", "kahan-li-6", 6, ""},
      {&sw_model_double_pendulum, "lobatto", "lobatto-6", "suzuki-6", 0, "a = 1/(4 - 4^(1/7))"},
      {&sw_model_double_pendulum, "lobatto", "lobatto-6", "kahan-li-6", 0, "kahan-li-8"},
      {&sw_model_double_pendulum, "lobatto", "lobatto-6", "kahan-li-8", 8, ""},
      {&sw_model_double_pendulum, "lobatto", "lobatto-2", "suzuki-6", 0, "has order 2"},
      {&sw_model_hopf, "rattle", "verlet", "triple-jump-6", 0, "suzuki-4"},
      {&sw_model_hopf, "rattle", "gauss-4", "suzuki-4", 4, ""}, /* of order 2 with constraints, */
      {&sw_model_hopf, "rattle", "gauss-6", "suzuki-6", 0, "has order 2"},
      {&sw_model_pendulum_angles, "rattle", "gauss-4", "suzuki-4", 0,
       "c_i^5 = 0"}, /* of order 4 without */
      {&sw_model_pendulum_angles, "rattle", "gauss-4", "suzuki-6", 6, ""},
      {&sw_model_pendulum_angles, "rattle", "gauss-6", "suzuki-4", 0, "c_i^7 = 0"},
      {&sw_model_pendulum_angles, "rattle", "verlet", "suzuki-4", 4, ""}};

  (void)state;
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
    sw_options options;
    sw_sim *sim = NULL;

    sw_options_init(&options);
    options.method = asked[i].method;
    options.base = asked[i].base;
    options.compose = asked[i].compose;
    assert_int_equal(sw_sim_create(asked[i].model, &options, &sim),
                     asked[i].order > 0 ? SW_OK : SW_ERR_OPTION);
    assert_true(has(sw_options_objection(asked[i].model, &options), asked[i].words));
    assert_int_equal(sim ? sw_sim_order(sim) : 0, asked[i].order);
    sw_sim_free(&sim);
  }
}

static void steps_back_are_made_of_their_parts(void **state)
{
  sw_sim *sim = NULL;

  (void)state;
  assert_int_equal(make(&sw_model_hopf, "rattle", "midpoint", "kahan-li-6", 1, &sim), SW_OK);
  assert_int_equal(sw_sim_run(sim, 0.1, 100, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_order(sim), 6);
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_are_as_stated),
      cmocka_unit_test(steps_are_those_they_are_made_of),
      cmocka_unit_test(tangents_are_products),
      cmocka_unit_test(a_part_that_fails_undoes_the_others),
      cmocka_unit_test(runs_are_taken_up_again),
      cmocka_unit_test(what_has_no_symmetry_is_refused),
      cmocka_unit_test(what_does_not_raise_the_order_is_refused),
      cmocka_unit_test(steps_back_are_made_of_their_parts),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
