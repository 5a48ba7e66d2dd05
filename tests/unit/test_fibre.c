/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_fibre.c -- the fibre flow by numerical integration: against closed forms, where it has to
 * fail, and for constraints that commute on M alone.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/numerical_fibre.h"
#include "outcome.h"
#include "sidewinder/sim.h"

#include "chain.h"
#include "chain6.h"
#include "double_pendulum.h"
#include "either.h"
#include "hopf.h"
#include "hopf_free.h"
#include "lj7.h"
#include "net.h"
#include "pendulum.h"
#include "pendulum_norm.h"
#include "spherical.h"
#include "spin_chain.h"
#include "spun.h"
#include "spun_mixed.h"
#include "squeeze.h"
#include "two_constraints.h"
#include "water_box.h"

static const sw_model *const closed[] = {
    &sw_model_chain,         &sw_model_chain6,    &sw_model_double_pendulum, &sw_model_hopf,
    &sw_model_lj7,           &sw_model_net,       &sw_model_hopf_free,       &sw_model_pendulum,
    &sw_model_spun,          &sw_model_either,    &sw_model_spherical,       &sw_model_spin_chain,
    &sw_model_pendulum_norm, &sw_model_water_box, &sw_model_two_constraints};

/* Values in (-1,1), the same in every run. */
static double next(unsigned long *seed)
{
  *seed = (*seed * 1103515245UL + 12345UL) & 0x7fffffffUL;
  return (double)*seed / (double)0x40000000UL - 1.0;
}

static double *doubles(size_t n)
{
  double *values = calloc(n + 1, sizeof *values);
  assert_non_null(values);
  return values;
}

static sw_system *numerical(const sw_model *model)
{
  sw_system *system = NULL;
  assert_int_equal(sw_system_create(model, 0, NULL, &system, NULL), SW_OK);
  assert_int_equal(sw_system_integrate_fibre(system), SW_OK);
  return system;
}

/* The largest difference of two vectors, relative to the largest entry of the first. */
static double distance(const double a[], const double b[], size_t n)
{
  double worst = 0.0;
  double size = 0.0;
  for (size_t i = 0; i < n; i++) {
    if (!(fabs(a[i] - b[i]) <= worst))
      worst = fabs(a[i] - b[i]);
    size = fmax(size, fabs(a[i]));
  }
  return worst == 0.0 ? 0.0 : worst / size;
}

/* A matrix of n rows times w. */
static void times(const sw_pattern *pattern, const double values[], const double w[], double out[])
{
  memset(out, 0, (size_t)pattern->rows * sizeof *out);
  for (int e = 0; e < pattern->entries; e++)
    out[pattern->row[e]] += values[e] * w[pattern->col[e]];
}

/* What the derivatives of the two flows make of the same vector. */
static double compare_derivative(const sw_system *a, const sw_system *b, int by_z, const double k[],
                                 const double z[], const double lambda[])
{
  const sw_pattern *first = by_z ? &a->fibre_flow_z_pattern : &a->fibre_flow_lambda_pattern;
  const sw_pattern *second = by_z ? &b->fibre_flow_z_pattern : &b->fibre_flow_lambda_pattern;
  const size_t n = 2 * (size_t)a->nq;
  double *left = doubles((size_t)first->entries);
  double *right = doubles((size_t)second->entries);
  double *w = doubles(n);
  double *image[2] = {doubles(n), doubles(n)};
  unsigned long seed = 7;
  for (size_t i = 0; i < n; i++)
    w[i] = next(&seed);
  (by_z ? a->fibre_flow_z : a->fibre_flow_lambda)(a, z, k, lambda, left);
  (by_z ? b->fibre_flow_z : b->fibre_flow_lambda)(b, z, k, lambda, right);
  times(first, left, w, image[0]);
  times(second, right, w, image[1]);
  const double found = distance(image[0], image[1], n);
  free(left);
  free(right);
  free(w);
  free(image[0]);
  free(image[1]);
  return found;
}

