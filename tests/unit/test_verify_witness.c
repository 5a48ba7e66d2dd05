/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_verify_witness.c -- the comparison with witnesses: what is right passes; what is wrong or
 * not a number fails, at whichever point it is; what was not compared is not said to pass. A fibre
 * flow that is wrong by a factor or a sign fails.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixtures.h"
#include "outcome.h"

enum { POINTS = 2, MOST_STATE = 8, MOST_PARAMETERS = 8 };

/* At which point, from 0, the Hamiltonian is wrong by how much; generated functions have no
 * argument for it. */
static _Thread_local int bad_point;
static _Thread_local double bad_by;

static double first_entry(int point)
{
  return 0.3 + 0.1 * point;
}

static void bad_hamiltonian(const long n[], const double z[], const double k[], double out[])
{
  sw_fixture_pendulum.hamiltonian(n, z, k, out);
  if (z[0] == first_entry(bad_point)) {
    out[0] += bad_by;
  }
}

/* The finding of a witness check, with a table that has values of `what` at so many points: those
 * of H if it is H, else zeros. */
static sw_finding check(const sw_model *model, const char *name, sw_witnessed what, int n_points)
{
  double z[POINTS][MOST_STATE];
  double k[MOST_PARAMETERS];
  double lambda[MOST_STATE] = {0.3};
  sw_witness_entry entries[POINTS];
  sw_witness_values values[POINTS];
  sw_witness_point points[POINTS];
  sw_system *system = NULL;
  assert_int_equal(sw_system_create(model, 0, NULL, &system, NULL), SW_OK);
  assert_true(2 * system->nq <= MOST_STATE && system->nk <= MOST_PARAMETERS);
  memcpy(k, system->k_default, (size_t)system->nk * sizeof *k);
  for (int i = 0; i < POINTS; i++) {
    double H = 0.0;
    for (int j = 0; j < 2 * system->nq; j++) {
      z[i][j] = first_entry(i) + 0.2 * j;
    }
    sw_fixture_pendulum.hamiltonian(NULL, z[i], k, &H);
    entries[i] = (sw_witness_entry){.value = H, .size = fabs(H)};
    values[i] = (sw_witness_values){what, 0, what == SW_WITNESS_HAMILTONIAN, &entries[i], NULL};
    points[i] = (sw_witness_point){z[i], k, lambda, z[i], 1, 1, &values[i]};
  }
  const sw_witness_case at = {.nq = system->nq,
                              .nc = system->nc,
                              .nk = system->nk,
                              .n_observe = system->n_observe,
                              .n_invariant = system->n_invariant,
                              .n_init = system->n_init,
                              .n_points = n_points,
                              .points = points};
  const sw_witness witness = {
      .name = model->name, .digest = model->digest, .n_cases = 1, .cases = &at};
  const sw_verify_options options = {.seed = 1, .points = 1, .witness = &witness, .only = name};
  sw_finding findings[128];
  sw_finding found = {.name = NULL};
  assert_in_range(sw_verify_count(), 1, 128);
  sw_verify_model(system, &options, findings);
  for (int i = 0; i < sw_verify_count(); i++) {
    if (strcmp(findings[i].name, name) == 0) {
      found = findings[i];
    }
  }
  sw_system_free(&system);
  assert_non_null(found.name);
  return found;
}

static sw_finding check_hamiltonian(const sw_model *model, int n_points)
{
  return check(model, "witness hamiltonian", SW_WITNESS_HAMILTONIAN, n_points);
}

static sw_finding check_bad(int point, double by)
{
  sw_model broken = sw_fixture_pendulum;
  broken.hamiltonian = bad_hamiltonian;
  bad_point = point;
  bad_by = by;
  return check_hamiltonian(&broken, POINTS);
}

