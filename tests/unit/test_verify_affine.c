/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_verify_affine.c -- `verify` on constraints whose brackets vanish on M only, so that they do
 * not commute and the fibre flow is no group in lambda:
 *
 *   H  = (|p|^2 + |q|^2)/2 + kappa q1 q3        in T*R^3
 *   g1 = p1,  g2 = p2 + q1 p1,                  {g1,g2} = -g1
 *   Gamma_lambda: q1 <- E q1 + lambda1 s,  q2 <- q2 + lambda2,  p1 <- p1/E,
 *                 E = exp(lambda2),  s = (E - 1)/lambda2
 *   rho1 = -(q1 + kappa q3),  rho2 = p1^2 - q1^2 - kappa q1 q3 - q2
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "outcome.h"

static void hamiltonian(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  double sum = 0.0;
  for (int i = 0; i < 6; i++)
    sum += z[i] * z[i];
  out[0] = 0.5 * sum + k[0] * z[0] * z[2];
}

static void hamiltonian_grad(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  memcpy(out, z, 6 * sizeof *out);
  out[0] += k[0] * z[2];
  out[2] += k[0] * z[0];
}

static void hamiltonian_hess(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)z;
  for (int e = 0; e < 7; e++)
    out[e] = 1.0;
  out[2] = k[0];
}

static void constraint(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)k;
  out[0] = z[3];
  out[1] = z[4] + z[0] * z[3];
}

static void constraint_scale(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)k;
  out[0] = fabs(z[3]);
  out[1] = fabs(z[4]) + fabs(z[0] * z[3]);
}

static void constraint_jac(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)k;
  out[0] = 1.0;
  out[1] = z[3];
  out[2] = z[0];
  out[3] = 1.0;
}

static void constraint_hess(const long n[], const double z[], const double k[],
                            const double lambda[], double out[])
{
  (void)n;
  (void)z;
  (void)k;
  out[0] = lambda[1];
}

static void hidden(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  out[0] = -(z[0] + k[0] * z[2]);
  out[1] = z[3] * z[3] - z[0] * z[0] - k[0] * z[0] * z[2] - z[1];
}

static void hidden_scale(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  out[0] = fabs(z[0]) + fabs(k[0] * z[2]);
  out[1] = z[3] * z[3] + z[0] * z[0] + fabs(k[0] * z[0] * z[2]) + fabs(z[1]);
}

static void hidden_jac(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  out[0] = -1.0;
  out[1] = -k[0];
  out[2] = -2.0 * z[0] - k[0] * z[2];
  out[3] = -1.0;
  out[4] = -k[0] * z[0];
  out[5] = 2.0 * z[3];
}

static void coisotropy(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)k;
  out[0] = -z[3];
  out[1] = z[3];
}

static void nondegeneracy(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  out[0] = -1.0;
  out[1] = -z[0];
  out[2] = -2.0 * z[0] - k[0] * z[2];
  out[3] = out[2] * z[0] - 1.0 - 2.0 * z[3] * z[3];
}

static double s_of(double lambda)
{
  return lambda == 0.0 ? 1.0 : expm1(lambda) / lambda;
}

static void fibre_flow(const long n[], const double z[], const double k[], const double lambda[],
                       double out[])
{
  (void)n;
  double growth = exp(lambda[1]);
  (void)k;
  memcpy(out, z, 6 * sizeof *out);
  out[0] = growth * z[0] + lambda[0] * s_of(lambda[1]);
  out[1] = z[1] + lambda[1];
  out[3] = z[3] / growth;
}

static void fibre_flow_lambda(const long n[], const double z[], const double k[],
                              const double lambda[], double out[])
{
  (void)n;
  double x = lambda[1];
  double growth = exp(x);
  double slope = fabs(x) < 1e-3 ? 0.5 + x / 3.0 + x * x / 8.0 : (growth - s_of(x)) / x;
  (void)k;
  out[0] = s_of(x);
  out[1] = growth * z[0] + lambda[0] * slope;
  out[2] = 1.0;
  out[3] = -z[3] / growth;
}

