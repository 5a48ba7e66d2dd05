/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_tableau.c -- base methods as tables: what their coefficients are worth, the stages that are
 * solved for, steps against the defining equations, and tableaus of a caller's own.
 */
#include <string.h>

#include "checks/symplectic.h"
#include "fixtures.h"
#include "methods/bases.h"
#include "near.h"
#include "sim/sim_internal.h"
#include "step/stage_plan.h"
#include "step/tableau.h"

enum { max_dim = 6 };

/* ---- known methods ---- */

static const double rk4_A[] = {0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0};
static const double rk4_b[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
static const double kutta_A[] = {0, 0, 0, 0.5, 0, 0, -1, 2, 0};
static const double kutta_b[] = {1.0 / 6, 2.0 / 3, 1.0 / 6};
static const double qz_A[] = {0.25, 0, 0.5, 0.25};
static const double qz_b[] = {0.5, 0.5};
static const double one[] = {1.0};
static const double radau_A[] = {5.0 / 12, -1.0 / 12, 0.75, 0.25};
static const double radau_b[] = {0.75, 0.25};
/* Gauss with 2 stages for the positions beside the explicit trapezoid for the momenta: each of
 * order 2 at least, not together. */
static const double gauss_A[] = {0.25, -0.038675134594812882, 0.538675134594812882, 0.25};
static const double heun_A[] = {0, 0, 1, 0};

typedef struct {
  sw_tableau t;
  int order;
  int symplectic;
  int symmetric;
  int unknowns;
  int unknowns_separable;
} known_method;

static const known_method known[] = {
    {{"rk4", 4, rk4_A, rk4_b, NULL, NULL}, 4, 0, 0, 0, 0},
    {{"kutta-3", 3, kutta_A, kutta_b, NULL, NULL}, 3, 0, 0, 0, 0},
    {{"two midpoints", 2, qz_A, qz_b, NULL, NULL}, 2, 1, 1, 4, 2},
    {{"implicit euler", 1, one, one, NULL, NULL}, 1, 0, 0, 2, 1},
    {{"radau IIA", 2, radau_A, radau_b, NULL, NULL}, 3, 0, 0, 4, 2},
    {{"mixed", 2, gauss_A, qz_b, heun_A, qz_b}, 2, 0, 0, 2, 1},
};

static void check_report(const known_method *k)
{
  sw_tableau_report report;
  const char *why = NULL;

  assert_int_equal(sw_tableau_examine(&k->t, &report, &why), SW_OK);
  assert_string_equal(why, "");
  if (report.order != k->order || report.symplectic != k->symplectic ||
      report.symmetric != k->symmetric || report.unknowns != k->unknowns ||
      report.unknowns_separable != k->unknowns_separable) {
    fail_msg("%s: order %d, symplectic %d, symmetric %d, unknowns %d and %d", k->t.name,
             report.order, report.symplectic, report.symmetric, report.unknowns,
             report.unknowns_separable);
  }
}

static void methods_are_known_for_what_they_are(void **state)
{
  static const struct {
    const char *name;
    int order, symplectic, symmetric, unknowns, unknowns_separable;
  } named[] = {{"euler-a", 1, 1, 0, 1, 0},
               {"euler-b", 1, 1, 0, 1, 0},
               {"verlet", 2, 1, 1, 2, 0},
               {"midpoint", 2, 1, 1, 2, 1},
               {"gauss-4", 4, 1, 1, 4, 2},
               {"gauss-6", 6, 1, 1, 6, 3},
               {"lobatto-2", 2, 1, 1, 2, 0},
               {"lobatto-4", 4, 1, 1, 4, 1},
               {"lobatto-6", 6, 1, 1, 6, 2},
               {"euler", 1, 0, 0, 0, 0},
               {"explicit-midpoint", 2, 0, 0, 0, 0},
               {"kutta-3", 3, 0, 0, 0, 0},
               {"rk4", 4, 0, 0, 0, 0}};
  const char *const *name = sw_base_names();

  (void)state;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    check_report(&known[i]);
  }
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    assert_string_equal(name[i], named[i].name);
    /* The conditions of order 5 and 6 are not looked at; test_base.c shows these orders by
     * slopes. */
    const int examined = named[i].order < 4 ? named[i].order : 4;
    const known_method k = {*sw_base_tableau(name[i]), examined,
                            named[i].symplectic,       named[i].symmetric,
                            named[i].unknowns,         named[i].unknowns_separable};
    assert_string_equal(k.t.name, name[i]);
    check_report(&k);
    assert_int_equal(sw_base_find(name[i])->order, named[i].order);
  }
  assert_null(name[sizeof named / sizeof *named]);
}

