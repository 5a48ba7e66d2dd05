/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_phi_matrix.c -- exponentials of matrices against those that are known in closed form.
 */
#include "linear/phi_matrix.h"
#include "near.h"

/* exp(h A) = 1 + Phi A for a 2 x 2 matrix, row by row. */
static void exponential(double h, const double A[4], double E[4])
{
  double phi[4];
  double work[8];

  sw_phi_matrix(2, h, A, phi, work);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      E[2 * i + j] = (i == j) + phi[2 * i] * A[j] + phi[2 * i + 1] * A[2 + j];
}

static void exponentials_are_those_in_closed_form(void **state)
{
  static const double sizes[] = {1e-9, 0.01, 0.7, 3.0, 40.0, 1000.25};
  double E[4];

  (void)state;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    /* The angle itself is only known to its round-off. */
    const double h = sizes[i];
    const double error = 4e-15 * fmax(1.0, h);
    exponential(h, (double[]){0.0, 1.0, -1.0, 0.0}, E);
    assert_all_near(E, ((double[]){cos(h), sin(h), -sin(h), cos(h)}), 4, error);
    /* In other units the same numbers in these, bit for bit. */
    double other[4];
    exponential(h, (double[]){0.0, 0x1p100, -0x1p-100, 0.0}, other);
    other[1] *= 0x1p-100;
    other[2] *= 0x1p100;
    assert_memory_equal(other, E, sizeof E);
    exponential(h, (double[]){0.0, 5.0, 0.0, 0.0}, E);
    assert_all_near(E, ((double[]){1.0, 5.0 * h, 0.0, 1.0}), 4, 1e-15 * 5.0 * h);
    if (h < 100.0) {
      exponential(h, (double[]){0.0, 1.0, 1.0, 0.0}, E);
      assert_near(E[0] / cosh(h), 1.0, error);
      assert_near(E[1] / sinh(h), 1.0, error);
    }
  }
  exponential(0.3, (double[]){0.0, NAN, 1.0, 0.0}, E);
  assert_true(isnan(E[0]));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(exponentials_are_those_in_closed_form)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