static void fibre_flow_z(const long n[], const double z[], const double k[], const double lambda[],
                         double out[])
{
  (void)n;
  double growth = exp(lambda[1]);
  (void)z;
  (void)k;
  for (int e = 0; e < 6; e++)
    out[e] = 1.0;
  out[0] = growth;
  out[3] = 1.0 / growth;
}

static void state_start(const long n[], const double k[], double z[])
{
  (void)n;
  memset(z, 0, 6 * sizeof *z);
  z[0] = -k[0];
  z[2] = 1.0;
  z[5] = 0.5;
}

static void parameter_values(const long n[], double k[])
{
  (void)n;
  k[0] = 0.3;
}

static const sw_array positions[] = {{"q.1", 0, NULL}, {"q.2", 0, NULL}, {"q.3", 0, NULL}};
static const sw_array momenta[] = {{"p.1", 0, NULL}, {"p.2", 0, NULL}, {"p.3", 0, NULL}};
static const sw_array parameters[] = {{"kappa", 0, NULL}};
static const sw_bounds bounds[] = {{-INFINITY, INFINITY, 0}};
static const sw_family constraints[] = {{"shift", 0, NULL, NULL, SW_FIBRE_FLOW},
                                        {"affine", 0, NULL, NULL, SW_FIBRE_FLOW}};
static const sw_family invariants[] = {{"energy", 0, NULL, NULL, SW_FIBRE_FLOW}};
static const sw_initial_state init[] = {{"start", state_start}};

static const int diagonal[] = {0, 1, 2, 3, 4, 5};
static const int hess_H_row[] = {0, 1, 2, 2, 3, 4, 5};
static const int hess_H_col[] = {0, 1, 0, 2, 3, 4, 5};
static const int jac_row[] = {0, 1, 1, 1};
static const int jac_col[] = {3, 0, 3, 4};
static const int hess_g_row[] = {3};
static const int hess_g_col[] = {0};
static const int hidden_row[] = {0, 0, 1, 1, 1, 1};
static const int hidden_col[] = {0, 2, 0, 1, 2, 3};
static const int square_row[] = {0, 0, 1, 1};
static const int square_col[] = {0, 1, 0, 1};
static const int bracket_row[] = {0, 1};
static const int bracket_col[] = {1, 0};
static const int flow_lambda_row[] = {0, 0, 1, 3};
static const int flow_lambda_col[] = {0, 1, 1, 1};

static const sw_model affine = {
    .abi = SW_MODEL_ABI,
    .name = "affine",
    .title = "Constraints that do not commute off M",
    .digest = "",
    .analysis = "",
    .n_coordinates = 3,
    .positions = positions,
    .momenta = momenta,
    .n_parameters = 1,
    .parameters = parameters,
    .bounds = bounds,
    .parameter_values = parameter_values,
    .n_constraints = 2,
    .constraints = constraints,
    .n_invariant = 1,
    .invariants = invariants,
    .n_init = 1,
    .init = init,
    .run = {"rattle", "verlet", "start", 0.1, NAN, 10, 1},
    .structure = {1, 0, SW_MASS_CONSTANT_DIAGONAL, 2, 2, SW_NOT_PROVED, SW_NOT_PROVED, 0, "affine"},
    .hamiltonian = hamiltonian,
    .hamiltonian_grad = hamiltonian_grad,
    .hamiltonian_hess = {{7, hess_H_row, hess_H_col, NULL}, hamiltonian_hess},
    .constraint = constraint,
    .constraint_scale = constraint_scale,
    .constraint_jac = {{4, jac_row, jac_col, NULL}, constraint_jac},
    .constraint_hess = {{1, hess_g_row, hess_g_col, NULL}, constraint_hess},
    .hidden = hidden,
    .hidden_scale = hidden_scale,
    .hidden_jac = {{6, hidden_row, hidden_col, NULL}, hidden_jac},
    .coisotropy = {{2, bracket_row, bracket_col, NULL}, coisotropy},
    .nondegeneracy = {{4, square_row, square_col, NULL}, nondegeneracy},
    .fibre_flow = fibre_flow,
    .fibre_flow_lambda = {{4, flow_lambda_row, flow_lambda_col, NULL}, fibre_flow_lambda},
    .fibre_flow_z = {{6, diagonal, diagonal, NULL}, fibre_flow_z},
    .invariant = hamiltonian,
};