/* Each coefficient of a method of order 4 is needed for its order. */
static void a_wrong_coefficient_costs_the_order(void **state)
{
  double A[16];
  sw_tableau_report report;
  const sw_tableau t = {"bent", 4, A, rk4_b, NULL, NULL};

  (void)state;
  for (int i = 0; i < 16; i++) {
    memcpy(A, rk4_A, sizeof A);
    A[i] += 1e-10;
    assert_int_equal(sw_tableau_examine(&t, &report, NULL), SW_OK);
    assert_true(report.order < 4);
  }
  memcpy(A, rk4_A, sizeof A);
  assert_int_equal(sw_tableau_examine(&t, &report, NULL), SW_OK);
  assert_int_equal(report.order, 4);
}

static void the_adjoint_of_the_adjoint_is_the_method(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const int s = known[i].t.stages;
    sw_own_tableau adjoint;
    sw_own_tableau again;
    sw_tableau_adjoint(&known[i].t, &adjoint);
    sw_tableau_adjoint(&adjoint.tableau, &again);
    for (int half = 0; half < 2; half++) {
      assert_all_near(sw_tableau_A(&again.tableau, half), sw_tableau_A(&known[i].t, half), s * s,
                      1e-15);
      assert_all_near(sw_tableau_b(&again.tableau, half), sw_tableau_b(&known[i].t, half), s,
                      1e-15);
    }
  }
}

/* ---- steps against their equations ---- */

static uint64_t seed = 1;

static double uniform(void)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}

/* z1 by the definition: all stages, found by fixed-point iteration for a small h. */
static void step_by_definition(const sw_system *system, const sw_tableau *t, double h,
                               const double z[], double z1[])
{
  const int d = system->nq;
  const int s = t->stages;
  double slope[SW_TABLEAU_STAGES][max_dim] = {{0}};
  double stage[max_dim];

  for (int round = 0; round < 60; round++) {
    double next[SW_TABLEAU_STAGES][max_dim];
    for (int i = 0; i < s; i++) {
      memcpy(stage, z, 2 * (size_t)d * sizeof *z);
      for (int j = 0; j < s; j++) {
        for (int c = 0; c < d; c++) {
          stage[c] += h * sw_tableau_A(t, 0)[i * s + j] * slope[j][d + c];
          stage[d + c] -= h * sw_tableau_A(t, 1)[i * s + j] * slope[j][c];
        }
      }
      system->hamiltonian_grad(system, stage, system->k_default, next[i]);
    }
    memcpy(slope, next, sizeof next);
  }
  memcpy(z1, z, 2 * (size_t)d * sizeof *z);
  for (int j = 0; j < s; j++) {
    for (int c = 0; c < d; c++) {
      z1[c] += h * sw_tableau_b(t, 0)[j] * slope[j][d + c];
      z1[d + c] -= h * sw_tableau_b(t, 1)[j] * slope[j][c];
    }
  }
}

static sw_sim *simulation(const sw_model *model, const char *method, const sw_tableau *tableau)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = method;
  options.tableau = tableau;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  return sim;
}