/* The closed flow and its derivatives against those that are integrated, with the parameters k. */
static void compare_flows(const char *name, const sw_system *exact, const sw_system *found,
                          const double k[])
{
  const size_t n = 2 * (size_t)exact->nq;
  double *z = doubles(n);
  double *lambda = doubles((size_t)exact->nc);
  double *ends[2] = {doubles(n), doubles(n)};
  unsigned long seed = 1;
  for (double scale = 1e-4; scale < 4.0; scale *= 10.0) {
    for (size_t j = 0; j < n; j++)
      z[j] = next(&seed);
    for (int j = 0; j < exact->nc; j++)
      lambda[j] = scale * next(&seed);
    exact->fibre_flow(exact, z, k, lambda, ends[0]);
    found->fibre_flow(found, z, k, lambda, ends[1]);
    const double flow = distance(ends[0], ends[1], n);
    const double by_lambda = compare_derivative(exact, found, 0, k, z, lambda);
    const double by_z = compare_derivative(exact, found, 1, k, z, lambda);
    if (!(flow <= 1e-13 && by_lambda <= 1e-13 && by_z <= 1e-13))
      fail_msg("%s at scale %g: flow %g, by lambda %g, by z %g", name, scale, flow, by_lambda,
               by_z);
  }
  assert_true(found->fibre_scratch->counts.flows > 0 &&
              found->fibre_scratch->counts.error <= 1e-14);
  free(z);
  free(lambda);
  free(ends[0]);
  free(ends[1]);
}

static void flows_agree_with_closed_forms(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof closed / sizeof closed[0]; i++) {
    sw_system *exact = NULL;
    assert_int_equal(sw_system_create(closed[i], 0, NULL, &exact, NULL), SW_OK);
    if (exact->nc == 0) {
      sw_system_free(&exact);
      continue;
    }
    sw_system *found = numerical(closed[i]);
    assert_null(exact->fibre);
    compare_flows(closed[i]->name, exact, found, exact->k_default);
    sw_system_free(&exact);
    sw_system_free(&found);
  }
}

/* One formula for both signs of c, for c = 0 and for all that is nearly 0: c = -b and c = f. */
static void flows_rotate_or_grow_as_parameters_say(void **state)
{
  (void)state;
  static const double sizes[] = {0.0, 1e-300, 1e-16, 1e-12, 1e-6, 1.0, 2.0};
  enum { A, B, CENTRE, E, F, R, S, PARAMETERS };
  sw_system *exact = NULL;
  assert_int_equal(sw_system_create(&sw_model_either, 0, NULL, &exact, NULL), SW_OK);
  assert_int_equal(exact->nk, PARAMETERS);
  sw_system *found = numerical(&sw_model_either);
  for (int sign = -1; sign <= 1; sign += 2) {
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      double k[PARAMETERS];
      memcpy(k, exact->k_default, sizeof k);
      k[B] = sign * sizes[i];
      k[F] = -sign * sizes[i];
      compare_flows("either", exact, found, k);
    }
  }
  sw_system_free(&exact);
  sw_system_free(&found);
}

