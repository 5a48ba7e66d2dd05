/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_fibre_points.c -- the points where fibres meet M^H (paper 000, Fig. 6): cases (i) to (iii)
 * of section 5.4.2, fibres on which H is constant, open fibres, fibres of two constraints, and the
 * command `fibre`.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/fibre_points.h"
#include "checks/motion_multipliers.h"
#include "common/random.h"
#include "failing_malloc.h"
#include "near.h"

#include "fixtures.h"
#include "hopf.h"
#include "hopf_free.h"
#include "pendulum.h"
#include "program_call.h"
#include "two_constraints.h"

static const double pi = 3.141592653589793;

static void find(const sw_model *model, const double z[], sw_fibre_points *found)
{
  sw_system *system = NULL;

  assert_int_equal(sw_system_create(model, 0, NULL, &system, NULL), SW_OK);
  assert_int_equal(sw_fibre_points_find(system, system->k_default, z, 100.0, found), SW_OK);
  for (int i = 0; i < found->count; i++) {
    double there[6];
    double rho[2];
    const double *at = found->z + (size_t)i * found->dim;
    system->fibre_flow(system, z, system->k_default, found->sigma + (size_t)i * (size_t)found->m,
                       there);
    system->hidden(system, at, system->k_default, rho);
    assert_below(sw_distance(found->dim, there, at), 1e-13);
    assert_below(sw_max_abs((size_t)found->m, rho), 1e-11);
  }
  sw_system_free(&system);
}

static void initial(const sw_model *model, double z[])
{
  double k[8] = {0.0};

  model->parameter_values(NULL, k);
  model->init[0].state(NULL, k, z);
}

/* H' of Fig. 6 along the fibre of the Hopf model with g = (0,-1), and its derivative, by the angle
 * theta = 2 sigma. */
static double slope(const double z[4], double theta)
{
  const double q2 = z[0] * z[0] + z[1] * z[1];
  const double p2 = z[2] * z[2] + z[3] * z[3];

  return 0.5 * (q2 - p2) * sin(2.0 * theta) - (z[0] * z[2] + z[1] * z[3]) * cos(2.0 * theta) -
         z[1] * sin(theta) + z[3] * cos(theta);
}

static int sign_changes(const double z[4], int n)
{
  int count = 0;

  for (int i = 0; i < n; i++) {
    count +=
        (slope(z, 2.0 * pi * (i + 0.5) / n) < 0.0) != (slope(z, 2.0 * pi * (i + 1.5) / n) < 0.0);
  }
  return count;
}

/* z_a, of which the reference has the points. */
static void the_fibre_of_fig_6(void **state)
{
  static const double others[4] = {0.12881875232470061, 0.42130856689192661, 0.87627380334622606,
                                   0.19506163662319144};
  sw_fibre_points found;
  double z[4];

  (void)state;
  initial(&sw_model_hopf, z);
  find(&sw_model_hopf, z, &found);
  assert_true(found.turn[0].is_closed);
  assert_near(found.turn[0].last - found.turn[0].first, pi, 1e-14);
  assert_int_equal(found.count, 2);
  assert_near(found.sigma[0], 0.0, 1e-15);
  assert_near(found.point[0].det, 4.0 * -0.968722253767, 1e-11);
  assert_near(found.sigma[1], 0.5 * 2.1944991829521058161, 1e-14);
  assert_near(found.point[1].det, 4.0 * 1.03311820792, 1e-11);
  assert_below(sw_distance(4, found.z + 4, others), 1e-14);
  assert_int_equal(sw_fibre_points_at(&found, others), 1);
  assert_int_equal(found.zeros, 4);
  assert_near(found.point[0].distance, -found.zero[1], 1e-12);
  assert_near(found.point[1].distance, found.zero[3] - found.sigma[1], 1e-12);
  sw_fibre_points_close(&found);
}

/* Case (iii): H' has a double zero at the state, for every q_2. */
static void a_degenerate_point(void **state)
{
  (void)state;
  for (double q2 = -0.4; q2 < 0.85; q2 += 0.17) {
    const double q1 = sqrt(0.5 * (1.0 + q2) - q2 * q2);
    const double ratio = (1.0 - q2) / q1;
    const double p2 = sqrt(0.5 * (1.0 - q2) / (ratio * ratio + 1.0));
    const double z[4] = {q1, q2, p2 * ratio, p2};
    sw_fibre_points found;
    find(&sw_model_hopf, z, &found);
    const int i = sw_fibre_points_at(&found, z);
    assert_int_equal(found.count, 3);
    assert_true(i >= 0 && found.point[i].is_degenerate);
    assert_near(found.sigma[i], 0.0, 1e-7);
    assert_true(found.point[i].distance == 0.0);
    for (int j = 0; j < 3; j++) {
      assert_true(j == i || (!found.point[j].is_degenerate && found.point[j].distance > 0.05));
    }
    sw_fibre_points_close(&found);
  }
}