/* Three steps, so that what is kept from one to the next counts. */
static void check_step(const sw_model *model, const sw_tableau *t)
{
  sw_sim *sim = simulation(model, "rattle", t);
  double z[max_dim];

  memcpy(z, sw_sim_state(sim), 2 * (size_t)sw_sim_nq(sim) * sizeof *z);
  for (int n = 0; n < 3; n++) {
    step_by_definition(sim->system, t, 0.05, z, z);
    assert_int_equal(sw_sim_step(sim, 0.05), SW_OK);
  }
  assert_all_near(sw_sim_state(sim), z, 2 * sw_sim_nq(sim), 1e-14);
  sw_sim_free(&sim);
}

/* A random tableau with many zeros and equal rows, of which the plan has to make something. */
static void random_tableau(int s, double A[], double b[])
{
  static const double values[] = {0.0, 0.0, 0.5, 0.25, -0.5};
  double sum = 0.0;

  for (int i = 0; i < s * s; i++) {
    A[i] = values[(int)(5 * uniform())];
  }
  for (int j = 0; j < s; j++) {
    b[j] = values[(int)(5 * uniform())];
    sum += b[j];
  }
  b[s - 1] += 1.0 - sum;
  for (int i = 0; i < s; i++) {
    const int like = (int)(3 * s * uniform());
    if (like <= s) {
      memcpy(A + i * s, like == s ? b : A + like * s, (size_t)s * sizeof *A);
    }
  }
}

static void steps_solve_their_equations(void **state)
{
  sw_model models[] = {sw_fixture_two, sw_fixture_spherical, sw_fixture_hopf};
  int separable = 0;

  (void)state;
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    models[m].n_constraints = 0;
    separable += models[m].structure.separable;
    for (const char *const *base = sw_base_names(); *base; base++) {
      check_step(&models[m], sw_base_tableau(*base));
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
      check_step(&models[m], &known[i].t);
    }
    for (int i = 0; i < 300; i++) {
      double A[9], A_hat[9], b[3], b_hat[3];
      const int s = 1 + i % 3;
      const sw_tableau t = {"random", s, A, b, i % 2 ? A_hat : NULL, i % 2 ? b_hat : NULL};
      random_tableau(s, A, b);
      random_tableau(s, A_hat, b_hat);
      check_step(&models[m], &t);
    }
  }
  assert_in_range(separable, 1, 2);
}

/* None of the unknowns of a plan can be spared: without it, no order of evaluation gets through. */
static void plans_have_no_idle_unknowns(void **state)
{
  (void)state;
  for (int i = 0; i < 3000; i++) {
    double A[9], A_hat[9], b[3], b_hat[3];
    const int s = 1 + i % 3;
    const sw_tableau t = {"random", s, A, b, A_hat, b_hat};
    sw_stage_plan plan;
    random_tableau(s, A, b);
    random_tableau(s, A_hat, b_hat);
    sw_stage_plan_make(&t, i % 2, &plan);
    for (int without = 0; without < plan.blocks; without++) {
      int known_value[SW_VALUES_MOST];
      int done[SW_SLOPES_MOST] = {0};
      int n = 0;
      for (int before = -1; before < n;) {
        before = n;
        for (int v = 0; v < plan.values; v++) {
          known_value[v] =
              v < SW_VALUE_Q1 || (plan.value[v].block >= 0 && plan.value[v].block != without);
          int complete = 1;
          for (int k = 0; k < plan.slopes; k++) {
            for (int p = plan.slope[k].first; p < plan.slope[k].last; p++) {
              complete &= plan.push[p].value != v || done[k];
            }
          }
          known_value[v] |= complete;
        }
        for (int k = 0; k < plan.slopes; k++) {
          const sw_stage_slope *slope = &plan.slope[k];
          if (!done[k] && (slope->q < 0 || known_value[slope->q]) &&
              (slope->p < 0 || known_value[slope->p])) {
            done[k] = 1;
            n++;
          }
        }
      }
      assert_true(n < plan.slopes);
    }
  }
}