static void test_right(void **state)
{
  (void)state;
  sw_finding found = check_hamiltonian(&sw_fixture_pendulum, POINTS);
  assert_int_equal(found.outcome, SW_CHECK_PASS);
  assert_true(found.worst == 0.0);
  assert_int_equal(check_bad(-1, 1.0).outcome, SW_CHECK_PASS);
}

static void test_wrong(void **state)
{
  (void)state;
  for (int point = 0; point < POINTS; point++) {
    assert_int_equal(check_bad(point, 1e-9).outcome, SW_CHECK_FAIL);
    assert_int_equal(check_bad(point, INFINITY).outcome, SW_CHECK_FAIL);
  }
}

/* At the last point, too, and where a good point follows. */
static void test_not_a_number(void **state)
{
  (void)state;
  for (int point = 0; point < POINTS; point++) {
    sw_finding found = check_bad(point, NAN);
    assert_int_equal(found.outcome, SW_CHECK_FAIL);
    assert_true(isnan(found.worst));
  }
}

/* ---- the fibre flow ---- */

/* The flow of the fixture "hopf", off by a factor in one entry, or with a wrong sign of lambda. */
static void bad_flow(const long n[], const double z[], const double k[], const double lambda[],
                     double out[])
{
  sw_fixture_hopf.fibre_flow(n, z, k, lambda, out);
  out[1] *= 1.0 + bad_by;
}

static void turned_flow(const long n[], const double z[], const double k[], const double lambda[],
                        double out[])
{
  const double back[] = {-lambda[0]};
  sw_fixture_hopf.fibre_flow(n, z, k, back, out);
}

static void turned_by_lambda(const long n[], const double z[], const double k[],
                             const double lambda[], double out[])
{
  const double back[] = {-lambda[0]};
  sw_fixture_hopf.fibre_flow_lambda.values(n, z, k, back, out);
}

static void turned_by_z(const long n[], const double z[], const double k[], const double lambda[],
                        double out[])
{
  const double back[] = {-lambda[0]};
  sw_fixture_hopf.fibre_flow_z.values(n, z, k, back, out);
}

static void check_flow(const sw_model *model, const char *name, sw_outcome outcome)
{
  sw_finding found = check(model, name, SW_WITNESS_CONSTRAINT_HESS, POINTS);
  if (found.outcome != outcome) {
    fail_msg("%s: %d, %s", name, found.outcome, found.note);
  }
}

static void test_flow(void **state)
{
  sw_model broken = sw_fixture_hopf;
  (void)state;
  check_flow(&broken, "witness fibre_flow", SW_CHECK_PASS);
  check_flow(&broken, "witness fibre_flow_lambda", SW_CHECK_PASS);
  check_flow(&broken, "witness fibre_flow_z", SW_CHECK_PASS);
  broken.fibre_flow = bad_flow;
  bad_by = 1e-10;
  check_flow(&broken, "witness fibre_flow", SW_CHECK_FAIL);
  bad_by = NAN;
  check_flow(&broken, "witness fibre_flow", SW_CHECK_FAIL);
  broken.fibre_flow = turned_flow;
  broken.fibre_flow_lambda.values = turned_by_lambda;
  broken.fibre_flow_z.values = turned_by_z;
  check_flow(&broken, "witness fibre_flow", SW_CHECK_FAIL);
  check_flow(&broken, "witness fibre_flow_lambda", SW_CHECK_FAIL);
  check_flow(&broken, "witness fibre_flow_z", SW_CHECK_FAIL);
}

static void test_nothing_compared(void **state)
{
  (void)state;
  sw_finding found = check_hamiltonian(&sw_fixture_pendulum, 0);
  assert_int_equal(found.outcome, SW_CHECK_NOT_APPLICABLE);
  assert_non_null(strstr(found.note, "no witness"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_right), cmocka_unit_test(test_wrong),
                                     cmocka_unit_test(test_not_a_number),
                                     cmocka_unit_test(test_flow),
                                     cmocka_unit_test(test_nothing_compared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
