/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_lyapunov.c -- Lyapunov exponents: of regular motion, of a chaotic double pendulum against an
 * integration in its two angles that shares nothing with the runtime, and the checks on their sum
 * and their pairs.
 */
#include <string.h>

#include "../../generated/double_pendulum.h"
#include "../../generated/pendulum.h"
#include "checks/lyapunov_exponents.h"
#include "fixtures.h"
#include "near.h"
#include "pairs.h"
#include "sim/sim_internal.h"
#include "simulation.h"

/* The double pendulum of unit masses, lengths and gravity, x = (a, b, a', b'), angles from the
 * downward vertical. */
static void field(const double x[4], double out[4])
{
  const double s = sin(x[0] - x[1]);
  const double c = cos(x[0] - x[1]);
  /* 2 a'' + c b'' = -s b'^2 - 2 sin a,  c a'' + b'' = s a'^2 - sin b */
  const double f = -s * x[3] * x[3] - 2.0 * sin(x[0]);
  const double g = s * x[2] * x[2] - sin(x[1]);
  const double det = 2.0 - c * c;

  out[0] = x[2];
  out[1] = x[3];
  out[2] = (f - c * g) / det;
  out[3] = (2.0 * g - c * f) / det;
}

static void rk4(double x[4], double h)
{
  double k[4][4];
  double y[4];

  field(x, k[0]);
  for (int stage = 1; stage < 4; stage++) {
    for (int i = 0; i < 4; i++) {
      y[i] = x[i] + (stage == 3 ? h : 0.5 * h) * k[stage - 1][i];
    }
    field(y, k[stage]);
  }
  for (int i = 0; i < 4; i++) {
    x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
  }
}

/* The largest exponent from two neighbours whose distance is reset to 1e-7 after every step. */
static double neighbours(double h, long steps)
{
  const double distance = 1e-7;
  double x[4] = {acos(0.0), acos(0.0), 0.0, 0.0};
  double y[4] = {x[0] + distance, x[1], 0.0, 0.0};
  double sum = 0.0;

  for (long n = 0; n < steps; n++) {
    double square = 0.0;
    rk4(x, h);
    rk4(y, h);
    for (int i = 0; i < 4; i++) {
      square += (y[i] - x[i]) * (y[i] - x[i]);
    }
    const double apart = sqrt(square);
    sum += log(apart / distance);
    for (int i = 0; i < 4; i++) {
      y[i] = x[i] + (y[i] - x[i]) * distance / apart;
    }
  }
  return sum / (h * (double)steps);
}

static void the_double_pendulum_is_chaotic(void **state)
{
  enum { STEPS = 240000 };
  const double h = 0.03;
  const double expected = neighbours(h, STEPS);
  sw_sim *sim = create(&sw_model_double_pendulum, "rattle", "verlet");
  sw_lyapunov exponents;

  (void)state;
  assert_int_equal(sw_lyapunov_open(sim, h, 4, &exponents), SW_OK);
  for (long n = 0; n < STEPS; n++) {
    assert_int_equal(sw_lyapunov_step(&exponents, h), SW_OK);
  }
  /* Two trajectories of a chaotic system: what each of them has found by T = 7200 is good to
   * 0.015. */
  assert_near(expected, 0.3, 0.03);
  assert_near(sw_lyapunov_exponent(&exponents, 0), expected, 0.03);
  assert_near(sw_lyapunov_exponent(&exponents, 1), 0.0, 2e-3);
  assert_below(sw_lyapunov_pairing(&exponents), 1e-3);
  assert_below(fabs(sw_lyapunov_sum_defect(&exponents)), 1e-13);
  sw_lyapunov_close(&exponents);
  sw_sim_free(&sim);
}

static void regular_motion_has_none(void **state)
{
  sw_sim *sim = create(&sw_model_pendulum, "rattle", "verlet");
  sw_lyapunov exponents;

  (void)state;
  assert_int_equal(sw_lyapunov_open(sim, 0.05, 2, &exponents), SW_OK);
  for (long n = 0; n < 40000; n++) {
    assert_int_equal(sw_lyapunov_step(&exponents, 0.05), SW_OK);
  }
  /* Neighbours separate like t: log(T)/T is what is left. */
  assert_near(sw_lyapunov_exponent(&exponents, 0), 0.0, log(2000.0) / 2000.0);
  assert_below(sw_lyapunov_pairing(&exponents), 1e-4);
  assert_below(fabs(sw_lyapunov_sum_defect(&exponents)), 1e-14);
  sw_lyapunov_close(&exponents);
  sw_sim_free(&sim);
}

/* The sum says at once what a method does that does not keep the symplectic form. */
static void the_sum_finds_a_control(void **state)
{
  static const char *const bases[] = {"midpoint", "explicit-midpoint"};

  (void)state;
  for (size_t i = 0; i < 2; i++) {
    for (const char *const *method = sw_method_names(); *method; method++) {
      sw_options options;
      sw_sim *sim = NULL;
      sw_lyapunov exponents;

      sw_options_init(&options);
      options.method = *method;
      options.base = bases[i];
      if (!takes(&sw_fixture_two, *method, bases[i])) {
        continue;
      }
      assert_int_equal(sw_sim_create(&sw_fixture_two, &options, &sim), SW_OK);
      assert_int_equal(sw_lyapunov_open(sim, 0.05, 2, &exponents), SW_OK);
      assert_true(isnan(sw_lyapunov_exponent(&exponents, 0)));
      for (int n = 0; n < 20; n++) {
        assert_int_equal(sw_lyapunov_step(&exponents, 0.05), SW_OK);
      }
      const double defect = fabs(sw_lyapunov_sum_defect(&exponents));
      assert_true(i == 0 ? defect < 1e-14 : defect > 1e-8);
      sw_lyapunov_close(&exponents);
      sw_sim_free(&sim);
    }
  }
}

static void numbers_of_exponents(void **state)
{
  sw_sim *sim = create(&sw_fixture_hopf, "rattle", "midpoint");
  sw_lyapunov exponents;

  (void)state;
  for (int n = -1; n < 5; n++) {
    const sw_status expected = n >= 1 && n <= 2 ? SW_OK : SW_ERR_ARGUMENT;
    assert_int_equal(sw_lyapunov_open(sim, 0.05, n, &exponents), expected);
    if (n == 1) {
      assert_int_equal(sw_lyapunov_step(&exponents, 0.05), SW_OK);
      assert_true(isnan(sw_lyapunov_sum_defect(&exponents)));
      assert_true(isnan(sw_lyapunov_pairing(&exponents)));
      assert_int_equal(sw_lyapunov_step(&exponents, 0.0), SW_ERR_ARGUMENT);
    }
    sw_lyapunov_close(&exponents);
  }
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_double_pendulum_is_chaotic),
      cmocka_unit_test(regular_motion_has_none),
      cmocka_unit_test(the_sum_finds_a_control),
      cmocka_unit_test(numbers_of_exponents),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
