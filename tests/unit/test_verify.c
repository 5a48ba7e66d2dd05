/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_verify.c -- `verify` passes good models, and every check of it fails on a broken one.
 *
 * A broken model is a copy of a fixture in which one function is replaced by a wrapper that spoils
 * one entry: wrong by one part in a million, or not written at all.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures.h"
#include "outcome.h"

static const sw_model *const fixtures[] = {&sw_fixture_pendulum, &sw_fixture_hopf,
                                           &sw_fixture_spherical, &sw_fixture_two,
                                           &sw_fixture_free};

enum { FIXTURES = sizeof fixtures / sizeof fixtures[0] };

/* What the wrappers do.  Generated functions have no argument for it. */
static _Thread_local const sw_model *original;
static _Thread_local int spoiled;  /* index of the entry */
static _Thread_local int skipping; /* 1: the entry is not written */

/* Carries out the damage after a function has written out; before is what stood there. */
static void spoil(double out[], double before)
{
  if (skipping)
    out[spoiled] = before;
  else
    out[spoiled] += 1e-6 * (out[spoiled] != 0.0 ? out[spoiled] : 1.0);
}

#define SPOILED(field, function)                                                                   \
  static void bad_##field(const long n[], const double z[], const double k[], double out[])        \
  {                                                                                                \
    double before = out[spoiled];                                                                  \
    original->function(n, z, k, out);                                                              \
    spoil(out, before);                                                                            \
  }
#define SPOILED_LAMBDA(field, function)                                                            \
  static void bad_##field(const long n[], const double z[], const double k[],                      \
                          const double lambda[], double out[])                                     \
  {                                                                                                \
    double before = out[spoiled];                                                                  \
    original->function(n, z, k, lambda, out);                                                      \
    spoil(out, before);                                                                            \
  }
#define SPOILED_FUNCTION(field)        SPOILED(field, field)
#define SPOILED_LAMBDA_FUNCTION(field) SPOILED_LAMBDA(field, field)
#define SPOILED_MATRIX(field)          SPOILED(field, field.values)
#define SPOILED_LAMBDA_MATRIX(field)   SPOILED_LAMBDA(field, field.values)

SPOILED_FUNCTION(hamiltonian)
SPOILED_FUNCTION(hamiltonian_grad)
SPOILED_MATRIX(hamiltonian_hess)
SPOILED_FUNCTION(constraint)
SPOILED_MATRIX(constraint_jac)
SPOILED_LAMBDA_MATRIX(constraint_hess)
SPOILED_FUNCTION(hidden)
SPOILED_MATRIX(hidden_jac)
SPOILED_MATRIX(nondegeneracy)
SPOILED_LAMBDA_FUNCTION(fibre_flow)
SPOILED_LAMBDA_MATRIX(fibre_flow_lambda)
SPOILED_LAMBDA_MATRIX(fibre_flow_z)
SPOILED_LAMBDA_FUNCTION(fibre_increment)
SPOILED_LAMBDA_FUNCTION(observe)

/* The checks of the first n names fail. */
static void assert_fail(const sw_model *model, int n, const char *const names[])
{
  sw_outcome found[2] = {SW_CHECK_PASS, SW_CHECK_PASS};
  outcomes(model, n, names, found);
  for (int i = 0; i < n; i++) {
    if (found[i] != SW_CHECK_FAIL)
      fail_msg("%s: check '%s' did not fail (entry %d, %s)", model->name, names[i], spoiled,
               skipping ? "skipped" : "wrong");
  }
}

static void assert_fails(const sw_model *model, const char *name)
{
  assert_fail(model, 1, &name);
}

static void test_fixtures_pass(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    const sw_verify_options options = {.seed = seed, .points = 6};
    for (int f = 0; f < FIXTURES; f++) {
      sw_finding findings[128];
      assert_in_range(sw_verify_count(), 1, 128);
      int good = verify(fixtures[f], &options, findings);
      for (int i = 0; i < sw_verify_count(); i++) {
        if (findings[i].outcome == SW_CHECK_FAIL)
          fail_msg("%s: '%s' failed: %g, %s", fixtures[f]->name, findings[i].name,
                   findings[i].worst, findings[i].note);
        if (findings[i].outcome == SW_CHECK_NOT_APPLICABLE)
          assert_int_not_equal(findings[i].note[0], '\0');
      }
      assert_int_equal(good, 1);
    }
  }
}

