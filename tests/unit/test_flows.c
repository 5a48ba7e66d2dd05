/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_flows.c -- base methods that a caller computes: one map of his own, and flows of parts of H.
 *
 * Each has a method of the library as its counterpart, which must make the same steps and have the
 * same derivatives.
 */
#include <stdlib.h>
#include <string.h>

#include "fixtures.h"
#include "model/system.h"
#include "near.h"
#include "sidewinder/sim.h"

enum { most = 6 };

/* ---- maps ---- */

/* F = J H'(z). */
static void field(const sw_system *s, const double z[], const double k[], double F[])
{
  const int d = s->nq;
  double grad[most];

  s->hamiltonian_grad(s, z, k, grad);
  for (int i = 0; i < d; i++) {
    F[i] = grad[d + i];
    F[d + i] = -grad[i];
  }
}

/* w = J H''(z) v. */
static void linear_field(const sw_system *s, const double z[], const double k[], const double v[],
                         double w[])
{
  const sw_pattern *lower = &s->hamiltonian_hess_pattern;
  const int d = s->nq;
  double values[most * most];
  double Hv[most] = {0};

  s->hamiltonian_hess(s, z, k, values);
  for (int e = 0; e < lower->entries; e++) {
    const int i = lower->row[e];
    const int j = lower->col[e];
    Hv[i] += values[e] * v[j];
    if (i != j)
      Hv[j] += values[e] * v[i];
  }
  for (int i = 0; i < d; i++) {
    w[i] = Hv[d + i];
    w[d + i] = -Hv[i];
  }
}

/* The flow of T(p) (half 0: positions move) or of V(q) (half 1: momenta move), for a separable
 * H. */
static int move_half(const sw_system *s, int half, double h, const double z[], const double k[],
                     double z1[])
{
  double F[most];

  field(s, z, k, F);
  for (int i = 0; i < 2 * s->nq; i++)
    z1[i] = z[i] + ((i >= s->nq) == half ? h * F[i] : 0.0);
  return 0;
}

static int along_half(const sw_system *s, int half, double h, const double z[], const double k[],
                      int n, const double V[], double DV[])
{
  const int dim = 2 * s->nq;

  for (int j = 0; j < n; j++) {
    double w[most];
    linear_field(s, z, k, V + j * dim, w);
    for (int i = 0; i < dim; i++)
      DV[j * dim + i] = V[j * dim + i] + ((i >= s->nq) == half ? h * w[i] : 0.0);
  }
  return 0;
}

static int drift(void *s, double h, const double z[], const double k[], double z1[])
{
  return move_half(s, 0, h, z, k, z1);
}

static int drift_along(void *s, double h, const double z[], const double k[], int n,
                       const double V[], double DV[])
{
  return along_half(s, 0, h, z, k, n, V, DV);
}

static int kick(void *s, double h, const double z[], const double k[], double z1[])
{
  return move_half(s, 1, h, z, k, z1);
}

static int kick_along(void *s, double h, const double z[], const double k[], int n,
                      const double V[], double DV[])
{
  return along_half(s, 1, h, z, k, n, V, DV);
}

static void middle(const sw_system *s, double h, const double z[], const double k[], double m[])
{
  field(s, z, k, m);
  for (int i = 0; i < 2 * s->nq; i++)
    m[i] = z[i] + 0.5 * h * m[i];
}

/* The explicit midpoint rule. */
static int explicit_midpoint(void *context, double h, const double z[], const double k[],
                             double z1[])
{
  const sw_system *s = context;
  double m[most];

  middle(s, h, z, k, m);
  field(s, m, k, z1);
  for (int i = 0; i < 2 * s->nq; i++)
    z1[i] = z[i] + h * z1[i];
  return 0;
}

static int explicit_midpoint_along(void *context, double h, const double z[], const double k[],
                                   int n, const double V[], double DV[])
{
  const sw_system *s = context;
  const int dim = 2 * s->nq;
  double m[most];

  middle(s, h, z, k, m);
  for (int j = 0; j < n; j++) {
    double half[most];
    linear_field(s, z, k, V + j * dim, half);
    for (int i = 0; i < dim; i++)
      half[i] = V[j * dim + i] + 0.5 * h * half[i];
    linear_field(s, m, k, half, DV + j * dim);
    for (int i = 0; i < dim; i++)
      DV[j * dim + i] = V[j * dim + i] + h * DV[j * dim + i];
  }
  return 0;
}

static int no_value(void *context, double h, const double z[], const double k[], double z1[])
{
  (void)context, (void)h, (void)z, (void)k, (void)z1;
  return 1;
}

/* ---- methods made of them ---- */

enum { KICK, DRIFT };
static const int strang[] = {KICK, DRIFT, KICK};
static const double strang_weights[] = {0.5, 1.0, 0.5};
static const int once[] = {0};
static const double one[] = {1.0};

