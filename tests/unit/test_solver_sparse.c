/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_solver_sparse.c -- the nonlinear solve of equations with a sparse Jacobian, of very many,
 * and the vectors that it works with.
 */
#include <float.h>
#include <nvector/nvector_serial.h>
#include <string.h>

#include "common/vectors.h"
#include "near.h"
#include "solve/newton_kinsol.h"
#include "solve/solver.h"

/* A discretised u'' = exp(u), u(0) = u(1) = 0, of many unknowns. */
enum { many = 3000 };

static void pressed(void *context, const double u[], double F[])
{
  const double h = 1.0 / (many + 1);

  (void)context;
  for (int i = 0; i < many; i++) {
    const double left = i > 0 ? u[i - 1] : 0.0;
    const double right = i < many - 1 ? u[i + 1] : 0.0;
    F[i] = 0.25 * (left - 2.0 * u[i] + right - h * h * exp(u[i]));
  }
}

static void pressed_jac(void *context, const double u[], double J[])
{
  const double h = 1.0 / (many + 1);
  int e = 0;

  (void)context;
  for (int i = 0; i < many; i++) {
    if (i > 0)
      J[e++] = 0.25;
    J[e++] = -0.25 * (2.0 + h * h * exp(u[i]));
    if (i < many - 1)
      J[e++] = 0.25;
  }
}

static void many_unknowns_are_solved(void **state)
{
  static int row[3 * many];
  static int col[3 * many];
  static double u[many];
  const sw_problem problem = {pressed, pressed_jac, NULL};
  sw_pattern pattern = {many, many, 0, row, col};
  sw_solver *solver = NULL;
  sw_solve_report report;

  (void)state;
  for (int i = 0; i < many; i++)
    for (int j = i - 1; j <= i + 1; j++)
      if (j >= 0 && j < many) {
        row[pattern.entries] = i;
        col[pattern.entries++] = j;
      }
  assert_int_equal(sw_solver_create(&pattern, (sw_multipliers){0}, 1e-12, 30, &solver), SW_OK);
  assert_int_equal(sw_solver_solve(solver, &problem, u, &report), SW_OK);
  /* exp(u) = c^2 / (2 cos^2(c (x - 1/2) / 2)), where c = sqrt(2) cos(c/4) is 1.3360556949... */
  const double c = 1.3360556949061008;
  for (int i = 0; i < many; i++) {
    const double x = (i + 1.0) / (many + 1);
    const double cosine = cos(0.5 * c * (x - 0.5));
    assert_near(u[i], log(0.5 * c * c / (cosine * cosine)), 1e-7);
  }
  assert_int_equal(sw_solver_root(solver).sign, many % 2 ? -1 : 1);
  sw_solver_free(&solver);
}

/* Blocks of three, u_i^2 + u_j u_k / 2 = 3 a / 2 with an a between 2 and 3 for each block: every
 * block has the solution sqrt(a), three times. */
enum { unknowns = 3 * 100000 };

static void triples(void *context, const double u[], double F[])
{
  (void)context;
  for (int i = 0; i < unknowns; i++) {
    const int b = i / 3 * 3;
    const double right = 2.0 + (double)b / unknowns;
    F[i] = 0.25 * (u[i] * u[i] + 0.5 * u[b + (i + 1) % 3] * u[b + (i + 2) % 3] - 1.5 * right);
  }
}

static void triples_jac(void *context, const double u[], double J[])
{
  (void)context;
  for (int i = 0; i < unknowns; i++) {
    const int b = i / 3 * 3;
    for (int j = b; j < b + 3; j++)
      J[3 * i + j - b] = j == i ? 0.5 * u[i] : 0.125 * u[3 * b + 3 - i - j];
  }
}

static void very_many_unknowns_are_solved(void **state)
{
  static int row[3 * unknowns];
  static int col[3 * unknowns];
  static double u[unknowns];
  const sw_problem problem = {triples, triples_jac, NULL};
  const sw_pattern pattern = {unknowns, unknowns, 3 * unknowns, row, col};
  sw_solver *solver = NULL;
  sw_solve_report report;

  (void)state;
  for (int e = 0; e < 3 * unknowns; e++) {
    row[e] = e / 3;
    col[e] = e / 9 * 3 + e % 3;
  }
  for (int i = 0; i < unknowns; i++)
    u[i] = 1.2;
  assert_int_equal(sw_solver_create(&pattern, (sw_multipliers){0}, 1e-12, 30, &solver), SW_OK);
  assert_int_equal(sw_solver_solve(solver, &problem, u, &report), SW_OK);
  assert_in_range(report.iterations, 3, 7);
  for (int i = 0; i < unknowns; i++)
    assert_near(u[i], sqrt(2.0 + (double)(i / 3 * 3) / unknowns), 4e-15);
  assert_int_equal(sw_solver_root(solver).sign, 1);
  sw_solver_free(&solver);
}