/* Cases (i) and (ii), of random states; near case (iii) as well. */
static void random_fibres(void **state)
{
  enum { TRIES = 1000 };
  uint64_t seed = 29;
  int of[5] = {0};

  (void)state;
  for (int n = 0; n < TRIES; n++) {
    double z[4];
    double size = 0.0;
    sw_fibre_points found;
    for (int i = 0; i < 4; i++) {
      z[i] = sw_random(&seed);
      size += z[i] * z[i];
    }
    for (int i = 0; i < 4; i++) {
      z[i] /= sqrt(size);
    }
    find(&sw_model_hopf, z, &found);
    assert_int_equal(found.count, sign_changes(z, 20000));
    for (int i = 0; i < found.count; i++) {
      const double theta = 2.0 * found.sigma[i];
      assert_below(fabs(slope(z, theta)), 1e-13);
      assert_int_equal(sw_fibre_points_at(&found, found.z + 4 * i), i);
      assert_true(i == 0 || (found.point[i].det < 0.0) != (found.point[i - 1].det < 0.0));
    }
    of[found.count]++;
    sw_fibre_points_close(&found);
  }
  print_message("  %d fibres with two points, %d with four\n", of[2], of[4]);
  assert_int_equal(of[2] + of[4], TRIES);
  assert_true(of[2] > 100 && of[4] > 100);
}