static void test_same_seed_same_report(void **state)
{
  const sw_verify_options options = {.seed = 7, .points = 3};
  sw_finding once[128];
  sw_finding twice[128];
  (void)state;
  verify(&sw_fixture_two, &options, once);
  verify(&sw_fixture_two, &options, twice);
  for (int i = 0; i < sw_verify_count(); i++) {
    assert_memory_equal(&once[i].worst, &twice[i].worst, sizeof once[i].worst);
    assert_string_equal(once[i].note, twice[i].note);
  }
}

/* Spoils each of `entries` entries in both ways.  The named check must fail, and where an entry is
 * not written the check of outputs too. */
static void spoil_each(const sw_model *broken, int entries, const char *name)
{
  const char *const names[] = {name, "every output is written"};
  for (spoiled = 0; spoiled < entries; spoiled++) {
    for (skipping = 0; skipping <= 1; skipping++)
      assert_fail(broken, skipping ? 2 : 1, names);
  }
}

/* Replaces one function of a copy of *original. */
#define SPOIL_MEMBER(field, member, entries, name)                                                 \
  do {                                                                                             \
    sw_model broken = *original;                                                                   \
    broken.member = bad_##field;                                                                   \
    spoil_each(&broken, entries, name);                                                            \
  } while (0)
#define SPOIL(field, entries, name)        SPOIL_MEMBER(field, field, entries, name)
#define SPOIL_MATRIX(field, entries, name) SPOIL_MEMBER(field, field.values, entries, name)

static void test_energy(void **state)
{
  (void)state;
  for (int f = 0; f < FIXTURES; f++) {
    original = fixtures[f];
    SPOIL(hamiltonian, 1, "grad H / differences of H");
    SPOIL(hamiltonian_grad, 2 * original->n_coordinates, "grad H / differences of H");
    SPOIL_MATRIX(hamiltonian_hess, original->hamiltonian_hess.places.n,
                 "Hess H / differences of grad H");
  }
}

static void test_constraints(void **state)
{
  (void)state;
  for (int f = 0; f < FIXTURES; f++) {
    original = fixtures[f];
    if (original->n_constraints == 0)
      continue;
    SPOIL(constraint, original->n_constraints, "Dg / differences of g");
    SPOIL_MATRIX(constraint_jac, original->constraint_jac.places.n, "Dg / differences of g");
    SPOIL_MATRIX(constraint_hess, original->constraint_hess.places.n,
                 "Hess(lambda.g) / differences of Dg");
  }
}

static void test_brackets(void **state)
{
  (void)state;
  for (int f = 0; f < FIXTURES; f++) {
    original = fixtures[f];
    if (original->n_constraints == 0)
      continue;
    SPOIL(hidden, original->n_constraints, "rho = {g,H}");
    SPOIL(hidden, original->n_constraints, "Drho / differences of rho");
    SPOIL_MATRIX(hidden_jac, original->hidden_jac.places.n, "Drho / differences of rho");
    SPOIL_MATRIX(nondegeneracy, original->nondegeneracy.places.n, "N = Drho J Dg^T");
  }
}

static void test_flow_derivatives(void **state)
{
  (void)state;
  for (int f = 0; f < FIXTURES; f++) {
    original = fixtures[f];
    if (original->n_constraints == 0)
      continue;
    SPOIL(fibre_flow, 2 * original->n_coordinates, "Gamma_0 = id");
    SPOIL_MATRIX(fibre_flow_lambda, original->fibre_flow_lambda.places.n,
                 "dGamma/dlambda / differences");
    SPOIL_MATRIX(fibre_flow_lambda, original->fibre_flow_lambda.places.n,
                 "dGamma/dlambda = X_g(Gamma)");
    SPOIL_MATRIX(fibre_flow_z, original->fibre_flow_z.places.n, "dGamma/dz / differences");
  }
}

/* Right to the digits of z, which is not enough. */
static void difference(const long n[], const double z[], const double k[], const double lambda[],
                       double out[])
{
  original->fibre_flow(n, z, k, lambda, out);
  for (int i = 0; i < 2 * original->n_coordinates; i++)
    out[i] -= z[i];
}