static void norms_see_every_component(void **state)
{
  (void)state;
  for (int n = 1; n <= 11; n++)
    for (int i = 0; i < n; i++) {
      double x[11] = {0.25, -0.5, 0.125, 0.0, -1.0, 1.0, 0.75, -0.0, 0.5, -0.25, 0.0};
      x[i] = i % 2 ? -3.0 : 3.0;
      assert_near(sw_max_abs((size_t)n, x), 3.0, 0.0);
      x[i] = i % 2 ? -INFINITY : INFINITY;
      assert_true(isinf(sw_max_abs((size_t)n, x)));
      x[i] = i % 2 ? -NAN : NAN;
      assert_true(isnan(sw_max_abs((size_t)n, x)));
    }
}

/* SUNDIALS' own vector with the components of x. */
static N_Vector copy_of(N_Vector x, SUNContext context)
{
  const sunindextype n = N_VGetLength(x);
  N_Vector copy = N_VNew_Serial(n, context);

  assert_non_null(copy);
  memcpy(NV_DATA_S(copy), sw_vector_data(x), (size_t)n * sizeof(double));
  return copy;
}

/* Ours (x, y, z) against SUNDIALS' own (a, b, c), of two vectors without zeros. */
static void check_operations(N_Vector x, N_Vector y, N_Vector z, SUNContext context)
{
  const int n = (int)N_VGetLength(x);
  N_Vector a = copy_of(x, context);
  N_Vector b = copy_of(y, context);
  N_Vector c = copy_of(x, context);
  const double *ours = sw_vector_data(z);
  const double *theirs = NV_DATA_S(c);

  N_VLinearSum(2.0, x, -0.5, y, z);
  N_VLinearSum_Serial(2.0, a, -0.5, b, c);
  assert_all_near(ours, theirs, n, 0.0);
  N_VProd(x, y, z);
  N_VProd_Serial(a, b, c);
  assert_all_near(ours, theirs, n, 0.0);
  N_VDiv(x, y, z);
  N_VDiv_Serial(a, b, c);
  assert_all_near(ours, theirs, n, 0.0);
  N_VScale(-3.0, x, z);
  N_VScale_Serial(-3.0, a, c);
  assert_all_near(ours, theirs, n, 0.0);
  N_VAbs(x, z);
  N_VAbs_Serial(a, c);
  assert_all_near(ours, theirs, n, 0.0);
  N_VInv(x, z);
  N_VInv_Serial(a, c);
  assert_all_near(ours, theirs, n, 0.0);
  N_VConst(0.75, z);
  N_VConst_Serial(0.75, c);
  assert_all_near(ours, theirs, n, 0.0);
  assert_near(N_VMin(x), N_VMin_Serial(a), 0.0);
  assert_near(N_VMaxNorm(x), N_VMaxNorm_Serial(a), 0.0);
  assert_near(N_VDotProd(x, y), N_VDotProd_Serial(a, b), 4.0 * DBL_EPSILON * n);
  assert_near(N_VWL2Norm(x, y), N_VWL2Norm_Serial(a, b), 4.0 * DBL_EPSILON * n);
  N_VDestroy(a);
  N_VDestroy(b);
  N_VDestroy(c);
}

static void operations_are_those_of_sundials(void **state)
{
  SUNContext context = NULL;

  (void)state;
#if SUNDIALS_VERSION_MAJOR < 7
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
#else
  assert_int_equal(SUNContext_Create(SUN_COMM_NULL, &context), 0);
#endif
  for (int n = 1; n <= 11; n++) {
    sw_vectors *stock = sw_vectors_create(n, 8, context);
    assert_non_null(stock);
    N_Vector x = sw_vectors_take(stock);
    N_Vector y = N_VClone(x);
    N_Vector z = N_VClone(x);
    assert_non_null(y);
    assert_non_null(z);
    for (int i = 0; i < n; i++) {
      sw_vector_data(x)[i] = (i % 3 - 1.25) * (1.0 + 0.1 * i);
      sw_vector_data(y)[i] = (1.5 - i % 4) * (1.0 - 0.05 * i);
    }
    check_operations(x, y, z, context);
    sw_vectors_free(stock);
  }
  SUNContext_Free(&context);
}

/* No two vectors that are taken are one, and what is put back is taken again. */
static void vectors_come_from_a_stock(void **state)
{
  static int anything;
  enum { COUNT = 8 };
  sw_vectors *stock = sw_vectors_create(3, COUNT, (SUNContext)(void *)&anything);
  N_Vector taken[COUNT];

  (void)state;
  assert_non_null(stock);
  for (int i = 0; i < COUNT; i++) {
    taken[i] = i ? N_VClone(taken[0]) : sw_vectors_take(stock);
    assert_non_null(taken[i]);
    for (int j = 0; j < i; j++) {
      assert_ptr_not_equal(taken[i], taken[j]);
      assert_true(llabs(sw_vector_data(taken[i]) - sw_vector_data(taken[j])) >= 3);
    }
  }
  assert_null(sw_vectors_take(stock));
  N_VDestroy(taken[5]);
  assert_ptr_equal(sw_vectors_take(stock), taken[5]);
  sw_vectors_free(stock);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_unknowns_are_solved),
      cmocka_unit_test(very_many_unknowns_are_solved),
      cmocka_unit_test(norms_see_every_component),
      cmocka_unit_test(operations_are_those_of_sundials),
      cmocka_unit_test(vectors_come_from_a_stock),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
