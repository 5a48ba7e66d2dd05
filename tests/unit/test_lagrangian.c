/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_lagrangian.c -- models that are given by L(q,v), beside the same ones with H(q,p) by hand:
 * the functions, the states of all methods, and L and its derivatives as the variational integrator
 * takes them beside those of a formula written here.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "angles_by_hand.h"
#include "chain.h"
#include "chain_lagrangian.h"
#include "charge_lagrangian.h"
#include "charged_sphere.h"
#include "curved.h"
#include "curved_lagrangian.h"
#include "model/system.h"
#include "near.h"
#include "pendulum_angles.h"
#include "reference.h"
#include "step/layer.h"

enum { MOST = 128, NODES = 12 };

/* By L and by H, at a size where the model has one; parameters other than the defaults, 0 for
 * none. */
typedef struct pair {
  const sw_model *by_L;
  const sw_model *by_H;
  const char *init_L;
  const char *init_H;
  double h;
  int n_sizes;
  sw_size size;
  double k[5];
} pair;

static const pair angles = {
    &sw_model_pendulum_angles, &sw_model_angles_by_hand, "pushed", "default", 0.02, 0, {0}, {0}};
static const pair other_angles = {
    &sw_model_pendulum_angles, &sw_model_angles_by_hand, "pushed", "default", 0.02, 0, {0},
    {1.3, 0.7, 0.8, 1.1, 2.0}};
static const pair charge = {
    &sw_model_charge_lagrangian, &sw_model_charged_sphere, "default", "default", 0.05, 0, {0}, {0}};
static const pair curved = {
    &sw_model_curved_lagrangian, &sw_model_curved, "default", "default", 0.05, 0, {0}, {0}};
static const pair chain = {&sw_model_chain_lagrangian,
                           &sw_model_chain,
                           "hanging",
                           "hanging",
                           0.001,
                           1,
                           {.name = "N", .value = NODES},
                           {0}};

static sw_sim *start(const pair *of, const sw_model *model, const char *init, const char *method,
                     const char *base)
{
  sw_options options;
  sw_sim *sim = NULL;
  double z[MOST];

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.n_sizes = of->n_sizes;
  options.sizes = &of->size;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  assert_true(2 * sw_sim_nq(sim) <= MOST);
  if (of->k[0] > 0.0) {
    assert_int_equal(sw_sim_set_parameters(sim, of->k), SW_OK);
  }
  for (int i = 0; i < model->n_init; i++) {
    if (strcmp(model->init[i].name, init) == 0) {
      model->init[i].state(&of->size.value, sw_sim_parameters(sim), z);
      assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
    }
  }
  return sim;
}

/* The distance of both models' states after some steps. */
static double distance(const pair *of, const char *method, const char *base, long steps)
{
  sw_sim *a = start(of, of->by_L, of->init_L, method, base);
  sw_sim *b = start(of, of->by_H, of->init_H, method, base);
  const int d = sw_sim_nq(a);

  assert_int_equal(d, sw_sim_nq(b));
  reference_advance(a, of->h, steps);
  reference_advance(b, of->h, steps);
  double result = reference_distance(2 * d, sw_sim_state(a), sw_sim_state(b));
  sw_sim_free(&a);
  sw_sim_free(&b);
  return result;
}

static void test_initial_velocities(void **state)
{
  const pair *const all[] = {&angles, &other_angles, &charge, &curved, &chain};

  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    reference_accept(all[i]->by_L->name, distance(all[i], "rattle", "midpoint", 0), 2e-16);
  }
}

static void test_states(void **state)
{
  static const struct {
    const pair *models;
    const char *method;
    const char *base;
    double tolerance;
  } runs[] = {
      {&angles, "rattle", "verlet", 2e-15},
      {&angles, "rattle", "gauss-4", 2e-15},
      {&other_angles, "rattle", "midpoint", 4e-15},
      {&angles, "variational", "rk4", 4e-14},
      {&other_angles, "variational", "kutta-3", 4e-14},
      {&charge, "rattle", "verlet", 1e-15},
      {&charge, "rattle", "splitting", 1e-15},
      {&charge, "lobatto", "lobatto-4", 1e-15},
      {&curved, "rattle", "midpoint", 1e-14},
      {&curved, "variational", "rk4", 5e-14},
      {&curved, "shake", "gauss-4", 4e-14},
      {&chain, "rattle", "verlet", 1e-15},
      {&chain, "leapfrog", "none", 1e-15},
  };

  (void)state;
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    const char *const name = runs[i].models->by_L->name;
    reference_accept(name, distance(runs[i].models, runs[i].method, runs[i].base, 100),
                     runs[i].tolerance);
  }
  pair wrong = other_angles;
  wrong.by_H = &sw_model_pendulum_angles;
  wrong.init_H = "horizontal";
  reference_refuse("another state", distance(&wrong, "rattle", "midpoint", 100), 1e-12);
}