static void test_increments(void **state)
{
  sw_model lossy = sw_fixture_hopf;
  (void)state;
  original = &sw_fixture_hopf;
  SPOIL(fibre_increment, 2 * original->n_coordinates, "Gamma - z, relative to itself");
  lossy.fibre_increment = difference;
  assert_fails(&lossy, "Gamma - z, relative to itself");
}

static void test_observables_are_written(void **state)
{
  (void)state;
  sw_model broken = sw_fixture_pendulum;
  original = &sw_fixture_pendulum;
  broken.observe = bad_observe;
  skipping = 1;
  for (spoiled = 0; spoiled < broken.n_observe; spoiled++)
    assert_fails(&broken, "every output is written");
}

/* --- patterns ------------------------------------------------------------------------------- */

/* A model of which an entry stands outside of its matrix is refused, in words, and so is one that
 * lacks what is needed. */
static void refuse(const sw_model *model, const char *words)
{
  char message[SW_SYSTEM_MESSAGE] = "";
  sw_system *system = NULL;
  assert_int_equal(sw_system_create(model, 0, NULL, &system, message), SW_ERR_ARGUMENT);
  assert_null(system);
  if (!strstr(message, words))
    fail_msg("'%s' is not in '%s'", words, message);
}

static void test_patterns(void **state)
{
  static const int out_of_range[] = {2, 4};
  static const int upper[] = {0, 1};
  static const int last[] = {3, 3};
  (void)state;
  sw_model broken = sw_fixture_pendulum;
  broken.hamiltonian_hess.places = (sw_places){2, out_of_range, out_of_range, NULL};
  refuse(&broken, "the Hessian of H has an entry at (4, 4)");
  broken.hamiltonian_hess.places = (sw_places){2, upper, last, NULL};
  refuse(&broken, "the Hessian of H has an entry at (0, 3)");
  broken.hamiltonian_hess.places = (sw_places){2, NULL, NULL, NULL};
  refuse(&broken, "");
  broken = sw_fixture_pendulum;
  broken.constraint_jac.places = (sw_places){2, out_of_range, upper, NULL};
  refuse(&broken, "the Jacobian of the constraints has an entry at (2, 0)");
  broken = sw_fixture_pendulum;
  broken.hidden_jac.values = NULL;
  refuse(&broken, "");
}

/* Entries may be given in any order, and one place more than once: then they are added up. */
static void backwards(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)z;
  (void)k;
  out[0] = out[1] = 0.5;
  out[2] = 1.0;
}

static void test_any_order(void **state)
{
  static const int rows[] = {3, 3, 2};
  static const int last[] = {3, 3, 3};
  const char *name = "Hess H / differences of grad H";
  (void)state;
  sw_model model = sw_fixture_pendulum;
  model.hamiltonian_hess = (sw_matrix){{3, rows, rows, NULL}, backwards};
  assert_int_equal(outcome(&model, name), SW_CHECK_PASS);
  model.hamiltonian_hess.places.row = model.hamiltonian_hess.places.col = last;
  assert_fails(&model, name);
}

/* A pattern that leaves out an entry that is not zero. */
static void test_incomplete_pattern(void **state)
{
  (void)state;
  sw_model broken = sw_fixture_spherical;
  broken.hamiltonian_hess.places.n--;
  assert_fails(&broken, "Hess H / differences of grad H");
  broken = sw_fixture_hopf;
  broken.hidden_jac.places.n--;
  assert_fails(&broken, "Drho / differences of rho");
}

/* --- the coisotropy matrix ------------------------------------------------------------------- */

static const int full_row[] = {0, 0, 1, 1};
static const int full_col[] = {0, 1, 0, 1};
static _Thread_local double full[4];

static void full_coisotropy(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)z;
  (void)k;
  memcpy(out, full, sizeof full);
}