/* Both start where the first one's projection ends. */
static double compare_runs(const sw_model *first, const sw_model *second, int numerical_fibre,
                           double kick, long steps)
{
  sw_options options;
  sw_sim *a = NULL;
  sw_sim *b = NULL;
  sw_options_init(&options);
  assert_int_equal(sw_sim_create(first, &options, &a), SW_OK);
  options.numerical_fibre = numerical_fibre;
  assert_int_equal(sw_sim_create(second, &options, &b), SW_OK);
  if (second->n_parameters > 0) {
    const size_t n = (size_t)second->n_parameters;
    double *k = doubles(n);
    memcpy(k, sw_sim_parameters(b), n * sizeof *k);
    k[0] += kick;
    assert_int_equal(sw_sim_set_parameters(b, k), SW_OK);
    free(k);
  }
  assert_int_equal(sw_sim_project(a), SW_OK);
  assert_int_equal(sw_sim_set_state(b, 0.0, sw_sim_state(a)), SW_OK);
  if (kick != 0.0)
    assert_int_equal(sw_sim_project(b), SW_OK);
  assert_int_equal(sw_sim_run(a, 0.01, steps, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(b, 0.01, steps, NULL, NULL), SW_OK);
  const sw_stats stats = sw_sim_stats(b);
  assert_int_equal(sw_sim_stats(a).fibre_flows, 0);
  assert_true(stats.fibre_flows >= 2 * steps && stats.fibre_steps >= stats.fibre_flows);
  assert_true(stats.fibre_evaluations > stats.fibre_steps && stats.fibre_error <= 1e-15);
  const double found = distance(sw_sim_state(a), sw_sim_state(b), 2 * (size_t)sw_sim_nq(a));
  sw_sim_free(&a);
  sw_sim_free(&b);
  return found;
}

static void trajectories_agree_with_closed_forms(void **state)
{
  (void)state;
  assert_true(compare_runs(&sw_model_hopf, &sw_model_hopf, 1, 0.0, 200) <= 1e-12);
  assert_true(compare_runs(&sw_model_two_constraints, &sw_model_two_constraints, 1, 0.0, 200) <=
              1e-12);
  assert_true(compare_runs(&sw_model_chain6, &sw_model_chain6, 1, 0.0, 200) <= 1e-11);
}

/* RATTLE depends on M and H alone: (g1, g2 + f g1) is as good as (g1, g2). */
static void trajectories_depend_on_M_alone(void **state)
{
  (void)state;
  assert_int_equal(sw_model_spun.structure.commuting, 1);
  assert_int_equal(sw_model_spun_mixed.structure.commuting, 0);
  assert_null(sw_model_spun_mixed.fibre_flow);
  assert_true(compare_runs(&sw_model_spun, &sw_model_spun_mixed, 0, 0.0, 500) <= 1e-11);
  /* Another M is another trajectory: this would be seen. */
  assert_true(compare_runs(&sw_model_spun, &sw_model_spun_mixed, 0, 1e-9, 500) > 1e-11);
}

static void verify_passes_on_numerical_flows(void **state)
{
  static const sw_model *const models[] = {&sw_model_spun_mixed, &sw_model_squeeze};
  const sw_verify_options options = {.seed = 1, .points = 4};
  (void)state;
  sw_finding *findings = calloc((size_t)sw_verify_count(), sizeof *findings);
  assert_non_null(findings);
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(verify(models[i], &options, findings), 1);
  }
  free(findings);
}

/* The derivative in lambda is that of commuting flows only where they commute. */
static void a_wrong_claim_to_commute_is_found(void **state)
{
  (void)state;
  sw_model broken = sw_model_spun_mixed;
  broken.structure.commuting = 1;
  assert_int_equal(outcome(&broken, "dGamma/dlambda / differences"), SW_CHECK_FAIL);
  assert_int_equal(outcome(&broken, "Gamma_b o Gamma_a = Gamma_{a+b}"), SW_CHECK_FAIL);
  assert_int_equal(outcome(&broken, "holonomic, commuting"), SW_CHECK_FAIL);
}

/* A wrong Hessian is seen in dGamma/dz, not in Gamma; as it is symmetric, that is symplectic
 * still. */
static void wrong_hess(const long n[], const double z[], const double k[], const double lambda[],
                       double out[])
{
  sw_model_squeeze.constraint_hess.values(n, z, k, lambda, out);
  out[0] *= 1.0 + 1e-6;
}

static void a_wrong_hessian_is_found(void **state)
{
  (void)state;
  sw_model broken = sw_model_squeeze;
  broken.constraint_hess.values = wrong_hess;
  assert_int_equal(outcome(&broken, "dGamma/dz / differences"), SW_CHECK_FAIL);
}

static void flows_end_before_they_leave(void **state)
{
  const double z[4] = {0.5, 1.0, 0.3, 0.5};
  double out[16];
  (void)state;
  sw_system *system = numerical(&sw_model_squeeze);
  for (double lambda = -6.0; lambda < 1.95; lambda += 0.3) {
    const double shrink = 1.0 - lambda * z[0];
    const double expected[4] = {z[0] / shrink, z[1], z[2] * shrink * shrink, z[3] - lambda};
    system->fibre_flow(system, z, NULL, &lambda, out);
    for (int i = 0; i < 4; i++)
      assert_true(fabs(out[i] - expected[i]) <= 1e-13 * (1.0 + fabs(expected[i])));
  }
  sw_system_free(&system);
}