static sw_finding findings[128];

static const sw_finding *find(const sw_model *model, const char *name)
{
  const sw_verify_options options = {.seed = 1, .points = 6};
  assert_in_range(sw_verify_count(), 1, 128);
  verify(model, &options, findings);
  for (int i = 0; i < sw_verify_count(); i++) {
    if (strcmp(findings[i].name, name) == 0)
      return &findings[i];
  }
  fail_msg("no check is called '%s'", name);
  return NULL;
}

static void assert_outcome(const sw_model *model, const char *name, sw_outcome expected)
{
  const sw_finding *finding = find(model, name);
  if (finding->outcome != expected)
    fail_msg("'%s': %g, %s", name, finding->worst, finding->note);
}

static void test_passes(void **state)
{
  (void)state;
  find(&affine, "C = 0 on M");
  for (int i = 0; i < sw_verify_count(); i++) {
    if (findings[i].outcome == SW_CHECK_FAIL)
      fail_msg("'%s' failed: %g, %s", findings[i].name, findings[i].worst, findings[i].note);
  }
  assert_outcome(&affine, "C = Dg J Dg^T", SW_CHECK_PASS);
  assert_outcome(&affine, "C is antisymmetric", SW_CHECK_PASS);
  assert_outcome(&affine, "C = 0 on M", SW_CHECK_PASS);
  assert_outcome(&affine, "Gamma_b o Gamma_a = Gamma_{a+b}", SW_CHECK_PASS);
  assert_outcome(&affine, "dGamma/dlambda = X_g(Gamma)", SW_CHECK_PASS);
}

/* Said to commute, the same flow is no group. */
static void test_claimed_to_commute(void **state)
{
  sw_model broken = affine;
  (void)state;
  broken.structure.commuting = 1;
  assert_outcome(&broken, "holonomic, commuting", SW_CHECK_FAIL);
  assert_outcome(&broken, "Gamma_b o Gamma_a = Gamma_{a+b}", SW_CHECK_FAIL);
  assert_outcome(&broken, "dGamma/dlambda = X_g(Gamma)", SW_CHECK_FAIL);
}

static void wrong_coisotropy(const long n[], const double z[], const double k[], double out[])
{
  coisotropy(n, z, k, out);
  out[1] *= 1.0 + 1e-6;
}

static void test_wrong_bracket(void **state)
{
  sw_model broken = affine;
  (void)state;
  broken.coisotropy.values = wrong_coisotropy;
  assert_outcome(&broken, "C = Dg J Dg^T", SW_CHECK_FAIL);
  assert_outcome(&broken, "C is antisymmetric", SW_CHECK_FAIL);
}

/* The shift by lambda1 as if lambda2 were zero, which is another factorisation of the group. */
static void wrong_flow(const long n[], const double z[], const double k[], const double lambda[],
                       double out[])
{
  fibre_flow(n, z, k, lambda, out);
  out[0] = exp(lambda[1]) * z[0] + lambda[0];
}

static void test_wrong_flow(void **state)
{
  sw_model broken = affine;
  (void)state;
  broken.fibre_flow = wrong_flow;
  assert_outcome(&broken, "Gamma_b o Gamma_a = Gamma_{a+b}", SW_CHECK_FAIL);
  assert_outcome(&broken, "dGamma/dlambda / differences", SW_CHECK_FAIL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_passes), cmocka_unit_test(test_claimed_to_commute),
      cmocka_unit_test(test_wrong_bracket), cmocka_unit_test(test_wrong_flow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