typedef struct {
  sw_system *system;
  sw_map maps[2];
  sw_flows flows;
} method;

static method splitting_of(const sw_model *model)
{
  method m = {NULL};

  assert_int_equal(sw_system_create(model, 0, NULL, &m.system, NULL), SW_OK);
  m.maps[KICK] = (sw_map){kick, kick_along, m.system, 1};
  m.maps[DRIFT] = (sw_map){drift, drift_along, m.system, 1};
  m.flows = (sw_flows){"strang", 2, 2, NULL, 3, strang, strang_weights, 0};
  return m;
}

static method own_map_of(const sw_model *model)
{
  method m = {NULL};

  assert_int_equal(sw_system_create(model, 0, NULL, &m.system, NULL), SW_OK);
  m.maps[0] = (sw_map){explicit_midpoint, explicit_midpoint_along, m.system, 0};
  m.flows = (sw_flows){"mine", 2, 1, NULL, 1, once, one, 0};
  return m;
}

static sw_sim *simulation(const sw_model *model, const char *constrained, const char *base,
                          method *m, int check_reversible)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = constrained;
  options.base = base;
  options.check_reversible = check_reversible;
  if (m) {
    m->flows.maps = m->maps;
    options.flows = &m->flows;
  }
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  assert_int_equal(sw_sim_project(sim), SW_OK);
  return sim;
}

/* Steps and their derivatives are those of the library's own method. */
static void check_same(const sw_model *model, const char *constrained, const char *base, method m)
{
  const int dim = 2 * model->n_coordinates;
  sw_sim *own = simulation(model, constrained, base, NULL, 0);
  sw_sim *called = simulation(model, constrained, "none", &m, 0);
  double D[most * most];
  double expected[most * most];

  assert_int_equal(sw_sim_order(called), sw_sim_order(own));
  for (int step = 0; step < 20; step++) {
    assert_int_equal(sw_sim_tangent(called, 0.05, D), SW_OK);
    assert_int_equal(sw_sim_tangent(own, 0.05, expected), SW_OK);
    assert_all_near(D, expected, dim * dim, 1e-11);
    assert_int_equal(sw_sim_step(called, 0.05), SW_OK);
    assert_int_equal(sw_sim_step(own, 0.05), SW_OK);
    assert_all_near(sw_sim_state(called), sw_sim_state(own), dim, 1e-12);
  }
  sw_sim_free(&own);
  sw_sim_free(&called);
  sw_system_free(&m.system);
}

static void they_make_the_steps_of_the_librarys_methods(void **state)
{
  const sw_model *const separable[] = {&sw_fixture_pendulum, &sw_fixture_hopf, &sw_fixture_two};
  const sw_model *const any[] = {&sw_fixture_pendulum, &sw_fixture_hopf, &sw_fixture_spherical};

  (void)state;
  for (size_t i = 0; i < sizeof separable / sizeof separable[0]; i++) {
    check_same(separable[i], "rattle", "verlet", splitting_of(separable[i]));
    check_same(separable[i], "shake", "verlet", splitting_of(separable[i]));
    check_same(any[i], "rattle", "explicit-midpoint", own_map_of(any[i]));
    check_same(any[i], "shake", "explicit-midpoint", own_map_of(any[i]));
  }
}

/* Each step is undone by the one over the adjoint, which for weights that are not symmetric is
 * another method. */
static void steps_back_are_found(void **state)
{
  static const int order_one[] = {KICK, DRIFT};
  static const double weights[] = {1.0, 1.0};
  method m = splitting_of(&sw_fixture_two);

  (void)state;
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    if (!symmetric)
      m.flows = (sw_flows){"lie", 1, 2, NULL, 2, order_one, weights, 0};
    else
      m.flows = (sw_flows){"strang", 2, 2, NULL, 3, strang, strang_weights, 0};
    sw_sim *sim = simulation(&sw_fixture_two, "rattle", "none", &m, 1);
    assert_int_equal(sw_sim_run(sim, 0.05, 50, NULL, NULL), SW_OK);
    sw_sim_free(&sim);
    /* Without its reversal the first one would not: it is not its own adjoint. */
    if (!symmetric) {
      const double h = 0.05;
      double z0[most];
      sw_sim *plain = simulation(&sw_fixture_two, "rattle", "none", &m, 0);
      memcpy(z0, sw_sim_state(plain), sizeof z0);
      assert_int_equal(sw_sim_step(plain, h), SW_OK);
      assert_int_equal(sw_sim_step(plain, -h), SW_OK);
      double off = 0.0;
      for (int i = 0; i < most; i++)
        off = fmax(off, fabs(sw_sim_state(plain)[i] - z0[i]));
      assert_true(off > 1e-5);
      sw_sim_free(&plain);
    }
  }
  sw_system_free(&m.system);
}