/* NaN in every entry, after a bounded number of evaluations. */
static void flows_that_cannot_be_had_are_not_numbers(void **state)
{
  static const double times_of[] = {2.0, 2.5, 1e3, 1e30, INFINITY, (double)NAN};
  static const sw_model *const models[] = {&sw_model_squeeze, &sw_model_hopf};
  const double z[4] = {0.5, 1.0, 0.3, 0.5};
  double out[3][16];
  (void)state;
  for (size_t which = 0; which < 2; which++) {
    sw_system *system = numerical(models[which]);
    for (size_t i = which == 0 ? 0 : 3; i < sizeof times_of / sizeof times_of[0]; i++) {
      system->fibre_scratch->counts.evaluations = 0;
      system->fibre_flow(system, z, system->k_default, &times_of[i], out[0]);
      system->fibre_flow_lambda(system, z, system->k_default, &times_of[i], out[1]);
      system->fibre_flow_z(system, z, system->k_default, &times_of[i], out[2]);
      for (int e = 0; e < 4; e++)
        assert_true(isnan(out[0][e]));
      for (int e = 0; e < system->fibre_flow_lambda_pattern.entries; e++)
        assert_true(isnan(out[1][e]));
      for (int e = 0; e < system->fibre_flow_z_pattern.entries; e++)
        assert_true(isnan(out[2][e]));
      assert_true(system->fibre_scratch->counts.evaluations < 1000000);
    }
    sw_system_free(&system);
  }
}

/* A step that would need such a flow says so, and leaves the state alone. */
static void steps_that_need_them_fail(void **state)
{
  sw_options options;
  sw_sim *sim = NULL;
  double before[4];
  (void)state;
  sw_options_init(&options);
  options.numerical_fibre = 1;
  assert_int_equal(sw_sim_create(&sw_model_hopf, &options, &sim), SW_OK);
  assert_int_equal(sw_sim_project(sim), SW_OK);
  memcpy(before, sw_sim_state(sim), sizeof before);
  for (double h = 1e4; h < 1e14; h *= 1e3) {
    assert_int_equal(sw_sim_step(sim, h), SW_ERR_NOT_FINITE);
    assert_memory_equal(before, sw_sim_state(sim), sizeof before);
  }
  assert_int_equal(sw_sim_step(sim, 0.01), SW_OK);
  sw_sim_free(&sim);
}

/* A flow is a function of its arguments, whatever was computed before. */
static void flows_have_no_memory(void **state)
{
  const double z[4] = {0.5, 1.0, 0.3, 0.5};
  const double small = 0.01;
  const double large = 30.0;
  double first[4];
  double second[4];
  double between[16];
  (void)state;
  sw_system *system = numerical(&sw_model_hopf);
  system->fibre_flow(system, z, system->k_default, &small, first);
  system->fibre_flow_z(system, z, system->k_default, &large, between);
  system->fibre_flow(system, z, system->k_default, &small, second);
  assert_memory_equal(first, second, sizeof first);
  sw_system_free(&system);
}

/* A model with some but not all of the three functions is no model. */
static void half_a_flow_is_refused(void **state)
{
  (void)state;
  sw_model model = sw_model_hopf;
  sw_sim *sim = NULL;
  model.fibre_flow_lambda.values = NULL;
  assert_int_equal(sw_sim_create(&model, NULL, &sim), SW_ERR_ARGUMENT);
  model.fibre_flow = NULL;
  assert_int_equal(sw_sim_create(&model, NULL, &sim), SW_ERR_ARGUMENT);
  model.fibre_flow_z.values = NULL;
  model.fibre_increment = NULL; /* which goes with the flow */
  assert_int_equal(sw_sim_create(&model, NULL, &sim), SW_OK);
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flows_agree_with_closed_forms),
      cmocka_unit_test(flows_rotate_or_grow_as_parameters_say),
      cmocka_unit_test(trajectories_agree_with_closed_forms),
      cmocka_unit_test(trajectories_depend_on_M_alone),
      cmocka_unit_test(verify_passes_on_numerical_flows),
      cmocka_unit_test(a_wrong_claim_to_commute_is_found),
      cmocka_unit_test(a_wrong_hessian_is_found),
      cmocka_unit_test(flows_end_before_they_leave),
      cmocka_unit_test(flows_that_cannot_be_had_are_not_numbers),
      cmocka_unit_test(steps_that_need_them_fail),
      cmocka_unit_test(flows_have_no_memory),
      cmocka_unit_test(half_a_flow_is_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