/* Three points within 0.004 of each other; and H' that vanishes on the whole fibre. */
static void special_fibres(void **state)
{
  const double q2 = -0.5 + 1e-6;
  const double near[4] = {0.0, q2, sqrt(1.0 - q2 * q2), 0.0};
  const double exceptional[4] = {sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
  const double b1[4] = {0.8, 0.0, 0.0, 0.6};
  sw_fibre_points found;

  (void)state;
  find(&sw_model_hopf, near, &found);
  assert_int_equal(found.count, 4);
  const int i = sw_fibre_points_at(&found, near);
  /* The round-off of rho over N, which is 1e-5 here. */
  assert_near(found.sigma[i], 0.0, 1e-9);
  assert_near(found.sigma[i + 1], 0.5 * acos(q2 / (2.0 * q2 * q2 - 1.0)), 1e-9);
  assert_near(found.sigma[i - 1], -found.sigma[i + 1], 1e-9);
  sw_fibre_points_close(&found);

  find(&sw_model_hopf_free, exceptional, &found);
  assert_true(found.is_constant);
  assert_int_equal(found.count, 0);
  sw_fibre_points_close(&found);

  find(&sw_model_hopf_free, b1, &found);
  assert_int_equal(found.count, 4);
  for (int j = 0; j < 4; j++) {
    assert_near(found.sigma[j], 0.25 * pi * (j - 1), 1e-14);
    assert_near(found.point[j].distance, 0.125 * pi, 1e-13);
  }
  sw_fibre_points_close(&found);
}

/* A straight fibre, of a state beside M^H and of one at rest. */
static void open_fibres(void **state)
{
  static const double states[2][4] = {{0.6, -0.8, 1.4, -0.3}, {0.0, -1.0, 0.0, 0.0}};

  (void)state;
  for (int i = 0; i < 2; i++) {
    sw_fibre_points found;
    const double *z = states[i];
    find(&sw_model_pendulum, z, &found);
    assert_false(found.turn[0].is_closed);
    assert_int_equal(found.count, 1);
    assert_near(found.sigma[0], 0.5 * (z[0] * z[2] + z[1] * z[3]), 1e-14);
    assert_near(found.point[0].det, -4.0, 1e-14);
    assert_true(isinf(found.point[0].distance));
    sw_fibre_points_close(&found);
  }
}

/* Of two constraints, whose fibre is a torus: six points, found from every one of them.  The signs
 * of det N add up to 0. */
static void a_torus(void **state)
{
  double z[6];
  double points[36];
  sw_fibre_points found;

  (void)state;
  initial(&sw_model_two_constraints, z);
  find(&sw_model_two_constraints, z, &found);
  assert_int_equal(found.count, 6);
  assert_int_equal(sw_fibre_points_sum(&found), 0);
  assert_near(found.turn[0].last, 0.5 * pi, 1e-14);
  assert_near(found.turn[1].last, pi, 1e-14);
  assert_int_equal(sw_fibre_points_at(&found, z), 0);
  memcpy(points, found.z, sizeof points);
  found.point[1].det *= -1.0;
  assert_int_equal(abs(sw_fibre_points_sum(&found)), 2);
  sw_fibre_points_close(&found);
  for (int i = 1; i < 6; i++) {
    find(&sw_model_two_constraints, points + 6 * i, &found);
    assert_int_equal(found.count, 6);
    for (int j = 0; j < 6; j++) {
      assert_true(sw_fibre_points_at(&found, points + 6 * j) >= 0);
    }
    sw_fibre_points_close(&found);
  }
}

/* Every allocation may fail: nothing is kept then. */
static void survives_every_failure(void **state)
{
  const sw_model *const models[] = {&sw_model_hopf, &sw_model_pendulum, &sw_model_two_constraints};

  (void)state;
  for (int i = 0; i < 3; i++) {
    sw_system *system = NULL;
    double z[6];
    double lambda[2];
    int failed = 0;
    sw_status status = SW_ERR_MEMORY;
    assert_int_equal(sw_system_create(models[i], 0, NULL, &system, NULL), SW_OK);
    initial(models[i], z);
    for (int which = 1; status == SW_ERR_MEMORY; which++) {
      const long kept = allocations - releases;
      sw_fibre_points found;
      sw_motion *motion = NULL;
      fail_at = which;
      status = sw_fibre_points_find(system, system->k_default, z, 100.0, &found);
      status = status == SW_OK ? sw_motion_create(system, SW_REDUNDANT_ERROR, 0, &motion) : status;
      status =
          status == SW_OK ? sw_motion_multipliers(motion, system->k_default, z, lambda) : status;
      fail_at = 0;
      sw_motion_free(&motion);
      sw_fibre_points_close(&found);
      assert_int_equal(allocations - releases, kept);
      failed += status == SW_ERR_MEMORY;
    }
    assert_int_equal(status, SW_OK);
    assert_true(failed > 5);
    sw_system_free(&system);
  }
}

static void the_command(void **state)
{
  const char *const refused[] = {"prog fibre --range 0", "prog fibre --range x",
                                 "prog fibre --step 0.1", "prog fibre --init nowhere"};

  (void)state;
  assert_int_equal(call(&sw_model_hopf, "prog fibre"), 0);
  assert_non_null(strstr(out, "sphere: closed, one turn is sigma = 3.14159265358979\n"));
  assert_non_null(strstr(out, "points on M^H  2\n"));
  assert_non_null(strstr(out, "\n* "));
  assert_string_equal(err, "");
  assert_int_equal(call(&sw_model_hopf, "prog fibre --json --init zb"), 0);
  assert_non_null(strstr(out, "\"init\": \"zb\""));
  assert_non_null(strstr(out, "\"kind\": \"regular\""));
  assert_non_null(strstr(out, "\"slide\": true"));
  assert_int_equal(call(&sw_model_pendulum, "prog fibre"), 0);
  assert_non_null(strstr(out, "rod: open, searched from sigma = "));
  assert_non_null(strstr(out, "det N = 0      nowhere\n"));
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    assert_int_equal(call(&sw_model_hopf, refused[i]), 2);
    assert_int_not_equal(strlen(err), 0);
  }
  assert_int_equal(call(&sw_fixture_two, "prog fibre --set l=0.2"), 2);
  assert_non_null(strstr(err, "not on M"));
  assert_int_equal(call(&sw_fixture_two, "prog fibre --set l=0.2 --project=inf"), 0);
  assert_non_null(strstr(out, "projection     moves positions by "));
  assert_int_equal(call(&sw_fixture_free, "prog fibre"), 2);
  assert_non_null(strstr(err, "no fibres: the model has 0 constraints"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_fibre_of_fig_6),
      cmocka_unit_test(a_degenerate_point),
      cmocka_unit_test(random_fibres),
      cmocka_unit_test(special_fibres),
      cmocka_unit_test(open_fibres),
      cmocka_unit_test(a_torus),
      cmocka_unit_test(survives_every_failure),
      cmocka_unit_test(the_command),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
