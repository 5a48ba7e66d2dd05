/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_verify_methods.c -- `verify` finds wrong scales of g and rho, and the orders of the methods,
 * from whatever step it begins with.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures.h"
#include "outcome.h"

static const sw_model *const fixtures[] = {&sw_fixture_pendulum, &sw_fixture_hopf,
                                           &sw_fixture_spherical, &sw_fixture_two};

enum { FIXTURES = sizeof fixtures / sizeof fixtures[0] };

/* What the wrappers do.  Generated functions have no argument for it. */
static _Thread_local const sw_model *original;
static _Thread_local int spoiled; /* index of the entry */
static _Thread_local uint64_t calls;

static void assert_fails(const sw_model *model, const char *name)
{
  if (outcome(model, name) != SW_CHECK_FAIL)
    fail_msg("%s: check '%s' did not fail (entry %d)", model->name, name, spoiled);
}

static void tiny_scale(const long n[], const double z[], const double k[], double out[])
{
  original->constraint(n, z, k, out);
  out[0] = 0.9 * fabs(out[0]);
}

static void infinite_scale(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)z;
  (void)k;
  out[0] = INFINITY;
}

static void large_constraint_scale(const long n[], const double z[], const double k[], double out[])
{
  original->constraint_scale(n, z, k, out);
  out[spoiled] *= 1e6;
}

static void large_hidden_scale(const long n[], const double z[], const double k[], double out[])
{
  original->hidden_scale(n, z, k, out);
  out[spoiled] *= 1e6;
}

/* A scale a million times too large would let any residual pass. */
static void test_large_scales(void **state)
{
  const char *name = "|g| and |rho| within their scales";
  (void)state;
  for (int f = 0; f < FIXTURES; f++) {
    original = fixtures[f];
    for (spoiled = 0; spoiled < original->n_constraints; spoiled++) {
      sw_model broken = *original;
      broken.constraint_scale = large_constraint_scale;
      assert_fails(&broken, name);
      broken = *original;
      broken.hidden_scale = large_hidden_scale;
      assert_fails(&broken, name);
    }
  }
}

static void test_scales(void **state)
{
  (void)state;
  sw_model broken = sw_fixture_hopf;
  original = &sw_fixture_hopf;
  broken.constraint_scale = tiny_scale;
  assert_fails(&broken, "|g| and |rho| within their scales");
  broken = sw_fixture_hopf;
  broken.hidden_scale = infinite_scale;
  assert_fails(&broken, "|g| and |rho| within their scales");
}

/* A gradient that is never the same: no method has an order on it. */
static void noisy_grad(const long n[], const double z[], const double k[], double out[])
{
  original->hamiltonian_grad(n, z, k, out);
  calls = calls * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  out[0] += 3.0 * ldexp((double)(calls >> 11), -53);
}

static void test_orders(void **state)
{
  (void)state;
  sw_model broken = sw_fixture_pendulum;
  original = &sw_fixture_pendulum;
  broken.hamiltonian_grad = noisy_grad;
  assert_fails(&broken, "order of RATTLE over euler-a");
  assert_fails(&broken, "order of RATTLE over euler-b");
  assert_fails(&broken, "order of RATTLE over verlet");
  assert_fails(&broken, "order of RATTLE over midpoint");
  assert_fails(&broken, "every output is written");
}

/* Explicit Verlet on an H that is not separable is of order 1. */
static void test_order_lost(void **state)
{
  (void)state;
  sw_model broken = sw_fixture_spherical;
  broken.structure.separable = 1;
  assert_fails(&broken, "order of RATTLE over verlet");
  assert_fails(&broken, "verlet(-h) o verlet(h) = id");
}

/* The checks of orders, without those of methods that do not take the fixture: it has no discrete
 * gradients and no accelerations, and its constraint is not linear. */
static int is_order(const sw_finding *finding)
{
  return strncmp(finding->name, "order of", 8) == 0 && !strstr(finding->name, "ENERGY-MOMENTUM") &&
         !strstr(finding->name, "VARIATIONAL") && !strstr(finding->name, "INDEX1");
}

/* The order is found whatever step the model itself gives, and the report has no slope that is
 * none. */
static void test_order_from_any_step(void **state)
{
  static const double steps[] = {1e-8, 1e-3, 1e3};
  static sw_finding findings[128];
  const sw_verify_options options = {.seed = 1, .points = 1};
  (void)state;
  for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
    sw_model model = sw_fixture_pendulum;
    model.run.step = steps[s];
    verify(&model, &options, findings);
    for (int i = 0; i < sw_verify_count(); i++) {
      if (is_order(&findings[i])) {
        if (findings[i].outcome != SW_CHECK_PASS)
          fail_msg("step %g: '%s': %s", steps[s], findings[i].name, findings[i].note);
        assert_non_null(strstr(findings[i].note, "slope "));
      }
    }
  }
  sw_model noisy = sw_fixture_pendulum;
  original = &sw_fixture_pendulum;
  noisy.hamiltonian_grad = noisy_grad;
  verify(&noisy, &options, findings);
  for (int i = 0; i < sw_verify_count(); i++) {
    if (is_order(&findings[i]))
      assert_null(strstr(findings[i].note, "nan"));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scales), cmocka_unit_test(test_large_scales),
      cmocka_unit_test(test_orders), cmocka_unit_test(test_order_lost),
      cmocka_unit_test(test_order_from_any_step)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