static void test_coisotropy(void **state)
{
  static const double wrong[4] = {0.0, 1e-9, 1e-9, 0.0};
  (void)state;
  sw_model model = sw_fixture_two;
  model.coisotropy.values = full_coisotropy;
  model.coisotropy.places = (sw_places){4, full_row, full_col, NULL};
  memset(full, 0, sizeof full);
  assert_int_equal(outcome(&model, "C = Dg J Dg^T"), SW_CHECK_PASS);
  assert_int_equal(outcome(&model, "C is antisymmetric"), SW_CHECK_PASS);
  assert_int_equal(outcome(&model, "C = 0 on M"), SW_CHECK_PASS);
  assert_int_equal(outcome(&model, "holonomic, commuting"), SW_CHECK_PASS);
  memcpy(full, wrong, sizeof full);
  assert_fails(&model, "C = Dg J Dg^T");
  assert_fails(&model, "C is antisymmetric");
  assert_fails(&model, "C = 0 on M");
  assert_fails(&model, "holonomic, commuting");
}

/* --- structure, invariants ------------------------------------------------------------ */

static void test_structure(void **state)
{
  (void)state;
  sw_model broken = sw_fixture_spherical;
  broken.structure.separable = 1;
  assert_fails(&broken, "separable, constant mass matrix");
  broken = sw_fixture_spherical;
  broken.structure.mass = SW_MASS_CONSTANT;
  assert_fails(&broken, "separable, constant mass matrix");
  broken = sw_fixture_hopf;
  broken.structure.holonomic = 1;
  assert_fails(&broken, "holonomic, commuting");
}

/* H + 1e-5 q.1: nearly an invariant.  The rate of q.1 is a small part of the terms that it is
 * compared with. */
static void bad_invariant(const long n[], const double z[], const double k[], double out[])
{
  original->invariant(n, z, k, out);
  out[0] += 1e-5 * z[0];
}

static void test_invariants(void **state)
{
  (void)state;
  for (int f = 0; f < FIXTURES; f++) {
    sw_model broken = *fixtures[f];
    original = fixtures[f];
    if (broken.n_invariant == 0)
      continue;
    broken.invariant = bad_invariant;
    assert_fails(&broken, "invariants: {I,H} + lambda.{I,g} = 0");
  }
}

/* --- identities of the flow and of the methods ------------------------------------------------ */

/* A flow that is none: lambda^2 shifts the last momentum. */
static void no_flow(const long n[], const double z[], const double k[], const double lambda[],
                    double out[])
{
  original->fibre_flow(n, z, k, lambda, out);
  out[2 * original->n_coordinates - 1] += 0.01 * lambda[0] * lambda[0];
}

static void test_flow_identities(void **state)
{
  (void)state;
  sw_model broken = sw_fixture_hopf;
  original = &sw_fixture_hopf;
  broken.fibre_flow = no_flow;
  assert_fails(&broken, "Gamma maps M to M");
  assert_fails(&broken, "Gamma_b o Gamma_a = Gamma_{a+b}");
  assert_fails(&broken, "dGamma/dlambda / differences");
  broken = sw_fixture_hopf;
  broken.fibre_flow_z.values = bad_fibre_flow_z;
  spoiled = 0; /* q on q */
  skipping = 0;
  assert_fails(&broken, "Gamma is symplectic");
}

static void test_methods_need_a_flow(void **state)
{
  (void)state;
  sw_model broken = sw_fixture_pendulum;
  original = &sw_fixture_pendulum;
  broken.fibre_flow = no_flow;
  /* Else the explicit methods make the slides themselves. */
  broken.structure.mass = SW_MASS_GENERAL;
  assert_fails(&broken, "euler-b(-h) o euler-a(h) = id");
  assert_fails(&broken, "verlet(-h) o verlet(h) = id");
  assert_fails(&broken, "midpoint(-h) o midpoint(h) = id");
  assert_fails(&broken, "SHAKE and RATTLE on the same fibres");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fixtures_pass),
                                     cmocka_unit_test(test_same_seed_same_report),
                                     cmocka_unit_test(test_energy),
                                     cmocka_unit_test(test_constraints),
                                     cmocka_unit_test(test_brackets),
                                     cmocka_unit_test(test_flow_derivatives),
                                     cmocka_unit_test(test_increments),
                                     cmocka_unit_test(test_observables_are_written),
                                     cmocka_unit_test(test_patterns),
                                     cmocka_unit_test(test_any_order),
                                     cmocka_unit_test(test_incomplete_pattern),
                                     cmocka_unit_test(test_coisotropy),
                                     cmocka_unit_test(test_structure),
                                     cmocka_unit_test(test_invariants),
                                     cmocka_unit_test(test_flow_identities),
                                     cmocka_unit_test(test_methods_need_a_flow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