/* The triple jump of Strang's splitting (E. Forest, R. D. Ruth, Physica D 43, 1990), one list of 7
 * flows: order 4 where there are no constraints. */
static void weights_make_the_order(void **state)
{
  const double a = 1.0 / (2.0 - cbrt(2.0));
  const double b = 1.0 - 2.0 * a;
  const double weight[] = {0.5 * a, a, 0.5 * (a + b), b, 0.5 * (a + b), a, 0.5 * a};
  const int map[] = {KICK, DRIFT, KICK, DRIFT, KICK, DRIFT, KICK};
  sw_model model = sw_fixture_two;
  double z[3][most];
  double apart[2] = {0.0, 0.0};

  (void)state;
  model.n_constraints = 0;
  method m = splitting_of(&model);
  m.flows = (sw_flows){"triple jump", 4, 2, NULL, 7, map, weight, 0};
  for (int i = 0; i < 3; i++) {
    sw_sim *sim = simulation(&model, "rattle", "none", &m, 0);
    assert_int_equal(sw_sim_order(sim), 4);
    assert_int_equal(sw_sim_run(sim, 0.1 / (1 << i), 10L << i, NULL, NULL), SW_OK);
    memcpy(z[i], sw_sim_state(sim), sizeof z[i]);
    sw_sim_free(&sim);
  }
  for (int i = 0; i < most; i++) {
    apart[0] = fmax(apart[0], fabs(z[0][i] - z[1][i]));
    apart[1] = fmax(apart[1], fabs(z[1][i] - z[2][i]));
  }
  assert_near(log2(apart[0] / apart[1]), 4.0, 0.05);
  sw_system_free(&m.system);
}

static void a_map_without_a_value_leaves_the_state(void **state)
{
  method m = splitting_of(&sw_fixture_hopf);
  double z0[4];

  (void)state;
  sw_sim *sim = simulation(&sw_fixture_hopf, "rattle", "none", &m, 0);
  assert_int_equal(sw_sim_step(sim, 0.05), SW_OK);
  memcpy(z0, sw_sim_state(sim), sizeof z0);
  m.maps[DRIFT].values = no_value;
  assert_int_equal(sw_sim_step(sim, 0.05), SW_ERR_NOT_FINITE);
  assert_memory_equal(sw_sim_state(sim), z0, sizeof z0);
  m.maps[DRIFT].values = drift;
  assert_int_equal(sw_sim_step(sim, 0.05), SW_OK);
  sw_sim_free(&sim);
  sw_system_free(&m.system);
}

static sw_status created(const sw_flows *flows, int check_reversible, const sw_tableau *tableau)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.flows = flows;
  options.tableau = tableau;
  options.check_reversible = check_reversible;
  const sw_status status = sw_sim_create(&sw_fixture_hopf, &options, &sim);
  sw_sim_free(&sim);
  return status;
}

static void what_is_no_method_is_refused(void **state)
{
  static const double heavy[] = {0.5, 1.0, 0.6};
  static const int beyond[] = {0, 2, 0};
  static const int unused[] = {0, 0, 0};
  method m = splitting_of(&sw_fixture_hopf);
  sw_flows flows;

  (void)state;
  m.flows.maps = m.maps;
  assert_int_equal(created(&m.flows, 1, NULL), SW_OK);
  assert_int_equal(created(&m.flows, 0, sw_base_tableau("verlet")), SW_ERR_OPTION);
  flows = m.flows, flows.weight = heavy;
  assert_int_equal(created(&flows, 0, NULL), SW_ERR_OPTION);
  flows = m.flows, flows.map = beyond;
  assert_int_equal(created(&flows, 0, NULL), SW_ERR_OPTION);
  flows = m.flows, flows.map = unused;
  assert_int_equal(created(&flows, 0, NULL), SW_ERR_OPTION);
  flows = m.flows, flows.order = 0;
  assert_int_equal(created(&flows, 0, NULL), SW_ERR_OPTION);
  flows = m.flows, flows.n = SW_FLOWS_MOST + 1;
  assert_int_equal(created(&flows, 0, NULL), SW_ERR_OPTION);
  flows = m.flows, flows.name = NULL;
  assert_int_equal(created(&flows, 0, NULL), SW_ERR_OPTION);
  m.maps[KICK].symmetric = 0;
  assert_int_equal(created(&m.flows, 0, NULL), SW_OK);
  assert_int_equal(created(&m.flows, 1, NULL), SW_ERR_OPTION);
  m.maps[KICK].directions = NULL;
  assert_int_equal(created(&m.flows, 0, NULL), SW_ERR_OPTION);
  sw_system_free(&m.system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_make_the_steps_of_the_librarys_methods),
      cmocka_unit_test(steps_back_are_found),
      cmocka_unit_test(weights_make_the_order),
      cmocka_unit_test(a_map_without_a_value_leaves_the_state),
      cmocka_unit_test(what_is_no_method_is_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