/* ---- a caller's own ---- */

/* Two midpoint steps of half the size are one of this method. */
static void a_tableau_of_ones_own_works(void **state)
{
  const sw_tableau *qz = &known[2].t;
  sw_model free_model = sw_fixture_spherical;
  double V[2 * 6];
  double DV[2 * 6];
  double defect = NAN;

  (void)state;
  free_model.n_constraints = 0;
  sw_sim *whole = simulation(&free_model, "rattle", qz);
  sw_sim *halves = simulation(&free_model, "rattle", sw_base_tableau("midpoint"));
  assert_int_equal(sw_sim_run(whole, 0.1, 50, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(halves, 0.05, 100, NULL, NULL), SW_OK);
  assert_all_near(sw_sim_state(whole), sw_sim_state(halves), 6, 1e-13);
  sw_sim_free(&whole);
  sw_sim_free(&halves);

  /* With constraints the forces act at the ends of the whole step alone. */
  for (int i = 0; i < 12; i++) {
    V[i] = sin(1.0 + 37.0 * i);
  }
  whole = simulation(&sw_fixture_two, "rattle", qz);
  assert_int_equal(sw_sim_order(whole), 2);
  assert_int_equal(sw_symplectic_defect(whole, 0.1, 2, V, DV, &defect), SW_OK);
  assert_below(defect, 1e-15);
  sw_sim_free(&whole);
  whole = simulation(&sw_fixture_two, "rattle", &known[0].t);
  assert_int_equal(sw_symplectic_defect(whole, 0.1, 2, V, DV, &defect), SW_OK);
  assert_true(defect > 1e-12);
  sw_sim_free(&whole);
}

static void what_is_no_method_is_refused(void **state)
{
  static const double nan_b[] = {NAN};
  static const double half[] = {0.5};
  const sw_tableau wrong[] = {
      {NULL, 1, one, one, NULL, NULL},
      {"", 1, one, one, NULL, NULL},
      {"x", 0, one, one, NULL, NULL},
      {"x", SW_TABLEAU_STAGES + 1, one, one, NULL, NULL},
      {"x", 1, NULL, one, NULL, NULL},
      {"x", 1, one, NULL, NULL, NULL},
      {"x", 1, one, one, one, NULL},
      {"x", 1, one, nan_b, NULL, NULL},
      {"x", 1, one, half, NULL, NULL},
      {"x", 1, one, one, one, half},
      {"x123456789 123456789 123456789 123456789 123456789 123456789 1234", 1, one, one, NULL,
       NULL},
  };

  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sw_tableau_report report;
    const char *why = NULL;
    sw_options options;
    sw_sim *sim = NULL;
    assert_int_equal(sw_tableau_examine(&wrong[i], &report, &why), SW_ERR_OPTION);
    assert_int_not_equal(strlen(why), 0);
    sw_options_init(&options);
    options.tableau = &wrong[i];
    assert_int_equal(sw_sim_create(&sw_fixture_free, &options, &sim), SW_ERR_OPTION);
    assert_null(sim);
    assert_string_equal(sw_options_objection(&sw_fixture_free, &options), why);
    assert_non_null(strstr(why, "tableau"));
  }
  assert_null(sw_base_tableau("leapfrog"));
  assert_null(sw_base_tableau(NULL));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(methods_are_known_for_what_they_are),
      cmocka_unit_test(a_wrong_coefficient_costs_the_order),
      cmocka_unit_test(the_adjoint_of_the_adjoint_is_the_method),
      cmocka_unit_test(steps_solve_their_equations),
      cmocka_unit_test(plans_have_no_idle_unknowns),
      cmocka_unit_test(a_tableau_of_ones_own_works),
      cmocka_unit_test(what_is_no_method_is_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