/* ---- L as the file has it ---- */

/* L of models/pendulum_angles.sw with its derivatives by (q, v), written anew. */
static double angles_L(const double k[], const double q[], const double v[], double L_w[])
{
  const double m1 = k[0];
  const double m2 = k[1];
  const double l1 = k[2];
  const double l2 = k[3];
  const double g = k[4];
  const double c = m2 * l1 * l2 * cos(q[0] - q[1]);
  const double s = m2 * l1 * l2 * sin(q[0] - q[1]);

  L_w[0] = -s * v[0] * v[1] - (m1 + m2) * g * l1 * sin(q[0]);
  L_w[1] = s * v[0] * v[1] - m2 * g * l2 * sin(q[1]);
  L_w[2] = (m1 + m2) * l1 * l1 * v[0] + c * v[1];
  L_w[3] = m2 * l2 * l2 * v[1] + c * v[0];
  return (m1 + m2) * l1 * l1 * v[0] * v[0] / 2 + m2 * l2 * l2 * v[1] * v[1] / 2 + c * v[0] * v[1] +
         (m1 + m2) * g * l1 * cos(q[0]) + m2 * g * l2 * cos(q[1]);
}

/* Of models/charge_lagrangian.sw. */
static double charge_L(const double k[], const double q[], const double v[], double L_w[])
{
  const double m = k[0];
  const double B = k[1];
  const double e = k[2];
  const double z = q[2] - k[3];
  const double r = sqrt(q[0] * q[0] + q[1] * q[1] + z * z);

  L_w[0] = B * v[1] / 2 - e * q[0] / (r * r * r);
  L_w[1] = -B * v[0] / 2 - e * q[1] / (r * r * r);
  L_w[2] = -e * z / (r * r * r);
  L_w[3] = m * v[0] - B * q[1] / 2;
  L_w[4] = m * v[1] + B * q[0] / 2;
  L_w[5] = m * v[2];
  return m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 + B * (q[0] * v[1] - q[1] * v[0]) / 2 +
         e / r;
}

/* Without the field. */
static double bent_L(const double k[], const double q[], const double v[], double L_w[])
{
  const double other[] = {k[0], 0.0, k[2], k[3]};

  return charge_L(other, q, v, L_w);
}

typedef double lagrangian(const double k[], const double q[], const double v[], double L_w[]);

/* The largest difference of L and of L_w, which is all that the discrete Lagrangian is made of, at
 * (q,v). */
static double difference(const sw_model *model, const double k[], lagrangian *L, const double q[],
                         const double v[])
{
  sw_system *system = NULL;
  sw_lagrangian s = {0};
  sw_lagrangian_point point;
  sw_carver carver = {NULL, 0, 0};
  double L_w[MOST];
  double H = 0.0;

  assert_int_equal(sw_system_create(model, 0, NULL, &system, NULL), SW_OK);
  const int d = system->nq;
  s.system = system;
  s.k = k;
  sw_lagrangian_carve(&carver, &s);
  sw_lagrangian_point_carve(&carver, &s, &point);
  void *memory = malloc(carver.used);
  assert_non_null(memory);
  carver = (sw_carver){memory, 0, 0};
  sw_lagrangian_carve(&carver, &s);
  sw_lagrangian_point_carve(&carver, &s, &point);
  sw_lagrangian_at(&s, q, v, 1, &point);
  system->hamiltonian(system, point.y, k, &H);
  double value = -H;
  for (int i = 0; i < d; i++) {
    value += point.y[d + i] * v[i];
  }
  double worst = fabs(value - L(k, q, v, L_w));
  worst = fmax(worst, reference_distance(2 * d, point.L_w, L_w));
  free(memory);
  sw_system_free(&system);
  return worst;
}

static void test_lagrangian_as_given(void **state)
{
  static const double k[] = {1.3, 0.7, 0.8, 1.1, 2.0};
  static const double q[] = {0.4, -0.3, 0.6};
  static const double v[] = {0.9, 0.5, -0.7};

  (void)state;
  reference_accept("pendulum_angles", difference(&sw_model_pendulum_angles, k, angles_L, q, v),
                   2e-15);
  reference_accept("charge_lagrangian", difference(&sw_model_charge_lagrangian, k, charge_L, q, v),
                   2e-15);
  reference_refuse("another L", difference(&sw_model_charge_lagrangian, k, bent_L, q, v), 2e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_initial_velocities),
      cmocka_unit_test(test_states),
      cmocka_unit_test(test_lagrangian_as_given),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
